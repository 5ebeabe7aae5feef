import Billing
import Foundation
import Gateways

/// Orders, refunds and notifications of one merchant at the simulated WeChat Pay.
struct SimulatedWeChatBooks: Sendable {
    var orders: [String: SimulatedWeChatOrder] = [:]
    var refunds: [String: SimulatedWeChatRefund] = [:]
    var messages: [SimulatedWeChatMessage] = []
    /// In fen; nil for enough.
    var balance: Int64?
    var refundOutcome = "SUCCESS"
    /// The address that the merchant platform has for refunds' notifications; nil where the merchant has entered none.
    var refundURL: String?
    /// Seconds until a refund is what it ends as; nil for never.
    var refundDelay: TimeInterval? = 0
    /// Other outcomes of refunds, by our number of the order.
    var refundOutcomes: [String: String] = [:]
    var last = 0

    mutating func nextNumber(_ prefix: String, at now: Date) -> String {
        last += 1
        let day = SimulatedWeChatTime.day(now).replacing("-", with: "")
        return "\(prefix)\(day)\(String(repeating: "0", count: max(0, 10 - "\(last)".count)))\(last)"
    }

    mutating func tell(_ type: String, _ content: JSON, to url: String, at now: Date) {
        messages.append(
            SimulatedWeChatMessage(
                id: UUID().uuidString.lowercased(),
                type: type,
                content: content,
                url: url,
                createdAt: now,
                dueAt: now
            )
        )
    }
}

extension SimulatedWeChatBooks {
    /// Opens an order; the same again answers the same.
    mutating func open(
        _ request: JSON,
        as path: String,
        for merchant: SimulatedWeChatMerchant,
        at now: Date
    ) throws(SimulatedWeChatRefusal) -> JSON {
        guard let kind = Self.kinds[path] else {
            throw SimulatedWeChatRefusal(404, "RESOURCE_NOT_EXISTS", "资源不存在")
        }
        try Self.check(request, kind, for: merchant)
        let number = request["out_trade_no"]?.string ?? ""
        if let known = orders[number] {
            guard known.state != "CLOSED" else { throw .orderClosed }
            guard !known.isPaid else { throw SimulatedWeChatRefusal(403, "OUT_TRADE_NO_USED", "商户订单号重复") }
            guard known.request == request, known.kind == kind else { throw .otherContent }
            return Self.answer(known)
        }
        let order = SimulatedWeChatOrder(
            number: number,
            kind: kind,
            request: request,
            createdAt: now,
            handle: nextNumber("wx", at: now),
            total: request["amount"]?["total"]?.integer ?? 0,
            notificationURL: request["notify_url"]?.string ?? "",
            expiresAt: request["time_expire"]?.string.flatMap { Date(rfc3339: $0) },
            openID: request["payer"]?["openid"]?.string ?? ""
        )
        orders[number] = order
        return Self.answer(order)
    }

    func query(_ number: String, for merchant: SimulatedWeChatMerchant) throws(SimulatedWeChatRefusal) -> JSON {
        guard let order = orders[number] else { throw .orderUnknown }
        return transaction(of: order, for: merchant)
    }

    mutating func close(_ number: String) throws(SimulatedWeChatRefusal) {
        guard let order = orders[number] else { throw .orderUnknown }
        guard !order.isPaid else { throw .orderPaid }
        orders[number]?.state = "CLOSED"
    }

    mutating func pay(
        _ number: String,
        openID: String,
        for merchant: SimulatedWeChatMerchant,
        at now: Date
    ) throws(SimulatedWeChatRefusal) -> String {
        guard var order = orders[number] else { throw .orderUnknown }
        guard !order.isPaid else { throw .orderPaid }
        guard order.state != "CLOSED", order.expiresAt.map({ now < $0 }) ?? true else { throw .orderClosed }
        let id = nextNumber("42000000", at: now)
        (order.state, order.transactionID, order.paidAt) = ("SUCCESS", id, now)
        if order.openID.isEmpty { order.openID = openID }
        orders[number] = order
        tell("TRANSACTION.SUCCESS", transaction(of: order, for: merchant), to: order.notificationURL, at: now)
        return id
    }

    private func transaction(of order: SimulatedWeChatOrder, for merchant: SimulatedWeChatMerchant) -> JSON {
        var json: JSON = [
            "amount": ["currency": "CNY", "total": .integer(order.total)], "appid": .string(merchant.appID),
            "mchid": .string(merchant.merchantID), "out_trade_no": .string(order.number), "promotion_detail": [],
            "trade_state": .string(order.state), "trade_state_desc": .string(Self.words[order.state] ?? ""),
        ]
        guard order.isPaid else { return json }
        json["amount"]?["payer_currency"] = "CNY"
        json["amount"]?["payer_total"] = .integer(order.total)
        json["attach"] = ""
        json["bank_type"] = "OTHERS"
        json["payer"] = ["openid": .string(order.openID)]
        json["success_time"] = .string(SimulatedWeChatTime.text(order.paidAt ?? order.createdAt))
        json["trade_type"] = .string(order.kind)
        json["transaction_id"] = .string(order.transactionID ?? "")
        return json
    }

    private static func answer(_ order: SimulatedWeChatOrder) -> JSON {
        switch order.kind {
        case "NATIVE": ["code_url": .string("weixin://wxpay/bizpayurl?pr=\(order.handle)")]
        case "MWEB":
            ["h5_url": .string("https://wx.tenpay.com/mmpayweb-bin/checkmweb?prepay_id=\(order.handle)&package=1")]
        default: ["prepay_id": .string(order.handle)]
        }
    }

    private static let kinds = ["native": "NATIVE", "jsapi": "JSAPI", "app": "APP", "h5": "MWEB"]
    private static let words = [
        "SUCCESS": "支付成功", "REFUND": "转入退款", "NOTPAY": "订单未支付", "CLOSED": "订单已关闭", "REVOKED": "已撤销",
        "USERPAYING": "用户支付中", "PAYERROR": "支付失败",
    ]
}

extension SimulatedWeChatBooks {
    private static func check(
        _ request: JSON,
        _ kind: String,
        for merchant: SimulatedWeChatMerchant
    ) throws(SimulatedWeChatRefusal) {
        guard case .object(let members) = request else { throw .parameter("body") }
        for member in members where !known.contains(member.name) { throw .parameter(member.name) }
        guard request["appid"]?.string == merchant.appID, request["mchid"]?.string == merchant.merchantID else {
            throw SimulatedWeChatRefusal(400, "APPID_MCHID_NOT_MATCH", "AppID和mch_id不匹配")
        }
        let number = request["out_trade_no"]?.string ?? ""
        guard number.wholeMatch(of: /[0-9A-Za-z_\-|*]{6,32}/) != nil else { throw .parameter("out_trade_no") }
        let description = request["description"]?.string ?? ""
        guard (1...127).contains(description.utf8.count), isPlain(description) else { throw .parameter("description") }
        guard isPlain(request["attach"]?.string ?? "") else { throw .parameter("attach") }
        let url = request["notify_url"]?.string ?? ""
        guard url.hasPrefix("http"), url.utf8.count <= 255, !url.contains("?") else { throw .parameter("notify_url") }
        guard let total = request["amount"]?["total"]?.integer, total >= 1,
            ["CNY", nil].contains(request["amount"]?["currency"]?.string)
        else { throw .parameter("amount.total") }
        guard kind != "JSAPI" || request["payer"]?["openid"]?.string != nil else { throw .parameter("payer.openid") }
        let scene = request["scene_info"]
        guard kind != "MWEB" || scene?["payer_client_ip"]?.string != nil && scene?["h5_info"]?["type"]?.string != nil
        else { throw .parameter("scene_info") }
    }

    /// UTF-8 of one to three bytes.
    private static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value <= 0xFFFF } }

    private static let known: Set = [
        "appid", "mchid", "description", "out_trade_no", "notify_url", "amount", "time_expire", "attach", "goods_tag",
        "support_fapiao", "limit_pay", "detail", "scene_info", "settle_info", "payer",
    ]
}
