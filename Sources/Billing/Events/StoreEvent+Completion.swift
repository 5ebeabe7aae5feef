import Foundation

extension StoreEvent {
    /// The event with what the store leaves to us: of a purchase whose kind it does not say (Google's one-time products, old receipts)
    /// the catalogue's kind, and the end of its period: a timed purchase that does not renew ends after the catalogue's period, times the
    /// quantity bought at once, by the clock of UTC (Apple, "In-App Purchase", Non-renewing subscriptions: the app is responsible for
    /// their duration).
    ///
    /// - Parameters:
    ///   - period: of the product; nil for none.
    ///   - isConsumable: whether the catalogue says that the product is used up.
    /// - Returns: nil for an event that is complete.
    /// - Throws: `.endMissing` if the catalogue has no period either, `.dateOutOfRange` for an end that cannot be kept.
    package func completed(
        with period: BillingPeriod?,
        isConsumable: Bool = false
    ) throws(TransitionRefused) -> StoreEvent? {
        let isBoughtOnce = transaction.kind == .nonConsumable || transaction.kind == .consumable
        let isKindOpen = isBoughtOnce && transaction.isKindAssumed == true
        if isKindOpen, isConsumable, period == nil {
            guard transaction.kind != .consumable else { return nil }
            var event = self
            event.transaction.kind = .consumable
            return event
        }
        let mayRunForATime = transaction.kind == .nonRenewing || isKindOpen && period != nil
        guard mayRunForATime, transaction.expiresAt == nil else { return nil }
        guard let period else {
            throw TransitionRefused(
                .endMissing,
                "\(transaction.productID) does not renew, and the catalogue does not say how long it lasts.",
                of: self
            )
        }
        var event = self
        event.transaction.kind = .nonRenewing
        event.transaction.expiresAt = period.end(
            of: transaction.quantity,
            periodsFrom: transaction.purchasedAt,
            in: .gmt
        )
        try event.requireKeepable()
        return event
    }
}
