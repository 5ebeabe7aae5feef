package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Asks a store for a test notification: at most one a second, in the sandbox one in ten seconds, whichever server asks.
    ///
    /// - Throws: `OperationsError` with `.conflict` where the store cannot be asked, or refuses, with its reason; `.blocked`
    ///   when another was asked for just now; `.overloaded` when the store does not answer.
    package func requestTestNotification(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let source = try await testableSource(of: app, at: store)
        var requestedAt: Date?
        let outcome = try await runOnce(key) { transaction in
            let turn = try await transaction.testNotifications.takeTurn(
                of: app,
                at: store,
                in: environment,
                everySeconds: Self.testNotificationInterval(in: environment)
            )
            switch turn {
            case .taken(let moment): requestedAt = moment
            case .notYet(let seconds):
                throw OperationsError(
                    .blocked,
                    "A test notification was asked for just now. The next may be asked for in \(seconds) s.",
                    retryAfter: seconds
                )
            }
            let entry = caller.entry(
                .requestTestNotification,
                on: "store",
                store.rawValue,
                app: app,
                after: AuditJSON([("environment", environment.rawValue)]).text
            )
            return (try await transaction.audit.append(entry), store.rawValue)
        }
        guard let requestedAt else { return outcome }
        var notification = TestNotification(store: store, environment: environment, requestedAt: requestedAt)
        do {
            notification.token = try await source.requestTestNotification(in: environment)
            try await database.keep(notification, of: app)
            return outcome
        } catch let failure as StoreFailure {
            // Without a token nobody can ask what came of it: the next request asks for another.
            (notification.result, notification.reason) = (failure.testResult, failure.message)
            try await database.keep(notification, of: app)
            throw OperationsError(asking: failure)
        }
    }

    /// The result of the newest test notification; the store is asked while it is not known.
    ///
    /// - Returns: nil if none was ever requested.
    /// - Throws: `OperationsError` as `requestTestNotification`.
    package func newestTestNotification(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws -> TestNotification? {
        guard
            var newest = try await database.readPrimary({ reader in
                try await reader.testNotifications.find(of: app, at: store, in: environment)
            })
        else { return nil }
        guard newest.result == .pending, let token = newest.token else { return newest }
        let sent: SentTestNotification?
        do {
            sent = try await testableSource(of: app, at: store).testNotification(token, in: environment)
        } catch let failure as StoreFailure {
            throw OperationsError(asking: failure)
        }
        guard let sent else { return newest }
        if try await database.hasNotification(sent.id, of: app, at: store) {
            newest.result = .arrived
        } else if sent.wasDelivered {
            newest.result = .elsewhere
        } else {
            newest.result = .undelivered
            newest.reason = sent.result ?? "OTHER"
        }
        try await database.keep(newest, of: app)
        return newest
    }

    /// The result, once it is known.
    ///
    /// - Parameter patience: the number of seconds to wait for it.
    package func awaitedTestNotification(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        patience: Int = 20
    ) async throws -> TestNotification? {
        var newest = try await newestTestNotification(of: app, at: store, in: environment)
        for _ in 0..<max(0, patience) where newest?.result == .pending {
            try await Task.sleep(for: .seconds(1))
            newest = try await newestTestNotification(of: app, at: store, in: environment)
        }
        return newest
    }

    /// Seconds from one request to the next: one a second in production, one in ten seconds in the sandbox.
    package static func testNotificationInterval(in environment: StoreEnvironment) -> Int {
        switch environment {
        case .production: 1
        case .sandbox: 10
        }
    }

    private func testableSource(of app: App.ID, at store: Store) async throws -> any ReconciliationSource {
        do {
            if let source = try await reconciliationSource(of: app, at: store) { return source }
        } catch let error as OperationsError where error.code == .misconfigured {
            throw OperationsError(.conflict, error.message, field: error.field, underlying: error)
        }
        throw OperationsError(
            .conflict,
            "The store cannot be asked: the app has no key for that (docs/stores/apple.md, Keys)."
        )
    }
}

extension StoreFailure {
    /// Only the store says no: silence is no refusal.
    fileprivate var testResult: TestNotification.Result {
        switch self {
        case .unanswered: .unanswered
        case .refused, .misconfigured: .refused
        }
    }
}

extension OperationsError {
    /// The error for a store's failure to do what staff asked: in the store's words, and never as if staff were not signed in.
    init(asking failure: StoreFailure) {
        switch failure {
        case .unanswered(let reason): self.init(.overloaded, reason.message, retryAfter: 30, underlying: failure)
        case .refused, .misconfigured:
            self.init(.conflict, failure.message, field: failure.reason.field, underlying: failure)
        }
    }
}
