package import Billing
import Foundation
import Synchronization

/// The App Store: notifications V2, whose meaning stands in them.
package final class AppleGateway: StoreGateway {
    private let verifier = AppleVerifier()
    /// Parsed once; a notification pays for its signatures and for nothing else.
    private let configurations = Mutex<[StoreAccount: AppleConfiguration]>([:])
    /// One for each account, because Apple's limits are counted for each.
    private let servers = Mutex<[StoreAccount: AppleServerAPI]>([:])
    private let transport: any StoreTransport
    private let policy: AppleRetryPolicy

    package init(transport: any StoreTransport = HTTPStoreTransport(), policy: AppleRetryPolicy = .standard) {
        self.transport = transport
        self.policy = policy
    }

    package var store: Store { .apple }
    package var identifier: (name: String, field: String) { ("bundle id", "bundleId") }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try AppleConfiguration(account)
        _ = try AppleServerAccess(account)
    }

    package func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)? {
        guard let api = try serverAPI(of: account) else { return nil }
        return AppleReconciliation(api, verifier: verifier, app: try configuration(of: account))
    }

    /// Asks Apple about an app; nil where the account has no key for that.
    ///
    /// - Throws: `.misconfigured`.
    package func serverAPI(of account: StoreAccount) throws(GatewayError) -> AppleServerAPI? {
        if let known = servers.withLock({ $0[account] }) { return known }
        guard let access = try AppleServerAccess(account) else { return nil }
        let made = AppleServerAPI(access.credentials, hosts: access.hosts, transport: transport, policy: policy)
        return servers.withLock { known in
            if let other = known[account] { return other }
            if known.count >= Self.remembered { known.removeAll() }
            known[account] = made
            return made
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

    private func configuration(of account: StoreAccount) throws(GatewayError) -> AppleConfiguration {
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

    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
        try await gateway.verify(envelope, for: account, at: now)
    }
}

extension StoreMessage {
    /// What is authentic is kept, also when it cannot be read: then it waits for staff, with the reason.
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

    private static func content(of notification: AppleNotification) -> MessageContent {
        guard notification.isKnown else { return .ignored }
        do {
            return try notification.event().map(MessageContent.event) ?? .ignored
        } catch {
            return .unreadable(error.message)
        }
    }
}

extension StoreAccount {
    /// The app at Apple.
    ///
    /// - Parameters:
    ///   - appAppleID: the number of the app in the App Store.
    ///   - api: what else the account says, by the names of `AppleSetting`.
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
