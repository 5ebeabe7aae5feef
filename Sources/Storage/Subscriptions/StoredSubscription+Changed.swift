package import Billing

extension StoredSubscription {
    /// The same after what a new event changed; nil where that is more than is known here, and it has to be opened again.
    package func changed(by changes: SubscriptionChanges, of event: StoreEvent) -> StoredSubscription? {
        guard !hasJoined, changes.customer == customer, changes.changedSteps.isEmpty, changes.changedRefunds.isEmpty,
            changes.openedRefunds.isEmpty, changes.joinedOrders.isEmpty
        else { return nil }
        var copy = self
        copy.events.append(StoredEvent(event: event, as: changes.newStep))
        copy.orders += changes.newOrders.map(StoredOrder.init)
        for change in changes.changedOrders { copy.change(change.id) { $0.follow(change) } }
        for new in changes.newEntries {
            copy.change(new.order) { $0.entries[new.entry.reference] = new.entry.amount }
        }
        return copy
    }

    private mutating func change(_ order: Order.ID, _ body: (inout StoredOrder) -> Void) {
        guard let index = orders.firstIndex(where: { $0.id == order }) else { return }
        body(&orders[index])
    }
}

extension StoredSubscription.StoredEvent {
    fileprivate init(event: StoreEvent, as step: SubscriptionHistory.Step) {
        self.init(
            event: event,
            before: step.before,
            after: step.after,
            rejectionReason: step.rejectionReason?.message
        )
    }
}

extension StoredSubscription.StoredOrder {
    fileprivate init(_ new: SubscriptionChanges.NewOrder) {
        self.init(
            id: new.id,
            transactionID: new.booked.transactionID,
            otherTransactionIDs: Set(new.booked.otherTransactionIDs),
            customer: new.customer,
            kind: new.booked.kind,
            periodEndsAt: new.booked.periodEndsAt,
            status: new.booked.status,
            revokedSeats: new.booked.revokedSeats,
            isRefundEstimated: new.booked.isRefundEstimated,
            supersededAt: new.booked.supersession?.at,
            refundedAt: new.booked.refundedAt,
            paidDays: new.booked.paidDays,
            entries: [:],
            refunds: []
        )
    }

    fileprivate mutating func follow(_ change: SubscriptionChanges.ChangedOrder) {
        transactionID = change.booked.transactionID
        otherTransactionIDs = Set(change.booked.otherTransactionIDs)
        customer = change.customer
        kind = change.booked.kind
        periodEndsAt = change.booked.periodEndsAt
        status = change.booked.status
        (revokedSeats, isRefundEstimated) = (change.booked.revokedSeats, change.booked.isRefundEstimated)
        supersededAt = change.booked.supersession?.at
        refundedAt = change.booked.refundedAt
        paidDays = change.booked.paidDays
    }
}
