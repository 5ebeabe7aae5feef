package import Billing

/// WeChat: signs people in, and opens orders, pays refunds and gives bills (WeChat Pay). Its notifications are not taken in yet.
package struct WeChatGateway: StoreGateway {
    private let connection: ProviderConnection
    private let accounts: WeChatPayAccounts
    private let clock: AppleServerClock

    package init(
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: SignInPolicy = .standard,
        clock: AppleServerClock = .system
    ) {
        connection = ProviderConnection(name: "WeChat", transport: transport, policy: policy, clock: clock)
        accounts = WeChatPayAccounts(over: transport, clock: clock)
        self.clock = clock
    }

    package var store: Store { .wechat }
    package var identifier: (name: String, field: String) { ("AppID", "appid") }
    package var takesNotifications: Bool { false }
    package var keys: [StoreKeyShape] {
        [StoreKeyShape(.signIn, settings: [], secrets: [WeChatSetting.appSecret])]
    }

    package func check(_ account: StoreAccount) throws(GatewayError) {
        _ = try WeChatConfiguration(account)
        _ = try WeChatPayConfiguration(account)
    }

    package func check(_ key: StoreKey) throws(GatewayError) {
        switch key.kind {
        case .api: try WeChatPayConfiguration.check(key, at: clock.now())
        case .signIn, .sharedSecret:
            try WeChatConfiguration.check(appSecret: key.secrets[WeChatSetting.appSecret] ?? Secret(""))
        }
    }

    /// The key of WeChat Pay. Staff cannot upload it yet; an app's catalogue names it.
    package static var payKey: StoreKeyShape { WeChatPayConfiguration.key }

    /// WeChat Pay for an app.
    ///
    /// - Returns: nil for an account that says nothing of WeChat Pay.
    /// - Throws: `.misconfigured`.
    package func pay(of account: StoreAccount) throws(GatewayError) -> WeChatPay? {
        try accounts[account]
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "WeChat's notifications are not taken in yet.")
    }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try WeChatConfiguration(account).map { WeChatSignIn(for: $0, over: connection) }
    }
}
