import Billing
import Foundation
import Gateways

/// The orders of one seller at the simulated Alipay, and the notifications that are due about them.
struct SimulatedAlipayBooks: Sendable {
    let appID: String
    let sellerID: String
    var trades: [String: SimulatedAlipayTrade] = [:]
    var notices: [SimulatedAlipayNotice] = []
    var count = 0

    init(appID: String, sellerID: String) {
        (self.appID, self.sellerID) = (appID, sellerID)
    }

    /// The answer to a call about an order, or the code of its refusal (`ACQ.…`).
    mutating func answer(
        _ method: String,
        _ parameters: [String: String],
        at now: Date
    ) throws(SimulatedAlipayRefusal) -> JSON {
        expire(at: now)
        let content = (try? JSON(parsing: Array((parameters["biz_content"] ?? "{}").utf8))) ?? .object([])
        switch method {
        case "alipay.trade.precreate":
            let trade = try open(content, parameters, at: now)
            return [
                "code": "10000", "msg": "Success", "out_trade_no": .string(trade.number), "qr_code": .string(trade.qr),
            ]
        case "alipay.trade.page.pay", "alipay.trade.wap.pay", "alipay.trade.app.pay":
            let trade = try open(content, parameters, at: now)
            return [
                "code": "10000", "msg": "Success", "out_trade_no": .string(trade.number),
                "total_amount": .string(SimulatedAlipayTrade.yuan(trade.total)),
            ]
        case "alipay.trade.create":
            var trade = try open(content, parameters, at: now)
            if trade.status == .unseen { trade.status = .waiting }
            trades[trade.number] = trade
            return named(trade)
        case "alipay.trade.query": return try seen(content).json
        case "alipay.trade.close", "alipay.trade.cancel": return try close(content, method, at: now)
        case "alipay.trade.refund": return try refund(content, at: now)
        case "alipay.trade.fastpay.refund.query": return try refundStanding(content)
        default: throw SimulatedAlipayRefusal("40002", "isv.invalid-method")
        }
    }

    /// Somebody scans the code, or signs in on the page: from now on Alipay knows the order.
    mutating func scan(_ number: String, at now: Date) throws(SimulatedAlipayRefusal) {
        expire(at: now)
        guard var trade = trades[number] else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_NOT_EXIST") }
        guard trade.status == .unseen else { return }
        guard trade.expiresAt > now else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_HAS_CLOSE") }
        trade.status = .waiting
        trades[number] = trade
    }

    mutating func pay(
        _ number: String,
        by buyer: SimulatedAlipayAccount,
        at now: Date
    ) throws(SimulatedAlipayRefusal) {
        try scan(number, at: now)
        guard var trade = trades[number] else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_NOT_EXIST") }
        guard trade.status == .waiting else {
            throw SimulatedAlipayRefusal("40004", trade.isPaid ? "ACQ.TRADE_HAS_SUCCESS" : "ACQ.TRADE_HAS_CLOSE")
        }
        (trade.status, trade.paidAt, trade.buyer) = (.success, now, buyer)
        trades[number] = trade
        tell(trade, at: now)
    }

    /// The time for refunds is over.
    mutating func finish(_ number: String, at now: Date) {
        guard var trade = trades[number], trade.status == .success else { return }
        trade.status = .finished
        trades[number] = trade
        tell(trade, at: now)
    }

    /// A refund that the seller makes on Alipay's own pages has a number of Alipay's choice.
    mutating func giveBack(
        _ amount: Int64,
        of number: String,
        as request: String,
        at now: Date
    ) throws(SimulatedAlipayRefusal) {
        _ = try refund(
            [
                "out_trade_no": .string(number), "out_request_no": .string(request),
                "refund_amount": .string(SimulatedAlipayTrade.yuan(amount)),
            ],
            at: now
        )
    }

    private mutating func open(
        _ content: JSON,
        _ parameters: [String: String],
        at now: Date
    ) throws(SimulatedAlipayRefusal) -> SimulatedAlipayTrade {
        guard let number = content["out_trade_no"]?.string, number.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil,
            let total = SimulatedAlipayTrade.minorUnits(content["total_amount"]?.text), total > 0,
            let subject = content["subject"]?.string, (1...256).contains(subject.count),
            content["seller_id"] == nil || content["seller_id"]?.string == sellerID
        else { throw SimulatedAlipayRefusal("40004", "ACQ.INVALID_PARAMETER") }
        if let known = trades[number] {
            guard known.isSame(total: total, subject: subject) else {
                throw SimulatedAlipayRefusal("40004", "ACQ.CONTEXT_INCONSISTENT")
            }
            guard !known.isPaid else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_HAS_SUCCESS") }
            guard known.status != .closed else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_HAS_CLOSE") }
            return known
        }
        count += 1
        let day = SimulatedAlipayTrade.time(now).prefix(10).replacing("-", with: "")
        let trade = SimulatedAlipayTrade(
            number: number,
            transactionID: "\(day)22001400020500" + String(format: "%06d", count),
            subject: subject,
            total: total,
            qr: "https://qr.alipay.com/bax" + String(format: "%08d", count),
            notifyURL: parameters["notify_url"],
            returnURL: parameters["return_url"],
            expiresAt: content["time_expire"]?.string.flatMap(SimulatedAlipayTrade.date)
                ?? now.addingTimeInterval(7_200)
        )
        trades[number] = trade
        return trade
    }

    private func find(_ content: JSON) throws(SimulatedAlipayRefusal) -> SimulatedAlipayTrade {
        let trade: SimulatedAlipayTrade? =
            if let transactionID = content["trade_no"]?.string {
                trades.values.first { $0.transactionID == transactionID }
            } else {
                trades[content["out_trade_no"]?.string ?? ""]
            }
        guard let trade else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_NOT_EXIST") }
        return trade
    }

    private func seen(_ content: JSON) throws(SimulatedAlipayRefusal) -> SimulatedAlipayTrade {
        let trade = try find(content)
        guard trade.status != .unseen else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_NOT_EXIST") }
        return trade
    }

    private mutating func close(
        _ content: JSON,
        _ method: String,
        at now: Date
    ) throws(SimulatedAlipayRefusal) -> JSON {
        var trade = try seen(content)
        let isCancel = method == "alipay.trade.cancel"
        if trade.isPaid {
            guard isCancel else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_STATUS_ERROR") }
            if trade.refunded < trade.total {
                try giveBack(trade.total - trade.refunded, of: trade.number, as: "cancel", at: now)
            }
        } else if trade.status == .waiting {
            trade.status = .closed
            trades[trade.number] = trade
        }
        var answer = named(trade)
        if isCancel { answer["retry_flag"] = "N" }
        return answer
    }

    private mutating func refund(_ content: JSON, at now: Date) throws(SimulatedAlipayRefusal) -> JSON {
        var trade = try seen(content)
        guard trade.isPaid else { throw SimulatedAlipayRefusal("40004", "ACQ.TRADE_STATUS_ERROR") }
        guard let amount = SimulatedAlipayTrade.minorUnits(content["refund_amount"]?.text), amount > 0 else {
            throw SimulatedAlipayRefusal("40004", "ACQ.INVALID_PARAMETER")
        }
        let request = content["out_request_no"]?.string
        if let known = trade.refunds.first(where: { $0.number == request }) {
            guard known.amount == amount else { throw SimulatedAlipayRefusal("40004", "ACQ.DISCORDANT_REPEAT_REQUEST") }
            return answer(trade, isChanged: false)
        }
        guard trade.status == .success else {
            throw SimulatedAlipayRefusal("40004", "ACQ.REASON_TRADE_STATUS_INVALID")
        }
        guard request != nil || amount == trade.total else {
            throw SimulatedAlipayRefusal("40004", "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL")
        }
        guard trade.refunded.plus(amount) <= trade.total else {
            throw SimulatedAlipayRefusal("40004", "ACQ.REASON_TRADE_REFUND_FEE_ERR")
        }
        trade.refunds.append(.init(number: request ?? trade.number, amount: amount, at: now))
        if trade.refunded == trade.total { trade.status = .closed }
        trades[trade.number] = trade
        tell(trade, at: now)
        return answer(trade, isChanged: true)
    }

    /// `refund_fee` is what was given back by all refunds.
    private func answer(_ trade: SimulatedAlipayTrade, isChanged: Bool) -> JSON {
        var json = named(trade)
        json["fund_change"] = isChanged ? "Y" : "N"
        json["refund_fee"] = .string(SimulatedAlipayTrade.yuan(trade.refunded))
        json["buyer_logon_id"] = "王***@example.com"
        if isChanged, let last = trade.refunds.last {
            json["gmt_refund_pay"] = .string(SimulatedAlipayTrade.time(last.at))
        }
        return json
    }

    private func refundStanding(_ content: JSON) throws(SimulatedAlipayRefusal) -> JSON {
        let trade = try seen(content)
        guard let refund = trade.refunds.first(where: { $0.number == content["out_request_no"]?.string }) else {
            return ["code": "10000", "msg": "Success"]
        }
        var json = named(trade)
        json["out_request_no"] = .string(refund.number)
        json["refund_status"] = "REFUND_SUCCESS"
        json["refund_amount"] = .string(SimulatedAlipayTrade.yuan(refund.amount))
        json["total_amount"] = .string(SimulatedAlipayTrade.yuan(trade.total))
        if case .array(let options)? = content["query_options"], options.contains("gmt_refund_pay") {
            json["gmt_refund_pay"] = .string(SimulatedAlipayTrade.time(refund.at))
        }
        return json
    }

    private func named(_ trade: SimulatedAlipayTrade) -> JSON {
        [
            "code": "10000", "msg": "Success", "trade_no": .string(trade.transactionID),
            "out_trade_no": .string(trade.number),
        ]
    }

    /// A trade that was opened and not paid in time is closed, and told so; one that nobody has seen is just gone.
    private mutating func expire(at now: Date) {
        for (number, trade) in trades where trade.status == .waiting && trade.expiresAt <= now {
            var closed = trade
            closed.status = .closed
            trades[number] = closed
            tell(closed, at: now)
        }
    }

    private mutating func tell(_ trade: SimulatedAlipayTrade, at now: Date) {
        guard let url = trade.notifyURL, !url.isEmpty else { return }
        count += 1
        let id =
            "\(SimulatedAlipayTrade.time(now).prefix(10).replacing("-", with: ""))0022206"
            + String(format: "%010d", count)
        notices.append(SimulatedAlipayNotice(id: id, url: url, trade: trade, appID: appID, sellerID: sellerID, at: now))
    }
}

/// Why the simulated Alipay does not do what it was asked for.
struct SimulatedAlipayRefusal: Error, Hashable {
    let code: String
    let subCode: String

    init(_ code: String, _ subCode: String) {
        (self.code, self.subCode) = (code, subCode)
    }
}

extension JSON {
    /// A text, also of a number: some clients send amounts so.
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .null, .bool, .array, .object: nil
        }
    }
}
