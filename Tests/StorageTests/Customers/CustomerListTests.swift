import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("The list of customers") struct CustomerListTests {
    @Test(
        "every customer comes once, in order, walking forward and back",
        arguments: [SortDirection.descending, .ascending]
    )
    func walk(_ direction: SortDirection) async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            try await Self.addCustomers(60, pool)
            let ids = try await pool.query(
                """
                SELECT id FROM customers WHERE app_id = \(ScreenSamples.app)
                ORDER BY created_at, id
                """
            ).map { try $0.decode(0, as: UUID.self) }
            let expected = direction == .ascending ? ids : ids.reversed()
            var filter = CustomerFilter(direction: direction)
            var found: [UUID] = []
            while true {
                let list = try await customers(filter, database)
                #expect(list.total == .exact(64) && list.rowsBefore == found.count)
                found += list.rows.map(\.customer.id.uuid)
                guard list.hasNext, let last = list.rows.last else { break }
                filter.position = .after(filter.cursor(at: last, rowsBefore: found.count))
            }
            #expect(found == expected)
            let third = try await customers(filter, database)
            let first = try #require(third.rows.first)
            filter.position = .before(filter.cursor(at: first, rowsBefore: third.rowsBefore))
            #expect(try await customers(filter, database).rows.map(\.customer.id.uuid) == Array(expected[25..<50]))
        }
    }

    @Test(
        "a search finds parts, and of short texts beginnings, in Turkish and Chinese",
        arguments: [
            ("ibrahim", 1), ("İBRAHİM", 1), ("çelik", 1), ("brahi", 1), ("李娜", 1), ("李", 1), ("li", 1), ("ib", 1),
            ("user-1", 1), ("ser-2", 1), ("key-3", 1), ("00%", 0), ("100%", 1), ("o_br", 0), ("o_brien", 1),
            ("o%br", 0), ("%", 0),
            ("_", 0), ("example.com", 3), ("apple:2000000000000032", 1), ("娜", 0), ("key-4", 0), ("\\", 0),
            ("01931f3a-7000-7000-8000-000000000030", 1), ("01931f3a-7000-7000-8000-000000000034", 0),
        ]
    )
    func search(_ text: String, _ count: Int) async throws {
        try await ScreenSamples.with(orders: 0) { database, _ in
            let list = try await customers(CustomerFilter(search: text), database)
            #expect(list.rows.count == count && list.total == .exact(count))
        }
    }

    @Test(
        "İ, i with a dot above, and letters in two pieces: each finds its customer",
        arguments: [
            ("ipek", 2), ("İPEK", 2), ("i\u{307}pek", 2), ("ıpek", 2), ("ışık", 1), ("ISIK", 1), ("Işık", 1),
            ("isik", 1),
            ("şule", 2), ("s\u{327}ule", 2), ("SULE", 2), ("S\u{327}ULE", 2), ("info@kombin.test", 1),
            ("İNFO@KOMBİN.TEST", 1), ("kombin", 1), ("ｋｏｍｂｉｎ", 1), ("wide", 1), ("محمد", 1), ("50％", 0), ("＼", 0),
            ("🦊", 1), ("Fox 👩‍💻", 1), ("+90 555", 1), ("＋９０　５５５", 1), ("555 000", 1), ("0042", 1), ("00427-ab", 1),
            ("INFO@kombin.TEST", 1), ("adaeve", 1), ("ﬁ", 2), ("カナ", 1), ("ｶﾅ", 1), ("%", 0), ("_", 0),
        ]
    )
    func forms(_ text: String, _ count: Int) async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            for (key, name, email) in [
                ("f1", "İpek Işık", "x1@b.test"), ("f2", "I\u{307}pek", "x2@a.test"),
                ("f3", "S\u{327}ule", "x3@a.test"),
                ("f4", "Şule", "INFO@KOMBIN.TEST"), ("f5", "ｗｉｄｅ", "x5@a.test"), ("f6", "محمد", "x6@a.test"),
                ("00427-ab", "🦊 Fox 👩‍💻", "x7@a.test"), ("f8", "+90 555 000 11", "x8@a.test"),
                ("f9", "ada\u{202E}\u{2066}eve", "x9@a.test"), ("g1", "カナ", "y1@a.test"), ("g2", "ﬁn", "y2@a.test"),
                ("g3", "Ｆｉ", "y3@a.test"),
            ] {
                _ = try await pool.query(
                    """
                    INSERT INTO customers (id, app_id, key, name, email, created_at)
                    VALUES (gen_random_uuid(), \(ScreenSamples.app), \(key), \(name), \(email), now())
                    """
                )
            }
            let list = try await customers(CustomerFilter(search: text), database)
            #expect(list.rows.count == count)
        }
    }

    @Test("without personal data only beginnings of ids are found, and neither names nor addresses come out")
    func analyst() async throws {
        try await ScreenSamples.with(orders: 0) { database, _ in
            let cases = [("lina", 0), ("李娜", 0), ("example", 0), ("ser-1", 0), ("user-", 2), ("key-1", 1), ("ey-1", 0)]
            for (text, count) in cases {
                let list = try await customers(CustomerFilter(search: text), database, seesPersonalData: false)
                #expect(list.rows.count == count, "\(text)")
            }
            let all = try await customers(CustomerFilter(), database, seesPersonalData: false)
            #expect(all.rows.count == 4 && all.rows.allSatisfy { $0.customer.name == nil && $0.customer.email == nil })
        }
    }

    @Test("filters narrow the list, alone and together")
    func filters() async throws {
        try await ScreenSamples.with(orders: 12) { database, pool in
            func count(_ filter: CustomerFilter) async throws -> Int {
                try await customers(filter, database).rows.count
            }
            _ = try await pool.query("UPDATE subscriptions SET state = 'expired' WHERE id = \(ScreenSamples.id(31))")
            _ = try await pool.query("UPDATE subscriptions SET store = 'wechat' WHERE id = \(ScreenSamples.id(32))")
            #expect(try await count(CustomerFilter(plan: .plan(code: "PRO"))) == 3)
            #expect(try await count(CustomerFilter(plan: .noAccess)) == 1)
            #expect(try await count(CustomerFilter(plan: .plan(code: "premium"))) == 0)
            #expect(try await count(CustomerFilter(store: .wechat)) == 1)
            let refunded = Set((0..<12).filter { ScreenSamples.status($0) == .refunded }.map { $0 % 4 }).count
            #expect(try await count(CustomerFilter(hasRefunds: true)) == refunded)
            #expect(try await count(CustomerFilter(plan: .plan(code: "PRO"), store: .wechat)) == 1)
            let today = BusinessDay(ScreenSamples.now, in: .gmt)
            #expect(try await count(CustomerFilter(from: today, to: today)) == 4)
            let yesterday = BusinessDay(ScreenSamples.now - 86_400, in: .gmt)
            #expect(try await count(CustomerFilter(to: yesterday)) == 0)
        }
    }

    @Test("who has access without a purchase is found by how it was given, while it runs")
    func given() async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            // 30 is on a trial, 31 redeemed a code, 32 has a grant of staff; the grants of 33 are over, or have not begun.
            _ = try await pool.query(
                """
                INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, ended_at, created_at, updated_at)
                SELECT v.id, c.app_id, c.id, p.id, kind, \(ScreenSamples.now) + starts, \(ScreenSamples.now) + ends,
                    \(ScreenSamples.now) + ended, now(), now()
                FROM (VALUES
                    (gen_random_uuid(), \(ScreenSamples.id(30)), 'trial', interval '-1 day', interval '6 days', NULL::interval),
                    (\(ScreenSamples.id(61)), \(ScreenSamples.id(31)), 'complimentary', '-1 day', NULL, NULL),
                    (gen_random_uuid(), \(ScreenSamples.id(32)), 'upgrade', '-1 day', '1 second', NULL),
                    (gen_random_uuid(), \(ScreenSamples.id(33)), 'trial', '-9 days', '0', NULL),
                    (gen_random_uuid(), \(ScreenSamples.id(33)), 'complimentary', '-9 days', '9 days', '-1 day'),
                    (gen_random_uuid(), \(ScreenSamples.id(33)), 'complimentary', '1 day', '9 days', NULL)
                ) AS v (id, customer, kind, starts, ends, ended)
                JOIN customers c ON c.id = v.customer
                CROSS JOIN LATERAL (SELECT id FROM plans WHERE app_id = c.app_id ORDER BY rank DESC LIMIT 1) p
                """
            )
            _ = try await pool.query(
                """
                WITH batch AS (
                    INSERT INTO promo_batches (id, app_id, name, channel, plan_id, days, code_count, uses_per_code,
                        uses_per_customer, created_as, created_at)
                    SELECT gen_random_uuid(), app_id, 'Fair', 'fair', plan_id, 30, 1, 1, 1, 'eve', now()
                    FROM grants WHERE id = \(ScreenSamples.id(61))
                    RETURNING id
                ), code AS (
                    INSERT INTO promo_codes (batch_id, number, code_hash, max_uses) SELECT id, 1, sha256('code'), 1 FROM batch
                )
                INSERT INTO promo_redemptions (id, batch_id, code_number, use_number, customer_id, customer_number, grant_id, redeemed_at)
                SELECT gen_random_uuid(), id, 1, 1, \(ScreenSamples.id(31)), 1, \(ScreenSamples.id(61)), now()
                FROM batch
                """
            )
            for (given, customer) in [(CustomerFilter.Given.trial, 30), (.promoCode, 31), (.staff, 32)] {
                let found = try await customers(CustomerFilter(given: given), database).rows.map(\.customer.id.uuid)
                #expect(found == [ScreenSamples.id(customer)], "\(given)")
                let others = try await customers(CustomerFilter(plan: .noAccess, given: given), database)
                #expect(others.rows.isEmpty)
            }
        }
    }

    @Test("a plan counts while it gives access, and the highest one wins")
    func planNow() async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            let (app, max) = (ScreenSamples.app, ScreenSamples.id(12))
            _ = try await pool.query(
                "INSERT INTO plans (id, app_id, code, name, rank) VALUES (\(max), \(app), 'MAX', 'Max', 2)"
            )
            _ = try await pool.query(
                """
                INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
                VALUES (\(ScreenSamples.id(22)), \(app), \(max), 'apple', 'max', 'Max', now(), now())
                """
            )
            _ = try await pool.query(
                """
                INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                    product_id, period_starts_at, period_ends_at, created_at, updated_at)
                VALUES (\(ScreenSamples.id(50)), \(app), \(ScreenSamples.id(30)), 'apple', 'production', 'max-1', 'active',
                    \(ScreenSamples.id(22)), \(ScreenSamples.now - 86_400), \(ScreenSamples.now + 10), now(), now())
                """
            )
            let pro = try await customers(CustomerFilter(plan: .plan(code: "PRO")), database)
            #expect(pro.rows.count == 3)
            let top = try await customers(CustomerFilter(plan: .plan(code: "MAX")), database)
            #expect(top.rows.map(\.customer.id.uuid) == [ScreenSamples.id(30)])
            let later = Database(writing: pool, reading: pool, clock: { ScreenSamples.now + 10 }, doorTimeout: .patient)
            #expect(try await customers(CustomerFilter(plan: .plan(code: "MAX")), later).rows.isEmpty)
            #expect(try await customers(CustomerFilter(plan: .plan(code: "PRO")), later).rows.count == 4)
        }
    }

    @Test("a chip can name a customer of the app, and none of another app")
    func name() async throws {
        try await ScreenSamples.with(orders: 0) { database, _ in
            let names = try await database.read { reader in
                let screens = reader.screens
                return [
                    try await screens.customerName(
                        .init(ScreenSamples.id(30)),
                        app: ScreenSamples.app,
                        seesPersonalData: true
                    ),
                    try await screens.customerName(
                        .init(ScreenSamples.id(30)),
                        app: ScreenSamples.app,
                        seesPersonalData: false
                    ),
                    try await screens.customerName(
                        .init(ScreenSamples.id(34)),
                        app: ScreenSamples.app,
                        seesPersonalData: true
                    ),
                ]
            }
            #expect(names.map { $0?.shown(to: Curious()) } == ["李娜", "key-0", nil])
        }
    }

    static func addCustomers(_ count: Int, _ pool: Pool) async throws {
        _ = try await pool.query(
            """
            INSERT INTO customers (id, app_id, key, created_at)
            SELECT gen_random_uuid(), \(ScreenSamples.app), 'more-' || i, \(ScreenSamples.now) - (i / 7) * interval '1 hour'
            FROM generate_series(1, \(count)) i
            """
        )
    }

    private func customers(
        _ filter: CustomerFilter,
        _ database: Database,
        seesPersonalData: Bool = true
    ) async throws -> ListPage<ListedCustomer> {
        try await database.read {
            try await $0.screens.customers(
                filter,
                app: ScreenSamples.app,
                zone: .gmt,
                seesPersonalData: seesPersonalData,
                counts: CappedCounts()
            )
        }
    }
}

/// A reader who may see personal data.
private struct Curious: PersonalDataReader {
    let seesPersonalData = true
}
