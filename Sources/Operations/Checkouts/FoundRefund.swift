import Billing
import Foundation
import Storage

extension BackOffice {
    /// Books what was given back of a payment that was found by asking, behind its settlement: neither of the two messages has come.
    ///
    /// If the store does not say how much is back (WeChat Pay), nothing is booked, and no access is given for money that may be back: the
    /// refund's message or the bill of its day has the amount, and people see the order until then.
    func giveBack(_ payment: StorePayment, of checkout: Checkout, in transaction: WriteTransaction) async throws {
        guard
            let order = try await transaction.payouts.order(
                paidBy: payment.transactionID,
                at: checkout.store,
                checkout.environment,
                of: checkout.app
            )
        else { return }
        if let amount = payment.refunded {
            guard amount.currency == order.amount.currency, amount.minorUnits > 0 else { return }
            let number = StoredPayout.number(ofAllOf: payment.transactionID)
            return try await bookUnasked(amount, of: order, numbered: number, nil, in: transaction)
        }
        let held = try await heldPeriods(beside: order, in: transaction)
        try await takeBack(order, after: order.amount, checkout.number, held, app: checkout.app, in: transaction)
        try await transaction.checkouts.noteUnknownRefund(
            """
            The store has given money back and does not say how much: its bill of that day does. No access was given. Where only a part is \
            back, give the customer what they paid for.
            """,
            of: checkout.id
        )
    }

    /// Settles a payment that a bill has and no message told of, with the refunds of it that the bill has.
    func settle(
        _ payment: StorePayment,
        with refunds: [BilledMovement],
        at store: Store,
        of app: App.ID
    ) async throws {
        guard payment.isRefunded, !refunds.isEmpty else {
            _ = try await settle(payment, at: store, of: app, isFound: true)
            return
        }
        _ = try await settle(payment, at: store, of: app)
        for refund in refunds { try await settle(refund, at: store, of: app) }
    }

    /// Books a refund by a bill.
    func settle(_ refund: BilledMovement, at store: Store, of app: App.ID) async throws {
        _ = try await settle(
            StoreRefundNotice(
                orderNumber: refund.orderNumber,
                transactionID: refund.transactionID,
                number: refund.refundNumber,
                standing: StoreRefundStanding(.succeeded, amount: refund.amount, succeededAt: refund.at)
            ),
            at: store,
            of: app
        )
    }
}
