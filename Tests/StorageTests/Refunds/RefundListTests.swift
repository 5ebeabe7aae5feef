import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("The refund queue") struct RefundListTests {
    private static let count = 120

    @Test(
        "every order walks forwards and back over every request once, ties and all",
        arguments: RefundFilter.Sort.allCases
    )
    func walk(_ sort: RefundFilter.Sort) async throws {
        try await Self.run { database in
            for direction in [SortDirection.ascending, .descending] {
                var filter = RefundFilter(status: nil, sort: sort, direction: direction)
                var (numbers, pages): ([String], [[String]]) = ([], [])
                while true {
                    let list = try await Self.list(filter, database)
                    #expect(list.total == .exact(Self.count))
                    #expect(list.rowsBefore == numbers.count)
                    pages.append(list.rows.map(\.request.number))
                    numbers += list.rows.map(\.request.number)
                    guard list.hasNext, let last = list.rows.last else { break }
                    filter.position = .after(filter.cursor(at: last, rowsBefore: numbers.count))
                }
                #expect(Set(numbers).count == Self.count)
                #expect(numbers.count == Self.count)
                let second = try await Self.list(filter, database)
                filter.position = .before(filter.cursor(at: try #require(second.rows.first), rowsBefore: 100))
                #expect(try await Self.list(filter, database).rows.map(\.request.number) == pages[pages.count - 2])
            }
        }
    }

    @Test("what waits comes with the most urgent first: the store's deadline goes before the end by itself")
    func urgency() async throws {
        try await Self.run { database in
            let list = try await Self.list(RefundFilter(), database)
            #expect(list.rows.allSatisfy { $0.request.refund.status == .pending })
            #expect(list.rows.map(\.dueAt) == list.rows.map(\.dueAt).sorted())
            #expect(list.rows.first?.request.consumptionRequest != nil)
            #expect(list.rows.first?.orderNumber == "o2")
        }
    }

    @Test("a search finds a request by its number, and all of an order by what finds that")
    func search() async throws {
        try await Self.run { database in
            func found(_ text: String, status: Refund.Status? = nil) async throws -> [String] {
                let list = try await Self.list(RefundFilter(status: status, search: text), database)
                #expect(list.hasNext || list.total == .exact(list.rows.count))
                return list.rows.map(\.request.number)
            }
            #expect(try await found("rf-000002") == ["RF-000002"])
            #expect(try await found("RF-000002", status: .cancelled) == [])
            for text in ["RF-00000", "%", "nobody"] { #expect(try await found(text) == [], "\(text)") }
            let ofOrder = try await Self.list(RefundFilter(status: nil, search: "o2"), database)
            #expect(ofOrder.total == .exact(Self.count) && ofOrder.rows.allSatisfy { $0.orderNumber == "o2" })
            let app = FindableApp(id: TestShop.app, slug: "shop", name: "Shop")
            let exact = try await database.read { reader in
                try await reader.screens.find("rf-000003", in: [app], seesPersonalData: true)
            }
            #expect(exact.exact == [SearchResults.Exact(app: TestShop.app, kind: .refund, id: "RF-000003")])
            #expect(exact.refunds.flatMap(\.hits).map(\.request.number) == ["RF-000003"])
        }
    }

    @Test("the queue's pages are read from its indexes")
    func plans() async throws {
        try await Self.run { database in
            _ = try await database.writeAlone("ANALYZE refund_requests")
            // Planned for a thousand times as many: a sequential scan of a page or two is as fast as an index.
            _ = try await database.writeAlone(
                "UPDATE pg_class SET reltuples = reltuples * 1000 WHERE oid = 'refund_requests'::regclass"
            )
            for (order, index) in [
                ("due_at, id", "refund_requests_of_status_by_deadline"),
                ("worth DESC, id DESC", "refund_requests_of_status_by_worth"),
                ("requested_at DESC, id DESC", "refund_requests_of_status_newest_first"),
            ] {
                let plan = try await database.readPrimary { reader in
                    try await reader.query(
                        """
                        EXPLAIN SELECT id FROM refund_requests
                        WHERE app_id = \(TestShop.app) AND status = 'cancelled'
                        ORDER BY \(unsafe: order) LIMIT 26
                        """
                    ).map { try $0.decode(0, as: String.self) }.joined(separator: "\n")
                }
                #expect(plan.contains(index), "\(plan)")
            }
        }
    }

    /// 120 requests of one order, in two statuses; every third shares its amount and times with others.
    private static func run(_ body: (Database) async throws -> Void) async throws {
        try await TestShop.run { pool, database in
            try await pool.withConnection { try await $0.execute(script: TestShop.books) }
            _ = try await pool.query("ALTER TABLE refund_requests DISABLE TRIGGER requests_are_never_removed")
            _ = try await pool.query("DELETE FROM refund_requests")
            _ = try await pool.query(
                """
                INSERT INTO refund_requests (id, app_id, order_id, number, kind, status, requested_amount, currency,
                    reason_category, reason, requested_as, requested_at, finished_as, finished_at, consumption_requested_at,
                    consumption_last_requested_at, consumption_due_at, expires_at, updated_at)
                SELECT gen_random_uuid(), \(TestShop.app), '00000000-0000-7000-8000-000000000011',
                    'RF-' || lpad(n::text, 6, '0'), 'partial', CASE WHEN n % 2 = 0 THEN 'pending' ELSE 'cancelled' END,
                    1 + n / 3, 'CNY', 'goodwill', 'It crashed all day.', 'ada',
                    timestamptz '2026-01-01' + make_interval(hours => n / 3), CASE WHEN n % 2 = 1 THEN 'ada' END,
                    CASE WHEN n % 2 = 1 THEN now() END,
                    CASE WHEN n % 10 = 0 THEN timestamptz '2026-01-01' + make_interval(hours => n / 3) END,
                    CASE WHEN n % 10 = 0 THEN timestamptz '2026-01-01' + make_interval(hours => n / 3) END,
                    CASE WHEN n % 10 = 0 THEN timestamptz '2026-01-01' + make_interval(hours => 12 + n / 3) END,
                    CASE WHEN n % 7 > 0 THEN timestamptz '2026-02-01' + make_interval(hours => n / 3) END, now()
                FROM generate_series(1, \(Int32(Self.count))) AS n
                """
            )
            try await body(database)
        }
    }

    private static func list(_ filter: RefundFilter, _ database: Database) async throws -> ListPage<ListedRefund> {
        try await database.readPrimary {
            try await $0.screens.refunds(filter, app: TestShop.app, seesPersonalData: true, counts: CappedCounts())
        }
    }
}
