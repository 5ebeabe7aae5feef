import Billing
import Foundation
import Operations
import Storage
import Testing

@Suite("Usage that is read with its session") struct SessionUsageTests {
    @Test("it is what is read by itself: before and after the first count, and once a reservation's time is over")
    func same() async throws {
        try await UsageOffice.run { office in
            #expect(try await Self.used("scan", office) == [0, 0, 0])
            try await office.count("scan", 3)
            #expect(try await Self.used("scan", office) == [3, 3, 3])
            _ = try await office.backOffice.reserve("scan", quantity: 7, seconds: 60, for: try await office.current())
            #expect(try await Self.used("scan", office) == [10, 10, 10])
            office.clock.advance(by: 61)
            #expect(try await Self.used("scan", office) == [3, 3, 3])
            office.clock.advance(by: 86_400)
            #expect(try await Self.used("scan", office) == [0, 3, 3])
        }
    }

    @Test("of who has become another it is the other's")
    func merged() async throws {
        try await UsageOffice.run { office in
            let other = UsageOffice(office: office.office, session: try await UsageOffice.session("u2", office.office))
            try await office.count("scan", 20)
            try await other.count("scan", 5)
            try await office.office.database.write {
                try await $0.customers.merge(
                    other.session.customer,
                    into: office.session.customer,
                    of: office.session.app
                )
            }
            #expect(try await Self.used("scan", other) == [25, 25, 25])
        }
    }

    @Test("a session that has ended has none")
    func ended() async throws {
        try await UsageOffice.run { office in
            try await office.backOffice.signOut(office.session.id)
            #expect(try await Self.read([office.session.id], office).allSatisfy { $0 == nil })
        }
    }

    @Test("of many that are read together each has its own, and those alone for whom it was asked")
    func together() async throws {
        try await UsageOffice.run { office in
            var offices = [office]
            for number in 2...5 {
                let session = try await UsageOffice.session("u\(number)", office.office)
                offices.append(UsageOffice(office: office.office, session: session))
            }
            for (number, other) in offices.enumerated() where number > 0 {
                try await other.count("scan", Int64(number))
            }
            let asks = offices.map { CustomerSessionAsk($0.session.id, withUsage: true) }
            let without = CustomerSessionAsk(offices[4].session.id)
            let gone = CustomerSessionAsk(CustomerSession.ID(UUID()), withUsage: true)
            let sessions = try await office.office.database.readPrimary {
                try await $0.customerSessions([gone] + asks + [without])
            }
            #expect(
                sessions.map { $0?.customer } == [nil] + offices.map(\.session.customer) + [offices[4].session.customer]
            )
            let used = sessions.map { session in
                session?.counters.map { counters in counters.byFeature.values.reduce(0) { $0 + $1.lifetimeUsed } }
            }
            #expect(used == [nil, 0, 1, 2, 3, 4, nil])
        }
    }

    private static func read(
        _ ids: [CustomerSession.ID],
        _ office: UsageOffice
    ) async throws -> [CustomerSession?] {
        try await office.office.database.readPrimary { reader in
            try await reader.customerSessions(ids.map { CustomerSessionAsk($0, withUsage: true) })
        }
    }

    /// Returns the usage by window, the shortest first; the same whichever way it is read.
    private static func used(_ feature: String, _ office: UsageOffice) async throws -> [Int64]? {
        let id = office.session.id
        let session = try #require(try await Self.read([id], office).first ?? nil)
        #expect(session.counters != nil)
        let together = try await office.backOffice.usage(for: session)
        let apart = try await office.backOffice.usage(for: try await office.current())
        #expect(together.features == apart.features)
        return together.features.first { $0.feature == feature }?.usage.windows.map(\.used)
    }
}
