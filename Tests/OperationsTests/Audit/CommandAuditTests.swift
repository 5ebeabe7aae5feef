import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Commands of the operator leave an entry with before and after") struct CommandAuditTests {
    private static let lin = Caller.commandLine(user: "lin")

    @Test(
        "a price changed by `catalog apply` is in the log with both prices and the user; a second time there is no entry"
    )
    func catalog() async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.products[0].prices = [.yuan(20)]
            _ = try await office.backOffice.applyCatalog(catalog, caller: Self.lin)
            _ = try await office.backOffice.applyCatalog(catalog, caller: Self.lin)
            let entries = try await Self.entries(office, "catalog.apply")
            #expect(entries.count == 1)
            let entry = try #require(entries.first)
            #expect(entry.hasPrefix("lin (command line) | catalog readmigo | "))
            let sides = entry.components(separatedBy: " | ").suffix(2)
            let product = "product apple \(catalog.products[0].id)"
            #expect(sides.allSatisfy { $0.contains(#""\#(product)": "#) })
            #expect(sides.last?.contains("CNY 20.00") == true || sides.last?.contains("20.00 CNY") == true)
            #expect(sides.last?.contains("changed product") == true)
            // Only what differs is kept.
            #expect(sides.allSatisfy { !$0.contains("timeZone") && !$0.contains("account") })
        }
    }

    @Test("a new app is in the log with all of it, and without the text of a secret")
    func newApp() async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            (catalog.app, catalog.name) = ("other", "Other")
            catalog.accounts = [:]
            catalog.tokenIssuer = nil
            catalog.products = []
            catalog.trial = nil
            _ = try await office.backOffice.applyCatalog(catalog, caller: Self.lin)
            let entry = try #require(try await Self.entries(office, "catalog.apply").first)
            #expect(entry.hasPrefix("lin (command line) | catalog other | - | "))
            #expect(entry.contains(#""name": "Other""#) && entry.contains(#""plan PRO": "rank 1"#))
        }
    }

    @Test("rates that change anything leave one entry with the days before and after, and none where nothing is new")
    func rates() async throws {
        try await TestOffice.run { office in
            let dollar = try #require(Currency("USD"))
            let day = BusinessDay(TestOffice.start, in: .gmt)
            let rates = (0..<40).map { ExchangeRate(currency: dollar, day: day.advanced(by: -$0), perEuro: "1.1") }
            _ = try await office.backOffice.importRates(rates, caller: Self.lin)
            _ = try await office.backOffice.importRates(rates, caller: Self.lin)
            let more = [ExchangeRate(currency: dollar, day: day.advanced(by: 1), perEuro: "1.2")]
            _ = try await office.backOffice.importRates(more, caller: Self.lin)
            let entries = try await Self.entries(office, "rates.import")
            #expect(entries.count == 2)
            #expect(entries.first?.contains(#""rates": "40""#) == true)
            #expect(entries.last?.contains(#""lastDay": "\#(day)""#) == true)
            #expect(entries.last?.contains(#""lastDay": "\#(day.advanced(by: 1))""#) == true)
        }
    }

    @Test("rollups made again leave an entry of each app with what was wrong before")
    func rollups() async throws {
        try await TestOffice.run { office in
            try await office.live(.told(.subscribed, on: 0, RefundOffice.sold))
            _ = try await office.backOffice.rebuildRollups()
            #expect(try await Self.entries(office, "rollups.rebuild") == [])
            _ = try await office.backOffice.rebuildRollups(caller: Self.lin)
            let entries = try await Self.entries(office, "rollups.rebuild")
            #expect(entries.count == 1)
            #expect(
                entries.first?.hasPrefix(#"lin (command line) | rollups readmigo | {"wrongCells": "0"} | "#) == true
            )
        }
    }

    private static func entries(_ office: TestOffice, _ action: String) async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' | ', e.actor, concat_ws(' ', e.object_type, e.object_id), coalesce(e.before::text, '-'),
                coalesce(e.after::text, '-'))
            FROM audit_entries e
            JOIN audit_chain c ON c.entry_id = e.id
            WHERE e.action = \(action)
            ORDER BY c.number
            """
        )
    }
}
