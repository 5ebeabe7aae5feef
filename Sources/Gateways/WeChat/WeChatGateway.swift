package import Billing

/// WeChat: signs people in, and opens orders, tells of their payments, pays refunds and gives bills (WeChat Pay).
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
    package var sendsTestNotifications: Bool { false }
    package var deliveryAnswers: DeliveryAnswers? {
        DeliveryAnswers(
            "application/json",
            taken: WeChatPayNotification.taken,
            notTaken: WeChatPayNotification.notTaken
        )
    }
    package var keys: [StoreKeyShape] {
        [StoreKeyShape(.signIn, settings: [], secrets: [WeChatSetting.appSecret]), Self.payKey]
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

    /// The key of WeChat Pay.
    package static var payKey: StoreKeyShape { WeChatPayConfiguration.key }

    /// The platform certificates that the account names.
    package func certificates(of account: StoreAccount) throws(GatewayError) -> [StoreCertificate] {
        (try pay(of: account)?.merchant.certificates ?? []).map { certificate in
            StoreCertificate(
                WeChatSetting.platformCertificates,
                serial: certificate.serial.text,
                endsAt: certificate.end
            )
        }
    }

    /// WeChat Pay for an app.
    ///
    /// - Returns: nil for an account that says nothing of WeChat Pay.
    /// - Throws: `.misconfigured`.
    package func pay(of account: StoreAccount) throws(GatewayError) -> WeChatPay? {
        try accounts[account]
    }

    package func takesNotifications(for account: StoreAccount) -> Bool { WeChatPayConfiguration.isNamed(by: account) }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        WeChatMessage(delivery: delivery, gateway: self)
    }

    package func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        let (pay, subject) = try StoreFailure.readingKept { () throws(GatewayError) in
            (try self.pay(of: account), try WeChatPayKeptMessage(signedPayload).subject)
        }
        guard let pay else {
            throw .misconfigured(
                GatewayError(.misconfigured, "The app's account has no merchant at WeChat Pay any more.")
            )
        }
        switch subject {
        case .payment(let number, let amount): return try await pay.confirmed(number, of: amount)
        case .refund(let number): return .notice(.refund(try await pay.notice(ofRefund: number)))
        case .other: return .ignored
        }
    }

    package func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? {
        try pay(of: account)
    }

    package func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? {
        try pay(of: account)
    }

    package func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { try pay(of: account) }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try WeChatConfiguration(account).map { WeChatSignIn(for: $0, over: connection) }
    }
}
