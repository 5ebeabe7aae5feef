package import Billing
import Foundation

extension AlipayPay: RefundServer {
    package func refund(_ refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding {
        guard refund.amount.currency == AlipayAmount.currency, refund.amount.minorUnits > 0 else {
            throw Self.wrong("Alipay gives back yuan, and no other currency.")
        }
        var content: JSON = [
            "out_trade_no": .string(try Self.checked(refund.orderNumber)), "trade_no": .string(refund.transactionID),
            "out_request_no": .string(try Self.checked(refund.number)),
        ]
        content["refund_amount"] = .string(refund.amount.decimalText)
        content["refund_reason"] = .string(String(Self.subject(refund.reason).prefix(128)))
        let reply = try await ask(.refund, content)
        switch reply.verdict {
        case .done:
            let fields = try reply.fields
            let isPaid = try StoreFailure.reading { () throws(GatewayError) in
                try Self.require(fields, of: refund)
                return try fields.string("fund_change") == "Y"
            }
            // The answer's amount is the sum of all refunds of the payment, so the one that was asked for is taken.
            guard !isPaid else {
                return StoreRefundStanding(
                    .succeeded,
                    amount: refund.amount,
                    succeededAt: Self.date(fields, "gmt_refund_pay"),
                    receiver: Self.receiver(fields)
                )
            }
            // Asked before, or not moved yet: the query knows.
            return try await standing(of: refund) ?? StoreRefundStanding(.processing, amount: refund.amount)
        case .queryFirst, .final:
            // The refund under this number decides: a no to this attempt is none to an earlier one whose answer was lost. The payment's
            // state says nothing of it: TRADE_CLOSED is also what this very refund leaves, before the query has it.
            if let known = try await standing(of: refund) { return known }
            throw reply.failure
        case .paying, .unknownOutcome, .later, .notThere, .setting, .noBill, .unlisted: throw reply.failure
        }
    }

    /// A refund by Alipay's account, whoever asked for it: of what its notification says only the numbers count. Of one without a number,
    /// which no query can be about, Alipay has to know the payment, and says not how much was given back.
    ///
    /// - Parameter payment: the payment that is given back, as the notification tells it.
    /// - Throws: `.refused` where Alipay's account is another than its notification: people have to look at it. `.unanswered` while Alipay
    ///   does not know yet that the refund is paid.
    func confirmed(
        _ notice: StoreRefundNotice,
        of payment: StorePayment
    ) async throws(StoreFailure) -> StoreRefundNotice {
        guard let number = notice.number else {
            switch try await standing(of: notice.orderNumber) {
            case .paid(let known), .closed(let known?):
                guard known.transactionID == notice.transactionID else {
                    throw Self.contradiction(
                        "\(notice.transactionID) was given back; Alipay knows \(known.transactionID)."
                    )
                }
                return notice
            case .closed(nil), .unknown, .open, .paying: throw Self.unknownRefund
            }
        }
        let refund = StoreRefund(
            number: number,
            orderNumber: notice.orderNumber,
            transactionID: notice.transactionID,
            amount: payment.amount,
            total: payment.amount,
            reason: ""
        )
        guard let known = try await standing(of: refund), known.state == .succeeded else { throw Self.unknownRefund }
        guard let amount = known.amount?.minorUnits, amount > 0, amount <= payment.amount.minorUnits else {
            throw Self.contradiction("Alipay gave more of \(notice.transactionID) back than was paid, or nothing.")
        }
        var confirmed = notice
        confirmed.standing = known
        confirmed.standing.succeededAt = known.succeededAt ?? notice.standing.succeededAt
        return confirmed
    }

    private static var unknownRefund: StoreFailure {
        .unanswered(GatewayError(.malformed, "Alipay does not know yet of the refund that its notification told of."))
    }

    private static func contradiction(_ message: String) -> StoreFailure {
        .refused(StoreRefusal(GatewayError(.malformed, message)))
    }

    package func standing(of refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding? {
        let asked = try StoreFailure.reading { () throws(GatewayError) in
            try AlipayText.id(refund.number, "out_request_no")
        }
        // A refund that is made on Alipay's own pages need not bear a number of ours.
        var content: JSON = [
            "out_trade_no": .string(try Self.checked(refund.orderNumber)), "trade_no": .string(refund.transactionID),
            "out_request_no": .string(asked),
        ]
        content["query_options"] = ["gmt_refund_pay"]
        let reply = try await ask(.refundQuery, content)
        if reply.verdict == .notThere { return nil }
        let fields = try reply.fields
        return try StoreFailure.reading { () throws(GatewayError) in
            switch try fields.string("refund_status") {
            // Alipay leaves it out of a refund that it does not know, or has not paid.
            case nil: return nil
            case "REFUND_SUCCESS":
                try Self.require(fields, of: refund)
                try Self.require(fields, "out_request_no", refund.number)
                return StoreRefundStanding(
                    .succeeded,
                    amount: try AlipayAmount.money(try fields.required("refund_amount"), of: "refund_amount"),
                    succeededAt: Self.date(fields, "gmt_refund_pay"),
                    receiver: Self.receiver(fields)
                )
            case "REFUND_PROCESSING":
                try Self.require(fields, of: refund)
                return StoreRefundStanding(.processing)
            case _?:
                throw GatewayError(
                    .malformed,
                    "Alipay tells of a state of the refund that is not known here.",
                    field: "refund_status"
                )
            }
        }
    }

    private static func require(_ fields: JSONFields, of refund: StoreRefund) throws(GatewayError) {
        try require(fields, "out_trade_no", refund.orderNumber)
        try require(fields, "trade_no", refund.transactionID)
    }

    private static func date(_ fields: JSONFields, _ name: StaticString) -> Date? {
        AlipayTime.date(fields.unneeded { (fields) throws(GatewayError) in try fields.string(name) })
    }

    private static func receiver(_ fields: JSONFields) -> String? {
        AlipayText.channels(fields.value("refund_detail_item_list"))
    }
}
