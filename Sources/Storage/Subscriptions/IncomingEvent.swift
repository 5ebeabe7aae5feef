package import Billing

/// An event on its way into the history of its subscription.
package struct IncomingEvent: Sendable {
    package var app: App.ID
    package var event: StoreEvent
    package var origin: Origin
    /// The event says more than its notification: what the store leaves to the catalogue was added.
    package private(set) var isCompleted = false
    /// The reason that an event which came with this one is not taken: people are to look at their notification.
    package var refusedBeside: TransitionRefused?

    package init(app: App.ID, event: StoreEvent, origin: Origin) {
        self.app = app
        self.event = event
        self.origin = origin
    }

    /// Adds the kind and the end of a period that the store leaves to the catalogue, so that the history says it whatever the catalogue
    /// becomes.
    ///
    /// - Throws: `.endMissing` where neither knows the end.
    package mutating func complete(with product: ProductRecord) throws(TransitionRefused) {
        guard let completed = try event.completed(with: product.period, isConsumable: product.isConsumable) else {
            return
        }
        event = completed
        isCompleted = true
    }

    /// Leaves the money of the transaction to the subscription that has its order.
    package mutating func bookElsewhere() {
        event.transaction.isBookedElsewhere = true
        isCompleted = true
    }

    /// The source of the event.
    package enum Origin: Sendable {
        /// Applying the event finishes the notification, in the same transaction.
        case notification(LeasedNotification)
        /// A notification has it beside its main event, which finishes it.
        case besideInNotification(LeasedNotification)
        case verification
        /// - Parameter: the one that asked; nil for an answer outside of one.
        case reconciliation(Reconciliation.ID?)
        case checkout
        case staff
        case clock

        package var source: EventSource {
            switch self {
            case .notification, .besideInNotification: .notification
            case .verification: .verification
            case .reconciliation: .reconciliation
            case .checkout: .checkout
            case .staff: .staff
            case .clock: .clock
            }
        }
    }

    /// The notification that applying the event finishes.
    var notification: LeasedNotification? {
        switch origin {
        case .notification(let leased): leased
        case .besideInNotification, .verification, .reconciliation, .checkout, .staff, .clock: nil
        }
    }

    /// The notification that told the event.
    var message: LeasedNotification? {
        switch origin {
        case .notification(let leased), .besideInNotification(let leased): leased
        case .verification, .reconciliation, .checkout, .staff, .clock: nil
        }
    }

    var reconciliation: Reconciliation.ID? {
        switch origin {
        case .reconciliation(let id): id
        case .notification, .besideInNotification, .verification, .checkout, .staff, .clock: nil
        }
    }

    /// True if it answers a query of ours: it adds nothing where the history says the same already. What a notification is about is kept
    /// in any case, and finishes it.
    package var isAnswer: Bool { event.kind == .observed && notification == nil }
}
