import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Schema") struct SchemaTests {
    @Test("each rule refuses what its name says, and nothing else does")
    func rules() async throws {
        try await TestShop.run { pool, _ in
            try await pool.withConnection { try await $0.execute(script: TestShop.books) }
            let before = try await Self.rowCounts(pool)
            for breach in Self.breaches {
                let error = await #expect(throws: PostgresError.self, "\(breach.rule) is not refused") {
                    try await pool.withTransaction { try await $0.execute(script: breach.sql) }
                }
                #expect(error?.constraint == breach.raised, "\(breach.table): \(breach.sql): \(error?.message ?? "")")
                #expect(error?.table == breach.table || breach.table == "ledger_entries", "\(breach.sql)")
            }
            #expect(try await Self.rowCounts(pool) == before)
        }
    }

    @Test("no rule of the schema is left untried")
    func completeness() async throws {
        try await TestShop.run { pool, _ in
            let rows = try await pool.query(
                """
                SELECT conrelid::regclass::text || '.' || conname
                FROM pg_constraint
                WHERE connamespace = 'public'::regnamespace AND conname !~ '_(pkey|fkey)$'
                UNION
                SELECT tgrelid::regclass::text || '.' || tgname FROM pg_trigger
                WHERE NOT tgisinternal AND tgfoid::regproc::text !~ '^(fill_|note_|wake_workers$|forget_staff$)'
                """
            )
            let rules = Set(try rows.map { try $0.decode(0, as: String.self) })
            // A second row with the id and the currency of an order fails by its id already.
            // The triggers that chain entries, and that keep rollups, cohorts and converted amounts, reject nothing.
            let tried = Set(Self.breaches.map { "\($0.table).\($0.rule)" })
                .union([
                    "orders.an_order_has_one_currency", "audit_entries.every_entry_is_chained",
                    "ledger_entries.rollups_follow_the_ledger",
                    "customers.merged_customers_are_counted_once", "customers.cohorts_follow_customers",
                    "customers.cohorts_follow_first_days",
                    "subscriptions.cohorts_follow_new_subscriptions",
                    "subscriptions.cohorts_follow_moved_subscriptions",
                    "orders.cohorts_follow_moved_orders", "orders.rollups_follow_paid_years",
                    "exchange_rates.months_follow_new_rates", "exchange_rates.months_follow_other_rates",
                    "exchange_rates.months_follow_taken_rates", "apps.months_follow_the_reporting_currency",
                ])
            #expect(rules.subtracting(tried).sorted() == [])
            // These are unique indexes that leave joined orders and ended claims out, and so no constraints.
            #expect(
                tried.subtracting(rules).sorted() == [
                    "checkouts.one_open_checkout_per_method", "orders.one_order_per_store_transaction",
                    "seat_claims.one_open_claim_per_member",
                ]
            )
        }
    }

    @Test("an app that begins now counts by the definitions in force and is not counted again")
    func definitions() async throws {
        try await TestShop.run { pool, _ in
            let rows = try await pool.query("SELECT DISTINCT metrics_version FROM apps")
            #expect(try rows.map { try $0.decode(0, as: Int32.self) } == [Int32(MetricDefinitions.version)])
        }
    }

    @Test("books that balance at commit are taken, whatever the order of the statements")
    func balance() async throws {
        try await TestShop.run { pool, _ in
            try await pool.withConnection { try await $0.execute(script: TestShop.books) }
            try await pool.withTransaction { connection in
                try await connection.execute(
                    script: """
                        UPDATE orders SET refunded = 1800, status = 'refunded' WHERE number = 'o1';
                        INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store,
                            environment, store_transaction_id, reference, occurred_at, recorded_at)
                        SELECT gen_random_uuid(), app_id, id, 'refund', 'success', -900, 'CNY', 'apple', 'production',
                            't1', 'refund:2', now(), now()
                        FROM orders WHERE number = 'o1';
                        """
                )
            }
            let kept = try await pool.query("SELECT sum(amount)::bigint FROM ledger_entries")
            #expect(try kept.first?.decode(0, as: Int.self) == 1_800)
        }
    }

    private static func rowCounts(_ pool: Pool) async throws -> [String] {
        try await pool.query(
            """
            SELECT relname || ' ' || (xpath('/row/n/text()',
                query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]
            FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            ORDER BY relname
            """
        ).map { try $0.decode(0, as: String.self) }
    }
}
