package import Billing

/// WeChat: signs people in. Payments and their notifications are not taken in yet.
package struct WeChatGateway: StoreGateway {
    private let connection: ProviderConnection

    package init(
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: SignInPolicy = .standard,
        clock: AppleServerClock = .system
    ) {
        connection = ProviderConnection(name: "WeChat", transport: transport, policy: policy, clock: clock)
    }

    package var store: Store { .wechat }
    package var identifier: (name: String, field: String) { ("AppID", "appid") }
    package var takesNotifications: Bool { false }
    package var keys: [StoreKeyShape] {
        [StoreKeyShape(.signIn, settings: [], secrets: [WeChatSetting.appSecret])]
    }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try WeChatConfiguration(account)
    }

    package func check(_ key: StoreKey) throws(GatewayError) {
        try WeChatConfiguration.check(appSecret: key.secrets[WeChatSetting.appSecret] ?? Secret(""))
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "WeChat's notifications are not taken in yet.")
    }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try WeChatConfiguration(account).map { WeChatSignIn(for: $0, over: connection) }
    }
}
