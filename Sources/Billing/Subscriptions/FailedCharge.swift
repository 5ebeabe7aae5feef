package import Foundation

/// A renewal that the store could not charge. However often the store says so of one period, it is one.
package struct FailedCharge: Hashable, Sendable {
    /// The period after which it was to renew.
    package var transactionID: String
    /// The store's product identifier.
    package var productID: String
    package var storefront: String?
    package var currency: Currency?
    /// The time at which the store first reported it.
    package var failedAt: Date

    /// The failed charges of a history; one stays even if the same period is charged later.
    ///
    /// - Parameter events: the applied events, in signed order.
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
    /// The entry for a failed renewal charge: one, on the business day of the store's first report.
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
            .renewalExtended, .renewalExtensionFailed, .paused, .resumed, .purchasedOnce, .observed, .informational,
            .periodMoved:
            false
        }
    }
}
