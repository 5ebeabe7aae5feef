package import Billing

/// One app at Google Play: its package, the sender of its notifications, and the access to the Developer API.
package struct GoogleConfiguration: Sendable {
    package let packageName: String
    /// nil for an account without a key: then nothing can be asked, and no notification means anything.
    package let serviceAccount: GoogleServiceAccount?
    /// nil for an account that does not say who pushes: then no push is believed.
    package let push: Push?
    /// Scheme and host of the Developer API.
    package let api: String

    /// The sender of pushes, and their audience.
    package struct Push: Hashable, Sendable {
        package var audience: String
        package var account: String
        package var subscription: String?
        /// The address of the keys that pushes are signed with.
        package var certificates: String
    }

    package static let api = "https://androidpublisher.googleapis.com"
    package static let certificates = "https://www.googleapis.com/oauth2/v3/certs"

    /// - Throws: `.misconfigured`, with the setting's name.
    package init(_ account: StoreAccount) throws(GatewayError) {
        packageName = account.identifier
        try Self.check(packageName: packageName)
        if let json = account.secrets[GoogleSetting.serviceAccount] {
            do {
                serviceAccount = try GoogleServiceAccount(json: json, isSimulated: account.isSimulated)
            } catch {
                throw error.below("secrets")
            }
        } else {
            serviceAccount = nil
        }
        push = try Self.push(of: account)
        api =
            serviceAccount == nil && account.settings[GoogleSetting.api] == nil
            ? Self.api
            : try StoreAddress.base(Self.api, orSetting: GoogleSetting.api, of: account, at: "Google Play")
    }

    /// Android: two or more parts of letters, digits and underscores, each of which begins with a letter.
    static func check(packageName: String) throws(GatewayError) {
        guard packageName.utf8.count <= 150,
            packageName.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/) != nil
        else {
            throw GatewayError(
                .misconfigured,
                "A package name has two or more parts with dots between them, such as com.example.app.",
                field: "identifier"
            )
        }
    }

    private static func push(of account: StoreAccount) throws(GatewayError) -> Push? {
        let audience = account.settings[GoogleSetting.pushAudience]
        let pusher = account.settings[GoogleSetting.pushAccount]
        guard audience != nil || pusher != nil else { return nil }
        guard let audience, !audience.isEmpty else {
            throw wrong("The audience of the push subscription is missing.", GoogleSetting.pushAudience)
        }
        guard let pusher, pusher.contains("@") else {
            throw wrong(
                "The address of the service account that signs pushes is missing, or is none.",
                GoogleSetting.pushAccount
            )
        }
        let subscription = account.settings[GoogleSetting.pushSubscription]
        guard subscription.map({ $0.wholeMatch(of: /projects\/[^\/]+\/subscriptions\/[^\/]+/) != nil }) ?? true else {
            throw wrong("A subscription is projects/…/subscriptions/….", GoogleSetting.pushSubscription)
        }
        return Push(
            audience: audience,
            account: pusher,
            subscription: subscription,
            certificates: try StoreAddress.base(
                certificates,
                orSetting: GoogleSetting.certificates,
                of: account,
                at: "Google"
            )
        )
    }

    private static func wrong(_ message: String, _ setting: String) -> GatewayError {
        GatewayError(.misconfigured, message, field: "settings.\(setting)")
    }
}
