import Billing
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Storage

/// `PERENNIAL_SEARCH_CUSTOMERS=1000000` fills a database of that many customers and thrice as many orders, and measures.
@Suite("Searching a large database") struct SearchPlanTests {
    private static let measured = ProcessInfo.processInfo.environment["PERENNIAL_SEARCH_CUSTOMERS"].flatMap { Int($0) }
    private static let customers = measured ?? 60_000

    /// Search texts, rare and common, long and short, of people, ids and products.
    private static let texts = [
        "customer-31415", "31415@example", "example.com", "Çelik", "ibrahim", "李娜", "李", "li", "x", "12345", "000",
        "ORD-2025", "ord-20250612-0007", "2000000000031415", "yearly", "nobody at all", "100%",
        "01931f3a-7000-7000-8000-000000000030",
    ]

    @Test("no search reads a table of customers, orders or subscriptions from end to end, nor a list in its order")
    func plans() async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            try await Self.fill(pool)
            for text in Self.texts {
                for sees in [true, false] {
                    let find = FindStatements(text: text, app: ScreenSamples.app, seesPersonalData: sees)
                    let exact = ExactMatches(
                        text: SearchText(text: text),
                        apps: [ScreenSamples.app, ScreenSamples.otherApp],
                        seesPersonalData: sees
                    )
                    for (name, query) in find.all + [("exact", exact.all)] {
                        let plan = try await Self.plan(query, pool)
                        let scans = plan.filter {
                            $0.contains("Seq Scan on customers") || $0.contains("Seq Scan on orders")
                                || $0.contains("Seq Scan on subscriptions") || $0.contains("Seq Scan on store_notif")
                        }
                        #expect(scans.isEmpty, "\(name) of \(text): \(plan.joined(separator: "\n"))")
                    }
                }
            }
            if Self.measured != nil { try await Self.measure(pool) }
            try await Self.claimMillions(pool)
            let text = "Lina Meyer of nowhere 1234567890"
            for (name, query) in FindStatements(text: text, app: ScreenSamples.app, seesPersonalData: true).all {
                let plan = try await Self.plan(query, pool)
                #expect(plan.allSatisfy { !$0.contains("newest_first") }, "\(name): \(plan.joined(separator: "\n"))")
            }
        }
    }

    /// Makes PostgreSQL plan for a hundred times as many rows.
    private static func claimMillions(_ pool: Pool) async throws {
        _ = try await pool.query(
            """
            UPDATE pg_class SET reltuples = reltuples * 100
            WHERE oid IN ('customers'::regclass, 'orders'::regclass, 'subscriptions'::regclass)
            """
        )
    }

    private static func plan(_ query: Query, _ pool: Pool) async throws -> [String] {
        try await pool.pipeline([
            "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)", "EXPLAIN (COSTS OFF) \(query)",
        ])[1].map { try $0.decode(0, as: String.self) }
    }

    private static func measure(_ pool: Pool) async throws {
        let database = Database(writing: pool, reading: pool, clock: { ScreenSamples.now }, doorTimeout: .patient)
        let apps = [
            FindableApp(id: ScreenSamples.app, slug: "readmigo", name: "Readmigo"),
            FindableApp(id: ScreenSamples.otherApp, slug: "kombin", name: "Kombin"),
        ]
        var all: [Double] = []
        for text in texts {
            var times: [Double] = []
            for _ in 0..<20 {
                let clock = ContinuousClock()
                let time = try await clock.measure {
                    _ = try await database.read {
                        try await $0.screens.find(text, in: apps, seesPersonalData: true)
                    }
                }
                times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1_000)
            }
            times.sort()
            all += times
            print("MEASURED \(text): median \(times[10]) ms, slowest \(times[19]) ms")
        }
        all.sort()
        print(
            "MEASURED all: p50 \(all[all.count / 2]) ms, p95 \(all[all.count * 95 / 100]) ms, max \(all.last ?? 0) ms"
        )
    }

    /// Inserts rows in bulk without triggers and their checks; the search indexes are made afterwards.
    private static func fill(_ pool: Pool) async throws {
        let (customers, now, app, other) = (customers, ScreenSamples.now, ScreenSamples.app, ScreenSamples.otherApp)
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    SET session_replication_role = replica;
                    DROP INDEX customers_by_search, orders_by_search, subscriptions_by_search;
                    """
            )
            for query in [
                """
                INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
                VALUES (\(app), 'readmigo', 'Readmigo', 'Asia/Shanghai', 'CNY', \(now), \(now)),
                    (\(other), 'kombin', 'Kombin', 'Europe/Istanbul', 'TRY', \(now), \(now))
                """,
                """
                INSERT INTO customers (id, app_id, key, external_id, name, email, created_at)
                SELECT lpad(to_hex(i), 32, '0')::uuid, CASE WHEN i % 10 = 0 THEN \(other) ELSE \(app) END,
                    md5(i::text)::uuid::text, 'customer-' || i,
                    (ARRAY['Ada Lovelace', 'Lina Meyer', 'Tom Müller', 'Mei Chen', 'Ayşe Öztürk'])[1 + i % 5]
                        || CASE WHEN i % 997 = 0 THEN ' Çelik' ELSE '' END
                        || CASE WHEN i % 5003 = 0 THEN ' İbrahim' ELSE '' END,
                    CASE WHEN i % 3 > 0 THEN i || '@example.com' END,
                    \(now) - (\(customers) - i) * interval '1 minute'
                FROM generate_series(1, \(customers)) i
                """,
                "UPDATE customers SET name = '李娜' WHERE external_id LIKE '%777'",
                """
                INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                    started_at, created_at, updated_at)
                SELECT id, app_id, id, 'apple', 'production',
                    (1000000000000000 + substr(external_id, 10)::bigint)::text, 'active', created_at, created_at, \(now)
                FROM customers
                """,
                """
                INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store,
                    environment, transaction_id, original_transaction_id, product_name, plan_code, amount, currency,
                    purchased_at, period_starts_at, created_at, updated_at)
                SELECT lpad(to_hex(i), 32, '0')::uuid, CASE WHEN c % 10 = 0 THEN \(other) ELSE \(app) END,
                    lpad(to_hex(c), 32, '0')::uuid, lpad(to_hex(c), 32, '0')::uuid, \(ScreenSamples.id(20)),
                    'ORD-' || to_char(at, 'YYYYMMDD') || '-' || lpad((i % 10000)::text, 4, '0') || i, 'renewal',
                    'completed', 'apple', 'production', (2000000000000000 + i)::text, (1000000000000000 + c)::text,
                    CASE WHEN i % 2 = 0 THEN 'Pro yearly' ELSE 'Pro monthly' END, 'PRO', 1800, 'CNY', at, at, at, at
                FROM (
                    SELECT i, 1 + (i * 7919) % \(customers) AS c,
                        \(now) - (\(customers) * 3 - i) * interval '20 seconds' AS at
                    FROM generate_series(1, \(customers) * 3) i
                ) AS o
                """,
                """
                INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, signed_at,
                    received_at, signed_payload, state, scheduled_at, finalized_at)
                SELECT id, app_id, 'apple', 'production', key, 'DID_RENEW', created_at, created_at, 'x', 'processed',
                    created_at, created_at
                FROM customers
                """,
            ] as [Query] { _ = try await connection.query(query) }
            try await connection.execute(
                script: """
                    SET maintenance_work_mem = '512MB';
                    CREATE INDEX customers_by_search ON customers USING gin (search gin_trgm_ops);
                    CREATE INDEX orders_by_search ON orders USING gin (search gin_trgm_ops);
                    CREATE INDEX subscriptions_by_search
                        ON subscriptions USING gin (search_key(original_transaction_id) gin_trgm_ops);
                    ANALYZE;
                    RESET session_replication_role;
                    """
            )
        }
    }
}
