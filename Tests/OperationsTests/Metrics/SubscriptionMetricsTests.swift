import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("the metrics of subscriptions follow what the stores tell") struct SubscriptionMetricsTests {
    private static let ada = UUID(uuidString: "00000000-0000-4000-8000-0000000000ad") ?? UUID()
    /// The day on which the clock stands.
    private static let today = (TestOffice.start.timeIntervalSince1970 - 1_735_689_600) / 86_400

    @Test("an end that is to come is known, waits for its moment, and a renewal takes it back")
    func comingEnd() async throws {
        try await TestOffice.run { office in
            let today = Self.today
            let month = StoreTransaction.sold("t1", from: today - 1, to: today + 29, to: Self.ada)
            try await office.live(.told(.subscribed, on: today - 1, month))
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.cells("mrr") == ["0 1800 0"])
            #expect(try await office.waiting("mrr") == ["2026-01-30 4 -1800"])
            let next = StoreTransaction.sold("t2", from: today + 29, to: today + 60, to: Self.ada)
            office.clock.set(.day(today + 28.5))
            try await office.live(.told(.renewed, on: today + 28.5, next))
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.cells("mrr") == ["0 1800 0"])
            #expect(try await office.cells("subscriber") == ["0 0 1"])
            office.clock.set(.day(today + 30))
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.cells("mrr") == ["0 1800 0"], "the end that was taken back leaves nothing")
            office.clock.set(.day(today + 60))
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.cells("mrr") == ["0 1800 0", "4 -1800 0"])
            #expect(try await office.cells("subscriber") == ["0 0 1", "4 0 -1"])
            #expect(try await office.wrong() == 0)
        }
    }

    @Test("a week that lies in two months has the proceeds of its bar, rounded once")
    func weekInTwoMonths() async throws {
        try await TestOffice.run { office in
            let price = Money(minorUnits: 105, currency: .cny)
            // The last day of June and the first of July; the store's 30 % are 31.5 of each and 63 of both.
            try await office.live(
                .told(.subscribed, on: 180, .sold("t1", from: 180, to: 181, for: price, to: Self.ada)),
                .told(.renewed, on: 181, .sold("t2", from: 181, to: 212, for: price, to: Self.ada))
            )
            let app = try await office.app()
            let week = RevenueQuery(
                filter: MetricsFilter(),
                from: BusinessDay(.day(180), in: .gmt),
                through: BusinessDay(.day(186), in: .gmt),
                grain: .week
            )
            let (bar, total) = try await office.database.read { reader in
                (try await reader.metrics.revenue(week, app: app).cells, try await reader.metrics.total(week, app: app))
            }
            #expect(bar.map(\.revenue.proceeds) == [147])
            #expect(total[.cny]?.proceeds == 147)
        }
    }

    @Test("a stretch that becomes another is kept with the moment at which it was replaced")
    func retired() async throws {
        try await TestOffice.run { office in
            let month = StoreTransaction.sold("t1", from: 0, to: 30, to: Self.ada)
            try await office.live(.told(.subscribed, on: 0, month))
            #expect(try await office.stretches() == ["t1 0-30"])
            office.clock.advance(by: 60)
            try await office.live(.told(.refunded, on: 12, month.takenBack(on: 10)))
            #expect(try await office.stretches() == ["t1 0-10"])
            #expect(
                try await office.lines("SELECT retired_at::text FROM access_periods WHERE retired_at IS NOT NULL")
                    == ["2026-01-01 00:01:00+00"]
            )
            try await office.live(.told(.refunded, on: 12, month.takenBack(on: 10)))
            #expect(try await office.count("access_periods") == 2, "what is known already writes nothing")
            #expect(try await office.wrong() == 0)
        }
    }

    @Test("two subscriptions are one subscriber, counted under the higher plan, and both add to the revenue")
    func twoSubscriptions() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, to: Self.ada)),
                .told(
                    .subscribed,
                    on: 5,
                    .sold("u1", of: "u1", from: 5, to: 35, for: .yuan(28), "premium.monthly", to: Self.ada)
                )
            )
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.cells("mrr") == ["0 1800 0", "2 2800 0", "3 -1800 0", "4 -2800 0"])
            #expect(try await office.cells("subscriber") == ["0 0 1", "4 0 -1", "5 0 0"])
            #expect(try await office.wrong() == 0)
        }
    }

    @Test("a subscription that staff move takes its metrics along, there and back")
    func transferred() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (customer, subscription) = try await office.buyer(UUID())
            let other = try await office.customer("c2")
            let before = try await office.sums()
            #expect(!before.isEmpty)
            _ = try await office.backOffice.change(
                customer,
                of: app,
                .transfer(subscription, to: other),
                reason: Reason(.goodwill, "The reader crashed all day."),
                key: nil,
                version: nil,
                caller: admin
            )
            #expect(
                try await office.lines(
                    "SELECT DISTINCT customer_id::text FROM access_periods WHERE retired_at IS NULL"
                ) == [other.description]
            )
            #expect(try await office.sums() == before, "whose it is changes no sum")
            #expect(try await office.wrong() == 0)
        }
    }

    @Test("what staff give, take and suspend changes what a customer may use, now and when its time comes")
    func given() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (customer, subscription) = try await office.buyer(UUID())
            func change(_ command: EntitlementCommand) async throws {
                _ = try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Reason(.goodwill, "The reader crashed all day."),
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            #expect(try await office.changes() == ["nothing > PRO bought", "PRO > nothing expired"])
            office.clock.advance(by: 3_600)
            try await change(.grant(plan: "PREMIUM", .days(2)))
            #expect(
                try await office.changes() == [
                    "nothing > PRO bought", "PRO > PREMIUM granted", "PREMIUM > PRO grant_ended",
                    "PRO > nothing expired",
                ]
            )
            #expect(try await office.wrong() == 0)
            office.clock.advance(by: 3_600)
            try await change(.revoke(.subscription(subscription)))
            #expect(
                try await office.changes() == [
                    "nothing > PRO bought", "PRO > PREMIUM granted", "PREMIUM > nothing grant_ended",
                ]
            )
            let (changes, sums) = (try await office.changes(), try await office.sums())
            #expect(try await office.wrong() == 0)
            _ = try await office.backOffice.rebuildRollups()
            #expect(try await office.changes() == changes)
            #expect(try await office.sums() == sums)
        }
    }

    @Test("the sandbox has stretches of access and adds to no metric")
    func sandbox() async throws {
        try await TestOffice.run { office in
            var event = StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, to: Self.ada))
            event.environment = .sandbox
            try await office.live(event)
            #expect(try await office.stretches() == ["t1 0-30"])
            #expect(try await office.sums().isEmpty)
        }
    }

    @Test("metrics that are wrong are found, and made again from the events they are right")
    func rebuilt() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 7, for: .yuan(0), to: Self.ada, trial: true)),
                .told(.renewed, on: 7, .sold("t2", from: 7, to: 37, to: Self.ada)),
                .told(.renewed, on: 37, .sold("t3", from: 37, to: 67, to: Self.ada))
            )
            let (sums, stretches) = (try await office.sums(), try await office.stretches())
            #expect(stretches == ["t1 0-7", "t2 7-37", "t3 37-67"])
            _ = try await office.pool.query("DELETE FROM rollup_entries WHERE measure = 'mrr'")
            _ = try await office.pool.query("DELETE FROM access_periods")
            #expect(try await office.wrong() > 0)
            _ = try await office.backOffice.rebuildRollups()
            #expect(try await office.sums() == sums)
            #expect(try await office.stretches() == stretches)
            #expect(try await office.wrong() == 0)
        }
    }
}

extension TestOffice {
    /// What is added up: "step amount count", by step.
    fileprivate func cells(_ measure: String) async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', dimension, sum(amount), sum(count))
            FROM rollups
            WHERE measure = \(measure)
            GROUP BY dimension
            HAVING sum(amount) <> 0 OR sum(count) <> 0 OR bool_or(count <> 0)
            ORDER BY dimension
            """
        )
    }

    /// What waits for its moment: "day step amount".
    fileprivate func waiting(_ measure: String) async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', day, dimension, sum(amount))
            FROM rollup_entries
            WHERE measure = \(measure)
            GROUP BY day, dimension
            HAVING sum(amount) <> 0
            ORDER BY day
            """
        )
    }

    /// Every sum of the numbers of subscriptions, added up or waiting; without those that depend on whose they are.
    fileprivate func sums() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', measure, day, dimension, country, currency, sum(amount), sum(count))
            FROM (
                SELECT measure, environment, day, dimension, country, currency, amount, count FROM rollups
                UNION ALL
                SELECT measure, environment, day, dimension, country, currency, amount, count FROM rollup_entries
            ) parts
            WHERE measure NOT IN ('charge', 'free_order', 'refund', 'refunded_charge', 'order_by_hour', 'refund_by_hour',
                'converted', 'cohort_net')
                AND environment = 'production'
            GROUP BY measure, day, dimension, country, currency
            HAVING sum(amount) <> 0 OR sum(count) <> 0
            ORDER BY 1
            """
        )
    }

    /// What is known now of what customers may use, in time order: "nothing > PRO bought".
    fileprivate func changes() async throws -> [String] {
        try await lines(
            """
            SELECT concat(coalesce(b.code, bg.code, 'nothing'), ' > ', coalesce(a.code, ag.code, 'nothing'), ' ', c.cause)
            FROM access_changes c
            LEFT JOIN products bp ON bp.id = c.before_id
            LEFT JOIN plans b ON b.id = bp.plan_id
            LEFT JOIN plans bg ON bg.id = c.before_id
            LEFT JOIN products ap ON ap.id = c.after_id
            LEFT JOIN plans a ON a.id = ap.plan_id
            LEFT JOIN plans ag ON ag.id = c.after_id
            WHERE c.retired_at IS NULL
            ORDER BY c.at
            """
        )
    }

    /// What is known now: "t1 0-30", in days.
    fileprivate func stretches() async throws -> [String] {
        try await lines(
            """
            SELECT concat(transaction_id, ' ', (starts_at AT TIME ZONE 'UTC')::date - '2025-01-01'::date, '-',
                (ends_at AT TIME ZONE 'UTC')::date - '2025-01-01'::date)
            FROM access_periods
            WHERE retired_at IS NULL
            ORDER BY starts_at
            """
        )
    }

    /// How many cells do not say what the ledger and the events say.
    fileprivate func wrong() async throws -> Int {
        try await backOffice.verifyRollups().reduce(0) { $0 + $1.differences }
    }
}
