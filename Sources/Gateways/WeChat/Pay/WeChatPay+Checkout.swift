package import Billing
import Foundation

extension WeChatPay: CheckoutServer {
    package func open(
        _ order: CheckoutOrder,
        by method: CheckoutMethod
    ) async throws(StoreFailure) -> CheckoutInvocation {
        let body = try body(of: order, by: method)
        switch method {
        case .wechatNative:
            return .qr(
                try await ask(WeChatPayCall(.native, "/v3/pay/transactions/native", body: body)) {
                    json throws(GatewayError) in try Self.address("code_url", in: json, beginningWith: ["weixin://"])
                }
            )
        case .wechatH5:
            let address = try await ask(WeChatPayCall(.h5, "/v3/pay/transactions/h5", body: body)) {
                json throws(GatewayError) in
                try Self.address("h5_url", in: json, beginningWith: ["https://", "http://"])
            }
            guard let returnURL = order.returnURL else { return .redirect(address) }
            let joint = address.contains("?") ? "&" : "?"
            return .redirect("\(address)\(joint)\(FormFields.encode([("redirect_url", returnURL)]))")
        case .wechatJSAPI:
            return try invocation(
                try await prepayID(WeChatPayCall(.jsapi, "/v3/pay/transactions/jsapi", body: body)),
                inApp: false
            )
        case .wechatApp:
            return try invocation(
                try await prepayID(WeChatPayCall(.app, "/v3/pay/transactions/app", body: body)),
                inApp: true
            )
        case .alipayPage, .alipayWap, .alipayApp, .alipayQR:
            throw Self.refusal("WeChat Pay has no such way to pay.")
        }
    }

    package func standing(of number: String) async throws(StoreFailure) -> CheckoutStanding {
        let path = "/v3/pay/transactions/out-trade-no/\(FormFields.escape(number))"
        guard WeChatPayText.isOrderNumber(number) else { throw Self.refusal("This is no number of an order.") }
        do {
            return try await client.ask(WeChatPayCall(.query, path, query: [("mchid", merchant.merchantID)])) {
                json throws(GatewayError) in
                let transaction = try WeChatPayTransaction(json)
                guard transaction.number == number else {
                    throw GatewayError(.malformed, "The answer is about another order.")
                }
                return transaction.standing
            }
        } catch {
            guard !error.isUnknown else { return .unknown }
            throw StoreFailure(error)
        }
    }

    package func close(_ number: String) async throws(StoreFailure) -> CheckoutStanding {
        guard WeChatPayText.isOrderNumber(number) else { throw Self.refusal("This is no number of an order.") }
        let path = "/v3/pay/transactions/out-trade-no/\(FormFields.escape(number))/close"
        let call = WeChatPayCall(.close, path, body: ["mchid": .string(merchant.merchantID)])
        do {
            return try await client.ask(call) { _ throws(GatewayError) in .closed(nil) }
        } catch {
            if error.isSigned, error.code == .orderClosed { return .closed(nil) }
            guard !error.isUnknown else { return .unknown }
            // Paid meanwhile, perhaps: the query knows.
            guard error.isSigned, error.treatment == .queryFirst else { throw StoreFailure(error) }
            return try await standing(of: number)
        }
    }

    private func prepayID(_ call: WeChatPayCall) async throws(StoreFailure) -> String {
        try await ask(call) { json throws(GatewayError) in
            try JSONFields(json, of: "answer").requiredNumber("prepay_id")
        }
    }

    private static func address(
        _ name: StaticString,
        in json: JSON,
        beginningWith schemes: [String]
    ) throws(GatewayError) -> String {
        let text = try JSONFields(json, of: "answer").required(name)
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            schemes.contains(where: text.hasPrefix)
        else { throw GatewayError(.malformed, "The member \(name) is no address of WeChat Pay's.") }
        return text
    }

    private func body(of order: CheckoutOrder, by method: CheckoutMethod) throws(StoreFailure) -> JSON {
        guard WeChatPayText.isOrderNumber(order.number) else { throw Self.refusal("This is no number of an order.") }
        guard order.amount.currency.code == "CNY", (1...Money.highestPrice).contains(order.amount.minorUnits) else {
            throw Self.refusal("WeChat Pay takes whole fen of Chinese yuan, and one at least.")
        }
        let url = order.notificationURL
        guard WeChatPayText.isNotificationAddress(url) else {
            throw .misconfigured(
                GatewayError(.misconfigured, "WeChat Pay needs a public address for notifications, without a query.")
            )
        }
        let description = WeChatPayText.plain(order.description, atMost: 127)
        var body: JSON = [
            "appid": .string(merchant.appID), "mchid": .string(merchant.merchantID),
            "description": .string(description.isEmpty ? order.number : description),
            "out_trade_no": .string(order.number), "time_expire": .string(WeChatPayTime.text(order.expiresAt)),
            "notify_url": .string(url),
            "amount": ["total": .integer(order.amount.minorUnits), "currency": "CNY"],
        ]
        if method == .wechatJSAPI {
            guard let payer = ProviderText.subject(order.payer?.revealed) else {
                throw Self.refusal("Inside WeChat the payer's openid is needed.")
            }
            body["payer"] = ["openid": .string(payer)]
        }
        var scene: JSON? = order.clientAddress.map { ["payer_client_ip": .string($0)] }
        if method == .wechatH5 {
            guard scene != nil else { throw Self.refusal("In a phone's browser the payer's address is needed.") }
            scene?["h5_info"] = ["type": "Wap"]
        }
        body["scene_info"] = scene
        return body
    }

    /// The parameters that the app, or the page inside WeChat, hands to WeChat, signed with the merchant's key.
    private func invocation(_ prepayID: String, inApp: Bool) throws(StoreFailure) -> CheckoutInvocation {
        let seconds = Int64(exactly: client.clock.now().timeIntervalSince1970.rounded(.down)) ?? 0
        do {
            return .parameters(
                try inApp
                    ? WeChatPayInvocation.app(prepayID, of: merchant, timestamp: seconds, nonce: client.nonce())
                    : WeChatPayInvocation.page(prepayID, of: merchant, timestamp: seconds, nonce: client.nonce())
            )
        } catch {
            throw StoreFailure(unreadable: error)
        }
    }
}
