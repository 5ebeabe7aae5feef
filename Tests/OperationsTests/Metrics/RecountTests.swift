import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("metrics are counted again beside whoever writes") struct RecountTests {
    @Test("what is counted again locks no row and no table that a write needs")
    func locks() async throws {
        try await TestOffice.run { office in
            try await office.live(.subscription(1), .subscription(2))
            let app = try await office.app()
            let held = try await office.database.recount { transaction in
                _ = try await transaction.count(app)
                // Another connection has every row to itself at once.
                try await office.pool.withTransaction { other in
                    for table in ["customers", "subscriptions", "orders", "rollups", "access_periods"] {
                        _ = try await other.query("SELECT FROM \(unsafe: table) FOR UPDATE NOWAIT")
                    }
                }
                return try await office.lines(
                    """
                    SELECT DISTINCT concat(l.relation::regclass, ' ', l.mode)
                    FROM pg_locks l
                    JOIN pg_class c ON c.oid = l.relation
                    WHERE l.pid <> pg_backend_pid() AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        AND c.relnamespace = 'public'::regnamespace AND l.mode <> 'AccessShareLock'
                    """
                )
            }
            #expect(held.isEmpty)
        }
    }

    @Test("a rebuild beside sales mends what was wrong, and counts the sales once")
    func beside() async throws {
        try await TestOffice.run { office in
            for number in 0..<20 { try await office.live(.subscription(number)) }
            _ = try await office.backOffice.foldRollups()
            let right = try await office.backOffice.verifyRollups().map(\.differences)
            #expect(right == [0])
            for table in ["rollups", "rollup_months", "rollup_days"] {
                _ = try await office.pool.query("UPDATE \(unsafe: table) SET amount = amount + 7, count = count + 1")
            }
            _ = try await office.pool.query("UPDATE subscriber_entries SET count = count + 1 WHERE count > 0")
            _ = try await office.pool.query("UPDATE rollup_months SET converted = converted + 3")
            async let rebuilt = office.backOffice.rebuildRollups()
            for number in 20..<40 { try await office.live(.subscription(number)) }
            #expect(try await rebuilt[0].differences > 0)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("months and days say of each day on which something became known what their cells say")
    func known() async throws {
        try await TestOffice.run { office in
            try await office.live(.subscription(1), .subscription(2, daysAgo: 2), .subscription(3, daysAgo: 3))
            _ = try await office.backOffice.foldRollups()
            // The cells of two days are wrong by as much, and known sooner; the months and days are right but for when they were known.
            let moved = try await office.pool.query(
                """
                UPDATE rollups r
                SET recorded_on = recorded_on - 40, amount = amount + CASE place WHEN 1 THEN 7 WHEN 2 THEN -7 ELSE 0 END
                FROM (
                    SELECT ctid AS cell, row_number() OVER keys AS place, count(*) OVER (
                        PARTITION BY measure, environment, date_trunc('month', day), dimension, product_id, country, currency) AS days
                    FROM rollups
                    WHERE measure = 'cohort_net'
                    WINDOW keys AS (
                        PARTITION BY measure, environment, date_trunc('month', day), dimension, product_id, country, currency
                        ORDER BY day)
                ) found
                WHERE r.ctid = cell AND days >= 2
                """
            )
            #expect(moved.affectedRows >= 2)
            for table in ["rollup_months", "rollup_days"] {
                _ = try await office.pool.query(
                    """
                    UPDATE \(unsafe: table) SET recorded_month = date_trunc('month', recorded_month - interval '40 days')
                    WHERE measure = 'cohort_net'
                    """
                )
            }
            _ = try await office.backOffice.rebuildRollups()
            let byMonth: Query = """
                measure, environment, date_trunc('month', day)::date, dimension, product_id, country, currency,
                date_trunc('month', recorded_on)::date
                """
            let differing = try await office.lines(
                """
                SELECT concat_ws(' ', measure, month, recorded_month, sum(amount), sum(count))
                FROM (
                    SELECT measure, environment, month, dimension, product_id, country, currency, recorded_month, amount, count
                    FROM rollup_months
                    UNION ALL
                    SELECT \(byMonth), -sum(amount), -sum(count)
                    FROM rollups
                    WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
                    GROUP BY \(byMonth)
                ) sums
                GROUP BY measure, environment, month, dimension, product_id, country, currency, recorded_month
                HAVING sum(amount) <> 0 OR sum(count) <> 0
                """
            )
            #expect(differing == [])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("what is made again was known on the days on which it was heard, whatever was heard first")
    func days() async throws {
        try await TestOffice.run { office in
            let (ada, bea) = (UUID(), UUID())
            let free = StoreTransaction.sold("a0", of: "a1", from: 293, to: 300, for: .yuan(0), to: ada, trial: true)
            let first = StoreTransaction.sold("a1", of: "a1", from: 300, to: 330, to: ada)
            let later = StoreTransaction.sold("a2", of: "a1", from: 330, to: 360, to: ada)
            let other = StoreTransaction.sold("b1", of: "b1", from: 301, to: 331, for: .yuan(0), to: bea, trial: true)
            let refused = StoreTransaction.sold("b2", of: "b1", from: 331, to: 361, to: bea)
            // The renewal is heard of before what it renews, the refund in parts, and its end taken back.
            let days: [[StoreEvent]] = [
                [
                    .told(.subscribed, on: 293, free), .told(.renewed, on: 330, later),
                    .told(.subscribed, on: 301, other),
                ],
                [.told(.renewed, on: 300, first), .told(.renewed, on: 331, refused)],
                [.told(.refunded, on: 340, refused.takenBack(on: 340, percent: 30))],
                [.told(.refunded, on: 341, refused.takenBack(on: 341, percent: 100)), .told(.expired, on: 360, later)],
                [.told(.refundReversed, on: 342, refused), .told(.refunded, on: 343, first.takenBack(on: 343))],
            ]
            for events in days {
                for event in events { try await office.live(event) }
                office.clock.advance(by: 86_400)
            }
            _ = try await office.backOffice.foldRollups()
            let right = try await Self.kept(office)
            for table in ["rollups", "rollup_months", "rollup_days", "subscriber_entries"] {
                _ = try await office.pool.query("UPDATE \(unsafe: table) SET count = count + 3")
            }
            _ = try await office.backOffice.rebuildRollups()
            let made = try await Self.kept(office)
            #expect(made.filter { !right.contains($0) } == [])
            #expect(right.filter { !made.contains($0) } == [])
            #expect(right.contains { $0.hasPrefix("converted") && $0.hasSuffix(" -1") })
        }
    }

    private static func kept(_ office: TestOffice) async throws -> [String] {
        let row: Query = "measure, customer_id, day, dimension, recorded_on, effective_at, amount, count"
        let cell: Query =
            "measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count"
        return try await office.lines(
            """
            SELECT concat_ws(' ', \(cell)) FROM rollups WHERE amount <> 0 OR count <> 0
            UNION ALL
            SELECT concat_ws(' ', \(row)) FROM subscriber_entries
            ORDER BY 1
            """
        )
    }

    @Test("of two servers that rebuild at once none adds what the other added")
    func twice() async throws {
        try await TestOffice.run { office in
            for number in 0..<5 { try await office.live(.subscription(number)) }
            _ = try await office.backOffice.foldRollups()
            _ = try await office.pool.query("UPDATE rollups SET amount = amount + 7")
            let other = office.anotherServer()
            async let one = office.backOffice.rebuildRollups()
            async let two = other.rebuildRollups()
            _ = try await (one, two)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("what a rebuild found is added by whoever adds up next, should it have ended there")
    func ended() async throws {
        try await TestOffice.run { office in
            try await office.live(.subscription(1))
            _ = try await office.backOffice.foldRollups()
            _ = try await office.pool.query("UPDATE rollups SET amount = amount + 7")
            let app = try await office.app()
            try await office.database.recount { transaction in
                #expect(try await transaction.count(app) > 0)
                try await transaction.recount.keep(app)
            }
            // Whoever compares meanwhile takes what waits for said.
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.lines("SELECT id::text FROM rollup_corrections").isEmpty)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }
}

extension WriteTransaction {
    /// Counts an app's metrics again; returns how many sums differ.
    fileprivate func count(_ app: App.ID) async throws -> Int {
        var recount = recount
        recount.findsMisplaced = true
        try await recount.begin(app)
        var piece: RollupRecount.Piece?
        while let next = try await recount.addNext(app, after: piece) { piece = next }
        try await rollups.addChangedYears(app)
        return try await recount.differences(app)
    }
}

extension StoreEvent {
    /// The first charge of a subscription of its own, told today.
    fileprivate static func subscription(_ number: Int, daysAgo: Double = 1) -> StoreEvent {
        let today = (TestOffice.start.timeIntervalSince1970 - 1_735_689_600) / 86_400
        let name = "r\(number)"
        return .told(
            .subscribed,
            on: today - daysAgo,
            .sold(name, of: name, from: today - daysAgo, to: today + 30 - daysAgo, to: UUID())
        )
    }
}
