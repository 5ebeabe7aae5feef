import Foundation

extension SubscriptionHistory {
    /// The result of replaying the events.
    package struct Outcome: Sendable {
        package var subscription: Subscription
        package var books: Ledger
        /// The stretches in which the subscription gave access, in time order, never overlapping.
        package var periods: [AccessPeriod]
        /// One per event, in signed order.
        package var steps: [Step]
    }

    /// The result of one event.
    package struct Step: Sendable {
        package var eventID: String
        package var before: Subscription.State
        package var after: Subscription.State
        /// nil if the event was applied.
        package var rejectionReason: TransitionRefused?
        package var warnings: [EventWarning]
    }

    /// Folds the events in signed order. A refused event leaves subscription and books as they were, and the fold goes
    /// on. An end by the clock moves the state that is shown from its moment on, and nothing that later events build on.
    ///
    /// The outcome depends on the set of events alone, not on the order they came in.
    package func replay() -> Outcome {
        var subscription = Subscription()
        var open = LedgerBuilder()
        var trail = AccessIntervalBuilder()
        var steps: [Step] = []
        steps.reserveCapacity(events.count)
        let names = names
        let identities = PurchaseIdentities(events)
        var settlement = Settlement(of: events, by: identities)
        var seats = SeatTimeline()
        var swept: Date?
        for told in events {
            var next = settlement
            let event = next.settle(told)
            let shown = subscription.shownState(sweptAt: swept)
            var step = Step(eventID: event.id, before: shown, after: shown, rejectionReason: nil, warnings: [])
            if event.isByClock == true {
                swept = event.signedAt
                step.after = subscription.shownState(sweptAt: swept)
                if step.after == shown { step.rejectionReason = TransitionRefused.wentOn(event) }
                steps.append(step)
                continue
            }
            do throws(TransitionRefused) {
                let before = subscription
                (subscription, open, step.warnings) = try take(event, subscription, open, called: names)
                trail.follow(event, from: before, to: subscription)
                seats.note(event)
                settlement = next
                step.after = subscription.shownState(sweptAt: swept)
            } catch {
                step.rejectionReason = error
            }
            steps.append(step)
        }
        subscription.state = subscription.shownState(sweptAt: swept)
        return Outcome(
            subscription: subscription,
            books: open.settledBooks.known(by: identities),
            periods: seats.priced(trail.periods),
            steps: steps
        )
    }

    /// The store's ids of the subscription: that of its first event, and those that its events link to it, whichever came first (Apple:
    /// `previousOriginalTransactionId`).
    private var names: Set<String> {
        guard let first = firstTold?.transaction.originalID else { return [] }
        var links = events.compactMap { event -> (String, String)? in
            guard let previous = event.transaction.formerOriginalID, (try? event.requirePossible()) != nil else {
                return nil
            }
            return (event.transaction.originalID, previous)
        }
        var names: Set<String> = [first]
        while let index = links.firstIndex(where: { names.contains($0) != names.contains($1) }) {
            let (name, previous) = links.remove(at: index)
            names.formUnion([name, previous])
        }
        return names
    }

    /// The first that was told by somebody; ends that came by time alone only repeat it.
    private var firstTold: StoreEvent? { events.first { $0.isByClock != true } }

    /// Both or neither: a charge that cannot be booked must not move the state.
    private func take(
        _ event: StoreEvent,
        _ subscription: Subscription,
        _ open: LedgerBuilder,
        called names: Set<String>
    ) throws(TransitionRefused) -> (Subscription, LedgerBuilder, [EventWarning]) {
        var (subscription, open) = (subscription, open)
        if let first = firstTold { try event.requireSameSubscription(as: first, called: names) }
        var warnings = subscription.warnings(on: event)
        for effect in try subscription.apply(event) where event.transaction.isBookedElsewhere != true {
            warnings += try open.post(effect, from: event)
        }
        warnings += open.complete(from: event)
        return (subscription, open, warnings)
    }
}

extension Subscription {
    /// The displayed state once the clock has reported all ends up to a moment; nil if it has reported none.
    fileprivate func shownState(sweptAt moment: Date?) -> State { moment.map { lastingState(at: $0) } ?? state }
}

extension TransitionRefused {
    fileprivate static func wentOn(_ event: StoreEvent) -> Self {
        TransitionRefused(.wentOn, "It went on, as the store has told since.", of: event)
    }
}

extension Subscription {
    /// The warnings about an event before it is applied.
    fileprivate func warnings(on event: StoreEvent) -> [EventWarning] {
        // The answer to a query may be old, and already reported.
        guard event.kind != .observed else { return [] }
        var warnings: [EventWarning] = []
        if periodPosition(of: event.transaction) == .earlier { warnings.append(.earlierPeriod) }
        if event.kind == .seatsRefunded, event.transaction.revocation == nil, event.transaction.seats?.refundedAt == nil
        {
            warnings.append(.seatRefundWithoutAmount)
        }
        guard event.kind.charges else { return warnings }
        if event.transaction.isShared {
            warnings.append(.familyShared)
        } else if event.transaction.price == nil {
            warnings.append(.chargeWithoutPrice)
        }
        return warnings
    }
}
