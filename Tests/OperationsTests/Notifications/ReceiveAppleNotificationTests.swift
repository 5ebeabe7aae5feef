import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Receiving Apple's notifications") struct ReceiveAppleNotificationTests {
    @Test("what is authentic is stored as it came, once")
    func stored() async throws {
        try await TestOffice.run { office in
            let payload = try Self.signed(Self.purchase)
            #expect(try await office.backOffice.receiveNotification(payload, from: .apple) == .stored)
            #expect(try await office.backOffice.receiveNotification(payload, from: .apple) == .known)
            // Signed again by the store: other bytes, the same notification.
            let again = try Self.signed(Self.purchase)
            #expect(again != payload)
            #expect(try await office.backOffice.receiveNotification(again, from: .apple) == .known)
            let rows = try await office.pool.query(
                """
                SELECT notification_uuid, type, subtype, state, environment, original_transaction_id, signed_at, received_at,
                    signed_payload
                FROM store_notifications
                """
            )
            let row = try #require(rows.first).decode(
                String.self,
                String.self,
                String?.self,
                String.self,
                String.self,
                String.self,
                Date.self,
                Date.self,
                String.self
            )
            #expect(rows.count == 1)
            #expect(row.0 == Self.purchase.notificationUUID.uuidString.lowercased())
            #expect((row.1, row.2) == ("SUBSCRIBED", "INITIAL_BUY"))
            #expect((row.3, row.4) == ("received", "production"))
            #expect(row.5 == Self.purchase.transaction?.originalID)
            // To the microsecond, which is finer than the store's clock.
            #expect(abs(row.6.timeIntervalSince(Self.purchase.signedDate)) < 0.000_001)
            #expect(row.7 == TestOffice.start)
            #expect(row.8 == payload)
        }
    }

    @Test("what is not signed by the app's store is refused and not stored")
    func unauthentic() async throws {
        try await TestOffice.run { office in
            let stranger = AppleSigner(authority: try TestAuthority())
            let honest = try Self.signed(Self.purchase)
            let parts = honest.split(separator: ".")
            let other = try Self.signed(Self.notifications[1]).split(separator: ".")
            let payloads = [
                "", "a.b.c", "…", String(repeating: "A", count: 100_000), try stranger.sign(Self.purchase),
                "\(parts[0]).\(other[1]).\(parts[2])", honest + "A", "\(parts[0]).\(parts[1]).",
            ]
            for payload in payloads {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.receiveNotification(payload, from: .apple)
                }
                #expect(error?.code == .notAuthentic || error?.code == .wrongApp)
            }
            #expect(try await office.count("store_notifications") == 0)
        }
    }

    @Test("what is for an app that is not here is refused by field and not stored")
    func wrongApp() async throws {
        try await TestOffice.run { office in
            var elsewhere = Self.purchase
            elsewhere.bundleID = "com.example.elsewhere"
            var misnumbered = Self.purchase
            misnumbered.appAppleID += 1
            for notification in [elsewhere, misnumbered] {
                let payload = try Self.signed(notification)
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.receiveNotification(payload, from: .apple)
                }
                #expect(error?.code == .wrongApp)
            }
            #expect(try await office.count("store_notifications") == 0)
        }
    }

    @Test("a type that nobody knows, or that concerns no subscription, is kept as ignored")
    func ignored() async throws {
        try await TestOffice.run { office in
            var unknown = Self.purchase
            unknown.type = "LOYALTY_LEVEL_CHANGED"
            var test = Self.notifications[1]
            (test.type, test.subtype, test.transaction, test.renewal) = ("TEST", nil, nil, nil)
            for notification in [unknown, test] {
                let payload = try Self.signed(notification)
                #expect(try await office.backOffice.receiveNotification(payload, from: .apple) == .stored)
            }
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', type, state, finalized_at IS NOT NULL, event IS NULL)
                    FROM store_notifications
                    ORDER BY type
                    """
                ) == ["LOYALTY_LEVEL_CHANGED ignored t t", "TEST ignored t t"]
            )
            #expect(try await office.worker.drain() == 0)
        }
    }

    @Test("a price beyond what the books take is an error of its own message: kept as failed, and in no metric")
    func absurdPrice() async throws {
        try await TestOffice.run { office in
            var absurd = Self.purchase
            absurd.transaction?.price = 9_223_372_036_854_775_807
            let payload = try Self.signed(absurd)
            #expect(try await office.backOffice.receiveNotification(payload, from: .apple) == .stored)
            #expect(
                try await office.lines("SELECT concat_ws(' ', state, last_error) FROM store_notifications") == [
                    "failed A price of 9223372036854775.81 CNY is beyond what the books take."
                ]
            )
            #expect(try await office.worker.drain() == 0)
            #expect(try await office.count("orders") == 0)
        }
    }

    @Test("what is authentic but cannot be read is kept as failed, with the reason")
    func unreadable() async throws {
        try await TestOffice.run { office in
            var empty = Self.purchase
            (empty.transaction, empty.renewal) = (nil, nil)
            let payload = try Self.signed(empty)
            #expect(try await office.backOffice.receiveNotification(payload, from: .apple) == .stored)
            #expect(
                try await office.lines("SELECT concat_ws(' ', state, last_error) FROM store_notifications") == [
                    "failed The SUBSCRIBED notification carries no transaction."
                ]
            )
            #expect(try await office.database.queue(.notifications).reviveDeadLetters() == 0)
        }
    }

    @Test("what holds a NUL, which no store sends and the database cannot hold, is refused and not stored")
    func unstorable() async throws {
        try await TestOffice.run { office in
            var type = Self.purchase
            type.type += "\0"
            var product = Self.purchase
            product.transaction?.product.id += "\0"
            for notification in [type, product] {
                let payload = try Self.signed(notification)
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.receiveNotification(payload, from: .apple)
                }
                #expect(error?.code == .notAuthentic)
            }
            #expect(try await office.count("store_notifications") == 0)
        }
    }

    @Test("a full queue, and a database that is away, ask the store to send again")
    func overloaded() async throws {
        let impatient: @Sendable (inout PoolConfiguration) -> Void = { $0.acquireTimeout = .seconds(8) }
        try await TestOffice.run(configure: impatient) { office in
            let first = try Self.signed(Self.notifications[0])
            #expect(try await office.backOffice.receiveNotification(first, from: .apple) == .stored)
            try await Self.withDatabaseShut(office) {
                let payloads = try Self.notifications.prefix(40).map(Self.signed)
                let start = ContinuousClock.now
                let codes = await withTaskGroup(of: OperationsError.Code?.self) { group in
                    for payload in payloads {
                        group.addTask {
                            do {
                                _ = try await office.backOffice.receiveNotification(payload, from: .apple)
                                return nil
                            } catch {
                                return (error as? OperationsError)?.code
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes == Array(repeating: .overloaded, count: 40))
                // One after the other they would wait for five minutes.
                #expect(ContinuousClock.now - start < .seconds(180))
            }
            try await Self.untilItAnswers(office)
            #expect(try await office.count("store_notifications") == 1)
            let second = try Self.signed(Self.notifications[1])
            #expect(try await office.backOffice.receiveNotification(second, from: .apple) == .stored)
        }
    }

    /// Waits until the pool, after its own back-off, notices that the database is back.
    private static func untilItAnswers(_ office: TestOffice) async throws {
        for _ in 0..<300 {
            if (try? await office.count("store_notifications")) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test("beyond the queue's limit the store is asked to send again")
    func queueFull() async throws {
        try await TestOffice.run(queueLimit: 1, opensInbox: false) { office in
            try await withThrowingTaskGroup(of: OperationsError.Code?.self) { group in
                for notification in Self.notifications.prefix(2) {
                    let payload = try Self.signed(notification)
                    group.addTask {
                        do {
                            _ = try await office.backOffice.receiveNotification(payload, from: .apple)
                            return nil
                        } catch let error as OperationsError {
                            #expect(error.retryAfter == 5)
                            return error.code
                        }
                    }
                }
                #expect(try await group.next() == .some(.overloaded))
                let running = Task { try await office.inbox.run() }
                #expect(try await group.next() == .some(nil))
                running.cancel()
            }
            #expect(try await office.count("store_notifications") == 1)
        }
    }

    // MARK: The store

    private static let notifications = SimulatedSubscribers(
        seed: 3,
        customers: 40,
        months: 6,
        endingAt: TestOffice.start
    ).notifications().filter { $0.transaction != nil }

    private static var purchase: SimulatedNotification {
        guard let purchase = notifications.first(where: { ($0.type, $0.subtype) == ("SUBSCRIBED", "INITIAL_BUY") })
        else {
            preconditionFailure("somebody buys")
        }
        return purchase
    }

    private static func signed(_ notification: SimulatedNotification) throws -> String {
        try AppleSigner(authority: try TestOffice.authority.get()).sign(notification)
    }

    /// Refuses all connections to the test's own database while the body runs.
    private static func withDatabaseShut(_ office: TestOffice, _ body: () async throws -> Void) async throws {
        let name = try #require(try await office.lines("SELECT current_database()::text").first)
        let cluster = try await TestCluster.shared.cluster()
        let operators = PoolConfiguration.patient(cluster.connectionString(database: "postgres"))
        try await withPool(operators) { pool in
            _ = try await pool.query("ALTER DATABASE \(unsafe: name) ALLOW_CONNECTIONS false")
            _ = try await pool.query(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = \(name)"
            )
            do {
                try await body()
            } catch {
                Issue.record(error)
            }
            _ = try await pool.query("ALTER DATABASE \(unsafe: name) ALLOW_CONNECTIONS true")
        }
    }
}
