package import Billing
package import Foundation

/// Asks Apple what it sent (Get Notification History), and where a subscription stands (Get All Subscription Statuses).
package struct AppleReconciliation: ReconciliationSource {
    private let api: AppleServerAPI
    private let verifier: AppleVerifier
    private let app: AppleConfiguration

    package init(_ api: AppleServerAPI, verifier: AppleVerifier, app: AppleConfiguration) {
        self.api = api
        self.verifier = verifier
        self.app = app
    }

    /// 180 days, in the sandbox 30.
    package func memory(in environment: StoreEnvironment) -> TimeInterval {
        switch environment {
        case .production: 180 * 86_400
        case .sandbox: 30 * 86_400
        }
    }

    package func readSentMessages(
        from start: Date,
        to end: Date,
        in environment: StoreEnvironment,
        _ take: @Sendable ([SentMessage]) async throws -> Void
    ) async throws {
        // Not only failures: what was answered with 200 and lost is not among them.
        let query = AppleNotificationQuery(from: start, to: end)
        var pages = api.notifications(query, in: environment).makeAsyncIterator()
        while let page = try await answer({ () async throws(AppleServerError) in try await pages.next() }) {
            try await take(page.content.notifications.map(SentMessage.init))
        }
    }

    package func events(
        of originalTransactionID: String,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> [StoreEvent]? {
        let statuses: AppleSubscriptionStatuses
        do {
            statuses = try await api.subscriptionStatuses(of: originalTransactionID, in: environment).content
        } catch {
            if error.isNotFound { return nil }
            throw GatewayError(error)
        }
        guard
            let last = statuses.groups.flatMap(\.lastTransactions)
                .first(where: { $0.originalTransactionID == originalTransactionID }),
            let newest = try await event(of: last, in: environment, at: now)
        else { return nil }
        guard !known.contains(newest.transaction.id) else { return [newest] }
        let earlier = try await transactions(of: originalTransactionID, in: environment, at: now)
        return try earlier.filter {
            $0.originalTransactionID == originalTransactionID && $0.transactionID != newest.transaction.id
                && !known.contains($0.transactionID ?? "")
        }.map { transaction throws(GatewayError) in try StoreEvent(observing: transaction, in: environment, at: now) }
            + [newest]
    }

    package func requestTestNotification(in environment: StoreEnvironment) async throws(GatewayError) -> String {
        do {
            return try await api.requestTestNotification(in: environment).content.token
        } catch {
            guard error.code != .serverNotificationURLNotFound else {
                let name = environment == .production ? "Production Server URL" : "Sandbox Server URL"
                throw GatewayError(
                    .misconfigured,
                    "App Store Connect has no \(name) for the app: set it under App Information, App Store Server Notifications.",
                    underlying: error
                )
            }
            throw GatewayError(error)
        }
    }

    package func testNotification(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(GatewayError) -> SentTestNotification? {
        let sent: AppleSentNotification
        do {
            sent = try await api.testNotificationStatus(token, in: environment).content
        } catch {
            guard error.code != .testNotificationNotFound else { return nil }
            throw GatewayError(error)
        }
        guard let last = sent.attempts.last else { return nil }
        let fields = try JSONFields(try AppleToken(sent.signedPayload).payload, of: "notification")
        return SentTestNotification(
            id: try fields.required("notificationUUID").lowercased(),
            wasDelivered: sent.attempts.contains { $0.result == .success },
            result: last.rawResult
        )
    }

    private func event(
        of last: AppleSubscriptionStatuses.LastTransaction,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> StoreEvent? {
        guard let signed = last.signedTransaction else { return nil }
        let transaction = try await verifier.transaction(signed, for: app, in: environment, at: now)
        var renewal: AppleRenewalInfo?
        if let signed = last.signedRenewal {
            renewal = try await verifier.renewalInfo(signed, for: app, in: environment, at: now)
        }
        return try StoreEvent(
            observing: transaction,
            renewal: renewal,
            status: last.status,
            in: environment,
            at: now
        )
    }

    private func transactions(
        of originalTransactionID: String,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> [AppleTransaction] {
        var transactions: [AppleTransaction] = []
        var pages = api.history(of: originalTransactionID, in: environment).makeAsyncIterator()
        while let page = try await answer({ () async throws(AppleServerError) in try await pages.next() }) {
            transactions += try await verifier.transactions(
                page.content.signedTransactions,
                for: app,
                in: environment,
                at: now
            )
        }
        return transactions
    }

    private func answer<Answer>(
        _ ask: () async throws(AppleServerError) -> Answer
    ) async throws(GatewayError) -> Answer {
        do {
            return try await ask()
        } catch {
            throw GatewayError(error)
        }
    }
}

extension SentMessage {
    fileprivate init(_ notification: AppleSentNotification) {
        self.init(
            StoreDelivery(notification.signedPayload),
            wasDelivered: notification.attempts.contains { $0.result == .success }
        )
    }
}

extension GatewayError {
    /// The same error for people: what Apple says is documented, and names no secret.
    package init(_ error: AppleServerError) {
        let place = error.environment == .production ? "" : " (Sandbox)"
        if error.isRetryable {
            let reason = error.httpStatus.map { "answered \($0)" } ?? "did not answer"
            self.init(.unreachable, "The App Store Server API\(place) \(reason).", underlying: error)
        } else if error.isUnauthorized {
            self.init(
                .misconfigured,
                """
                The App Store Server API\(place) does not accept the key: key id, issuer id and private key have to be of one key, \
                and production knows no app that was never released.
                """,
                field: "privateKey",
                underlying: error
            )
        } else if let cause = error.cause {
            self = cause
        } else {
            let code = error.rawCode.map { "error \($0)" } ?? error.httpStatus.map { "status \($0)" } ?? "an error"
            let words = error.message.map { ": " + $0.prefix(200).filter { !$0.isNewline } } ?? ""
            self.init(.malformed, "The App Store Server API\(place) answered with \(code)\(words).", underlying: error)
        }
    }
}
