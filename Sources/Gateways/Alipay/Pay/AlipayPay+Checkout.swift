package import Billing
import Foundation

extension AlipayPay: CheckoutServer {
    package func open(
        _ order: CheckoutOrder,
        by method: CheckoutMethod
    ) async throws(StoreFailure) -> CheckoutInvocation {
        let call: AlipayCall =
            switch method {
            case .alipayPage: .page
            case .alipayWap: .wap
            case .alipayApp: .app
            case .alipayQR: .precreate
            case .wechatNative, .wechatJSAPI, .wechatApp, .wechatH5: throw Self.wrong("Alipay has no such method.")
            }
        let content = try content(of: order, call)
        let urls = [("notify_url", order.notificationURL), ("return_url", order.returnURL ?? "")]
        switch call {
        case .page:
            // Alipay reads the letters of a form by the charset of its address.
            let fields = try signed(call, content, besides: urls).signed.filter { $0.0 != "charset" && !$0.1.isEmpty }
            return .form(
                url: "\(app.gateway)?charset=utf-8",
                fields: fields.map { CheckoutInvocation.Field($0.0, $0.1) }
            )
        case .wap:
            return .redirect("\(app.gateway)?\(FormFields.encode(try signed(call, content, besides: urls).signed))")
        case .app:
            let notified = [("notify_url", order.notificationURL)]
            return .orderText(FormFields.encode(try signed(call, content, besides: notified).signed))
        case .precreate: return .qr(try await precreate(order, content))
        case .query, .close, .refund, .refundQuery, .billAddress: throw Self.wrong("Alipay has no such method.")
        }
    }

    package func standing(of number: String) async throws(StoreFailure) -> CheckoutStanding {
        let reply = try await query(number)
        if reply.verdict == .paying { return .paying }
        return try trade(number, reply)?.standing ?? .unknown
    }

    package func close(_ number: String) async throws(StoreFailure) -> CheckoutStanding {
        let reply = try await ask(.close, ["out_trade_no": .string(try Self.checked(number))])
        switch reply.verdict {
        case .done:
            let fields = try reply.fields
            try StoreFailure.reading { () throws(GatewayError) in
                try Self.require(fields, "out_trade_no", number)
            }
            return .closed(nil)
        // Nobody has opened it, and its time is all that ends it: Alipay keeps no order that it could close.
        case .notThere: return .unknown
        case .queryFirst, .final: return try await standing(of: number)
        case .paying, .unknownOutcome, .later, .setting, .noBill, .unlisted: throw reply.failure
        }
    }

    func query(_ number: String) async throws(StoreFailure) -> AlipayReply {
        try await ask(.query, ["out_trade_no": .string(try Self.checked(number))])
    }

    /// - Returns: nil where Alipay says that there is no such order, which before the scan is so of every one.
    func trade(_ number: String, _ reply: AlipayReply) throws(StoreFailure) -> AlipayTrade? {
        if reply.verdict == .notThere { return nil }
        let fields = try reply.fields
        return try StoreFailure.reading { () throws(GatewayError) in try AlipayTrade(fields, of: number, for: app) }
    }

    private func precreate(_ order: CheckoutOrder, _ content: JSON) async throws(StoreFailure) -> String {
        let request = try signed(.precreate, content, besides: [("notify_url", order.notificationURL)])
        let fields = try await ask(.precreate, request).fields
        return try StoreFailure.reading { () throws(GatewayError) in
            try Self.require(fields, "out_trade_no", order.number)
            let text = try fields.required("qr_code")
            guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw GatewayError(.malformed, "Alipay's QR code is no address.", field: "qr_code")
            }
            return text
        }
    }

    private func content(of order: CheckoutOrder, _ call: AlipayCall) throws(StoreFailure) -> JSON {
        guard order.amount.currency == AlipayAmount.currency,
            AlipayAmount.payable.contains(order.amount.minorUnits)
        else { throw Self.wrong("Alipay takes 0.01 to 100,000,000 yuan, and no other currency.") }
        var content: JSON = [
            "out_trade_no": .string(try Self.checked(order.number)),
            "total_amount": .string(order.amount.decimalText), "subject": .string(Self.subject(order.description)),
            "product_code": .string(call.productCode ?? ""), "time_expire": .string(AlipayTime.text(order.expiresAt)),
            "seller_id": .string(sellerID),
        ]
        if call == .wap, let quit = order.returnURL { content["quit_url"] = .string(quit) }
        return content
    }

    /// The text that Alipay's page shows: without the letters that it takes for others, and at most 256.
    static func subject(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isForeign = scalar == "/" || scalar == "=" || scalar == "&"
            return isForeign || scalar.properties.generalCategory == .control ? " " : scalar
        }
        let subject = String(String.UnicodeScalarView(plain.prefix(256))).trimmingCharacters(in: .whitespaces)
        return subject.isEmpty ? "-" : subject
    }

    /// Alipay takes letters, digits and the underscore: less than WeChat.
    static func checked(_ number: String) throws(StoreFailure) -> String {
        guard number.wholeMatch(of: /[0-9A-Za-z_]{1,64}/) != nil else {
            throw wrong("Alipay's order numbers are of letters, digits and underscores, at most 64.")
        }
        return number
    }

    static func require(_ fields: JSONFields, _ name: StaticString, _ value: String) throws(GatewayError) {
        guard try fields.required(name) == value else {
            throw GatewayError(.malformed, "Alipay's answer is about another order.", field: "\(name)")
        }
    }

    static func wrong(_ message: String) -> StoreFailure { .misconfigured(GatewayError(.misconfigured, message)) }
}
