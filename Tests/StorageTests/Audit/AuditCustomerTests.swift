import Foundation
import Postgres
import TestSupport
import Testing

@testable import Storage

@Suite("The customer of an audit entry") struct AuditCustomerTests {
    private static let customers = 5_000
    private static let one = UUID(uuidString: "00000000-0000-0000-0000-000000000007") ?? UUID()

    @Test("an entry finds its customer without walking through all of them")
    func plan() async throws {
        try await TestShop.run { pool, _ in
            _ = try await pool.query(
                """
                INSERT INTO customers (id, app_id, key, created_at)
                SELECT lpad(to_hex(i), 32, '0')::uuid, \(TestShop.app), 'customer-' || i, now()
                FROM generate_series(1, \(Self.customers)) i
                """
            )
            _ = try await pool.query("ANALYZE customers")
            let (before, after) = try await pool.withTransaction { transaction in
                let before = try await Self.rowsWalkedThrough(transaction)
                for (type, id) in [("customer", Self.one.uuidString), ("subscription", Self.one.uuidString)] {
                    _ = try await transaction.query(Self.entry(type, id))
                }
                return (before, try await Self.rowsWalkedThrough(transaction))
            }
            #expect(after == before)
            #expect(try await Self.named(pool) == 1)
        }
    }

    @Test(
        "an entry about what is no customer names none",
        arguments: ["", "7", "customer-7", "zz000000-0000-0000-0000-000000000007"]
    )
    func stranger(id: String) async throws {
        try await TestShop.run { pool, _ in
            _ = try await pool.query(Self.entry("customer", id))
            #expect(try await Self.named(pool) == 0)
        }
    }

    /// Returns the rows that this connection has read by sequential scans and not yet reported to the statistics.
    private static func rowsWalkedThrough(_ connection: Connection) async throws -> Int {
        let read = try await connection.query(
            """
            SELECT sum(seq_tup_read)::int8 FROM pg_stat_xact_user_tables
            WHERE relname IN ('customers', 'subscriptions', 'orders')
            """
        )
        return try read[0].decode(Int?.self) ?? 0
    }

    private static func entry(_ type: String, _ id: String) -> Query {
        """
        INSERT INTO audit_entries (id, at, app_id, actor, action, object_type, object_id)
        VALUES (gen_random_uuid(), now(), \(TestShop.app), 'system', 'customer.note', \(type), \(id))
        """
    }

    /// Returns the number of entries that name a customer.
    private static func named(_ pool: Pool) async throws -> Int {
        try await pool.query("SELECT count(customer_id) FROM audit_entries").map { try $0.decode(0, as: Int.self) }[0]
    }
}
