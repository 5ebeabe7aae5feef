package import Billing
package import Foundation

/// Alipay: signs people in, opens orders, tells of their payments, pays refunds and makes bills.
package struct AlipayGateway: StoreGateway {
    private let connection: ProviderConnection
    private let accounts = AlipayAccounts()

    package init(
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: SignInPolicy = .standard,
        clock: AppleServerClock = .system
    ) {
        connection = ProviderConnection(name: "Alipay", transport: transport, policy: policy, clock: clock)
    }

    package var store: Store { .alipay }
    package var identifier: (name: String, field: String) { ("APPID", "app_id") }
    package var sendsTestNotifications: Bool { false }
    package var deliveryAnswers: DeliveryAnswers? {
        DeliveryAnswers(
            "text/plain",
            taken: AlipayNotification.accepted,
            notTaken: AlipayNotification.refused
        )
    }
    /// One pair of keys signs everything that an app asks of Alipay. Beside the app's own key it has Alipay's, or the three certificates.
    package var keys: [StoreKeyShape] {
        [
            StoreKeyShape(
                .api,
                settings: [],
                secrets: [AlipaySetting.privateKey, AlipaySetting.alipayPublicKey] + AlipaySetting.certificates,
                optional: Set([AlipaySetting.alipayPublicKey] + AlipaySetting.certificates)
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

    /// The app's own and Alipay's, in certificate mode.
    package func certificates(of account: StoreAccount) throws(GatewayError) -> [StoreCertificate] {
        try accounts[account]?.keys.shown ?? []
    }

    // MARK: Notifications

    /// Nothing is sold without the seller's id, and nothing told.
    package func takesNotifications(for account: StoreAccount) -> Bool {
        account.settings[AlipaySetting.sellerID] != nil
    }

    package func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        try AlipayMessage(delivery.payload, gateway: self)
    }

    package func returnedOrder(
        _ query: String,
        for account: StoreAccount,
        at now: Date
    ) throws(GatewayError) -> String? {
        try AlipayReturnPage(query.utf8, for: try configuration(of: account), at: now).number
    }

    /// The signature was verified when the message came; it may be of a key that has been replaced since.
    package func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        let (pay, notification) = try StoreFailure.readingKept { () throws(GatewayError) in
            let app = try configuration(of: account)
            return (try self.pay(of: account), try AlipayNotification(kept: signedPayload.utf8, for: app))
        }
        guard let pay else {
            throw .misconfigured(
                GatewayError(.misconfigured, "The app's account has no seller at Alipay any more.")
            )
        }
        switch notification.content {
        case .payment(let payment): return try await pay.confirmed(payment.number, of: payment.amount)
        case .refund(let notice, of: let payment): return .notice(.refund(try await pay.confirmed(notice, of: payment)))
        case .waiting, .closed: return .ignored
        }
    }

    /// - Throws: `.misconfigured`, also for an account without keys.
    func configuration(of account: StoreAccount) throws(GatewayError) -> AlipayConfiguration {
        guard let app = try accounts[account] else {
            throw GatewayError(
                .misconfigured,
                "The app's account at Alipay has no keys.",
                field: AlipaySetting.privateKey
            )
        }
        return app
    }

    // MARK: What Alipay is asked

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? {
        try accounts[account].map { AlipaySignIn(for: $0, over: connection) }
    }

    /// The client that sells at Alipay, pays refunds, and reads bills.
    ///
    /// - Returns: nil for an account without keys, or without the seller's id.
    /// - Throws: `.misconfigured`, with the setting's name.
    package func pay(of account: StoreAccount) throws(GatewayError) -> AlipayPay? {
        guard let app = try accounts[account] else { return nil }
        return AlipayPay(for: app, over: connection.transport, clock: connection.clock)
    }

    package func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? {
        try pay(of: account)
    }

    /// Nothing is paid at Alipay's sandbox.
    package func checkoutEnvironment(of account: StoreAccount) -> StoreEnvironment {
        account.settings[AlipaySetting.gateway]?.contains(Self.sandboxHost) == true ? .sandbox : .production
    }

    package func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? {
        try pay(of: account)
    }

    package func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { try pay(of: account) }

    private static let sandboxHost = "openapi-sandbox.dl.alipaydev.com"
}
