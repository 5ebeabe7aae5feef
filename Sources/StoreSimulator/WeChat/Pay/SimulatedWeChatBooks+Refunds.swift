import Foundation
import Gateways

extension SimulatedWeChatBooks {
    /// Takes a refund on; the same number again refunds nothing more.
    mutating func refund(
        _ request: JSON,
        for merchant: SimulatedWeChatMerchant,
        at now: Date
    ) throws(SimulatedWeChatRefusal) -> JSON {
        let number = request["out_refund_no"]?.string ?? ""
        guard number.wholeMatch(of: /[0-9A-Za-z_\-|*@]{1,64}/) != nil else { throw .parameter("out_refund_no") }
        if let known = refunds[number] {
            guard known.request == request else { throw .otherContent }
            return try refundAnswer(number)
        }
        let url = request["notify_url"]?.string
        if let url {
            guard url.hasPrefix("http"), url.utf8.count <= 255, !url.contains("?") else {
                throw .parameter("notify_url")
            }
        }
        let order = try paidOrder(of: request)
        guard let amount = request["amount"]?["refund"]?.integer, amount >= 1,
            request["amount"]?["currency"]?.string == "CNY"
        else { throw .parameter("amount.refund") }
        guard request["amount"]?["total"]?.integer == order.total else { throw .otherContent }
        try checkLimits(amount, of: order, at: now)
        if let balance {
            guard balance >= amount else { throw .notEnough }
            self.balance = balance - amount
        }
        refunds[number] = SimulatedWeChatRefund(
            number: number,
            id: nextNumber("50000000", at: now),
            orderNumber: order.number,
            amount: amount,
            request: request,
            createdAt: now,
            // Never the order's: that is for its payment alone.
            notificationURL: url ?? refundURL,
            settlesAt: refundDelay.map { now.addingTimeInterval($0) },
            settlesAs: refundOutcomes[order.number] ?? refundOutcome
        )
        orders[order.number]?.state = "REFUND"
        return try refundAnswer(number)
    }

    func refundAnswer(_ number: String) throws(SimulatedWeChatRefusal) -> JSON {
        guard let refund = refunds[number], let order = orders[refund.orderNumber] else {
            throw SimulatedWeChatRefusal(404, "RESOURCE_NOT_EXISTS", "退款单不存在")
        }
        var json: JSON = [
            "amount": [
                "currency": "CNY", "discount_refund": 0, "from": [], "payer_refund": .integer(refund.amount),
                "payer_total": .integer(order.total), "refund": .integer(refund.amount), "refund_fee": 0,
                "settlement_refund": .integer(refund.amount), "settlement_total": .integer(order.total),
                "total": .integer(order.total),
            ],
            "channel": "ORIGINAL", "create_time": .string(SimulatedWeChatTime.text(refund.createdAt)),
            "funds_account": "AVAILABLE", "out_refund_no": .string(refund.number),
            "out_trade_no": .string(order.number), "promotion_detail": [], "refund_id": .string(refund.id),
            "status": .string(refund.state), "transaction_id": .string(order.transactionID ?? ""),
            "user_received_account": "支付用户零钱",
        ]
        if let date = refund.succeededAt { json["success_time"] = .string(SimulatedWeChatTime.text(date)) }
        return json
    }

    /// Sends an abnormal refund on another way, on which it succeeds.
    mutating func settleAbnormal(
        _ id: String,
        _ request: JSON,
        at now: Date,
        decrypt: (String) -> String?
    ) throws(SimulatedWeChatRefusal) -> JSON {
        let number = request["out_refund_no"]?.string ?? ""
        guard var refund = refunds[number], refund.id == id else {
            throw SimulatedWeChatRefusal(404, "RESOURCE_NOT_EXISTS", "退款单不存在")
        }
        guard refund.state == "ABNORMAL" else {
            throw SimulatedWeChatRefusal(400, "INVALID_REQUEST", "该退款单不能发起异常退款")
        }
        switch request["type"]?.string {
        case "MERCHANT_BANK_CARD": break
        case "USER_BANK_CARD":
            guard request["bank_type"]?.string != nil, let account = request["bank_account"]?.string.flatMap(decrypt),
                request["real_name"]?.string.flatMap(decrypt) != nil
            else { throw .parameter("bank_account") }
            refund.bankAccount = account
        default: throw .parameter("type")
        }
        (refund.state, refund.settlesAt, refund.settlesAs) = ("PROCESSING", now, "SUCCESS")
        refunds[number] = refund
        return try refundAnswer(number)
    }

    /// Lets refunds become what they end as, and tells of it.
    mutating func settleDue(for merchant: SimulatedWeChatMerchant, at now: Date) {
        let due = refunds.values.filter { $0.settlesAt.map { $0 <= now } ?? false }
        for refund in due.sorted(by: { $0.id < $1.id }) {
            settle(refund.number, as: refund.settlesAs, for: merchant, at: now)
        }
    }

    mutating func settle(_ number: String, as outcome: String, for merchant: SimulatedWeChatMerchant, at now: Date) {
        guard var refund = refunds[number], let order = orders[refund.orderNumber] else { return }
        (refund.state, refund.settlesAt) = (outcome, nil)
        refund.succeededAt = outcome == "SUCCESS" ? now : nil
        refunds[number] = refund
        // The money of a failed refund is the merchant's again.
        if outcome == "CLOSED", let balance { self.balance = balance + refund.amount }
        guard outcome != "PROCESSING", let url = refund.notificationURL else { return }
        var json: JSON = [
            "amount": [
                "payer_refund": .integer(refund.amount), "payer_total": .integer(order.total),
                "refund": .integer(refund.amount), "total": .integer(order.total),
            ],
            "mchid": .string(merchant.merchantID), "out_refund_no": .string(refund.number),
            "out_trade_no": .string(order.number), "refund_id": .string(refund.id), "refund_status": .string(outcome),
            "transaction_id": .string(order.transactionID ?? ""), "user_received_account": "支付用户零钱",
        ]
        if let date = refund.succeededAt { json["success_time"] = .string(SimulatedWeChatTime.text(date)) }
        tell("REFUND.\(outcome)", json, to: url, at: now)
    }

    private func paidOrder(of request: JSON) throws(SimulatedWeChatRefusal) -> SimulatedWeChatOrder {
        let found =
            request["transaction_id"]?.string.map { id in orders.values.first { $0.transactionID == id } }
            ?? request["out_trade_no"]?.string.map { orders[$0] } ?? nil
        guard let order = found else { throw SimulatedWeChatRefusal(404, "RESOURCE_NOT_EXISTS", "订单不存在") }
        guard order.isPaid else { throw SimulatedWeChatRefusal(403, "TRADE_ERROR", "订单状态错误") }
        return order
    }

    /// WeChat Pay's: a year, fifty refunds, a minute between two, and never more than was paid.
    private func checkLimits(
        _ amount: Int64,
        of order: SimulatedWeChatOrder,
        at now: Date
    ) throws(SimulatedWeChatRefusal) {
        let before = refunds.values.filter { $0.orderNumber == order.number }
        guard now.timeIntervalSince(order.paidAt ?? now) <= 365 * 86_400 else {
            throw SimulatedWeChatRefusal(403, "RULE_LIMIT", "订单已经超过可退款的最大期限")
        }
        guard before.count < 50 else { throw SimulatedWeChatRefusal(403, "RULE_LIMIT", "部分退款次数超过限制") }
        guard before.allSatisfy({ now.timeIntervalSince($0.createdAt) >= 60 }) else {
            throw SimulatedWeChatRefusal(429, "FREQUENCY_LIMITED", "频率限制")
        }
        let given = before.filter { $0.state != "CLOSED" }.reduce(0) { $0 + $1.amount }
        guard given + amount <= order.total else {
            throw SimulatedWeChatRefusal(400, "INVALID_REQUEST", "累计退款金额大于支付金额")
        }
    }
}
