import Foundation

extension SubscriptionHistory {
    /// The events as the fold takes them: each transaction by the name of its purchase, and each refund as the state of it that was
    /// signed last (product.md, decision 18).
    package var settled: [StoreEvent] { settled(by: PurchaseIdentities(events)) }

    func settled(by identities: PurchaseIdentities) -> [StoreEvent] {
        var settlement = Settlement(of: events, by: identities)
        return events.map { settlement.settle($0) }
    }
}

/// The standing of a history's purchases and refunds while it is folded.
struct Settlement {
    private let identities: PurchaseIdentities
    /// Purchases whose order is another subscription's.
    private let elsewhere: Set<String>
    private let periods: SeatPeriods
    /// Transactions that the store has called a seat that was assigned. Before that was known of, they were taken for purchases.
    private let assigned: Set<String>
    /// Transactions of what is used up. Before that was known some were taken for what is owned for ever, as their store does not say it.
    private let consumable: Set<String>
    /// True where anything of it is to be told otherwise than the store told it.
    private let isNeeded: Bool
    private var sold: [String: StoreTransaction] = [:]
    private var refunds: [String: StoreTransaction.Revocation] = [:]
    private var seats: [String: StoreTransaction.Seats] = [:]

    init(of events: [StoreEvent], by identities: PurchaseIdentities) {
        self.identities = identities
        elsewhere = Set(
            events.filter { $0.transaction.isBookedElsewhere == true }.map { identities.name(of: $0.transaction.id) }
        )
        periods = SeatPeriods(events, by: identities)
        let assigned = Set(events.filter { $0.transaction.isAssigned == true }.map(\.transaction.id))
        self.assigned = assigned
        let consumable = Set(events.filter { $0.transaction.kind == .consumable }.map(\.transaction.id))
        self.consumable = consumable
        isNeeded =
            !elsewhere.isEmpty || !identities.isTrivial || !periods.isTrivial
            || events.contains { $0.transaction.isAssigned != true && assigned.contains($0.transaction.id) }
            || events.contains { $0.transaction.kind == .nonConsumable && consumable.contains($0.transaction.id) }
            || events.contains { $0.transaction.revocation != nil || $0.transaction.seats != nil }
    }

    /// Takes note of an event, and tells it with its purchase's name and its refund's standing state.
    mutating func settle(_ event: StoreEvent) -> StoreEvent {
        guard isNeeded else { return event }
        var event = event
        if assigned.contains(event.transaction.id) { event.transaction.becomeAssigned() }
        if event.transaction.kind == .nonConsumable, consumable.contains(event.transaction.id) {
            event.transaction.kind = .consumable
        }
        event.transaction.id = identities.name(of: event.transaction.id)
        event.transaction.keepDates(of: sold[event.transaction.id])
        // Later messages of the period take their dates from its move.
        let known = event.kind == .periodMoved ? nil : sold[event.transaction.id]
        sold[event.transaction.id] = known ?? event.transaction
        event.transaction.additionTo = periods.base(of: event.transaction.id)
        event.settleRefund(&refunds[event.transaction.id])
        event.settleSeats(&seats[event.transaction.id])
        if elsewhere.contains(event.transaction.id) {
            event.transaction.isBookedElsewhere = true
            event.transaction.price = nil
        }
        return event
    }
}

extension StoreTransaction {
    /// A copy of something that does not renew says when it was restored, not when it was bought.
    fileprivate mutating func keepDates(of first: StoreTransaction?) {
        guard let first else { return }
        switch kind {
        case .nonConsumable, .nonRenewing:
            (purchasedAt, expiresAt) = (first.purchasedAt, expiresAt ?? first.expiresAt)
            startsAt = startsAt ?? first.startsAt
        case .autoRenewable, .consumable: return
        }
    }
}

extension StoreEvent {
    /// A refund keeps the date under which it became known for as long as its share stays (Apple moves `revocationDate`); another
    /// share replaces it. What tells of it in passing, and of no share, says nothing new. Whether access goes on is as it was told last.
    fileprivate func standing(
        after last: StoreTransaction.Revocation?,
        _ told: StoreTransaction.Revocation
    ) -> StoreTransaction.Revocation {
        guard var last else { return told }
        last.keepsAccess = told.keepsAccess
        let isToldInPassing = kind != .refunded && kind != .revoked
        if told.milliPercent == nil, isToldInPassing { return last }
        guard told.share == last.share else { return told }
        // The same share, by its very amount.
        last.amount = told.amount ?? last.amount
        return last
    }

    fileprivate mutating func settleRefund(_ state: inout StoreTransaction.Revocation?) {
        if kind == .refundReversed {
            state = nil
            return
        }
        guard let told = transaction.revocation, (try? requireKeepable()) != nil else { return }
        let standing = standing(after: state, told)
        transaction.revocation = standing
        state = standing
    }
}

extension StoreEvent {
    /// A message names the sum of the refunded seats so far: it replaces the one before, and a message without it changes nothing.
    fileprivate mutating func settleSeats(_ standing: inout StoreTransaction.Seats?) {
        guard !transaction.isShared, transaction.seats != nil || standing != nil, (try? requireKeepable()) != nil else {
            return
        }
        if kind == .refundReversed { standing?.forgetRefund() }
        var seats = transaction.seats ?? StoreTransaction.Seats()
        seats.take(over: standing, at: signedAt)
        transaction.seats = seats
        standing = seats
    }
}

extension StoreTransaction.Seats {
    fileprivate mutating func forgetRefund() { (revoked, milliPercent, refundedAt) = (0, nil, nil) }

    fileprivate mutating func take(over last: Self?, at moment: Date) {
        let isNew =
            revoked.map { $0 != last?.revoked ?? 0 } ?? false || milliPercent.map { $0 != last?.milliPercent } ?? false
        // The same seats once more, without their share: it stays.
        if revoked == nil || revoked == last?.revoked { milliPercent = milliPercent ?? last?.milliPercent }
        revoked = revoked ?? last?.revoked
        isAddition = isAddition ?? last?.isAddition
        invitations = invitations ?? last?.invitations
        refundedAt = isNew ? moment : last?.refundedAt
    }
}

extension StoreTransaction.Revocation {
    /// The share given back of the whole so far, in thousandths of a percent.
    var share: Int { milliPercent ?? 100_000 }
}
