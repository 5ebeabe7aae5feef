import Billing
import Foundation
import Postgres
import Storage
import Testing

@Suite("The search over everything") struct FindTests {
    @Test(
        "a whole number, id or address names what it is of, in every app, and nothing else",
        arguments: [
            ("ord-20261121-1002", ["order ORD-20261121-1002"]), ("3000000000100002", ["order ORD-20261121-1002"]),
            ("other-app-1", ["order ORD-20261121-9000"]), ("user-1", ["customer 30"]), ("key-1", ["customer 31"]),
            ("LINA@example.com", ["customer 30"]), ("lina@example.org", ["customer 34"]),
            ("chain-key-0", ["subscription 30"]), ("uuid-3", ["notification 100003"]),
            ("01931F3A-7000-7000-8000-000000000033", ["customer 33", "subscription 33"]),
            ("01931f3a-7000-7000-8000-000000100004", ["notification 100004"]),
            ("ord-20261121-100", []), ("lina", []), ("lina@example", []), ("%", []), ("", []),
            ("ORD-2026112_-1002", []),
        ]
    )
    func exact(_ text: String, _ expected: [String]) async throws {
        try await ScreenSamples.with(orders: 5) { database, _ in
            let found = try await database.read { reader in
                try await reader.screens.exactMatches(of: text, in: Self.apps, seesPersonalData: true)
            }
            let names = found.map {
                "\($0.kind.rawValue) \($0.id.replacing("01931f3a-7000-7000-8000-", with: "").trimmingPrefix("000000").trimmingPrefix("0000"))"
            }
            #expect(names.sorted() == expected)
        }
    }

    @Test("what is found is grouped by kind and app, the first app first, newest first, and says when there is more")
    func groups() async throws {
        try await ScreenSamples.with(orders: 20) { database, _ in
            let found = try await find("lina@example.com", database)
            #expect(found.customers.map(\.app.slug) == ["readmigo"])
            let everyone = try await find("李娜", database)
            #expect(everyone.customers.map(\.app.slug) == ["readmigo", "kombin"])
            #expect(everyone.orders.map(\.app.slug) == ["readmigo", "kombin"])
            #expect(everyone.orders[0].hits.count == 5 && !everyone.orders[0].hasMore)
            let number = try await find("20261121", database)
            #expect(number.orders[0].hits.count == 5 && number.orders[0].hasMore)
            let dates = number.orders[0].hits.map(\.purchasedAt)
            #expect(dates == dates.sorted(by: >))
            #expect(try await find("hain-key", database).subscriptions.map(\.hits.count) == [3, 1])
            #expect(try await find("uuid-3", database).notifications.map(\.hits.count) == [1])
            #expect(try await find("key-4", database, in: [Self.apps[0]]).customers.isEmpty)
        }
    }

    @Test("without personal data neither names nor addresses find anything")
    func analyst() async throws {
        try await ScreenSamples.with(orders: 5) { database, _ in
            for text in ["lina", "李娜", "example.com", "lina@example.com", "brahim"] {
                let found = try await find(text, database, seesPersonalData: false)
                #expect(
                    found.exact.isEmpty && found.customers.isEmpty && found.orders.isEmpty
                        && found.subscriptions.isEmpty,
                    "\(text)"
                )
            }
            let found = try await find("key-0", database, seesPersonalData: false)
            #expect(found.exact.count == 1 && found.customers[0].hits[0].customer.name == nil)
        }
    }

    static let apps = [
        FindableApp(id: ScreenSamples.app, slug: "readmigo", name: "Readmigo"),
        FindableApp(id: ScreenSamples.otherApp, slug: "kombin", name: "Kombin"),
    ]

    private func find(
        _ text: String,
        _ database: Database,
        in apps: [FindableApp] = FindTests.apps,
        seesPersonalData: Bool = true
    ) async throws -> SearchResults {
        try await database.read { try await $0.screens.find(text, in: apps, seesPersonalData: seesPersonalData) }
    }
}
