package import Foundation

/// A renewal that the store could not charge. However often the store says so of one period, it is one.
package struct FailedCharge: Hashable, Sendable {
    /// The period after which it was to renew.
    package var transactionID: String
    /// The store's product identifier.
    package var productID: String
    package var storefront: String?
    package var currency: Currency?
    /// When the store first said so.
    package var failedAt: Date

    /// What events tell; a later charge of the same period does not undo it.
    ///
    /// - Parameter events: those that were taken, in signed order.
    package static func derived(from events: [StoreEvent]) -> [FailedCharge] {
        guard events.contains(where: \.kind.saysThatChargeFailed) else { return [] }
        let identities = PurchaseIdentities(events)
        let periods = SeatPeriods(events, by: identities)
        var known: Set<String> = []
        return events.compactMap { event in
            let transaction = event.transaction
            let name = periods.period(of: transaction.additionTo ?? identities.name(of: transaction.id))
            guard event.kind.saysThatChargeFailed, !transaction.isShared, known.insert(name).inserted
            else { return nil }
            return FailedCharge(
                transactionID: name,
                productID: transaction.productID,
                storefront: transaction.storefront,
                currency: transaction.price?.currency,
                failedAt: event.signedAt
            )
        }
    }
}

extension MetricsEntry {
    /// What a renewal that could not be charged adds: one, on the business day the store first said so.
    package init(_ failure: FailedCharge, of product: UUID, in zone: TimeZone) {
        self.init(
            measure: .chargeFailed,
            day: BusinessDay(failure.failedAt, in: zone),
            dimension: 0,
            cell: MetricsCell(product: product, country: failure.storefront ?? "", currency: failure.currency),
            amount: 0,
            count: 1,
            effectiveAt: failure.failedAt
        )
    }
}

extension SubscriptionHistory.Outcome {
    /// - Parameter events: those that it is the outcome of.
    package func failedCharges(of events: [StoreEvent]) -> [FailedCharge] {
        FailedCharge.derived(from: zip(events, steps).filter { $1.rejectionReason == nil }.map(\.0))
    }
}

extension StoreEvent.Kind {
    var saysThatChargeFailed: Bool {
        switch self {
        case .gracePeriodEntered, .billingRetryEntered: true
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .gracePeriodExpired, .expired, .priceIncreasePending,
            .priceIncreaseAccepted, .refunded, .seatsRefunded, .seatsChanged, .refundDeclined, .refundReversed,
            .refundRequested, .revoked,
            .renewalExtended, .renewalExtensionFailed, .paused, .resumed, .purchasedOnce, .observed, .informational:
            false
        }
    }
}
