import Foundation

/// A stretch of access with what the metrics need to know of it.
package struct MetricsPeriod: Hashable, Sendable {
    package var subscription: Subscription.ID
    package var access: AccessPeriod
    package var cell: MetricsCell
    package var planRank: Int
    /// The length that its transaction paid for; nil for a one-time purchase.
    package var length: BillingPeriod?

    package init(
        subscription: Subscription.ID,
        access: AccessPeriod,
        cell: MetricsCell,
        planRank: Int,
        length: BillingPeriod?
    ) {
        self.subscription = subscription
        self.access = access
        self.cell = cell
        self.planRank = planRank
        self.length = length
    }

    /// Its monthly recurring revenue, in minor units; 0 for trials, family-shared access and one-time purchases.
    package var monthly: Int64 {
        guard access.isPaid, let price = access.price, let length else { return 0 }
        return price.monthly(every: length)?.minorUnits ?? 0
    }
}

extension MetricsPeriod: AccessPrecedence {
    var endsAt: Date? { access.endsAt }
    var isGranted: Bool { false }
    var names: [String] { [access.transactionID, subscription.description] }
}
