import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Health") struct HealthWritesTests {
    private static let hour = Date(timeIntervalSince1970: 1_795_284_000)
    private static let zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt

    @Test("what two servers count of the same hour adds up, also when they write at once")
    func twoServers() async throws {
        try await TestShop.run { pool, _ in
            let database = Self.database(pool)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in 0..<2 {
                    group.addTask {
                        for turn in 0..<10 {
                            // Each writes in another order, as from a dictionary.
                            let cells = (0..<12).map { Self.answers("GET /\($0)", [0.010, 0.900]) }
                            try await database.add((server + turn).isMultiple(of: 2) ? cells : cells.reversed())
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = try await Self.counts(database)
            #expect(counts.routes.count == 12)
            for (route, tally) in counts.routes {
                #expect(tally.count == 40 && tally.good == 20 && tally.max == 0.9, "\(route): \(tally)")
                #expect(tally.durations.total == 40)
                #expect(abs(tally.sum - 18.2) < 0.001)
            }
            #expect(counts.writtenAt == database.now)
        }
    }

    @Test("a histogram that is longer than what is kept, or shorter, loses nothing")
    func lengths() async throws {
        try await TestShop.run { pool, _ in
            let database = Self.database(pool)
            for seconds in [[0.002], [3.5], [0.0001, 0.030], []] {
                try await database.add([Self.answers("GET /a", seconds)])
            }
            let tally = try #require(try await Self.counts(database).routes["GET /a"])
            var expected = DurationHistogram()
            for seconds in [0.002, 3.5, 0.0001, 0.030] { expected.add(seconds: seconds) }
            #expect(tally.durations == expected)
        }
    }

    @Test("hours are those of UTC, days those of the business; what is before them is left out")
    func spans() async throws {
        try await TestShop.run { pool, _ in
            let database = Self.database(pool)
            // 02:00 in Shanghai; two hours earlier was midnight there, three hours earlier the day before.
            for hoursAgo in [0, 2, 3, 23, 24, 24 * 7] {
                try await database.add([Self.answers("GET /a", [0.1], hoursAgo: hoursAgo)])
            }
            let day = try await Self.counts(database, .day)
            #expect(day.starts.count == 24 && day.starts.last == Self.hour)
            #expect(
                day.periods.map { $0[.request]?.count ?? 0 } == [1] + Array(repeating: 0, count: 19) + [1, 1, 0, 1]
            )
            let week = try await Self.counts(database, .week)
            #expect(week.periods.map { $0[.request]?.count ?? 0 } == [0, 0, 0, 0, 0, 3, 2])
            #expect(week.total(.request).count == 5)
            #expect(try await Self.counts(database, .month).total(.request).count == 6)
        }
    }

    @Test("failed notifications are those of the app, everything else is of the installation")
    func apps() async throws {
        try await TestShop.run { pool, _ in
            let database = Self.database(pool)
            let cells = [(TestShop.app.description, 3.0), (UUID().uuidString.lowercased(), 70)].map { app, height in
                var tally = HealthTally()
                tally.add(sample: height)
                return HealthCell(
                    key: HealthCell.Key(hour: Self.hour, measure: .failedNotifications, detail: app),
                    tally: tally
                )
            }
            try await database.add(cells)
            #expect(try await Self.counts(database).total(.failedNotifications).max == 3)
        }
    }

    @Test(
        "the inbox says for how long the first that is due has waited, how many wait, and how many failed of each app"
    )
    func inbox() async throws {
        try await TestShop.run { pool, database in
            let empty = try await database.inboxBacklog()
            #expect((empty.age, empty.waiting) == (0, 0))
            #expect(empty.failed.map(\.count) == [0])
            _ = try await database.insert([
                TestShop.received("a"), TestShop.received("b", subscription: "t2"),
                TestShop.received("c", subscription: "t3"),
            ])
            _ = try await pool.query(
                """
                UPDATE store_notifications
                SET scheduled_at = now() + CASE notification_uuid WHEN 'a' THEN '-90 s' ELSE '1 h' END::interval
                """
            )
            _ = try await pool.query(
                """
                UPDATE store_notifications SET state = 'failed', last_error = 'no', finalized_at = now()
                WHERE notification_uuid = 'c'
                """
            )
            let backlog = try await database.inboxBacklog()
            #expect((90..<120).contains(backlog.age))
            #expect(backlog.waiting == 2)
            #expect(backlog.failed.map(\.app) == [TestShop.app] && backlog.failed.map(\.count) == [1])
            let failed = try await database.read { try await $0.health.failedNotifications(app: TestShop.app) }
            #expect(failed == 1)
        }
    }

    @Test("what is older than it is kept is forgotten, and nothing else")
    func forgetting() async throws {
        try await TestShop.run { pool, _ in
            let database = Self.database(pool)
            for hoursAgo in [0, 5, 6] { try await database.add([Self.answers("GET /a", [0.1], hoursAgo: hoursAgo)]) }
            #expect(try await database.forgetHealth(before: Self.hour.addingTimeInterval(-5 * 3_600)) == 1)
            #expect(try await Self.counts(database).total(.request).count == 2)
        }
    }

    private static func database(_ pool: Pool) -> Database {
        Database(writing: pool, reading: pool, clock: { hour.addingTimeInterval(1_234) }, doorTimeout: .patient)
    }

    private static func counts(_ database: Database, _ span: HealthSpan = .day) async throws -> HealthCounts {
        try await database.read { try await $0.health.counts(span, in: zone, app: TestShop.app) }
    }

    /// Returns answers that took so many seconds; those of half a second or more failed.
    private static func answers(_ route: String, _ seconds: [Double], hoursAgo: Int = 0) -> HealthCell {
        var tally = HealthTally()
        for seconds in seconds { tally.add(seconds: seconds, isGood: seconds < 0.5) }
        let hour = hour.addingTimeInterval(-3_600 * Double(hoursAgo))
        return HealthCell(key: HealthCell.Key(hour: hour, measure: .request, detail: route), tally: tally)
    }
}
