import Billing
import Foundation
import Postgres
import Storage
import TestSupport

/// An app with customers, orders and notifications, for the tests of the screens.
enum ScreenSamples {
    static let app = App.ID(id(1))
    static let otherApp = App.ID(id(2))
    static let now = Date(timeIntervalSince1970: 1_795_228_800)

    static func id(_ number: Int) -> UUID {
        let digits = String(number)
        let last = String(repeating: "0", count: 12 - digits.count) + digits
        guard let uuid = UUID(uuidString: "01931f3a-7000-7000-8000-\(last)") else { preconditionFailure(last) }
        return uuid
    }

    /// Runs a test on a database with `orders` orders of one app and one of another.
    static func with(orders: Int, _ body: (Database, Pool) async throws -> Void) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            try await pool.withTransaction { connection in
                for query in base + (0..<orders).flatMap(order) + otherAppOrder {
                    _ = try await connection.query(query)
                }
            }
            try await body(Database(writing: pool, reading: pool, clock: { now }, doorTimeout: .patient), pool)
        }
    }

    /// The time and the amount of an order: six orders share a time and five amounts recur, so that many orders tie.
    static func purchasedAt(_ index: Int) -> Date { now.addingTimeInterval(-Double(index / 6) * 3_600) }
    static func amount(_ index: Int) -> Int64 { [1_800, 2_800, 12_800, 19_800, 0][index % 5] }
    static func status(_ index: Int) -> OrderStatus { index % 7 == 3 && amount(index) > 0 ? .refunded : .completed }

    private static var base: [Query] {
        [
            """
            INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
            VALUES (\(app), 'readmigo', 'Readmigo', 'Asia/Shanghai', 'CNY', \(now), \(now)),
                (\(otherApp), 'kombin', 'Kombin', 'Europe/Istanbul', 'TRY', \(now), \(now))
            """,
            """
            INSERT INTO plans (id, app_id, code, name, rank)
            VALUES (\(id(10)), \(app), 'PRO', 'Pro', 1), (\(id(11)), \(otherApp), 'premium', 'Premium', 1)
            """,
            """
            INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
            VALUES (\(id(20)), \(app), \(id(10)), 'apple', 'pro.yearly', 'Pro yearly', \(now), \(now)),
                (\(id(21)), \(otherApp), \(id(11)), 'apple', 'premium', 'Kombin', \(now), \(now))
            """,
            """
            INSERT INTO customers (id, app_id, key, external_id, name, email, created_at)
            VALUES (\(id(30)), \(app), 'key-0', 'user-1', '李娜', 'lina@example.com', \(now)),
                (\(id(31)), \(app), 'key-1', 'user-2', 'İbrahim Çelik', 'ibrahim@example.com', \(now)),
                (\(id(32)), \(app), 'apple:2000000000000032', NULL, NULL, NULL, \(now)),
                (\(id(33)), \(app), 'key-3', NULL, '100% O_Brien', 'odd@example.com', \(now)),
                (\(id(34)), \(otherApp), 'key-4', NULL, '李娜', 'lina@example.org', \(now))
            """,
            """
            INSERT INTO order_numbers (app_id, day, last_sequence)
            VALUES (\(app), '2026-11-20', 1), (\(app), '2026-11-21', 1063)
            """,
            """
            INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                product_id, period_starts_at, period_ends_at, renews_automatically, created_at, updated_at)
            SELECT c.id, c.app_id, c.id, 'apple', 'production', 'chain-' || c.key, 'active', p.id, \(now),
                \(now.addingTimeInterval(86_400)), true, \(now), \(now)
            FROM customers c
            JOIN products p ON p.app_id = c.app_id
            """,
        ]
    }

    private static func order(_ index: Int) -> [Query] {
        let (amount, status) = (amount(index), status(index))
        let key = id(1_000 + index)
        let customer = id(30 + index % 4)
        let notification = id(100_000 + index)
        return [
            """
            INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, signed_at,
                received_at, signed_payload, state, attempt, scheduled_at, original_transaction_id,
                subscription_id, finalized_at, last_error)
            SELECT \(notification), \(app), 'apple', 'production', \("uuid-\(index)"), 'DID_RENEW',
                \(purchasedAt(index)), \(purchasedAt(index)), 'e30.e30.e30',
                \(index % 10 == 0 ? "failed" : "processed"), 1, \(now), original_transaction_id, id, \(now),
                \(index % 10 == 0 ? "no such product" : nil as String?)
            FROM subscriptions
            WHERE id = \(customer)
            """,
            """
            INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store,
                environment, transaction_id, original_transaction_id, product_name, plan_code, amount, refunded,
                currency, purchased_at, period_starts_at, created_at, updated_at)
            SELECT \(key), app_id, customer_id, id, product_id, \("ORD-20261121-\(1_000 + index)"), 'renewal',
                \(status.rawValue), store, environment, \("3000000000\(100_000 + index)"), original_transaction_id,
                'Pro yearly', 'PRO', \(amount), \(status == .refunded ? amount : 0), 'CNY', \(purchasedAt(index)),
                \(purchasedAt(index)), \(now), \(now)
            FROM subscriptions
            WHERE id = \(customer)
            """,
            entry(index, kind: "renewal", amount: amount, order: key, notification: notification),
        ] + (status == .refunded ? [entry(index, kind: "refund", amount: -amount, order: key, notification: nil)] : [])
    }

    private static func entry(
        _ index: Int,
        kind: String,
        amount: Int64,
        order: UUID,
        notification: UUID?
    ) -> Query {
        """
        INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
            store_transaction_id, reference, notification_id, occurred_at, recorded_at)
        VALUES (gen_random_uuid(), \(app), \(order), \(kind), 'success', \(amount), 'CNY', 'apple', 'production', 't',
            \(kind), \(notification), \(purchasedAt(index).addingTimeInterval(kind == "refund" ? 60 : 0)), \(now))
        """
    }

    private static var otherAppOrder: [Query] {
        [
            """
            INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store,
                environment, transaction_id, original_transaction_id, product_name, plan_code, amount, currency,
                purchased_at, period_starts_at, created_at, updated_at)
            VALUES (\(id(900)), \(otherApp), \(id(34)), \(id(34)), \(id(21)), 'ORD-20261121-9000', 'renewal', 'pending',
                'apple', 'production', 'other-app-1', 'chain-key-4', 'Kombin', 'premium', 100, 'TRY', \(now), \(now),
                \(now), \(now))
            """
        ]
    }
}
