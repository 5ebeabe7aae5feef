package import Billing
import Foundation
import Synchronization

/// The App Store: notifications V2, whose meaning stands in them.
package final class AppleGateway: StoreGateway {
    let verifier = AppleVerifier()
    /// Parsed once; a notification pays for its signatures and for nothing else.
    private let configurations = Mutex<[StoreAccount: AppleConfiguration]>([:])
    /// One for each account, because Apple's limits are counted for each.
    private let servers = Mutex<[ServerUse: AppleServerAPI]>([:])
    /// By the address of Sign in with Apple: every app there is shown the same keys.
    private let signInKeys = Mutex<[String: JWTKeySet]>([:])
    private let transport: any StoreTransport
    private let policy: AppleRetryPolicy

    package init(transport: any StoreTransport = HTTPStoreTransport(), policy: AppleRetryPolicy = .standard) {
        self.transport = transport
        self.policy = policy
    }

    package var store: Store { .apple }
    package var identifier: (name: String, field: String) { ("bundle id", "bundleId") }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        let configuration = try AppleConfiguration(account)
        _ = try AppleServerAccess(account)
        _ = try VerifyReceiptAccess(account)
        _ = try AppleSignInConfiguration(account)
        guard account.isSimulated || !configuration.hasReceiptAnchor else {
            throw GatewayError(
                .misconfigured,
                "An RSA root ends receipts, and those of the App Store end at Apple's own; only an app of a test store names another.",
                field: "anchors"
            )
        }
    }

    package func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)? {
        guard let api = try serverAPI(of: account) else { return nil }
        return AppleReconciliation(api, verifier: verifier, app: try configuration(of: account))
    }

    package func purchases(of account: StoreAccount) throws(GatewayError) -> (any PurchaseSource)? {
        ApplePurchases(
            of: try configuration(of: account),
            verifier: verifier,
            api: try serverAPI(of: account),
            receipts: try verifyReceiptClient(of: account),
            sharedSecret: account.sharedSecret
        )
    }

    package func server(of account: StoreAccount) throws(GatewayError) -> (any StoreServer)? {
        try serverAPI(of: account).map(AppleStoreServer.init)
    }

    package func seats(of account: StoreAccount) throws(GatewayError) -> (any SeatServer)? {
        guard let access = try AppleServerAccess(account), let api = try serverAPI(of: account) else { return nil }
        return AppleSeatServer(api, asksProduction: access.asksProductionForSeats)
    }

    /// Asks Apple about an app; nil where the account has no key for that.
    ///
    /// - Throws: `.misconfigured`.
    package func serverAPI(of account: StoreAccount) throws(GatewayError) -> AppleServerAPI? {
        try serverAPI(of: account, for: .work)
    }

    func serverAPI(of account: StoreAccount, for purpose: ServerPurpose) throws(GatewayError) -> AppleServerAPI? {
        let use = ServerUse(account: account, purpose: purpose)
        if let known = servers.withLock({ $0[use] }) { return known }
        guard let access = try AppleServerAccess(account) else { return nil }
        let made = AppleServerAPI(
            access.credentials,
            hosts: access.hosts,
            transport: transport,
            policy: purpose == .support ? .once : policy
        )
        return servers.withLock { known in
            if let other = known[use] { return other }
            if known.count >= Self.remembered { known.removeAll() }
            known[use] = made
            return made
        }
    }

    /// The caller that waits for Apple's answer.
    enum ServerPurpose: Hashable {
        /// Background work.
        case work
        /// A person looking at a page.
        case support
    }

    private struct ServerUse: Hashable {
        let account: StoreAccount
        let purpose: ServerPurpose
    }

    /// Asks verifyReceipt about an app's receipts, with `StoreAccount.sharedSecret`.
    ///
    /// - Returns: nil for an app of a test store that names no address: Apple is not asked about it.
    /// - Throws: `.misconfigured`.
    package func verifyReceiptClient(of account: StoreAccount) throws(GatewayError) -> VerifyReceiptClient? {
        try VerifyReceiptAccess(account).map { VerifyReceiptClient(transport: transport, addresses: $0.addresses) }
    }

    /// Judges receipts without asking anybody, for `configuration(of:)`.
    package var receiptVerifier: AppleReceiptVerifier { AppleReceiptVerifier() }

    /// An app's configuration for Sign in with Apple; nil if its account has no settings for it.
    ///
    /// - Throws: `.misconfigured`.
    package func signInConfiguration(of account: StoreAccount) throws(GatewayError) -> AppleSignInConfiguration? {
        try AppleSignInConfiguration(account)
    }

    /// Changes codes for tokens and ends sign-ins; nil where the account says nothing of Sign in with Apple.
    ///
    /// - Throws: `.misconfigured`.
    package func signInClient(of account: StoreAccount) throws(GatewayError) -> AppleSignInClient? {
        guard let app = try signInConfiguration(of: account) else { return nil }
        return AppleSignInClient(transport: transport, keys: appleKeys(at: app.address), for: app)
    }

    /// Judges what is signed for Sign in with Apple at the address of that app.
    package func identityVerifier(for app: AppleSignInConfiguration) -> AppleIdentityVerifier {
        AppleIdentityVerifier(keys: appleKeys(at: app.address))
    }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        guard let app = try signInConfiguration(of: account), let client = try signInClient(of: account) else {
            return nil
        }
        return AppleSignIn(for: app, client: client, verifier: identityVerifier(for: app))
    }

    private func appleKeys(at address: String) -> JWTKeySet {
        signInKeys.withLock { known in
            if let keys = known[address] { return keys }
            if known.count >= Self.remembered { known.removeAll() }
            let keys = JWTKeySet.apple(at: address, transport: transport)
            known[address] = keys
            return keys
        }
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        AppleMessage(envelope: try AppleEnvelope(delivery.payload), gateway: self)
    }

    fileprivate func verify(
        _ envelope: AppleEnvelope,
        for account: StoreAccount,
        at now: Date
    ) async throws(GatewayError) -> StoreMessage {
        StoreMessage(try await verifier.verify(envelope, for: try configuration(of: account), at: now))
    }

    package func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        do {
            return try AppleNotification(verifiedBefore: signedPayload).content
        } catch {
            // Apple signed it: to ask again brings the same.
            throw .refused(StoreRefusal(error))
        }
    }

    /// The requirements on an app's messages, tokens and receipts: their app, and their permitted signers.
    ///
    /// - Throws: `.misconfigured`.
    package func configuration(of account: StoreAccount) throws(GatewayError) -> AppleConfiguration {
        if let known = configurations.withLock({ $0[account] }) { return known }
        let parsed = try AppleConfiguration(account)
        configurations.withLock { known in
            // Accounts change seldom: what is beyond this many are earlier versions of them.
            if known.count >= Self.remembered { known.removeAll() }
            known[account] = parsed
        }
        return parsed
    }

    private static let remembered = 256
}

private struct AppleMessage: UnverifiedMessage {
    let envelope: AppleEnvelope
    let gateway: AppleGateway

    var claimedIdentifier: String? {
        get throws(GatewayError) { try envelope.unverifiedBundleID }
    }

    var claimedSeats: [String]? { envelope.unverifiedSeats }

    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
        try await gateway.verify(envelope, for: account, at: now)
    }
}

extension StoreMessage {
    /// An authentic message is kept even if it cannot be read: it then waits for staff, with the reason.
    fileprivate init(_ notification: AppleNotification) {
        self.init(
            id: notification.notificationUUID.lowercased(),
            type: notification.rawType,
            subtype: notification.rawSubtype,
            environment: notification.environment,
            signedAt: notification.signedDate,
            content: Self.content(of: notification)
        )
    }

    /// A notice that can be read is read again when it is worked on.
    private static func content(of notification: AppleNotification) -> MessageContent {
        do {
            let content = try notification.content
            if case .notice = content { return .unresolved }
            return content
        } catch {
            return .unreadable(error.message)
        }
    }
}

extension AppleNotification {
    /// Its meaning by what is known here.
    ///
    /// - Throws: the errors of `notice()` and `event()`.
    fileprivate var content: MessageContent {
        get throws(GatewayError) {
            guard isKnown else { return unknownMoney.map(MessageContent.unreadable) ?? .ignored }
            if let notice = try notice() { return .notice(notice) }
            return try event().map(MessageContent.event) ?? .ignored
        }
    }
}

extension StoreAccount {
    /// The app at Apple.
    ///
    /// - Parameters:
    ///   - appAppleID: the number of the app in the App Store.
    ///   - api: the account's other settings, by the names of `AppleSetting`.
    package static func apple(
        bundleID: String,
        appAppleID: Int64?,
        isSimulated: Bool,
        anchors: [[UInt8]],
        api: [String: String] = [:],
        secrets: [String: Secret] = [:]
    ) -> StoreAccount {
        var settings = api
        settings[AppleSetting.appAppleID] = appAppleID.map { String($0) }
        return StoreAccount(
            store: .apple,
            identifier: bundleID,
            isSimulated: isSimulated,
            settings: settings,
            anchors: anchors,
            secrets: secrets
        )
    }

    /// The number of the app in the App Store.
    package var appAppleID: Int64? { settings[AppleSetting.appAppleID].flatMap { Int64($0) } }
}

extension AppleConfiguration {
    /// - Throws: `.misconfigured`.
    package init(_ account: StoreAccount) throws(GatewayError) {
        try self.init(
            bundleID: account.identifier,
            appAppleID: account.appAppleID,
            mode: account.isSimulated ? .simulator(anchors: account.anchors) : .store,
            extraAnchors: account.isSimulated ? [] : account.anchors
        )
    }
}
