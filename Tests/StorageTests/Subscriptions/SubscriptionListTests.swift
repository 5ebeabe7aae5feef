import Billing
import Foundation
import Postgres
import Storage
import Testing

@Suite("The list of subscriptions") struct SubscriptionListTests {
    @Test("the filter by state is the state at the moment, for every state and every end")
    func states() async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            _ = try await pool.query("DELETE FROM subscriptions WHERE app_id = \(ScreenSamples.app)")
            _ = try await pool.query(
                """
                INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                    product_id, period_ends_at, grace_period_ends_at, created_at, updated_at)
                SELECT gen_random_uuid(), \(ScreenSamples.app), \(ScreenSamples.id(30)), 'apple', 'production',
                    concat(state, '/', coalesce(p::text, '-'), '/', coalesce(g::text, '-')), state, \(ScreenSamples.id(20)), \(ScreenSamples.now) + p * interval '1 day',
                    \(ScreenSamples.now) + g * interval '1 day', now(), now()
                FROM unnest(\(Subscription.State.allCases.map(\.rawValue))) AS state
                CROSS JOIN unnest(ARRAY[NULL, -70, -60, -1, 0, 1]) AS p
                CROSS JOIN unnest(ARRAY[NULL, -1, 0, 1]) AS g
                """
            )
            var seen = 0
            for state in Subscription.State.allCases {
                var filter = SubscriptionFilter(state: state)
                while true {
                    let list = try await subscriptions(filter, database)
                    seen += list.rows.count
                    for row in list.rows {
                        #expect(
                            row.subscription.state(at: ScreenSamples.now) == state,
                            "\(row.originalTransactionID) is listed as \(state)"
                        )
                    }
                    guard list.hasNext, let last = list.rows.last else { break }
                    filter.position = .after(filter.cursor(at: last, rowsBefore: 0))
                }
            }
            #expect(seen == Subscription.State.allCases.count * 6 * 4)
        }
    }

    @Test(
        "every subscription comes once, in order, whatever the sort; what never ends is at the end",
        arguments: [SubscriptionFilter.Sort.started, .end],
        [SortDirection.descending, .ascending]
    )
    func walk(_ sort: SubscriptionFilter.Sort, _ direction: SortDirection) async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            try await Self.add(70, pool)
            let column: Query =
                sort == .started ? "coalesce(started_at, created_at)" : "coalesce(period_ends_at, 'infinity')"
            let order = Query(unsafe: direction == .ascending ? "ASC" : "DESC")
            let expected = try await pool.query(
                """
                SELECT id FROM subscriptions WHERE app_id = \(ScreenSamples.app)
                ORDER BY \(column) \(order), id \(order)
                """
            ).map { try $0.decode(0, as: UUID.self) }
            var filter = SubscriptionFilter(sort: sort, direction: direction)
            var found: [UUID] = []
            while true {
                let list = try await subscriptions(filter, database)
                #expect(list.total == .exact(74))
                found += list.rows.map(\.id.uuid)
                guard list.hasNext, let last = list.rows.last else { break }
                filter.position = .after(filter.cursor(at: last, rowsBefore: found.count))
            }
            #expect(found == expected)
        }
    }

    @Test("filters narrow the list")
    func filters() async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            func count(_ filter: SubscriptionFilter, seesPersonalData: Bool = true) async throws -> Int {
                try await subscriptions(filter, database, seesPersonalData: seesPersonalData).rows.count
            }
            _ = try await pool.query(
                "UPDATE subscriptions SET environment = 'sandbox', store = 'google' WHERE id = \(ScreenSamples.id(31))"
            )
            #expect(try await count(SubscriptionFilter()) == 4)
            #expect(try await count(SubscriptionFilter(plan: "PRO")) == 4)
            #expect(try await count(SubscriptionFilter(plan: "premium")) == 0)
            #expect(try await count(SubscriptionFilter(store: .google)) == 1)
            #expect(try await count(SubscriptionFilter(environment: .sandbox)) == 1)
            #expect(try await count(SubscriptionFilter(customer: .init(ScreenSamples.id(32)))) == 1)
            #expect(try await count(SubscriptionFilter(customer: .init(ScreenSamples.id(34)))) == 0)
            #expect(try await count(SubscriptionFilter(renewsWithin: 1)) == 4)
            _ = try await pool.query(
                "UPDATE subscriptions SET renews_automatically = false WHERE id = \(ScreenSamples.id(31))"
            )
            #expect(try await count(SubscriptionFilter(renewsWithin: 7)) == 3)
            #expect(try await count(SubscriptionFilter(endsWithin: 7)) == 1)
            #expect(try await count(SubscriptionFilter(store: .apple, endsWithin: 7)) == 0)
            #expect(try await count(SubscriptionFilter(search: "ibrahim")) == 1)
            #expect(try await count(SubscriptionFilter(search: "李娜")) == 1)
            #expect(try await count(SubscriptionFilter(search: "chain-key")) == 3)
            #expect(try await count(SubscriptionFilter(search: "hain-ke")) == 3)
            #expect(try await count(SubscriptionFilter(search: "ibrahim"), seesPersonalData: false) == 0)
            #expect(try await count(SubscriptionFilter(search: "hain-key-1"), seesPersonalData: false) == 1)
        }
    }

    @Test("the page of a subscription shows its periods, events and whose it is, in its app alone")
    func details() async throws {
        try await ScreenSamples.with(orders: 8) { database, _ in
            let (mine, foreign) = try await database.read { reader in
                let screens = reader.screens
                return (
                    try await screens.subscription(
                        id: .init(ScreenSamples.id(30)),
                        app: ScreenSamples.app,
                        seesPersonalData: false
                    ),
                    try await screens.subscription(
                        id: .init(ScreenSamples.id(34)),
                        app: ScreenSamples.app,
                        seesPersonalData: true
                    )
                )
            }
            #expect(mine?.orders.count == 2 && mine?.notifications.count == 2)
            #expect(mine?.row.customer.key == "key-0" && mine?.row.customer.name == nil)
            #expect(foreign == nil)
        }
    }

    static func add(_ count: Int, _ pool: Pool) async throws {
        _ = try await pool.query(
            """
            INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                product_id, started_at, period_ends_at, created_at, updated_at)
            SELECT gen_random_uuid(), \(ScreenSamples.app), \(ScreenSamples.id(30)), 'apple', 'production', 'more-' || i,
                'active', \(ScreenSamples.id(20)),
                CASE WHEN i % 5 > 0 THEN \(ScreenSamples.now) - (i % 6) * interval '1 day' END,
                CASE WHEN i % 4 > 0 THEN \(ScreenSamples.now) + (i % 7) * interval '1 day' END, \(ScreenSamples.now), now()
            FROM generate_series(1, \(count)) i
            """
        )
    }

    private func subscriptions(
        _ filter: SubscriptionFilter,
        _ database: Database,
        seesPersonalData: Bool = true
    ) async throws -> ListPage<ListedSubscription> {
        try await database.read {
            try await $0.screens.subscriptions(
                filter,
                app: ScreenSamples.app,
                seesPersonalData: seesPersonalData,
                counts: CappedCounts()
            )
        }
    }
}
