package import Billing
import Foundation
package import Gateways
import Synchronization

/// The doings of people, banks and time at the simulated Google Play. Each tells of itself, as Google does.
extension SimulatedGoogle {
    /// Somebody subscribes.
    ///
    /// - Parameters:
    ///   - account: the app's account token.
    ///   - trial: days that are free at the beginning.
    ///   - linked: the token whose place it takes.
    /// - Returns: the purchase token.
    @discardableResult
    package func buy(
        _ plan: SimulatedPlan,
        account: String? = nil,
        trial: Int = 0,
        addOns: [SimulatedPlan] = [],
        linked: String? = nil,
        isPrepaid: Bool = false,
        isTest: Bool = false,
        isPending: Bool = false,
        expired: String? = nil
    ) -> String {
        let now = clock.now
        let token: String = state.withLock { state in
            let number = state.next()
            let token = "tok/\(number).AO-J1O\(String(repeating: "x", count: 100))"
            var purchase = SimulatedGooglePurchase(token: token, state: "ACTIVE", plan: plan)
            purchase.addOns = addOns
            purchase.accountID = account
            purchase.isTest = isTest
            purchase.isPrepaid = isPrepaid
            purchase.linkedToken = linked
            purchase.expiredToken = expired
            purchase.isTrial = trial > 0
            purchase.renews = !isPrepaid
            if isPending {
                purchase.state = "PENDING"
            } else {
                purchase.startedAt = now
                let length = trial > 0 ? trial : plan.length
                Self.charge(
                    &purchase,
                    "GPA.3345-1234-5678-\(10_000 + number)",
                    from: now,
                    days: length,
                    phase: trial > 0 ? "freeTrialDetails" : "baseDetails",
                    isFree: trial > 0,
                    in: &state
                )
            }
            state.purchases[token] = purchase
            return token
        }
        tell(.purchased, token)
        return token
    }

    /// The app itself tells Google that it delivered what was bought.
    package func acknowledge(_ token: String) {
        change(token) { purchase, _ in purchase.isAcknowledged = true }
    }

    /// A payment that was slow came.
    package func pay(_ token: String) {
        let now = clock.now
        change(token) { purchase, state in
            purchase.state = "ACTIVE"
            purchase.startedAt = now
            let order = "GPA.3345-1234-5678-\(10_000 + state.next())"
            Self.charge(&purchase, order, from: now, days: purchase.plan.length, in: &state)
        }
        tell(.purchased, token)
    }

    /// The first payment never comes.
    package func abandon(_ token: String) {
        change(token) { purchase, _ in purchase.state = "PENDING_PURCHASE_CANCELED" }
        tell(.pendingPurchaseCanceled, token)
    }

    /// The next period is paid; also after a failed charge and after a pause.
    package func renew(_ token: String) {
        let now = clock.now
        var change = GoogleSubscriptionChange.renewed
        self.change(token) { purchase, state in
            let isLate = purchase.state != "ACTIVE"
            if purchase.state == "IN_GRACE_PERIOD" || purchase.state == "ON_HOLD" { change = .recovered }
            purchase.state = "ACTIVE"
            purchase.isTrial = false
            purchase.resumesAt = nil
            if let next = purchase.pendingPlan {
                (purchase.plan, purchase.pendingPlan) = (next, nil)
            }
            if let price = purchase.newPrice {
                purchase.plan.price = price.price
                purchase.newPrice = nil
            }
            let start = isLate ? now : purchase.expiresAt ?? now
            let first = purchase.orders.first ?? "GPA.3345-1234-5678-\(10_000 + state.next())"
            let order = "\(first)..\(purchase.orders.count - 1)"
            Self.charge(&purchase, order, from: start, days: purchase.plan.length, in: &state)
        }
        tell(change, token)
    }

    /// A charge fails; access goes on for some days.
    package func failCharge(_ token: String, grace days: Int) {
        let now = clock.now
        change(token) { purchase, _ in
            purchase.state = "IN_GRACE_PERIOD"
            purchase.expiresAt = (purchase.expiresAt ?? now).addingTimeInterval(TimeInterval(days) * 86_400)
        }
        tell(.inGracePeriod, token)
    }

    /// A charge fails, or goes on failing; no access.
    package func hold(_ token: String) {
        change(token) { purchase, _ in purchase.state = "ON_HOLD" }
        tell(.onHold, token)
    }

    package func cancel(_ token: String, by who: String = "userInitiatedCancellation") {
        change(token) { purchase, _ in
            purchase.state = "CANCELED"
            purchase.renews = false
            purchase.cancellation = who
        }
        tell(.canceled, token)
    }

    /// Renewal is turned on again.
    package func restart(_ token: String) {
        change(token) { purchase, _ in
            purchase.state = "ACTIVE"
            purchase.renews = true
            purchase.cancellation = nil
        }
        tell(.restarted, token)
    }

    package func pause(_ token: String, days: Int) {
        let now = clock.now
        change(token) { purchase, _ in
            purchase.state = "PAUSED"
            purchase.resumesAt = now.addingTimeInterval(TimeInterval(days) * 86_400)
        }
        tell(.paused, token)
    }

    /// A pause is planned for the end of the period.
    package func planPause(_ token: String) { tell(.pauseScheduleChanged, token) }

    package func expire(_ token: String) {
        change(token) { purchase, _ in
            if purchase.cancellation == nil { purchase.cancellation = "systemInitiatedCancellation" }
            purchase.state = "EXPIRED"
            purchase.renews = false
        }
        tell(.expired, token)
    }

    /// Another plan from now on: a new token takes the old one's place, and pays the plan's price for its time.
    package func change(_ token: String, to plan: SimulatedPlan) -> String {
        let old = purchase(token)
        let new = buy(plan, account: old?.accountID, linked: token)
        change(token) { purchase, _ in
            purchase.state = "EXPIRED"
            purchase.renews = false
            purchase.cancellation = "replacementCancellation"
        }
        tell(.expired, token)
        return new
    }

    /// Another plan from the next period on: a new token takes the old one's place at once, and what is paid for stays.
    ///
    /// - Parameter movesOrders: whether the orders so far name the new token from now on.
    package func changeLater(_ token: String, to plan: SimulatedPlan, movesOrders: Bool = true) -> String {
        let now = clock.now
        let new: String = state.withLock { state in
            guard let old = state.purchases[token] else { return token }
            var purchase = old
            purchase.token = "tok/\(state.next()).AO-J1O\(String(repeating: "y", count: 100))"
            purchase.linkedToken = token
            purchase.startedAt = now
            purchase.isAcknowledged = false
            purchase.pendingPlan = plan
            state.purchases[purchase.token] = purchase
            for order in purchase.orders where movesOrders { state.orders[order]?.token = purchase.token }
            state.purchases[token]?.state = "EXPIRED"
            state.purchases[token]?.renews = false
            state.purchases[token]?.cancellation = "replacementCancellation"
            return purchase.token
        }
        tell(.purchased, new)
        return new
    }

    /// The add-ons are not renewed.
    package func dropAddOns(_ token: String) {
        change(token) { purchase, _ in purchase.addOns = [] }
        tell(.itemsChanged, token)
    }

    /// The main item is not renewed, and its add-ons are.
    package func dropMain(_ token: String) {
        change(token) { purchase, _ in
            if !purchase.addOns.isEmpty { purchase.plan = purchase.addOns.removeFirst() }
        }
        tell(.itemsChanged, token)
    }

    /// The next charge is put off by so many days.
    package func postpone(_ token: String, days: Int) {
        change(token) { purchase, _ in
            purchase.expiresAt = purchase.expiresAt?.addingTimeInterval(TimeInterval(days) * 86_400)
        }
        tell(.deferred, token)
    }

    /// A higher price that the customer has to agree to, and then agrees to.
    package func raisePrice(_ token: String, to price: Money, isConfirmed: Bool) {
        change(token) { purchase, _ in purchase.newPrice = (price, isConfirmed ? "CONFIRMED" : "OUTSTANDING") }
        tell(.priceChangeUpdated, token)
    }

    package func sendTest() { tell("testNotification", ["version": "1.0"]) }

    /// Something that does not renew.
    @discardableResult
    package func buyOnce(
        _ product: String,
        _ price: Money,
        account: String? = nil,
        pieces: Int64 = 1,
        isPending: Bool = false
    ) -> String {
        let now = clock.now
        let token: String = state.withLock { state in
            let number = state.next()
            let token = "once.\(number).\(String(repeating: "z", count: 100))"
            let plan = SimulatedPlan(product, "buy", price, days: 0)
            var purchase = SimulatedGooglePurchase(token: token, state: isPending ? "PENDING" : "PURCHASED", plan: plan)
            purchase.isSubscription = false
            purchase.accountID = account
            (purchase.pieces, purchase.refundable) = (pieces, pieces)
            if !isPending {
                purchase.startedAt = now
                let id = "GPA.3345-9876-5678-\(10_000 + number)"
                purchase.orders = [id]
                state.orders[id] = SimulatedGoogleOrder(
                    id: id,
                    token: token,
                    createdAt: now,
                    lines: [
                        SimulatedGoogleOrder.Line(productID: product, total: price, start: now, quantity: pieces)
                    ]
                )
            }
            state.purchases[token] = purchase
            return token
        }
        tellOnce(1, token, product)
        return token
    }

    /// A slow payment of it never comes.
    package func abandonOnce(_ token: String) {
        change(token) { purchase, _ in purchase.state = "CANCELLED" }
        tellOnce(2, token, purchase(token)?.plan.productID ?? "")
    }

    private func tellOnce(_ type: Int64, _ token: String, _ product: String) {
        tell(
            "oneTimeProductNotification",
            [
                "version": "1.0", "notificationType": .integer(type), "purchaseToken": .string(token),
                "sku": .string(product),
            ]
        )
    }

    /// Tells of a subscription with that number, whatever happened to it.
    package func tell(_ word: GoogleSubscriptionChange, _ token: String) {
        let product = purchase(token)?.plan.productID ?? ""
        tell(
            "subscriptionNotification",
            [
                "version": "1.0", "notificationType": .integer(word.rawValue), "purchaseToken": .string(token),
                "subscriptionId": .string(product),
            ]
        )
    }

    func change(_ token: String, _ body: (inout SimulatedGooglePurchase, inout State) -> Void) {
        state.withLock { state in
            guard var purchase = state.purchases[token] else { return }
            body(&purchase, &state)
            purchase.version += 1
            state.purchases[token] = purchase
        }
    }

    static func giveBack(_ order: String, at moment: Date, in state: inout State) {
        guard state.orders[order]?.state != "REFUNDED" else { return }
        state.orders[order]?.state = "REFUNDED"
        state.orders[order]?.refundedAt = moment
    }

    private static func charge(
        _ purchase: inout SimulatedGooglePurchase,
        _ id: String,
        from start: Date,
        days: Int,
        phase: String = "baseDetails",
        isFree: Bool = false,
        in state: inout State
    ) {
        let end = start.addingTimeInterval(TimeInterval(days) * 86_400)
        purchase.orders.append(id)
        purchase.expiresAt = end
        state.orders[id] = SimulatedGoogleOrder(
            id: id,
            token: purchase.token,
            createdAt: start,
            lines: ([purchase.plan] + purchase.addOns).map { plan in
                SimulatedGoogleOrder.Line(
                    productID: plan.productID,
                    basePlanID: plan.basePlanID,
                    total: isFree ? Money(minorUnits: 0, currency: plan.price.currency) : plan.price,
                    start: start,
                    end: end,
                    phase: phase
                )
            }
        )
    }
}
