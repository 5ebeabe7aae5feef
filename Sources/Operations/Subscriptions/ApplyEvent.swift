package import Billing
import Foundation
package import Storage

/// The result of applying an event.
package enum ApplyResult: Sendable {
    case applied
    /// The event was known already; nothing changed.
    case known
    /// The event cannot be true of the subscription. It is kept beside the others; a notification waits for staff.
    case refused(TransitionRefused)
    /// The notification turned out to concern no subscription; it is finished.
    case ignored
    /// Somebody else is working on the notification by now; nothing changed.
    case leaseLost
}

extension BackOffice {
    /// Applies one event, whatever its source: subscription, event, orders and ledger in one transaction, and the notification that it came
    /// in.
    ///
    /// - Parameter patience: the time to wait for a customer whom somebody else has locked.
    /// - Throws: `OperationsError` with `.notFound` for a product that the catalogue lacks, otherwise the database's
    ///   error; then nothing has changed.
    package func apply(_ incoming: IncomingEvent, patience: Duration = .seconds(1)) async throws -> ApplyResult {
        let completed = try await completed(incoming)
        do {
            // Most of its statements take arrays, seldom of more than one value: planning them anew was a sixth of the work.
            let result: ApplyResult
            do {
                result = try await write(completed, patience: patience)
            } catch is OrderIsElsewhere {
                var elsewhere = completed
                elsewhere.bookElsewhere()
                result = try await write(elsewhere, patience: patience)
            }
            pulse.worked()
            return result
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    private func write(_ incoming: IncomingEvent, patience: Duration) async throws -> ApplyResult {
        try await database.write(
            plansOnce: true,
            at: recordingTime(of: incoming.event),
            lockTimeout: patience
        ) {
            try await apply(incoming, in: $0)
        }
    }

    /// The event with the values that the store leaves to the catalogue.
    ///
    /// - Throws: `OperationsError` with `.notFound` for a product that the catalogue lacks.
    func completed(_ incoming: IncomingEvent) async throws -> IncomingEvent {
        var completed = incoming
        let event = incoming.event
        guard let product = try await apps.product(event.transaction.productID, at: event.store, of: incoming.app)
        else {
            throw OperationsError(
                .notFound,
                "The product \(event.transaction.productID) is not in the app's catalogue.",
                field: "productId"
            )
        }
        do throws(TransitionRefused) {
            try completed.complete(with: product)
        } catch {
            throw OperationsError(.notFound, error.message, field: "period", underlying: error)
        }
        return completed
    }

    /// The entries' `recorded_at`; nil for now.
    func recordingTime(of event: StoreEvent) -> Date? {
        switch recording.time {
        case .whenApplied: nil
        case .whenSigned: event.signedAt
        }
    }

    func apply(_ incoming: IncomingEvent, in transaction: WriteTransaction) async throws -> ApplyResult {
        let event = incoming.event
        if event.isByClock == true, try await !transaction.subscriptions.claim(for: incoming) { return .known }
        guard let subscription = try await transaction.subscriptions.open(for: incoming) else { throw LeaseLost() }
        var history = SubscriptionHistory(subscription.events.map(\.event))
        let isNew = history.insert(event)
        let outcome = history.replay()
        guard let step = outcome.steps.first(where: { $0.eventID == event.id }) else {
            throw OperationsError(.conflict, "The event is missing from the fold of its own history.")
        }
        if isNew, !subscription.hasJoined, incoming.isAnswer, !subscription.lacksToken(of: event),
            outcome.says(nothingBeside: SubscriptionHistory(subscription.events.map(\.event)).replay())
        {
            return .known
        }
        // A message that came meanwhile has it go on.
        if isNew, event.isByClock == true, step.rejectionReason != nil { return .known }
        let changes = try await changes(
            to: subscription,
            from: incoming,
            isNew: isNew,
            step,
            after: outcome,
            among: history.settled,
            in: transaction
        )
        guard isNew || subscription.hasJoined || changes.changeBooks else {
            try await transaction.subscriptions.finishKnown(
                incoming,
                subscription: subscription.id,
                rejectionReason: step.rejectionReason,
                at: database.now
            )
            return step.rejectionReason.map(ApplyResult.refused) ?? .known
        }
        try await transaction.subscriptions.save(changes, from: incoming, isNew: isNew, at: database.now)
        if changes.customer != subscription.customer {
            try await transaction.subscriptions.endPlaceholder(
                of: subscription,
                at: event.store,
                in: changes.customer,
                of: incoming.app
            )
            try await transaction.jobs.hasten(.acknowledgement, for: subscription.id.uuid)
        }
        try await audit(changes.joinedOrders, of: incoming.app, in: transaction)
        if isNew, outcome.subscription.seats?.invitations == .app {
            // The event may change who has the seats, and the store frees none by itself.
            try await transaction.jobs.enqueueUnlessThere(.seatGroup, for: subscription.id.uuid, of: incoming.app)
        }
        if isNew { try await passOn(incoming, among: history.settled, in: transaction) }
        if event.kind == .renewalExtensionFailed, step.rejectionReason == nil {
            try await transaction.renewalExtensions.recordFailure(of: subscription.id, in: event, of: incoming.app)
        }
        for refund in changes.changedRefunds where refund.isWorthAnEntry {
            try await transaction.audit.append(refund.entry(by: event.store, in: transaction))
        }
        for request in changes.openedRefunds {
            try await transaction.refunds.insert(request)
            try await transaction.audit.append(request.opening(by: event.store, in: transaction))
        }
        try await enqueueAcknowledgement(of: incoming, changes, to: subscription, in: transaction)
        try await enqueueAnswers(to: changes, of: incoming.app, in: transaction)
        return step.rejectionReason.map(ApplyResult.refused) ?? (isNew ? .applied : .known)
    }

    /// Enqueues the jobs that answer the store's consumption requests, in the same transaction as the requests.
    private func enqueueAnswers(
        to changes: SubscriptionChanges,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        let asked = changes.changedRefunds.filter {
            $0.after.consumptionRequest?.dueAt != $0.before.consumptionRequest?.dueAt
        }
        let cases = changes.openedRefunds + asked.map(\.after)
        guard !cases.isEmpty else { return }
        let policy = try await transaction.refunds.consumptionPolicy(of: app)
        for open in cases {
            try await transaction.jobs.enqueueAnswer(to: open, policy: policy, at: transaction.now)
        }
    }

    /// - Parameter held: the access of the subscription's customer, if the transaction knows it already.
    func changes(
        to subscription: StoredSubscription,
        from incoming: IncomingEvent,
        isNew: Bool,
        _ newStep: SubscriptionHistory.Step,
        after outcome: SubscriptionHistory.Outcome,
        among events: [StoreEvent],
        held: HeldAccess? = nil,
        in transaction: WriteTransaction
    ) async throws -> SubscriptionChanges {
        let customer = try await customer(of: subscription, after: outcome, incoming, in: transaction)
        let buyers = try await buyers(of: outcome.books, in: subscription, of: customer, incoming, in: transaction)
        let stored = outcome.books.orders.map { subscription.orders(of: $0) }
        // An event affects refund requests only when it arrives.
        let event = isNew && newStep.rejectionReason == nil ? incoming.event : nil
        let settled = try zip(outcome.books.orders, stored).map { booked, stored in
            try stored.first.map { order in
                (order, try OrderRefunds(order, of: booked, after: event, at: transaction.now))
            }
        }
        let givenBack = settled.compactMap { settled in
            settled.flatMap { _, refunds in refunds.givenBackByHandAt.map { (refunds.booked.transactionID, $0) } }
        }
        var changes = SubscriptionChanges(
            id: subscription.id,
            originalTransactionID: subscription.originalTransactionID,
            subscription: outcome.subscription,
            product: try await product(of: outcome.subscription, incoming),
            customer: customer,
            newStep: newStep,
            changedSteps: outcome.changedSteps(from: subscription.events),
            newOrders: [],
            changedOrders: [],
            newEntries: [],
            changedRefunds: [],
            openedRefunds: [],
            periods: try await transaction.periods.changes(
                of: subscription.id,
                to: outcome.periods.givenBack(Dictionary(givenBack) { first, _ in first }),
                failures: (subscription.failedCharges, outcome.failedCharges(of: events)),
                from: incoming.event,
                owners: (subscription.customer, customer),
                isNew: subscription.events.isEmpty,
                app: incoming.app,
                held: held?.customer == customer && subscription.customer == customer ? held : nil
            )
        )
        // A refund of seats may be of several transactions, and the store tells of one.
        changes.needsRereading =
            isNew && incoming.origin.source == .notification
            && (incoming.event.kind == .seatsRefunded || outcome.subscription.seats?.lacksPart == true)
        changes.isDisputed = incoming.event.transaction.isBookedElsewhere == true
        changes.joinedOrders = stored.flatMap(SubscriptionChanges.JoinedOrder.doubles)
        changes.joinedOrders += SubscriptionChanges.JoinedOrder.seats(
            subscription.orders,
            beside: stored,
            among: events
        )
        for (booked, known) in zip(outcome.books.orders, settled) {
            if let (order, refunds) = known {
                changes.changedRefunds += refunds.changes
                let buyer = subscription.isOwnerLocked ? order.customer : buyers[booked.customerToken] ?? customer
                changes.book(refunds.booked, into: order, of: buyer, dueTo: incoming.event)
            } else {
                let buyer = buyers[booked.customerToken] ?? customer
                changes.open(try await newOrder(for: booked, of: buyer, incoming, in: transaction))
            }
        }
        // A store's consumption request waits for the order's price, as its refund does.
        let pricedNow = Set(changes.changedOrders.filter(\.isPricedNow).map(\.booked.transactionID))
        let asked = events.last { $0.kind == .refundRequested && pricedNow.contains($0.transaction.id) }
        let settledEvent = event.flatMap { event in events.first { $0.id == event.id } }
        if let store = StoreCase(settledEvent?.kind == .refundRequested ? settledEvent : asked, among: events) {
            for (booked, known) in zip(outcome.books.orders, settled) {
                let order = known?.0.id ?? changes.newOrders.first { $0.booked == booked }?.id
                guard let order, store.isMissing(from: booked, among: known?.0.refunds ?? []) else { continue }
                let policy = try await transaction.refunds.policy(of: incoming.app)
                let opened = try await store.open(
                    of: order,
                    known?.1.booked ?? booked,
                    app: incoming.app,
                    policy: policy,
                    in: transaction
                )
                if let opened { changes.openedRefunds.append(opened) }
            }
        }
        return changes
    }

    /// The customer is the one whom the newest period names, among the events that were taken; unless staff said whose it
    /// is.
    private func customer(
        of subscription: StoredSubscription,
        after outcome: SubscriptionHistory.Outcome,
        _ incoming: IncomingEvent,
        in transaction: WriteTransaction
    ) async throws -> Customer.ID {
        let (token, store) = (outcome.subscription.customerToken, incoming.event.store)
        // An event without a customer leaves the owner as it is; a placeholder is named after the subscription's oldest id.
        guard !subscription.isOwnerLocked, token != nil || subscription.customerKey.hasPrefix("\(store.rawValue):")
        else {
            return subscription.customer
        }
        let key = transaction.subscriptions.customerKey(of: token, subscription, at: incoming.event.store)
        guard key != subscription.customerKey else { return subscription.customer }
        return try await transaction.subscriptions.customer(keyed: key, of: subscription.id, incoming.app)
            ?? subscription.customer
    }

    /// An order is of whoever bought it, by the account token of its own transaction; where it has none, and where staff said
    /// whose the subscription is, of the subscription's customer.
    private func buyers(
        of books: Ledger,
        in subscription: StoredSubscription,
        of customer: Customer.ID,
        _ incoming: IncomingEvent,
        in transaction: WriteTransaction
    ) async throws -> [UUID?: Customer.ID] {
        guard !subscription.isOwnerLocked else { return [:] }
        var buyers: [UUID?: Customer.ID] = [:]
        for token in Set(books.orders.compactMap(\.customerToken)) {
            let key = transaction.subscriptions.customerKey(of: token, subscription, at: incoming.event.store)
            if key == subscription.customerKey {
                buyers[token] = subscription.customer
            } else {
                buyers[token] = try await transaction.subscriptions.customer(
                    keyed: key,
                    of: subscription.id,
                    incoming.app
                )
            }
        }
        return buyers
    }

    private func product(
        of subscription: Subscription,
        _ incoming: IncomingEvent
    ) async throws -> ProductRecord.ID? {
        guard let productID = subscription.productID else { return nil }
        return try await apps.product(productID, at: incoming.event.store, of: incoming.app)?.id
    }

    private func newOrder(
        for booked: BookedOrder,
        of buyer: Customer.ID,
        _ incoming: IncomingEvent,
        in transaction: WriteTransaction
    ) async throws -> SubscriptionChanges.NewOrder {
        guard let app = try await apps.entry(for: incoming.app),
            let product = try await apps.product(booked.productID, at: incoming.event.store, of: incoming.app)
        else { throw OperationsError(.notFound, "The product \(booked.productID) is not in the app's catalogue.") }
        let day = BusinessDay(booked.purchasedAt, in: app.timeZone)
        let number = OrderNumber(day: day, sequence: try await numbers.next(for: incoming.app, on: day))
        return SubscriptionChanges.NewOrder(
            id: Identifier(transaction.newUUID()),
            number: number.description,
            customer: buyer,
            product: product,
            booked: booked
        )
    }
}

extension SubscriptionHistory.Outcome {
    /// True if subscription, ledger and access are the same as without the newest event.
    fileprivate func says(nothingBeside before: Self) -> Bool {
        var (subscription, earlier) = (subscription, before.subscription)
        (subscription.lastSignedAt, earlier.lastSignedAt) = (nil, nil)
        return subscription == earlier && books == before.books && periods == before.periods
    }

    /// Steps of events stored earlier that a late event has changed.
    fileprivate func changedSteps(from stored: [StoredSubscription.StoredEvent]) -> [SubscriptionHistory.Step] {
        let before = Dictionary(stored.map { ($0.event.id, $0) }) { first, _ in first }
        return steps.filter { step in
            guard let old = before[step.eventID] else { return false }
            return (old.before, old.after, old.rejectionReason) != (
                step.before, step.after, step.rejectionReason?.message
            )
        }
    }
}

extension StoredSubscription {
    /// True where nothing so far was told of the purchase by whose token the store is asked from now on.
    fileprivate func lacksToken(of event: StoreEvent) -> Bool {
        guard let token = event.purchaseToken else { return false }
        return !events.contains { $0.event.purchaseToken == token }
    }

    /// The renewals that could not be charged, by its events so far.
    fileprivate var failedCharges: [FailedCharge] {
        FailedCharge.derived(from: events.filter { $0.rejectionReason == nil }.map(\.event))
    }
}
