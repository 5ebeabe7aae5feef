import Postgres
import Storage
import TestSupport
import Testing

@Suite("What customers have") struct CustomerBelongingsTests {
    /// A table in no list would leave its rows with the customer that was merged away: add it to the list where its rows belong.
    @Test("each table that names customers says what becomes of its rows where two customers become one")
    func complete() async throws {
        try await TestShop.run { pool, _ in
            let rows = try await pool.query(
                """
                SELECT c.relname::text
                FROM pg_attribute a
                JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
                WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
                    AND (a.attname ~ 'customer_id$' OR a.attname = 'owner_id')
                UNION
                SELECT conrelid::regclass::text
                FROM pg_constraint
                WHERE contype = 'f' AND confrelid = 'customers'::regclass
                """
            )
            let tables = try rows.map { try $0.decode(0, as: String.self) }
            let lists = [
                CustomerBelongings.moved, CustomerBelongings.merged, CustomerBelongings.kept,
                CustomerBelongings.derived,
            ]
            #expect(Set(tables).symmetricDifference(lists.joined()).sorted() == [])
            #expect(Set(lists.joined()).count == lists.joined().count)
        }
    }

    @Test(
        "what is moved is found by an index, and no unique key keeps it from moving",
        arguments: CustomerBelongings.moved
    )
    func movable(table: String) async throws {
        try await TestShop.run { pool, _ in
            let rows = try await pool.query(
                """
                SELECT bool_or(i.indkey[0] = a.attnum AND i.indpred IS NULL),
                    coalesce(bool_or(i.indisunique AND a.attnum = ANY(i.indkey)), false)
                FROM pg_attribute a
                JOIN pg_index i ON i.indrelid = a.attrelid
                WHERE a.attrelid = \(table)::regclass AND a.attname = 'customer_id'
                """
            )
            let (isIndexed, isUnique) = try #require(rows.first).decode(Bool?.self, Bool.self)
            #expect(isIndexed == true)
            #expect(!isUnique)
        }
    }
}
