import Foundation

extension StoreEvent {
    /// The event with the end of its period, where the store leaves that to us: a timed purchase that does not renew ends after the
    /// catalogue's period, times the quantity bought at once, by the clock of UTC (Apple, "In-App Purchase", Non-renewing subscriptions:
    /// the app is responsible for their duration).
    ///
    /// - Returns: nil for an event that is complete.
    /// - Throws: `.endMissing` if the catalogue has no period either, `.dateOutOfRange` for an end that cannot be kept.
    package func completed(with period: BillingPeriod?) throws(TransitionRefused) -> StoreEvent? {
        let mayRunForATime =
            transaction.kind == .nonRenewing
            || transaction.kind == .nonConsumable && transaction.isKindAssumed == true && period != nil
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
