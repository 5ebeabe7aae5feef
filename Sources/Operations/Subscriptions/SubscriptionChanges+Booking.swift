import Billing
import Storage

extension SubscriptionChanges {
    /// True if orders or entries are missing, as in a ledger that was booked under rules without them.
    var changeBooks: Bool {
        !newOrders.isEmpty || !newEntries.isEmpty || !changedOrders.isEmpty || !joinedOrders.isEmpty
    }

    /// Adds an order that was not booked yet, with its ledger entries.
    mutating func open(_ order: NewOrder) {
        newOrders.append(order)
        newEntries += order.booked.entries.map {
            NewEntry(order: order.id, transactionID: order.booked.transactionID, entry: $0)
        }
    }

    /// Adds the ledger entries that the order lacks, and has its status follow.
    mutating func book(
        _ booked: BookedOrder,
        into order: StoredSubscription.StoredOrder,
        of buyer: Customer.ID,
        dueTo event: StoreEvent
    ) {
        let missing = booked.entries(missingFrom: order.entries, dueTo: event)
        newEntries += missing.map { NewEntry(order: order.id, transactionID: booked.transactionID, entry: $0) }
        let isPricedNow = booked.isPriced && order.entries.isEmpty
        let isSame =
            (booked.status, booked.kind, buyer) == (order.status, order.kind, order.customer)
            && (booked.isPriced || booked.takenBackAt?.milliseconds == order.refundedAt?.milliseconds)
            && booked.periodEndsAt?.milliseconds == order.periodEndsAt?.milliseconds
            && booked.supersession?.at.milliseconds == order.supersededAt?.milliseconds
            && booked.transactionID == order.transactionID && booked.paidDays == order.paidDays
            && (booked.revokedSeats, booked.isRefundEstimated) == (order.revokedSeats, order.isRefundEstimated)
            && order.otherTransactionIDs.isSuperset(of: booked.otherTransactionIDs)
        guard !missing.isEmpty || !isSame else { return }
        changedOrders.append(
            ChangedOrder(
                id: order.id,
                customer: buyer,
                booked: booked,
                isRelabelled: booked.kind != order.kind,
                isPricedNow: isPricedNow
            )
        )
    }
}
