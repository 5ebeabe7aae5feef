package import Billing

/// Alipay: signs people in. Payments and their notifications are not taken in yet.
package struct AlipayGateway: StoreGateway {
    private let connection: ProviderConnection

    package init(
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: SignInPolicy = .standard,
        clock: AppleServerClock = .system
    ) {
        connection = ProviderConnection(name: "Alipay", transport: transport, policy: policy, clock: clock)
    }

    package var store: Store { .alipay }
    package var identifier: (name: String, field: String) { ("APPID", "app_id") }
    package var takesNotifications: Bool { false }
    /// One pair of keys signs everything that an app asks of Alipay.
    package var keys: [StoreKeyShape] {
        [StoreKeyShape(.api, settings: [], secrets: [AlipaySetting.privateKey, AlipaySetting.alipayPublicKey])]
    }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try AlipayConfiguration(account)
    }

    package func check(_ key: StoreKey) throws(GatewayError) {
        _ = try AlipayConfiguration.keys(key.secrets)
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "Alipay's notifications are not taken in yet.")
    }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try AlipayConfiguration(account).map { AlipaySignIn(for: $0, over: connection) }
    }
}
