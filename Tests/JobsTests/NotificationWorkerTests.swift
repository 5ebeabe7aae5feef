import Foundation
import Jobs
import Operations
import Postgres
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@Suite("Notification worker") struct NotificationWorkerTests {
    @Test("what is due is applied, and the worker says how many it took")
    func drain() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1", "t2", "t3")
            #expect(try await inbox.worker.drain() == 3)
            #expect(try await inbox.states() == ["t1 processed 1 -", "t2 processed 1 -", "t3 processed 1 -"])
            #expect(try await inbox.worker.drain() == 0)
        }
    }

    @Test("an unknown product is parked, and applied once the catalogue has gained it and somebody asks")
    func unknownProduct() async throws {
        let ahead = Mutex(TimeInterval(0))
        let clock: @Sendable () -> Date = { Date(timeIntervalSinceNow: ahead.withLock(\.self)) }
        try await TestInbox.run(clock: clock) { inbox in
            try await inbox.sell("t1", product: "max")
            #expect(try await inbox.worker.drain() == 1)
            #expect(try await inbox.states() == ["t1 failed 1 The product max is not in the app's catalogue."])
            try await inbox.execute("UPDATE products SET store_product_id = 'max'")
            // The directory of apps reads them again after a second at the latest.
            ahead.withLock { $0 = 1.1 }
            #expect(try await inbox.worker.drain() == 0)
            #expect(try await inbox.database.queue(.notifications).reviveDeadLetters() == 1)
            #expect(try await inbox.worker.drain() == 1)
            #expect(try await inbox.states() == ["t1 processed 2 -"])
            #expect(try await inbox.attempts() == ["t1 1 failed", "t1 2 processed"])
        }
    }

    @Test("a fault of ours is tried again after a while, and then works")
    func retry() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1")
            try await inbox.execute("ALTER TABLE subscription_events RENAME TO elsewhere")
            #expect(try await inbox.worker.drain() == 1)
            #expect(
                try await inbox.states() == [
                    "t1 received 1 Internal error; the server's log has the details."
                ]
            )
            #expect(try await inbox.allWait(seconds: 1))
            try await inbox.execute(
                """
                ALTER TABLE elsewhere RENAME TO subscription_events;
                UPDATE store_notifications SET scheduled_at = now();
                """
            )
            #expect(try await inbox.worker.drain() == 1)
            #expect(try await inbox.states() == ["t1 processed 2 -"])
            #expect(try await inbox.attempts() == ["t1 1 retried", "t1 2 processed"])
        }
    }

    @Test("after ten attempts a fault of ours is left to people")
    func givesUp() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1")
            try await inbox.execute("ALTER TABLE subscription_events RENAME TO elsewhere")
            for _ in 0..<10 {
                #expect(try await inbox.worker.drain() == 1)
                try await inbox.execute("UPDATE store_notifications SET scheduled_at = now()")
            }
            #expect(try await inbox.states().first?.hasPrefix("t1 failed 10 ") == true)
            #expect(try await inbox.worker.drain() == 0)
            #expect(try await inbox.attempts().last == "t1 10 failed")
        }
    }

    @Test("one that fails holds up none of the others of its batch")
    func alone() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1", "t3")
            try await inbox.sell("t2", product: "max")
            #expect(try await inbox.worker.drain() == 3)
            #expect(try await inbox.states().map { $0.prefix(12) } == ["t1 processed", "t2 failed 1 ", "t3 processed"])
        }
    }

    @Test("a running worker hears of arrivals, finds what is due without being told, and rescues lost leases")
    func running() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("lost")
            _ = try await inbox.database.leaseNotifications(limit: 1, by: UUID(), for: .zero)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [inbox.worker], logger: inbox.backOffice.logger)
            )
            let running = Task { try await group.run() }
            try await Self.until { try await inbox.states() == ["lost processed 2 -"] }
            try await inbox.sell("new")
            try await Self.until { try await inbox.states().last == "new processed 1 -" }
            await group.triggerGracefulShutdown()
            try await running.value
            try await inbox.sell("late")
            #expect(try await inbox.states().first == "late received 0 -")
            #expect(try await inbox.attempts().first == "lost 1 retried")
        }
    }

    @Test("a customer whom somebody else has locked is applied later, holds up no other, and is not parked")
    func lockedCustomer() async throws {
        try await TestInbox.run(configure: TestInbox.asIs) { inbox in
            try await inbox.sell("t1")
            #expect(try await inbox.worker.drain() == 1)
            let again =
                "UPDATE store_notifications SET state = 'received', finalized_at = NULL, scheduled_at = now(), attempt = 12"
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [inbox.worker], logger: inbox.backOffice.logger)
            )
            let running = Task { try await group.run() }
            try await inbox.pool.withTransaction { holder in
                _ = try await holder.query("SELECT FROM subscriptions FOR UPDATE")
                // Only now: earlier, the worker would be faster than the lock.
                try await inbox.execute(again)
                try await inbox.sell("t2", "t3")
                let waits = "t1 received 13 Somebody else is changing this customer; it is tried again."
                try await Self.until {
                    try await inbox.states() == [waits, "t2 processed 1 -", "t3 processed 1 -"]
                }
            }
            try await inbox.execute("UPDATE store_notifications SET scheduled_at = now() WHERE state = 'received'")
            try await Self.until { try await inbox.states().first == "t1 processed 14 -" }
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }

    @Test("of two hundred customers, all but one locked, the one who is not is reached")
    func lockedCustomers() async throws {
        try await TestInbox.run(configure: TestInbox.asIs) { inbox in
            let subscriptions = (100..<300).map { "c\($0)" }
            try await inbox.sell(subscriptions.map { (id: $0, subscription: $0) })
            #expect(try await inbox.worker.drain() == 200)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [inbox.worker], logger: inbox.backOffice.logger)
            )
            try await inbox.pool.withTransaction { holder in
                _ = try await holder.query(
                    "SELECT FROM subscriptions WHERE original_transaction_id <> 'c299' FOR UPDATE"
                )
                // Three for each customer; those of the customer who is not locked came last.
                try await inbox.sell(
                    subscriptions.flatMap { subscription in
                        (1...3).map { (id: "\(subscription)-\($0)", subscription: subscription) }
                    }
                )
                let running = Task { try await group.run() }
                try await Self.until { try await inbox.states().suffix(4).allSatisfy { $0.contains(" processed 1 -") } }
                await group.triggerGracefulShutdown()
                try await running.value
            }
            let waiting = try await inbox.pool.query(
                "SELECT count(*) FILTER (WHERE attempt <> snoozes), count(*) FROM store_notifications WHERE state = 'received'"
            )
            #expect(try waiting[0].decode(Int.self, Int.self) == (0, 597))
            #expect(try await inbox.attempts().allSatisfy { !$0.hasSuffix("failed") })
        }
    }

    @Test("attempts that waited for somebody else are not among the ten after which it is parked")
    func waitsDoNotCount() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1")
            try await inbox.execute("UPDATE store_notifications SET attempt = 30, snoozes = 29")
            try await inbox.execute("ALTER TABLE subscription_events RENAME TO elsewhere")
            #expect(try await inbox.worker.drain() == 1)
            #expect(try await inbox.states().first?.hasPrefix("t1 received 31 Internal error") == true)
            _ = try await inbox.database.leaseNotifications(limit: 1, by: UUID(), for: .zero)
            #expect(try await inbox.database.queue(.notifications).rescue() == 0)
            try await inbox.execute("UPDATE store_notifications SET scheduled_at = now()")
            _ = try await inbox.database.leaseNotifications(limit: 1, by: UUID(), for: .zero)
            #expect(try await inbox.database.queue(.notifications).rescue() == 1)
            #expect(try await inbox.states() == ["t1 received 32 The worker went away before it was done."])
        }
    }

    @Test(
        "what waits for its retry, or one customer who is locked, is no work left undone; what nobody tried is, and several are"
    )
    func work() async throws {
        try await TestInbox.run { inbox in
            #expect(try await !inbox.database.hasWork())
            try await inbox.sell("t1", "t2")
            #expect(try await inbox.database.hasWork())
            try await inbox.execute(
                "UPDATE store_notifications SET attempt = 1, scheduled_at = now() + interval '1 hour'"
            )
            #expect(try await !inbox.database.hasWork())
            try await inbox.execute("UPDATE store_notifications SET snoozes = 1 WHERE notification_uuid = 't1'")
            #expect(try await !inbox.database.hasWork())
            try await inbox.execute("UPDATE store_notifications SET snoozes = 1")
            #expect(try await inbox.database.hasWork())
        }
    }

    @Test("that nothing has been applied for five minutes is an alarm, unless one process gets on")
    func alarm() async throws {
        try await TestInbox.run { inbox in
            try await inbox.sell("t1")
            #expect(try await inbox.database.workStatus().alarm == .nobodyWorks)
            try await inbox.database.beat(as: UUID(), isWorker: true, stalledFor: .seconds(361))
            #expect(try await inbox.database.workStatus().alarm == .nothingApplied(minutes: 6))
            try await inbox.database.beat(as: UUID(), isWorker: true, stalledFor: .seconds(20))
            #expect(try await inbox.database.workStatus().alarm == nil)
            try await inbox.database.beat(as: UUID(), isWorker: true, stalledFor: nil)
            #expect(try await inbox.database.workStatus().alarm == nil)
        }
    }

    private static func until(_ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(180)
        while try await !condition() {
            try #require(ContinuousClock.now < end, "it did not happen within three minutes")
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
