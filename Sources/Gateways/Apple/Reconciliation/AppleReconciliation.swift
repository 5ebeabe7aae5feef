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
        _ take: @Sendable (SentPage) async throws -> Void
    ) async throws {
        // Not only failures: what was answered with 200 and lost is not among them.
        let query = AppleNotificationQuery(from: start, to: end)
        var pages = api.notifications(query, in: environment).makeAsyncIterator()
        while let page = try await answer({ () async throws(AppleServerError) in try await pages.next() }) {
            try await take(
                SentPage(page.content.notifications.map(SentMessage.init), unreadable: page.content.unreadable)
            )
        }
    }

    package func events(
        of originalTransactionID: String,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding? {
        let statuses: AppleSubscriptionStatuses
        do {
            statuses = try await api.subscriptionStatuses(of: originalTransactionID, in: environment).content
        } catch {
            if error.isNotFound, error.isSaidNo { return nil }
            throw StoreFailure(error)
        }
        let last = statuses.groups.flatMap(\.lastTransactions)
            .first { $0.originalTransactionID == originalTransactionID }
        guard let last else {
            // Among what cannot be read it may be.
            guard let odd = statuses.unreadable.first else { return nil }
            throw StoreFailure(unreadable: GatewayError(.malformed, odd))
        }
        let newest = try await StoreFailure.verifying { () async throws(GatewayError) in
            try await event(of: last, in: environment, at: now)
        }
        guard !known.contains(newest.transaction.id) else { return SubscriptionStanding([newest]) }
        return try await standing(newest, besides: known, in: environment, at: now)
    }

    /// The newest of a subscription, and those before it; what cannot be read of them keeps back no other.
    private func standing(
        _ newest: StoreEvent,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding {
        let original = newest.transaction.originalID
        var standing = SubscriptionStanding([])
        var upgraded: [StoreEvent] = []
        var pages = api.history(of: original, in: environment).makeAsyncIterator()
        while let page = try await answer({ () async throws(AppleServerError) in try await pages.next() }) {
            for signed in page.content.signedTransactions {
                do throws(GatewayError) {
                    let transaction = try await verifier.transaction(signed, for: app, in: environment, at: now)
                    guard transaction.originalTransactionID == original,
                        transaction.transactionID != newest.transaction.id,
                        // An upgraded transaction is known here as it was before the upgrade.
                        !known.contains(transaction.transactionID ?? "") || transaction.isUpgraded == true
                    else { continue }
                    let event = try StoreEvent(observing: transaction, in: environment, at: now)
                    if known.contains(event.transaction.id) {
                        upgraded.append(event)
                    } else {
                        standing.events.append(event)
                    }
                } catch {
                    standing.unreadable.append(error.message)
                }
            }
        }
        // The upgraded transactions come last: an upgrade means nothing before its successor is known.
        standing.events += [newest] + upgraded
        return standing
    }

    package func transaction(
        _ id: String,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> StoreEvent? {
        let signed: String
        do {
            signed = try await api.transaction(id, in: environment).content.signedTransaction
        } catch {
            if error.isNotFound, error.isSaidNo { return nil }
            throw StoreFailure(error)
        }
        return try await StoreFailure.verifying { () async throws(GatewayError) in
            let transaction = try await verifier.transaction(signed, for: app, in: environment, at: now)
            return try StoreEvent(observing: transaction, in: environment, at: now)
        }
    }

    package func requestTestNotification(in environment: StoreEnvironment) async throws(StoreFailure) -> String {
        do {
            return try await api.requestTestNotification(in: environment).content.token
        } catch {
            guard error.code != .serverNotificationURLNotFound else {
                let name = environment == .production ? "Production Server URL" : "Sandbox Server URL"
                throw .misconfigured(
                    GatewayError(
                        .misconfigured,
                        "App Store Connect has no \(name) for the app: set it under App Information, App Store Server Notifications.",
                        underlying: error
                    )
                )
            }
            throw StoreFailure(error)
        }
    }

    package func testNotification(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> SentTestNotification? {
        let sent: AppleSentNotification
        do {
            sent = try await api.testNotificationStatus(token, in: environment).content
        } catch {
            guard error.code != .testNotificationNotFound else { return nil }
            throw StoreFailure(error)
        }
        guard let last = sent.attempts.last else { return nil }
        let id = try StoreFailure.reading { () throws(GatewayError) in
            try JSONFields(try AppleToken(sent.signedPayload).payload, of: "notification").required("notificationUUID")
        }
        return SentTestNotification(
            id: id.lowercased(),
            wasDelivered: sent.attempts.contains { $0.result == .success },
            result: last.rawResult
        )
    }

    private func event(
        of last: AppleSubscriptionStatuses.LastTransaction,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> StoreEvent {
        guard let signed = last.signedTransaction, last.rawStatus != nil else {
            throw GatewayError(.missing, "Apple's answer has no transaction or no status of the subscription.")
        }
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

    private func answer<Answer>(
        _ ask: () async throws(AppleServerError) -> Answer
    ) async throws(StoreFailure) -> Answer {
        do {
            return try await ask()
        } catch {
            throw StoreFailure(error)
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
