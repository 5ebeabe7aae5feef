import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Applies the notifications of one subscription, in the order in which they were signed, in one transaction: each as `apply` does,
    /// recorded as of its signing, but the subscription is read once, and pending changes are written together.
    ///
    /// - Throws: the errors of `apply` for one of them, also for one that is not leased any more; then nothing has changed.
    package func apply(history: [LeasedNotification]) async throws {
        var told: [ToldTogether] = []
        for leased in history {
            guard let event = leased.event else {
                throw OperationsError(.invalid, "What it means is for its store to say.")
            }
            let main = IncomingEvent(app: leased.app, event: event, origin: .notification(leased))
            var beside: [IncomingEvent] = []
            for other in leased.otherEvents {
                let incoming = IncomingEvent(app: leased.app, event: other, origin: .besideInNotification(leased))
                beside.append(try await completed(incoming))
            }
            told.append(ToldTogether(main: try await completed(main), beside: beside))
        }
        let messages = told
        guard let first = messages.first else { return }
        let applied = try await database.write(plansOnce: true, at: first.main.event.signedAt) { transaction in
            var applier = HistoryApplier(backOffice: self, history: history)
            for message in messages {
                try await applier.apply(message, in: transaction.at(message.main.event.signedAt))
            }
            try await applier.save(in: transaction)
            return applier.applied
        }
        pulse.worked()
        for leased in history where applied.contains(leased.id.uuid) { countApplied(leased) }
    }
}

/// A message of a history: its event, and those of what was bought together with that one's subscription.
private struct ToldTogether: Sendable {
    var main: IncomingEvent
    var beside: [IncomingEvent]
}

/// A history on its way through one transaction: what is known of its subscription, and what is still to be written.
private struct HistoryApplier {
    let backOffice: BackOffice
    let history: [LeasedNotification]
    private(set) var applied: Set<UUID> = []
    private var known: (subscription: StoredSubscription, held: HeldAccess)?
    private var unwritten = UnwrittenChanges()
    /// True once the unfinished notifications are locked.
    private var isHeld = false
    private var finished: Set<UUID> = []

    init(backOffice: BackOffice, history: [LeasedNotification]) {
        self.backOffice = backOffice
        self.history = history
    }

    mutating func apply(_ told: ToldTogether, in transaction: WriteTransaction) async throws {
        let (incoming, event) = (told.main, told.main.event)
        guard told.beside.isEmpty, event.isPlain,
            known?.subscription.orders.contains(where: { !$0.refunds.isEmpty }) != true
        else {
            return try await applyAlone(told, in: transaction)
        }
        let (subscription, held) = try await open(incoming, in: transaction)
        var history = SubscriptionHistory(subscription.events.map(\.event))
        guard !subscription.hasJoined, history.insert(event) else {
            return try await applyAlone(told, in: transaction)
        }
        let outcome = history.replay()
        guard let step = outcome.steps.first(where: { $0.eventID == event.id }) else {
            throw OperationsError(.conflict, "The event is missing from the fold of its own history.")
        }
        let changes = try await backOffice.changes(
            to: subscription,
            from: incoming,
            isNew: true,
            step,
            after: outcome,
            among: history.settled,
            held: held,
            in: transaction
        )
        guard changes.customer == subscription.customer, changes.changedRefunds.isEmpty, changes.openedRefunds.isEmpty,
            changes.changedSteps.isEmpty, changes.joinedOrders.isEmpty
        else {
            return try await applyAlone(told, in: transaction)
        }
        transaction.subscriptions.keep(changes, from: incoming, at: backOffice.database.now, in: &unwritten)
        if step.rejectionReason == nil { note(incoming) }
        known = Self.both(
            subscription.changed(by: changes, of: event),
            held.changed(by: changes.periods, of: subscription.id, in: event.environment)
        )
        if known == nil { try await save(in: transaction) }
    }

    mutating func save(in transaction: WriteTransaction) async throws {
        try await transaction.subscriptions.save(&unwritten)
    }

    /// A notification that others decide about is read and written as if it had come by itself; so is one of several subscriptions, of
    /// which all is applied, or nothing.
    private mutating func applyAlone(_ told: ToldTogether, in transaction: WriteTransaction) async throws {
        try await save(in: transaction)
        known = nil
        var main = told.main
        for var other in told.beside {
            other.refusedBeside = main.refusedBeside
            if case .refused(let reason) = try await backOffice.apply(other, in: transaction) {
                main.refusedBeside = main.refusedBeside ?? reason
            }
        }
        let result = try await backOffice.apply(main, in: transaction)
        if case .applied = result, main.refusedBeside == nil { note(main) }
        if case .notification(let leased) = main.origin { finished.insert(leased.id.uuid) }
    }

    private mutating func open(
        _ incoming: IncomingEvent,
        in transaction: WriteTransaction
    ) async throws -> (StoredSubscription, HeldAccess) {
        if let known { return known }
        guard let subscription = try await transaction.subscriptions.open(for: incoming) else { throw LeaseLost() }
        if !isHeld {
            guard try await transaction.subscriptions.hold(history.filter { !finished.contains($0.id.uuid) }) else {
                throw LeaseLost()
            }
            isHeld = true
        }
        return (subscription, try await transaction.periods.held(by: subscription.customer, app: incoming.app))
    }

    private mutating func note(_ incoming: IncomingEvent) {
        if case .notification(let leased) = incoming.origin { applied.insert(leased.id.uuid) }
    }

    private static func both<A, B>(_ first: A?, _ second: B?) -> (A, B)? {
        if let first, let second { (first, second) } else { nil }
    }
}

extension StoreEvent {
    /// True where it concerns neither refunds, which people decide about as well, nor another id of the subscription, and no store waits for
    /// a word about it.
    fileprivate var isPlain: Bool {
        guard transaction.formerOriginalID == nil, awaitsAcknowledgement != true else { return false }
        return switch kind {
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .gracePeriodEntered, .billingRetryEntered,
            .gracePeriodExpired, .expired, .priceIncreasePending, .priceIncreaseAccepted, .revoked, .renewalExtended,
            .purchasedOnce, .paused, .resumed, .informational, .seatsChanged, .periodMoved:
            true
        case .refunded, .seatsRefunded, .refundDeclined, .refundReversed, .refundRequested, .renewalExtensionFailed,
            .observed:
            false
        }
    }
}
