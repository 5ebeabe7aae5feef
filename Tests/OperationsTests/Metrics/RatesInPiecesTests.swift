import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Rates are imported in pieces") struct RatesInPiecesTests {
    /// An order of 18.00 USD, for an app that reports in CNY; without rates nobody knows what it is worth.
    private static func run(
        configure: (inout PoolConfiguration) -> Void = { _ in },
        _ body: (TestOffice) async throws -> Void
    ) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let sold = AppleWords.sold("t1", from: 0, to: 30, "pro.monthly", ["currency": "USD"])
        try await TestOffice.run(configure: configure) { office in
            let bought = AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, sold, AppleWords.renews())
            _ = try await office.backOffice.receiveNotification(try signer.sign(bought), from: .apple)
            _ = try await office.worker.drain()
            #expect(try await office.lines(worth) == ["-1"])
            try await body(office)
        }
    }

    private static let worth: Query = "SELECT worth::text FROM orders"
    private static let waiting: Query = "SELECT count(*)::text FROM amounts_to_value"

    private static func rates(_ perEuro: String, days: Int = 120) throws -> [ExchangeRate] {
        let today = BusinessDay(TestOffice.start, in: .gmt)
        let (dollar, yuan) = (try #require(Currency("USD")), try #require(Currency("CNY")))
        return (0..<days).flatMap { day in
            [
                ExchangeRate(currency: dollar, day: today.advanced(by: -day), perEuro: "1"),
                ExchangeRate(currency: yuan, day: today.advanced(by: -day), perEuro: perEuro),
            ]
        }
    }

    @Test("orders are worth what the rates say when it is done, and nothing waits; a second time nothing is new")
    func whole() async throws {
        try await Self.run { office in
            let first = try await office.backOffice.importRates(try Self.rates("7"))
            #expect(first == 240)
            #expect(try await office.lines(Self.worth) == ["12600"])
            #expect(try await office.lines(Self.waiting) == ["0"])
            #expect(try await office.backOffice.importRates(try Self.rates("7")) == 0)
            #expect(try await office.backOffice.importRates(try Self.rates("8")) == 120)
            #expect(try await office.lines(Self.worth) == ["14400"])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("what somebody who is gone has left to be valued is valued by any server")
    func brokenOff() async throws {
        try await Self.run { office in
            let rates = try Self.rates("7")
            _ = try await office.database.write { try await $0.rates.save(rates) }
            #expect(try await office.lines(Self.worth) == ["-1"])
            #expect(try await office.lines(Self.waiting) != ["0"])
            let other = office.anotherServer()
            while try await other.valueAmounts() {}
            #expect(try await office.lines(Self.worth) == ["12600"])
            #expect(try await office.lines(Self.waiting) == ["0"])
        }
    }

    @Test("an order that somebody holds holds up nobody else, and is valued when it is let go")
    func held() async throws {
        // Valuing gives way as soon as in the product.
        let asIs: @Sendable (inout PoolConfiguration) -> Void = { $0.shortestLockTimeout = nil }
        try await Self.run(configure: asIs) { office in
            let rates = try Self.rates("7")
            try await office.pool.withConnection { connection in
                try await connection.execute(script: "BEGIN; UPDATE orders SET updated_at = updated_at")
                async let done = office.backOffice.importRates(rates)
                while try await office.lines(Self.waiting) == ["0"] { try await Task.sleep(for: .milliseconds(10)) }
                // Beside it, everybody writes at once.
                _ = try await office.database.write(lockTimeout: .patient) { transaction in
                    try await transaction.query("UPDATE customers SET name = 'Ada'")
                }
                try await connection.execute(script: "COMMIT")
                #expect(try await done == 240)
            }
            #expect(try await office.lines(Self.worth) == ["12600"])
        }
    }

    @Test(
        "many orders are valued a few hundred at a time, each once, and another reporting currency values them all anew"
    )
    func many() async throws {
        try await Self.run { office in
            _ = try await office.backOffice.importRates(try Self.rates("7"))
            try await office.pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        BEGIN;
                        SET CONSTRAINTS ALL DEFERRED;
                        ALTER TABLE orders DISABLE TRIGGER USER;
                        INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store, environment,
                            transaction_id, original_transaction_id, product_name, plan_code, amount, refunded, credited, currency,
                            storefront, quantity, is_trial, purchased_at, period_starts_at, created_at, updated_at, worth)
                        SELECT gen_random_uuid(), app_id, customer_id, subscription_id, product_id, number || '-' || i, kind, status, store,
                            environment, transaction_id || '-' || i, original_transaction_id, product_name, plan_code, amount, 0, 0, currency,
                            storefront, 1, false, purchased_at + (i % 7) * interval '1 hour', period_starts_at, created_at, updated_at, -1
                        FROM orders, generate_series(1, 1200) i;
                        ALTER TABLE orders ENABLE TRIGGER USER;
                        INSERT INTO amounts_to_value (app_id, first, last) SELECT id, '-infinity', 'infinity' FROM apps;
                        COMMIT
                        """
                )
            }
            var pieces = 0
            while try await office.backOffice.valueAmounts() { pieces += 1 }
            #expect(pieces == 3)
            #expect(try await office.lines("SELECT DISTINCT worth::text FROM orders") == ["12600"])
        }
    }
}

@Suite("Catalogues of several apps at once") struct CataloguesAtOnceTests {
    private static func other(_ slug: String, bundle: String) throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.app = slug
        for store in catalog.accounts.keys { catalog.accounts[store]?.identifier = bundle }
        return catalog
    }

    @Test("one that is applied holds up none of another app")
    func apart() async throws {
        let other = try Self.other("kombin", bundle: "com.kombin.app")
        try await TestOffice.run { office in
            _ = try await office.database.write { transaction in
                _ = try await transaction.catalogs.lock("readmigo", claiming: ["account apple com.readmigo.app"])
                // In another transaction, while this one is open.
                let report = try await office.backOffice.applyCatalog(other)
                #expect(report.changes.first == "added app kombin")
            }
        }
    }

    @Test("of two apps that claim one account at once, one has it and the other is told whose it is")
    func claimed() async throws {
        let (left, right) = (
            try Self.other("left", bundle: "com.shared.app"), try Self.other("right", bundle: "com.shared.app")
        )
        try await TestOffice.run { office in
            async let one = refusal { _ = try await office.backOffice.applyCatalog(left) }
            async let two = refusal { _ = try await office.backOffice.applyCatalog(right) }
            #expect(await [one, two].compactMap(\.self).map(\.code) == [.conflict])
            let apps = try await office.lines("SELECT count(*)::text FROM apps")
            #expect(apps == ["2"])
        }
    }
}

/// Why something was refused; nil where it was done.
private func refusal(_ work: () async throws -> Void) async -> OperationsError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? OperationsError ?? OperationsError(.invalid, "\(error)")
    }
}
