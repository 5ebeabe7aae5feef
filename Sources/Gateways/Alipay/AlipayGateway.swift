package import Billing

/// Alipay: signs people in, opens orders, pays refunds and makes bills. Its notifications are read, and not taken in by the webhook yet.
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
        [
            StoreKeyShape(
                .api,
                settings: [],
                secrets: [AlipaySetting.privateKey, AlipaySetting.alipayPublicKey],
                alternatives: [[AlipaySetting.privateKey] + AlipaySetting.certificates]
            )
        ]
    }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        guard let app = try AlipayConfiguration(account) else { return }
        do {
            try app.keys.requireValid(at: connection.clock.now())
        } catch {
            throw error.below("secrets")
        }
    }

    package func check(_ key: StoreKey) throws(GatewayError) {
        try AlipayKeys(key.secrets).requireValid(at: connection.clock.now())
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "Alipay's notifications are not taken in yet.")
    }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try AlipayConfiguration(account).map { AlipaySignIn(for: $0, over: connection) }
    }

    /// The client that sells at Alipay, pays refunds, and reads bills.
    ///
    /// - Returns: nil for an account without keys, or without the seller's id.
    /// - Throws: `.misconfigured`, with the setting's name.
    package func pay(of account: StoreAccount) throws(GatewayError) -> AlipayPay? {
        guard let app = try AlipayConfiguration(account) else { return nil }
        return AlipayPay(for: app, over: connection.transport, clock: connection.clock)
    }
}
