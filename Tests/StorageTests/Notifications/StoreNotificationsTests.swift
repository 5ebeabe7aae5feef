import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Notifications under a lease") struct StoreNotificationsTests {
    private static let (ada, eve) = (UUID(), UUID())

    @Test("what one worker holds no other gets, and together they get all")
    func shared() async throws {
        try await Self.run(holding: 100) { _, database in
            let leases = try await withThrowingTaskGroup(of: [LeasedNotification].self) { group in
                for _ in 0..<20 {
                    group.addTask { try await database.leaseNotifications(limit: 10, by: UUID(), for: .seconds(30)) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(leases.map(\.id)).count == leases.count)
            // A worker that meets only rows that others are leasing gets fewer; no row is leased twice.
            var rest = try await database.leaseNotifications(limit: 100, by: UUID(), for: .seconds(30))
            #expect(Set(leases.map(\.id)).isDisjoint(with: rest.map(\.id)))
            rest += leases
            #expect(rest.count == 100)
            #expect(rest.allSatisfy { $0.lease.attempt == 1 })
        }
    }

    @Test("a lease that ran out is given to the next, as another attempt")
    func rescue() async throws {
        try await Self.run(holding: 1) { pool, database in
            _ = try await Self.lease(database, by: Self.ada, for: .seconds(30))
            #expect(try await database.queue(.notifications).rescue() == 0)
            try await Self.endLeases(pool)
            #expect(try await database.queue(.notifications).rescue() == 1)
            let next = try await Self.lease(database, by: Self.eve, for: .seconds(30))
            #expect(next.lease.attempt == 2)
            #expect(next.lease.worker == Self.eve)
        }
    }

    @Test("who lost the lease can neither put back nor park")
    func fenced() async throws {
        try await Self.run(holding: 1) { pool, database in
            let lost = try await Self.lease(database, by: Self.ada, for: .seconds(30))
            try await Self.endLeases(pool)
            _ = try await database.queue(.notifications).rescue()
            // The same worker may have leased it again: the attempt tells the two leases apart.
            _ = try await Self.lease(database, by: Self.ada, for: .seconds(30))
            let before = try await Self.state(pool)
            try await database.queue(.notifications).retry(lost.lease, after: .zero, because: "late")
            try await database.queue(.notifications).discard(lost.lease, because: "late")
            #expect(try await Self.state(pool) == before)
            #expect(before.hasPrefix("processing 2 "))
            #expect(try await Self.attempts(pool) == ["1 retried The worker went away before it was done."])
        }
    }

    @Test("what is put back is due after the delay by the database's clock, whatever ours says", arguments: [-1.0, 1])
    func backOff(_ years: Double) async throws {
        try await Self.run(holding: 1) { pool, _ in
            let skewed = Database(writing: pool, reading: pool) { Date(timeIntervalSinceNow: years * 31_536_000) }
            let leased = try await Self.lease(skewed, by: Self.ada, for: .seconds(30))
            try await skewed.queue(.notifications).retry(leased.lease, after: .seconds(60), because: "try again")
            #expect(try await Self.state(pool) == "received 1 try again")
            let wait = try await pool.query(
                "SELECT extract(epoch FROM scheduled_at - now())::float8 FROM store_notifications"
            )
            let seconds = try #require(wait.first).decode(0, as: Double.self)
            #expect((50...60).contains(seconds))
            #expect(try await skewed.leaseNotifications(limit: 1, by: Self.eve, for: .seconds(30)).isEmpty)
            _ = try await pool.query("UPDATE store_notifications SET scheduled_at = now()")
            #expect(try await Self.lease(skewed, by: Self.eve, for: .seconds(30)).lease.attempt == 2)
            #expect(try await skewed.queue(.notifications).rescue() == 0)
        }
    }

    @Test("what is to be applied again is due at once by the database's clock, not by ours", arguments: [-1.0, 1])
    func replay(_ years: Double) async throws {
        try await Self.run(holding: 1) { pool, _ in
            let skewed = Database(writing: pool, reading: pool) { Date(timeIntervalSinceNow: years * 31_536_000) }
            let leased = try await Self.lease(skewed, by: Self.ada, for: .seconds(30))
            try await skewed.queue(.notifications).discard(leased.lease, because: "The product is unknown.")
            try await skewed.write { try await $0.notifications.makeDue(leased.id.uuid) }
            let wait = try await pool.query(
                "SELECT extract(epoch FROM scheduled_at - now())::float8 FROM store_notifications"
            )
            let seconds = try #require(wait.first).decode(0, as: Double.self)
            #expect((-60...0).contains(seconds))
            #expect(try await Self.lease(skewed, by: Self.eve, for: .seconds(30)).lease.attempt == 2)
        }
    }

    @Test("every attempt stays on record")
    func attempts() async throws {
        try await Self.run(holding: 1) { pool, database in
            for error in ["first", "second"] {
                let leased = try await Self.lease(database, by: Self.ada, for: .seconds(30))
                try await database.queue(.notifications).retry(leased.lease, after: .zero, because: error)
            }
            let leased = try await Self.lease(database, by: Self.eve, for: .seconds(30))
            try await database.queue(.notifications).discard(leased.lease, because: "third")
            #expect(try await Self.attempts(pool) == ["1 retried first", "2 retried second", "3 failed third"])
            #expect(try await Self.state(pool) == "failed 3 third")
            #expect(try await database.hasUnfinishedNotifications() == false)
            #expect(try await database.queue(.notifications).reviveDeadLetters() == 1)
            #expect(try await Self.lease(database, by: Self.eve, for: .seconds(30)).lease.attempt == 4)
        }
    }

    @Test("a worker that is lost each time does not take the notification round for ever")
    func poison() async throws {
        try await Self.run(holding: 1) { pool, database in
            for _ in 0..<10 {
                _ = try await Self.lease(database, by: UUID(), for: .seconds(30))
                try await Self.endLeases(pool)
                #expect(try await database.queue(.notifications).rescue() == 1)
            }
            #expect(try await Self.state(pool).hasPrefix("failed 10 "))
            #expect(try await database.leaseNotifications(limit: 1, by: Self.eve, for: .seconds(30)).isEmpty)
            #expect(try await Self.attempts(pool).count == 10)
        }
    }

    @Test("what holds no event stays as it is when the failed are tried again")
    func unreadable() async throws {
        try await Self.run(holding: 1) { pool, database in
            var unreadable = TestShop.received("unreadable")
            unreadable.content = .unreadable("It carries no transaction.")
            #expect(try await database.insert([unreadable]).count == 1)
            #expect(try await database.queue(.notifications).reviveDeadLetters() == 0)
            let leased = try await database.leaseNotifications(limit: 10, by: Self.ada, for: .seconds(30))
            #expect(leased.count == 1)
            #expect(try await database.notificationCounts() == ["failed": 1, "processing": 1])
        }
    }

    @Test("an event that nobody can read any more is parked, and holds nothing else up")
    func spoilt() async throws {
        try await Self.run(holding: 3) { pool, database in
            _ = try await pool.query(
                "UPDATE store_notifications SET event = '{\"kind\": \"hologram\"}' WHERE notification_uuid = 'n1'"
            )
            let leased = try await database.leaseNotifications(limit: 10, by: Self.ada, for: .seconds(30))
            #expect(leased.count == 2)
            #expect(try await database.notificationCounts() == ["failed": 1, "processing": 2])
            #expect(try await Self.attempts(pool).count == 1)
        }
    }

    private static func run(holding count: Int, _ body: (Pool, Database) async throws -> Void) async throws {
        try await TestShop.run { pool, database in
            _ = try await database.insert((0..<count).map { TestShop.received("n\($0)", subscription: "t\($0)") })
            try await body(pool, database)
        }
    }

    private static func lease(
        _ database: Database,
        by worker: UUID,
        for lease: Duration
    ) async throws -> LeasedNotification {
        try #require(try await database.leaseNotifications(limit: 1, by: worker, for: lease).first)
    }

    private static func endLeases(_ pool: Pool) async throws {
        _ = try await pool.query("UPDATE store_notifications SET lease_ends_at = now() - interval '1 s'")
    }

    private static func state(_ pool: Pool) async throws -> String {
        let rows = try await pool.query(
            "SELECT concat_ws(' ', state, attempt, coalesce(last_error, '-')) FROM store_notifications"
        )
        return try #require(rows.first).decode(0, as: String.self)
    }

    private static func attempts(_ pool: Pool) async throws -> [String] {
        try await pool.query(
            "SELECT concat_ws(' ', attempt, result, error) FROM notification_attempts ORDER BY notification_id, attempt"
        ).map { try $0.decode(0, as: String.self) }
    }
}
