package import Billing
import Foundation
import Synchronization

/// Google Play: notifications that say what happened to which purchase, and an API that says what it means.
package final class GoogleGateway: StoreGateway {
    /// One for each account, because its token is.
    private let clients = Mutex<[StoreAccount: GoogleClient]>([:])
    /// By the address that they are had from: every app there is pushed to by the same Google.
    private let pushKeys = Mutex<[String: JWTKeySet]>([:])
    private let transport: any StoreTransport
    private let policy: AppleRetryPolicy
    private let clock: AppleServerClock
    private let found = FoundVoids()

    package init(
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: AppleRetryPolicy = .standard,
        clock: AppleServerClock = .system
    ) {
        (self.transport, self.policy, self.clock) = (transport, policy, clock)
    }

    package var store: Store { .google }
    package var identifier: (name: String, field: String) { ("package name", "packageName") }

    /// Pub/Sub does, for days, and others of its subscription wait meanwhile (payments.md, 1D).
    package var resendsWhatIsNotOurs: Bool { true }

    package var keys: [StoreKeyShape] {
        [StoreKeyShape(.api, settings: [], secrets: [GoogleSetting.serviceAccount])]
    }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try GoogleConfiguration(account)
    }

    /// The file of a real service account, whichever app it is for; a test store's is checked with its app.
    package func check(_ key: StoreKey) throws(GatewayError) {
        guard let json = key.secrets[GoogleSetting.serviceAccount] else {
            throw GatewayError(
                .misconfigured,
                "The service account's file is missing.",
                field: GoogleSetting.serviceAccount
            )
        }
        _ = try GoogleServiceAccount(json: json, isSimulated: true)
    }

    // MARK: Notifications

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        GoogleMessage(push: try GooglePush(delivery.payload), delivery: delivery, gateway: self)
    }

    fileprivate func verify(
        _ push: GooglePush,
        _ delivery: StoreDelivery,
        for account: StoreAccount,
        at now: Date
    ) async throws(GatewayError) -> StoreMessage {
        let configuration = try GoogleConfiguration(account)
        guard push.notification.packageName == configuration.packageName else {
            throw GatewayError(.wrongApp, "The notification is about another package.", field: "packageName")
        }
        if !found.signed(delivery) {
            guard let pusher = configuration.push else {
                throw GatewayError(
                    .misconfigured,
                    "The app's account does not say which service account pushes its notifications, and for which audience.",
                    field: "settings.\(GoogleSetting.pushAudience)"
                )
            }
            let verifier = GooglePushVerifier(keys: keys(at: pusher.certificates))
            try await verifier.verify(delivery.headers["authorization"], of: pusher, at: now)
            guard pusher.subscription == nil || push.subscription == pusher.subscription else {
                throw GatewayError(.wrongApp, "Another subscription pushed the notification.", field: "subscription")
            }
        }
        return StoreMessage(push, at: now)
    }

    func keys(at url: String) -> JWTKeySet {
        pushKeys.withLock { known in
            if let keys = known[url] { return keys }
            if known.count >= Self.remembered { known.removeAll() }
            let keys = JWTKeySet.google(at: url, transport: transport)
            known[url] = keys
            return keys
        }
    }

    package func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        MessageContent(try await events(of: signedPayload, for: account))
    }

    /// The meaning of a kept notification: an event for each item of the purchase, the main one first.
    ///
    /// - Returns: none for what concerns no purchase that was paid for.
    package func events(of payload: String, for account: StoreAccount) async throws(StoreFailure) -> [StoreEvent] {
        let push: GooglePush
        do {
            push = try GooglePush(payload)
        } catch {
            // Google sent it so: to ask again brings the same.
            throw .refused(StoreRefusal(error))
        }
        return try await reader(of: account).events(of: push.notification, id: push.key)
    }

    // MARK: What Google is asked

    package func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)? {
        try client(of: account).map { GoogleReconciliation(GoogleReader(client: $0), found: found) }
    }

    package func purchases(of account: StoreAccount) throws(GatewayError) -> (any PurchaseSource)? {
        GooglePurchases(try client(of: account).map(GoogleReader.init))
    }

    package func server(of account: StoreAccount) throws(GatewayError) -> (any StoreServer)? {
        try client(of: account).map { GoogleStoreServer(GoogleReader(client: $0)) }
    }

    package func renewals(of account: StoreAccount) throws(GatewayError) -> (any RenewalServer)? {
        try client(of: account).map { GoogleStoreServer(GoogleReader(client: $0)) }
    }

    /// The service that pays refunds.
    ///
    /// - Returns: nil for an account without a key.
    /// - Throws: `.misconfigured`.
    package func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? {
        try client(of: account).map { GoogleStoreServer(GoogleReader(client: $0)) }
    }

    /// The service that tells Google that a purchase was delivered.
    ///
    /// - Returns: nil for an account without a key.
    /// - Throws: `.misconfigured`.
    package func acknowledgements(of account: StoreAccount) throws(GatewayError) -> (any AcknowledgementServer)? {
        try client(of: account).map { GoogleStoreServer(GoogleReader(client: $0)) }
    }

    private func reader(of account: StoreAccount) throws(StoreFailure) -> GoogleReader {
        do throws(GatewayError) {
            guard let client = try client(of: account) else {
                throw GatewayError(
                    .misconfigured,
                    "The app's account at Google Play has no service account to ask with.",
                    field: GoogleSetting.serviceAccount
                )
            }
            return GoogleReader(client: client)
        } catch {
            throw .misconfigured(error)
        }
    }

    /// nil for an account without a key.
    func client(of account: StoreAccount) throws(GatewayError) -> GoogleClient? {
        if let known = clients.withLock({ $0[account] }) { return known }
        let configuration = try GoogleConfiguration(account)
        guard let serviceAccount = configuration.serviceAccount else { return nil }
        let made = GoogleClient(configuration, serviceAccount, transport: transport, policy: policy, clock: clock)
        return clients.withLock { known in
            if let other = known[account] { return other }
            if known.count >= Self.remembered { known.removeAll() }
            known[account] = made
            return made
        }
    }

    private static let remembered = 256
}

private struct GoogleMessage: UnverifiedMessage {
    let push: GooglePush
    let delivery: StoreDelivery
    let gateway: GoogleGateway

    var claimedIdentifier: String? { push.notification.packageName }

    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
        try await gateway.verify(push, delivery, for: account, at: now)
    }
}

extension GooglePush {
    /// The id that the inbox has. That an order was taken back is told by a push and by the list of such orders: it is one message.
    var key: String {
        guard case .voided(_, let orderID, isPartial: false) = notification.content else { return messageID }
        return "voided:\(orderID.prefix(200))"
    }
}

extension StoreMessage {
    /// Only Google's answer says that a purchase is a tester's; until then it counts as production's.
    fileprivate init(_ push: GooglePush, at now: Date) {
        let content: MessageContent =
            switch push.notification.content {
            case .subscription, .oneTime, .voided, .refundReview: .unresolved
            case .test, .unknown: .ignored
            }
        self.init(
            id: push.key,
            type: push.notification.type,
            environment: .production,
            signedAt: min(push.notification.eventTime ?? push.publishedAt ?? now, now),
            content: content
        )
    }
}
