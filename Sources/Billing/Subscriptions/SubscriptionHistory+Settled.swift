import Foundation

extension SubscriptionHistory {
    /// The events as the fold takes them: each transaction by the name of its purchase, and each refund as the state of it that was
    /// signed last (product.md, decision 18).
    package var settled: [StoreEvent] { settled(by: PurchaseIdentities(events)) }

    func settled(by identities: PurchaseIdentities) -> [StoreEvent] {
        let isElsewhere = events.contains { $0.transaction.isBookedElsewhere == true }
        guard isElsewhere || !identities.isTrivial || events.contains(where: { $0.transaction.revocation != nil })
        else { return events }
        var sold: [String: StoreTransaction] = [:]
        var refunds: [String: StoreTransaction.Revocation] = [:]
        var elsewhere: Set<String> = []
        for event in events where event.transaction.isBookedElsewhere == true {
            elsewhere.insert(identities.name(of: event.transaction.id))
        }
        return events.map { event in
            var event = event
            event.transaction.id = identities.name(of: event.transaction.id)
            event.transaction.keepDates(of: sold[event.transaction.id])
            sold[event.transaction.id] = sold[event.transaction.id] ?? event.transaction
            event.settleRefund(&refunds[event.transaction.id])
            if elsewhere.contains(event.transaction.id) {
                event.transaction.isBookedElsewhere = true
                event.transaction.price = nil
            }
            return event
        }
    }
}

extension StoreTransaction {
    /// A copy of something that does not renew says when it was restored, not when it was bought.
    fileprivate mutating func keepDates(of first: StoreTransaction?) {
        guard let first else { return }
        switch kind {
        case .nonConsumable, .nonRenewing: (purchasedAt, expiresAt) = (first.purchasedAt, expiresAt ?? first.expiresAt)
        case .autoRenewable, .consumable: return
        }
    }
}

extension StoreEvent {
    /// A refund keeps the date under which it became known for as long as its share stays (Apple moves `revocationDate`); another
    /// share replaces it. What tells of it in passing, and of no share, says nothing new.
    fileprivate func standing(
        after last: StoreTransaction.Revocation?,
        _ told: StoreTransaction.Revocation
    ) -> StoreTransaction.Revocation {
        guard let last else { return told }
        let isToldInPassing = kind != .refunded && kind != .revoked
        if told.milliPercent == nil, isToldInPassing { return last }
        return told.share == last.share ? last : told
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

extension StoreTransaction.Revocation {
    /// The share given back of the whole so far, in thousandths of a percent.
    var share: Int { milliPercent ?? 100_000 }
}
