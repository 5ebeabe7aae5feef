import Foundation
import Gateways
import Synchronization

/// The endpoints that drive the simulator from another process: `/simulator/wechat/…`, on loopback, without a signature.
extension SimulatedWeChatPay {
    var desk: [SimulatedEndpoint] {
        payments + knobs + [
            SimulatedEndpoint("GET", "/simulator/wechat/notifications") { [self] _ in
                .json(.array(messages.map(\.json)))
            },
            SimulatedEndpoint("GET", "/simulator/wechat/orders") { [self] _ in
                let orders = state.withLock { $0.books.orders.values.sorted { $0.number < $1.number } }
                return .json(.array(orders.map(\.json)))
            },
        ]
    }

    private var payments: [SimulatedEndpoint] {
        [
            .desk("POST", "wechat/pay", ["out_trade_no", "openid"]) { [self] fields in
                let openID = try fields.optionalText("openid") ?? "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"
                let id = try pay(try fields.text("out_trade_no"), openID: openID)
                await deliverDue()
                return ["transaction_id": .string(id)]
            },
            // On WeChat Pay's own pages.
            .desk("POST", "wechat/refund", ["out_trade_no", "out_refund_no", "refund"]) { [self] fields in
                try refundByHand(
                    try fields.whole("refund", in: 1...DeskFields.mostFen),
                    of: try fields.text("out_trade_no"),
                    as: try fields.text("out_refund_no")
                )
                await deliverDue()
                return [:]
            },
            .desk("POST", "wechat/settle", ["out_refund_no", "status"]) { [self] fields in
                let status = try fields.choice("status", of: Self.outcomes)
                let number = try fields.text("out_refund_no")
                guard refund(number) != nil else { throw DeskRefusal("out_refund_no", "is no refund's number") }
                settle(number, as: status)
                await deliverDue()
                return [:]
            },
            // A payer's steps before the payment.
            .desk("POST", "wechat/state", ["out_trade_no", "trade_state"]) { [self] fields in
                let number = try fields.text("out_trade_no")
                guard let order = order(number) else { throw SimulatedWeChatRefusal.orderUnknown }
                guard !order.isPaid else { throw SimulatedWeChatRefusal.orderPaid }
                set(
                    number,
                    to: try fields.choice("trade_state", of: ["NOTPAY", "USERPAYING", "PAYERROR", "REVOKED", "CLOSED"])
                )
                return [:]
            },
        ]
    }

    private var knobs: [SimulatedEndpoint] {
        [
            // From now on refunds end so; without seconds they stay PROCESSING.
            .desk("POST", "wechat/refunds", ["status", "seconds"]) { [self] fields in
                let seconds = try fields.optionalWhole("seconds", in: 0...31_536_000)
                let status = try fields.has("status") ? fields.choice("status", of: Self.outcomes) : "SUCCESS"
                setRefunds(endingAs: status, after: seconds.map { TimeInterval($0) })
                return [:]
            },
            .desk("POST", "wechat/rotate") { [self] _ in
                try rotate()
                return ["serial_no": .string(certificates.last?.serial ?? "")]
            },
            .desk("POST", "wechat/mode", ["mode"]) { [self] fields in
                switch try fields.choice("mode", of: ["certificates", "publicKey", "both"]) {
                case "certificates": setMode(.certificates)
                case "publicKey": setMode(.publicKey)
                default: setMode(.both)
                }
                return [:]
            },
            // In fen; without one there is enough.
            .desk("POST", "wechat/balance", ["fen"]) { [self] fields in
                setBalance(try fields.optionalWhole("fen", in: 0...100_000_000_000))
                return [:]
            },
            .desk("POST", "wechat/answers", ["mood", "path", "times", "seconds"]) { [self] fields in
                let mood = try SimulatedWeChatMood(fields, isOfAnswer: true)
                be(mood, at: try fields.optionalText("path") ?? "", times: try fields.times)
                return [:]
            },
            .desk("POST", "wechat/spoil", ["mood", "times", "seconds"]) { [self] fields in
                let mood = try SimulatedWeChatMood(fields, isOfAnswer: false)
                for _ in 0..<(try fields.times) { spoil(mood) }
                return [:]
            },
            // Before anything is done.
            .desk("POST", "wechat/refusals", ["status", "code", "message", "path", "times"]) { [self] fields in
                let refusal = SimulatedWeChatRefusal(
                    Int(clamping: try fields.whole("status", in: 400...599)),
                    try fields.text("code"),
                    try fields.optionalText("message") ?? "模拟"
                )
                refuse(refusal, at: try fields.optionalText("path") ?? "", times: try fields.times)
                return [:]
            },
            .desk("PUT", "wechat/bills", ["hidden", "amounts", "strays", "torn", "misdelivered"]) { [self] fields in
                var knobs = SimulatedWeChatBillKnobs()
                let now = clock.now
                knobs.hidden = Set(try fields.list("hidden"))
                for amount in try fields.amounts("amounts") { knobs.amounts[amount.number] = amount.fen }
                knobs.strays = try fields.amounts("strays").map { ($0.number, $0.fen, now) }
                knobs.isTorn = try fields.flag("torn")
                let isSpoiled = try fields.flag("misdelivered")
                set(knobs)
                misdeliverBills(isSpoiled)
                return [:]
            },
        ]
    }

    private static let outcomes = ["SUCCESS", "CLOSED", "ABNORMAL", "PROCESSING"]
}

extension SimulatedWeChatMood {
    /// By its name in `mood`, with the `seconds` that it may need.
    fileprivate init(_ fields: DeskFields, isOfAnswer: Bool) throws(DeskRefusal) {
        let name = try fields.choice("mood", of: isOfAnswer ? Self.ofAnswers : Self.ofAnswers + Self.ofMessages)
        switch name {
        case "stale": self = .stale(TimeInterval(try fields.whole("seconds", in: -86_400...86_400)))
        case "delayed": self = .delayed(TimeInterval(try fields.whole("seconds", in: 1...86_400)))
        case "probe": self = .probe
        case "unknownSerial": self = .unknownSerial
        case "otherKey": self = .otherKey
        case "unsigned": self = .unsigned
        case "tampered": self = .tampered
        case "dropped": self = .dropped
        case "twice": self = .twice
        case "wrongAssociatedData": self = .wrongAssociatedData
        case "truncatedCiphertext": self = .truncatedCiphertext
        case "otherMerchant": self = .otherMerchant
        case "otherApp": self = .otherApp
        default: self = .otherAmount
        }
    }

    private static let ofAnswers = ["probe", "stale", "unknownSerial", "otherKey", "unsigned", "tampered"]
    private static let ofMessages = [
        "dropped", "twice", "delayed", "wrongAssociatedData", "truncatedCiphertext", "otherMerchant", "otherApp",
        "otherAmount",
    ]
}

extension SimulatedWeChatMessage {
    fileprivate var json: JSON {
        [
            "id": .string(id), "event_type": .string(type),
            "attempts": .array(
                attempts.map { attempt in
                    [
                        "date": .string(SimulatedWeChatTime.text(attempt.date)),
                        "status": attempt.status.map { .integer(Int64($0)) } ?? .null,
                    ]
                }
            ),
        ]
    }
}

extension SimulatedWeChatOrder {
    fileprivate var json: JSON {
        [
            "out_trade_no": .string(number), "trade_state": .string(state), "trade_type": .string(kind),
            "total": .integer(total), "transaction_id": transactionID.map { .string($0) } ?? .null,
        ]
    }
}
