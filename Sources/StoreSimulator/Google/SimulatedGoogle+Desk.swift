import Billing
import Foundation
import Gateways
import Synchronization

/// The endpoints that drive the simulator from another process: `/simulator/google/…`, on loopback, without a token.
extension SimulatedGoogle {
    var desk: [SimulatedEndpoint] {
        purchases + knobs + faults.desk + SimulatedStoreServer.desk(clock) { [self] in await deliverDue() }
    }

    private var purchases: [SimulatedEndpoint] {
        [
            .desk("POST", "google/purchases", Self.members) { [self] fields in
                let token = try bought(fields)
                await deliverDue()
                return described(token)
            },
            .desk("POST", "google/lives", Self.members.union(["token", "what"])) { [self] fields in
                let token = try fields.text("token")
                guard purchase(token)?.isSubscription == true else {
                    throw DeskRefusal("token", "is no subscription's purchase token")
                }
                let new = try live(try fields.choice("what", of: Self.lives), token, fields)
                await deliverDue()
                return described(new)
            },
            .desk("POST", "google/orders", ["order", "what", "amount", "currency", "refundToken"]) { [self] fields in
                let id = try fields.text("order")
                guard let order = order(id) else { throw DeskRefusal("order", "is no order's number") }
                let what = try fields.choice("what", of: ["refund", "revoke", "refundPart", "chargeBack", "review"])
                guard what == "review" || order.state == "PROCESSED" else {
                    throw DeskRefusal("order", "was given back already")
                }
                switch what {
                case "refund", "revoke": refund(id, revoking: what == "revoke")
                case "refundPart":
                    let amount = try fields.money("amount")
                    guard amount.currency == order.total.currency, amount.minorUnits < order.total.minorUnits else {
                        throw DeskRefusal("amount", "is less than \(order.total)")
                    }
                    refundPart(id, amount)
                case "chargeBack": chargeBack(id)
                default: askAboutRefund(id, token: try fields.optionalText("refundToken") ?? "review-\(id)")
                }
                await deliverDue()
                return ["order": .string(id), "state": .string(self.order(id)?.state ?? "")]
            },
            SimulatedEndpoint("GET", "/simulator/google/purchases") { [self] _ in
                let tokens = state.withLock { $0.purchases.keys.sorted() }
                return .json(.array(tokens.map(described)))
            },
            SimulatedEndpoint("GET", "/simulator/google/notifications") { [self] _ in
                .json(.array(pushes.map(\.deskJSON)))
            },
            SimulatedEndpoint("GET", "/simulator/google/reviews") { [self] _ in
                .json(.array(reviews.map { ["order": .string($0.order), "answer": $0.body] }))
            },
        ]
    }

    private var knobs: [SimulatedEndpoint] {
        [
            .desk("POST", "google/answers", ["mood", "path", "times", "members"]) { [self] fields in
                let mood = try SimulatedGoogleMood(fields)
                be(mood, at: try fields.optionalText("path") ?? "", times: try fields.times)
                return [:]
            },
            .desk("POST", "google/spoil", ["mood", "times"]) { [self] fields in
                let name = try fields.choice("mood", of: SimulatedPushMood.allCases.map(\.rawValue))
                guard let mood = SimulatedPushMood(rawValue: name) else { throw DeskRefusal("mood", "is not known") }
                for _ in 0..<(try fields.times) { spoil(mood) }
                return [:]
            },
            .desk("POST", "google/messages", ["what"]) { [self] fields in
                if try fields.choice("what", of: ["test", "poison"]) == "test" { sendTest() } else { publishPoison() }
                await deliverDue()
                return [:]
            },
        ]
    }

    private func bought(_ fields: DeskFields) throws(DeskRefusal) -> String {
        let account = try fields.optionalText("account")
        let isPending = try fields.flag("pending")
        guard try !fields.flag("once") else {
            return buyOnce(
                try fields.text("product"),
                try fields.money("price"),
                account: account,
                isPending: isPending
            )
        }
        let linked = try fields.optionalText("linked")
        guard linked.map({ purchase($0) != nil }) ?? true else {
            throw DeskRefusal("linked", "is no purchase token")
        }
        return buy(
            try plan(fields),
            account: account,
            trial: Int(clamping: try fields.optionalWhole("trial", in: 1...365) ?? 0),
            linked: linked,
            isPrepaid: try fields.flag("prepaid"),
            isTest: try fields.flag("test"),
            isPending: isPending
        )
    }

    private func plan(_ fields: DeskFields) throws(DeskRefusal) -> SimulatedPlan {
        SimulatedPlan(
            try fields.text("product"),
            try fields.text("basePlan"),
            try fields.money("price"),
            days: Int(clamping: try fields.optionalWhole("days", in: 1...3_650) ?? 30)
        )
    }

    /// - Returns: the token that counts from now on.
    private func live(_ what: String, _ token: String, _ fields: DeskFields) throws(DeskRefusal) -> String {
        switch what {
        case "pay", "abandon":
            guard purchase(token)?.state == "PENDING" else { throw DeskRefusal("token", "does not wait for a payment") }
            if what == "pay" { pay(token) } else { abandon(token) }
        case "renew": renew(token)
        case "grace": failCharge(token, grace: Int(clamping: try fields.optionalWhole("days", in: 1...30) ?? 7))
        case "hold": hold(token)
        case "cancel": cancel(token)
        case "restart": restart(token)
        case "pause": pause(token, days: Int(clamping: try fields.optionalWhole("days", in: 1...365) ?? 30))
        case "planPause": planPause(token)
        case "expire": expire(token)
        case "revoke": revoke(token)
        case "dropAddOns": dropAddOns(token)
        case "change": return change(token, to: try plan(fields))
        case "changeLater": return changeLater(token, to: try plan(fields))
        default: raisePrice(token, to: try fields.money("price"), isConfirmed: what == "priceConfirmed")
        }
        return token
    }

    private func described(_ token: String) -> JSON {
        guard let purchase = purchase(token) else { return ["token": .string(token)] }
        return [
            "token": .string(token), "state": .string(purchase.state), "product": .string(purchase.plan.productID),
            "orders": .array(purchase.orders.map { .string($0) }), "acknowledged": .bool(purchase.isAcknowledged),
            "expires": purchase.expiresAt.map { .google($0) } ?? .null,
        ]
    }

    private static let members: Set<String> = [
        "product", "basePlan", "price", "currency", "days", "account", "trial", "linked", "prepaid", "test", "pending",
        "once",
    ]
    private static let lives = [
        "pay", "abandon", "renew", "grace", "hold", "cancel", "restart", "pause", "planPause", "expire", "revoke",
        "dropAddOns", "change", "changeLater", "price", "priceConfirmed",
    ]
}

extension SimulatedPush {
    fileprivate var deskJSON: JSON {
        [
            "id": .string(id), "notification": notification, "attempts": .integer(Int64(attempts)),
            "delivered": .bool(isDelivered),
        ]
    }
}

extension SimulatedGoogleMood {
    /// By its name in `mood`, with the `members` that it leaves out.
    fileprivate init(_ fields: DeskFields) throws(DeskRefusal) {
        let name = try fields.choice("mood", of: Self.names)
        switch name {
        case "gone": self = .gone
        case "unknown": self = .unknown
        case "quota": self = .quota
        case "forbidden": self = .forbidden
        case "unauthorized": self = .unauthorized
        case "conflict": self = .conflict
        case "hangUpAfterEffect": self = .hangUpAfterEffect
        default:
            let members = try fields.list("members")
            guard !members.isEmpty else {
                throw DeskRefusal("members", "is a list such as autoRenewEnabled, linkedPurchaseToken")
            }
            self = .leavingOut(Set(members))
        }
    }

    private static let names = [
        "gone", "unknown", "quota", "forbidden", "unauthorized", "conflict", "hangUpAfterEffect", "leavingOut",
    ]
}
