package import Billing
package import Foundation
import Postgres

/// The newest test notification that was requested from a store for an app, and its result.
package struct TestNotification: Sendable, Hashable {
    package var store: Store
    package var environment: StoreEnvironment
    /// By the database's clock.
    package var requestedAt: Date
    /// The store's id of it; nil while it is being requested, and where the store refused.
    package var token: String?
    package var result: Result
    /// The reason why it did not arrive, in the store's words.
    package var reason: String?

    package init(
        store: Store,
        environment: StoreEnvironment,
        requestedAt: Date,
        token: String? = nil,
        result: Result = .pending,
        reason: String? = nil
    ) {
        self.store = store
        self.environment = environment
        self.requestedAt = requestedAt
        self.token = token
        self.result = result
        self.reason = reason
    }

    /// The result of a test notification. The database keeps the raw values.
    package enum Result: String, Sendable, CaseIterable {
        /// The store has not said yet that it sent it.
        case pending
        /// It was verified and is in the inbox.
        case arrived
        /// The store could not deliver it.
        case undelivered
        /// The store holds that it was delivered; it is not here.
        case elsewhere
        /// The store did not take the request.
        case refused
        /// The store did not answer the request: whether it took it is not known, and without its answer nobody can ask.
        case unanswered
    }
}

/// The turn to request a test notification: taken, or not free yet.
package enum TestNotificationTurn: Sendable, Hashable {
    /// The time of the request, by the database's clock, which names it.
    case taken(at: Date)
    /// - Parameter seconds: the time, in seconds, until the next may be requested; at least 1.
    case notYet(seconds: Int)
}

extension Reader {
    package var testNotifications: TestNotificationReads { TestNotificationReads(reader: self) }
}

package struct TestNotificationReads: Sendable {
    let reader: Reader

    /// The newest of each store and environment.
    package func all(of app: App.ID) async throws -> [TestNotification] {
        try await reader.query("\(TestNotification.query) WHERE app_id = \(app) ORDER BY store, environment")
            .map(TestNotification.init(row:))
    }

    package func find(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws -> TestNotification? {
        try await reader.query(
            "\(TestNotification.query) WHERE app_id = \(app) AND store = \(store) AND environment = \(environment)"
        ).first.map(TestNotification.init(row:))
    }
}

extension WriteTransaction {
    package var testNotifications: TestNotificationWrites { TestNotificationWrites(transaction: self) }
}

package struct TestNotificationWrites: Sendable {
    let transaction: WriteTransaction

    /// Takes the turn to ask a store, once in so many seconds, whichever server asks: the row of the last request decides, by
    /// the database's clock.
    package func takeTurn(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        everySeconds interval: Int
    ) async throws -> TestNotificationTurn {
        let taken = try await transaction.query(
            """
            INSERT INTO test_notifications AS t (app_id, store, environment, requested_at)
            VALUES (\(app), \(store), \(environment), clock_timestamp())
            ON CONFLICT (app_id, store, environment) DO UPDATE
            SET requested_at = clock_timestamp(), token = NULL, result = 'pending', reason = NULL
            WHERE t.requested_at <= clock_timestamp() - make_interval(secs => \(interval, as: Int32.self))
                -- A clock that was set back would block for as long.
                OR t.requested_at > clock_timestamp() + make_interval(secs => \(interval, as: Int32.self))
            RETURNING t.requested_at
            """
        ).first
        if let taken { return .taken(at: try taken.decode(0, as: Date.self)) }
        let left = try await transaction.query(
            """
            SELECT greatest(1, ceil(\(interval, as: Int32.self) - extract(epoch FROM clock_timestamp() - requested_at)))::integer
            FROM test_notifications
            WHERE app_id = \(app) AND store = \(store) AND environment = \(environment)
            """
        ).first
        return .notYet(seconds: try left?.decode(0, as: Int.self) ?? interval)
    }
}

extension Database {
    /// Keeps what became of a request, unless another was made since.
    package func keep(_ notification: TestNotification, of app: App.ID) async throws {
        _ = try await writeAlone(
            """
            UPDATE test_notifications
            SET token = \(notification.token), result = \(notification.result), reason = \(notification.reason)
            WHERE app_id = \(app) AND store = \(notification.store) AND environment = \(notification.environment)
                AND requested_at = \(notification.requestedAt)
            """
        )
    }
}

extension TestNotification {
    fileprivate static let query: Query = """
        SELECT store, environment, requested_at, token, result, reason
        FROM test_notifications
        """

    fileprivate init(row: Row) throws {
        let (store, environment, requestedAt, token, result, reason) = try row.decode(
            Store.self,
            StoreEnvironment.self,
            Date.self,
            String?.self,
            Result.self,
            String?.self
        )
        self.init(
            store: store,
            environment: environment,
            requestedAt: requestedAt,
            token: token,
            result: result,
            reason: reason
        )
    }
}

extension TestNotification.Result: PostgresEncodable, PostgresDecodable {}
