package import Billing
import Foundation
import Gateways
import Synchronization

/// The refunds of the simulated Google Play, and the messages about them.
extension SimulatedGoogle {
    /// Access is taken away, and the last charge given back, in full or not at all.
    package func revoke(_ token: String, refunding: Bool = true) {
        let now = clock.now
        var order: String?
        change(token) { purchase, state in
            purchase.state = "EXPIRED"
            purchase.renews = false
            purchase.cancellation = "developerInitiatedCancellation"
            purchase.expiresAt = now
            order = refunding ? purchase.orders.last : nil
            if let order { Self.giveBack(order, at: now, in: &state) }
        }
        tell(.revoked, token)
        if let order { void(order) }
    }

    /// A developer gives an order's money back. Without revoking Google tells nobody.
    package func refund(_ order: String, revoking: Bool) {
        guard let token = self.order(order)?.token else { return }
        let now = clock.now
        guard !revoking else { return revoke(token) }
        state.withLock { Self.giveBack(order, at: now, in: &$0) }
    }

    /// A part of an order's money is given back.
    package func refundPart(_ order: String, _ amount: Money) {
        let now = clock.now
        state.withLock { state in
            state.orders[order]?.state = "PARTIALLY_REFUNDED"
            state.orders[order]?.refundedAt = now
            state.orders[order]?.refunded = amount
        }
    }

    /// Some of several pieces of an order are given back. The order itself says nothing of it before `refundPart`.
    package func voidPieces(_ id: String, _ pieces: Int64) {
        guard let order = order(id) else { return }
        let now = clock.now
        change(order.token) { purchase, state in
            purchase.refundable = max(0, purchase.refundable - min(max(0, pieces), purchase.refundable))
            state.voided.append((order: id, token: order.token, at: now, pieces: pieces))
        }
        tell(
            "voidedPurchaseNotification",
            ["purchaseToken": .string(order.token), "orderId": .string(id), "productType": 2, "refundType": 2]
        )
    }

    /// An order's lines stand in the other sequence from now on.
    package func turnLines(ofOrder id: String) { state.withLock { $0.orders[id]?.lines.reverse() } }

    /// An order says no total, and none of its lines.
    package func leaveOutTotal(ofOrder id: String) { state.withLock { $0.orders[id]?.saysTotal = false } }

    /// A bank takes an order's money back.
    package func chargeBack(_ order: String) {
        let now = clock.now
        state.withLock { state in
            Self.giveBack(order, at: now, in: &state)
            state.orders[order]?.isChargeback = true
        }
        void(order)
    }

    /// It stands in the list of voided purchases from now on.
    private func void(_ id: String) {
        guard let order = order(id) else { return }
        let now = clock.now
        state.withLock { $0.voided.append((order: id, token: order.token, at: now, pieces: nil)) }
        let isSubscription = purchase(order.token)?.isSubscription == true
        tell(
            "voidedPurchaseNotification",
            [
                "purchaseToken": .string(order.token), "orderId": .string(id),
                "productType": .integer(isSubscription ? 1 : 2), "refundType": 1,
            ]
        )
    }

    /// A bank asks, and Google asks us.
    package func askAboutRefund(_ order: String, token: String) {
        tell(
            "pendingRefundReviewNotification",
            ["version": "1.0", "pendingRefundToken": .string(token), "orderId": .string(order), "refundReason": 7]
        )
    }
}
