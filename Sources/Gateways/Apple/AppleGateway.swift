package import Billing
import Foundation
import Synchronization

/// The App Store: notifications V2, whose meaning stands in them.
package final class AppleGateway: StoreGateway {
    private let verifier = AppleVerifier()
    /// Parsed once; a notification pays for its signatures and for nothing else.
    private let configurations = Mutex<[StoreAccount: AppleConfiguration]>([:])

    package init() {}

    package var store: Store { .apple }
    package var identifier: (name: String, field: String) { ("bundle id", "bundleId") }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try AppleConfiguration(account)
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
    /// - Parameter appAppleID: the number of the app in the App Store.
    package static func apple(
        bundleID: String,
        appAppleID: Int64?,
        isSimulated: Bool,
        anchors: [[UInt8]]
    ) -> StoreAccount {
        StoreAccount(
            store: .apple,
            identifier: bundleID,
            isSimulated: isSimulated,
            settings: appAppleID.map { [appAppleIDSetting: String($0)] } ?? [:],
            anchors: anchors
        )
    }

    /// The number of the app in the App Store.
    package var appAppleID: Int64? { settings[Self.appAppleIDSetting].flatMap { Int64($0) } }

    private static var appAppleIDSetting: String { "appAppleId" }
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
