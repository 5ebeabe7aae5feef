import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("The apps remembered") struct AppDirectoryTests {
    @Test("an app is found by its bundle and its id, with its zone and products")
    func found() async throws {
        try await TestOffice.run { office in
            let directory = office.backOffice.apps
            let bundle = try #require(try await office.lines("SELECT identifier FROM store_accounts").first)
            let entry = try #require(try await directory.entry(at: .apple, knownAs: bundle))
            #expect(entry.record.slug == "readmigo")
            #expect(entry.timeZone.identifier == entry.record.timeZone)
            #expect(entry.products[.apple]?.count == 4)
            #expect(try await directory.entry(for: entry.record.id)?.record.slug == "readmigo")
            #expect(try await directory.entry(at: .apple, knownAs: bundle.uppercased()) == nil)
        }
    }

    @Test("what was read is remembered for ten seconds, what was missing for one")
    func remembered() async throws {
        try await TestOffice.run { office in
            let directory = office.backOffice.apps
            let app = try await office.app()
            #expect(try await directory.entry(for: app)?.record.name == "Readmigo")
            #expect(try await directory.entry(at: .apple, knownAs: "com.example.late") == nil)
            _ = try await office.pool.query("UPDATE apps SET name = 'Renamed'")
            _ = try await office.pool.query("UPDATE store_accounts SET identifier = 'com.example.late'")
            #expect(try await directory.entry(for: app)?.record.name == "Readmigo")
            #expect(try await directory.entry(at: .apple, knownAs: "com.example.late") == nil)
            office.clock.advance(by: 1)
            #expect(try await directory.entry(at: .apple, knownAs: "com.example.late")?.record.name == "Renamed")
            _ = try await office.pool.query("UPDATE apps SET name = 'Again'")
            office.clock.advance(by: 9)
            #expect(try await directory.entry(for: app)?.record.name == "Renamed")
            office.clock.advance(by: 1)
            #expect(try await directory.entry(for: app)?.record.name == "Again")
        }
    }

    @Test("a time zone that this machine does not know is said, with the app")
    func unknownZone() async throws {
        try await TestOffice.run { office in
            _ = try await office.pool.query("UPDATE apps SET time_zone = 'Mars/Olympus'")
            let directory = office.backOffice.apps
            let app = try await office.app()
            let error = await #expect(throws: OperationsError.self) { _ = try await directory.entry(for: app) }
            #expect(error?.code == .misconfigured)
            #expect(error?.message.contains("readmigo") ?? false)
        }
    }
}
