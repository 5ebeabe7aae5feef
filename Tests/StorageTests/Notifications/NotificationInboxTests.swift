import Billing
import Foundation
import Postgres
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Notification inbox") struct NotificationInboxTests {
    @Test("what is stored is there when the call returns, and a second delivery changes nothing")
    func once() async throws {
        try await Self.run { inbox, pool in
            let notification = TestShop.received("n1")
            #expect(try await inbox.store(notification) == .stored)
            #expect(try await Self.count(pool) == 1)
            var again = TestShop.received("n1", subscription: "another")
            again.type = "REFUND"
            #expect(try await inbox.store(again) == .known)
            let rows = try await pool.query("SELECT id, type, original_transaction_id FROM store_notifications")
            let row = try #require(rows.first).decode(UUID.self, String.self, String.self)
            #expect(rows.count == 1)
            #expect(row == (notification.id.uuid, "SUBSCRIBED", "t1"))
        }
    }

    @Test("of copies that arrive together one is stored")
    func together() async throws {
        try await Self.run { inbox, pool in
            let outcomes = try await withThrowingTaskGroup(of: NotificationInbox.Outcome.self) { group in
                for index in 0..<300 { group.addTask { try await inbox.store(TestShop.received("n\(index % 30)")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .stored } == 30)
            #expect(try await Self.count(pool) == 30)
        }
    }

    @Test("a row that cannot be stored fails alone", arguments: ["a NUL", "a date beyond time"])
    func aloneInItsGroup(_ fault: String) async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, patience: .patient)
            var bad = TestShop.received("bad")
            if fault == "a NUL" { bad.type = "SUB\0" } else { bad.signedAt = .distantFuture + 1e13 }
            let notifications = [TestShop.received("n1"), bad, TestShop.received("n2")]
            try await withThrowingTaskGroup(of: String.self) { group in
                for notification in notifications {
                    group.addTask {
                        do {
                            _ = try await inbox.store(notification)
                            return "stored \(notification.notificationUUID)"
                        } catch {
                            return DatabaseFailure(error) == .unusableInput ? "unusable" : "\(error)"
                        }
                    }
                }
                // All three wait before the inbox begins, so they are one group.
                let running = Task { try await inbox.run() }
                var results: [String] = []
                for try await result in group { results.append(result) }
                #expect(results.sorted() == ["stored n1", "stored n2", "unusable"])
                running.cancel()
            }
            #expect(try await Self.count(pool) == 2)
        }
    }

    @Test("beyond the queue's limit the caller is told to come back; who waits is served")
    func full() async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, queueLimit: 2, patience: .patient)
            try await withThrowingTaskGroup(of: NotificationInbox.Outcome?.self) { group in
                for index in 0..<3 {
                    group.addTask {
                        do {
                            return try await inbox.store(TestShop.received("n\(index)"))
                        } catch is NotificationInbox.Overloaded {
                            return nil
                        }
                    }
                }
                let first = try await group.next()
                #expect(first == .some(nil))
                let running = Task { try await inbox.run() }
                for try await outcome in group { #expect(outcome == .stored) }
                running.cancel()
            }
            #expect(try await Self.count(pool) == 2)
        }
    }

    @Test("an inbox that is closed takes nothing more, and what it had taken is stored")
    func closed() async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, patience: .patient)
            let running = Task { try await inbox.run() }
            let outcome = try await inbox.store(TestShop.received("n1"))
            running.cancel()
            _ = await running.result
            #expect(outcome == .stored)
            await #expect(throws: NotificationInbox.Overloaded.self) {
                try await inbox.store(TestShop.received("n2"))
            }
            #expect(try await Self.count(pool) == 1)
        }
    }

    @Test(
        "while the table is locked a store is turned away in time, also one behind others, and later everything is stored"
    )
    func turnedAway() async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, groupLimit: 2, patience: .milliseconds(300))
            let running = Task { try await inbox.run() }
            try await pool.withTransaction { connection in
                _ = try await connection.query("LOCK TABLE store_notifications")
                let start = ContinuousClock.now
                let late = await withTaskGroup(of: Bool.self) { group in
                    for index in 0..<400 {
                        group.addTask {
                            do {
                                _ = try await inbox.store(TestShop.received("n\(index)"))
                                return false
                            } catch {
                                return error is NotificationInbox.TookTooLong
                                    || DatabaseFailure(error)?.isPassing == true
                            }
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(late == 400)
                // The groups in sequence would take two hundred times as long as one: a minute.
                #expect(ContinuousClock.now - start < .seconds(30))
            }
            for index in 0..<400 { _ = try await Self.storing(TestShop.received("n\(index)"), in: inbox) }
            #expect(try await Self.count(pool) == 400)
            running.cancel()
        }
    }

    /// Stores a notification again and again, as a store sends it.
    private static func storing(_ notification: ReceivedNotification, in inbox: NotificationInbox) async throws {
        for _ in 0..<100 {
            do {
                _ = try await inbox.store(notification)
                return
            } catch {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        _ = try await inbox.store(notification)
    }

    @Test("while the database is away a full group is turned down at once, not one row after the other")
    func away() async throws {
        var nowhere = PoolConfiguration(connectionString: "host=/nonexistent connect_timeout=2")
        nowhere.acquireTimeout = .seconds(3)
        try await withPool(nowhere) { pool in
            let inbox = NotificationInbox(database: Database(writing: pool, reading: pool, doorTimeout: .patient))
            let running = Task { try await inbox.run() }
            let start = ContinuousClock.now
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        do {
                            _ = try await inbox.store(TestShop.received())
                            return false
                        } catch {
                            return DatabaseFailure(error) == .away || error is NotificationInbox.TookTooLong
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == 100)
            // The rows in sequence would take five minutes.
            #expect(ContinuousClock.now - start < .seconds(150))
            running.cancel()
        }
    }

    @Test("what the database would not take is tried again by who asks whether it does, and stored when it does")
    func refused() async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, patience: .patient)
            let running = Task { try await inbox.run() }
            #expect(try await inbox.store(TestShop.received("n1")) == .stored)
            try await pool.withConnection { try await $0.execute(script: Self.fillDisk) }
            let full = await #expect(throws: PostgresError.self) { try await inbox.store(TestShop.received("n2")) }
            #expect(full?.sqlState == .diskFull && inbox.isRefused)
            let still = await #expect(throws: PostgresError.self) { try await inbox.tryAgain(timeout: .seconds(60)) }
            #expect(still?.sqlState == .diskFull && inbox.isRefused)
            try await pool.withConnection { try await $0.execute(script: Self.emptyDisk) }
            try await inbox.tryAgain(timeout: .seconds(60))
            #expect(!inbox.isRefused)
            #expect(try await Self.count(pool) == 2)
            #expect(try await inbox.store(TestShop.received("n2")) == .known)
            running.cancel()
            _ = await running.result
        }
    }

    @Test("a store ends the doubt as well, and a row that can never be stored raises none")
    func refusedOnce() async throws {
        try await Self.run { inbox, pool in
            var bad = TestShop.received("bad")
            bad.type = "SUB\0"
            await #expect(throws: PostgresError.self) { try await inbox.store(bad) }
            #expect(!inbox.isRefused)
            try await pool.withConnection { try await $0.execute(script: Self.fillDisk) }
            await #expect(throws: PostgresError.self) { try await inbox.store(TestShop.received("n1")) }
            await #expect(throws: PostgresError.self) { try await inbox.store(bad) }
            #expect(inbox.isRefused)
            try await pool.withConnection { try await $0.execute(script: Self.emptyDisk) }
            #expect(try await inbox.store(TestShop.received("n2")) == .stored)
            #expect(!inbox.isRefused)
        }
    }

    @Test("workers of every server hear of what is new when it is stored")
    func tellsTheWorkers() async throws {
        try await TestShop.run { pool, database in
            let elsewhere = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let arrivals = try await elsewhere.arrivals(in: .notifications)
            let inbox = NotificationInbox(database: database, patience: .patient)
            let running = Task { try await inbox.run() }
            #expect(try await inbox.store(TestShop.received("n1")) == .stored)
            for try await _ in arrivals { break }
            #expect(try await elsewhere.leaseNotifications(limit: 9, by: UUID(), for: .seconds(30)).count == 1)
            running.cancel()
            _ = await running.result
        }
    }

    private static let emptyDisk = "DROP TRIGGER full_disk ON store_notifications"

    /// Makes each insert fail as on a full disk.
    private static let fillDisk = """
        CREATE FUNCTION refuse_for_want_of_room() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON store_notifications
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_for_want_of_room();
        """

    private static func run(_ body: (NotificationInbox, Pool) async throws -> Void) async throws {
        try await TestShop.run { pool, database in
            let inbox = NotificationInbox(database: database, patience: .patient)
            let running = Task { try await inbox.run() }
            try await body(inbox, pool)
            running.cancel()
            _ = await running.result
        }
    }

    private static func count(_ pool: Pool) async throws -> Int {
        try await pool.query("SELECT count(*) FROM store_notifications").first?.decode(0, as: Int.self) ?? -1
    }
}
