import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import TestSupport

/// An app that sells one product, and a worker over its inbox.
struct TestInbox: Sendable {
    let pool: Pool
    let database: Database
    let backOffice: BackOffice
    let worker: NotificationWorker

    /// Has workers wait for locks as long as they do in the product, for tests in which somebody is locked.
    static let asIs: @Sendable (inout PoolConfiguration) -> Void = { $0.shortestLockTimeout = nil }

    /// - Parameters:
    ///   - clock: the office's clock; it does not move PostgreSQL's own.
    ///   - configure: changes to the pool.
    static func run(
        clock: (@Sendable () -> Date)? = nil,
        configure: (inout PoolConfiguration) -> Void = { _ in },
        _ body: (TestInbox) async throws -> Void
    ) async throws {
        try await withDatabase(template: template, configure: configure) { pool in
            let database = Database(writing: pool, reading: pool, clock: clock, doorTimeout: .patient)
            let inbox = NotificationInbox(database: database, patience: .seconds(60))
            let backOffice = BackOffice(database: database, inbox: inbox, logger: .quiet)
            let worker = NotificationWorker(backOffice: backOffice)
            try await body(TestInbox(pool: pool, database: database, backOffice: backOffice, worker: worker))
        }
    }

    /// Stores notifications of purchases, one for each subscription.
    func sell(_ subscriptions: String..., product: String = "pro") async throws {
        try await sell(subscriptions.map { (id: $0, subscription: $0) }, product: product)
    }

    /// Stores notifications of a purchase, each with an id of its own.
    func sell(_ sales: [(id: String, subscription: String)], product: String = "pro") async throws {
        let day = Date(timeIntervalSince1970: 1_750_000_000)
        let notifications = sales.map { sale in
            ReceivedNotification(
                id: Identifier(database.newUUID()),
                app: Self.app,
                store: .apple,
                environment: .production,
                notificationUUID: sale.id,
                type: "SUBSCRIBED",
                subtype: nil,
                signedAt: day,
                receivedAt: day,
                signedPayload: "a.b.c",
                content: .event(
                    StoreEvent(
                        id: sale.id,
                        store: .apple,
                        environment: .production,
                        signedAt: day,
                        kind: .subscribed,
                        transaction: StoreTransaction(
                            id: sale.subscription,
                            originalID: sale.subscription,
                            productID: product,
                            purchasedAt: day,
                            expiresAt: day + 2_592_000,
                            price: nil
                        )
                    )
                )
            )
        }
        _ = try await database.insert(notifications)
    }

    /// Returns each notification with its state, attempts and error: "t1 processed 1 -".
    func states() async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', notification_uuid, state, attempt, coalesce(last_error, '-'))
            FROM store_notifications
            ORDER BY notification_uuid
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    func attempts() async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', n.notification_uuid, a.attempt, a.result)
            FROM notification_attempts a
            JOIN store_notifications n ON n.id = a.notification_id
            ORDER BY n.notification_uuid, a.attempt
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    /// Returns true if each notification is to be tried again so many seconds after its last attempt, or later.
    func allWait(seconds: Int) async throws -> Bool {
        try await pool.query(
            """
            SELECT bool_and(n.scheduled_at >= a.finished_at + make_interval(secs => \(seconds)))
            FROM store_notifications n
            JOIN notification_attempts a ON a.notification_id = n.id AND a.attempt = n.attempt
            """
        )[0].decode(Bool.self)
    }

    func execute(_ script: String) async throws {
        try await pool.withConnection { try await $0.execute(script: script) }
    }

    static let app = App.ID(UUID(uuidString: "00000000-0000-7000-8000-00000000000a") ?? UUID())

    private static let template = DatabaseTemplate(Schema.migrator.migrations, filled: "TestInbox") { pool in
        try await pool.withConnection { try await $0.execute(script: shop) }
    }

    private static let shop = """
        INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
        VALUES ('\(app)', 'shop', 'Shop', 'UTC', 'CNY', now(), now());
        INSERT INTO plans (id, app_id, code, name, rank)
        VALUES ('00000000-0000-7000-8000-0000000000b1', '\(app)', 'PRO', 'Pro', 1);
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000c0', '\(app)', '00000000-0000-7000-8000-0000000000b1', 'apple', 'pro',
            'Pro', now(), now());
        """
}
