import Foundation
import Gateways
import Synchronization

/// The endpoints that drive the simulator from another process: `/simulator/alipay/…`, on loopback, without a signature.
extension SimulatedAlipay {
    var desk: [SimulatedEndpoint] {
        [
            control("scan") { alipay, order, _ in alipay.scan(order) },
            control("pay", ["openId", "userId"]) { alipay, order, fields in
                guard let openID = try fields.optionalText("openId") else { return alipay.pay(order) }
                return alipay.pay(
                    order,
                    by: SimulatedAlipayAccount(openID: openID, userID: try fields.optionalText("userId"))
                )
            },
            // On Alipay's own pages.
            control("refund", ["amount", "request"]) { alipay, order, fields in
                guard let amount = SimulatedAlipayTrade.minorUnits(try fields.text("amount")), amount > 0 else {
                    throw DeskRefusal("amount", "is an amount in yuan such as 6.00")
                }
                return alipay.giveBack(amount, of: order, as: try fields.optionalText("request") ?? UUID().uuidString)
            },
            control("finish") { alipay, order, _ in
                alipay.finish(order)
                return true
            },
            .desk("POST", "alipay/deliver") { [self] _ in
                await deliverDue()
                return [:]
            },
            .desk("PUT", "alipay/knobs", SimulatedAlipayKnobs.names) { [self] fields in
                set(try SimulatedAlipayKnobs(fields))
                return [:]
            },
            .desk("POST", "alipay/answers", ["mood", "method", "code", "subCode", "signed", "times"]) { [self] fields in
                let mood = try SimulatedAlipayMood(fields)
                be(mood, at: try fields.text("method"), times: try fields.times)
                return [:]
            },
            .desk("PUT", "alipay/bills", ["hidden", "amounts", "strays", "torn"]) { [self] fields in
                var knobs = SimulatedAlipayBillKnobs()
                let moment = now()
                knobs.hidden = Set(try fields.list("hidden"))
                for amount in try fields.amounts("amounts") { knobs.amounts[amount.number] = amount.fen }
                knobs.strays = try fields.amounts("strays").map { ($0.number, $0.fen, moment) }
                knobs.isTorn = try fields.flag("torn")
                set(knobs)
                return [:]
            },
            SimulatedEndpoint("GET", "/simulator/alipay/orders") { [self] _ in
                let trades = state.withLock { $0.books.trades.values.sorted { $0.number < $1.number } }
                return .json(.array(trades.map(\.deskJSON)))
            },
        ]
    }

    /// `order` is our number or the QR code; notifications that are due by it are sent before the answer.
    private func control(
        _ name: String,
        _ names: Set<String> = [],
        _ act: @escaping @Sendable (SimulatedAlipay, _ order: String, DeskFields) throws -> Bool
    ) -> SimulatedEndpoint {
        .desk("POST", "alipay/\(name)", names.union(["order"])) { [self] fields in
            let order = try fields.text("order")
            let number = state.withLock { $0.number(order) }
            guard state.withLock({ $0.books.trades[number] != nil }) else {
                throw DeskRefusal("order", "is no order's number or code")
            }
            guard try act(self, order, fields) else {
                throw DeskRefusal("order", "stands so that this cannot be done with it")
            }
            await deliverDue()
            return ["returnQuery": returnQuery(of: number).map(JSON.string) ?? .null]
        }
    }
}

extension SimulatedAlipayTrade {
    fileprivate var deskJSON: JSON {
        [
            "order": .string(number), "trade_no": .string(transactionID), "status": .string(status.rawValue),
            "total": .string(Self.yuan(total)), "refunded": .string(Self.yuan(refunded)), "code": .string(qr),
        ]
    }
}

extension SimulatedAlipayKnobs {
    fileprivate static let names: Set<String> = [
        "copies", "dropping", "reversed", "gbk", "forged", "unknown", "signsEmpty",
    ]

    /// A knob that is left out is off.
    fileprivate init(_ fields: DeskFields) throws(DeskRefusal) {
        self.init()
        copies = Int(clamping: try fields.optionalWhole("copies", in: 1...100) ?? 1)
        isDropping = try fields.flag("dropping")
        isReversed = try fields.flag("reversed")
        isGBK = try fields.flag("gbk")
        isForged = try fields.flag("forged")
        hasUnknown = try fields.flag("unknown")
        signsEmpty = try fields.optionalFlag("signsEmpty")
    }
}

extension SimulatedAlipayMood {
    /// By its name in `mood`, with the codes that a refusal needs.
    fileprivate init(_ fields: DeskFields) throws(DeskRefusal) {
        let name = try fields.choice("mood", of: Self.names)
        switch name {
        case "refusal":
            self = .refusal(
                code: try fields.text("code"),
                subCode: try fields.text("subCode"),
                signed: try fields.flag("signed")
            )
        case "answer": self = .answer(code: try fields.text("code"), subCode: try fields.text("subCode"))
        case "answerAfterEffect":
            self = .answerAfterEffect(code: try fields.text("code"), subCode: try fields.text("subCode"))
        case "fundUnchanged": self = .fundUnchanged
        case "otherCertificate": self = .otherCertificate
        case "signFirst": self = .signFirst
        case "tampered": self = .tampered
        case "otherKey": self = .otherKey
        case "unsigned": self = .unsigned
        case "twice": self = .twice
        default: self = .gbk
        }
    }

    private static let names = [
        "refusal", "answer", "answerAfterEffect", "fundUnchanged", "otherCertificate", "signFirst", "tampered",
        "otherKey", "unsigned", "twice", "gbk",
    ]
}
