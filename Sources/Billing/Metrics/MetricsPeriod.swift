/// A stretch of access with what the metrics need to know of it.
package struct MetricsPeriod: Hashable, Sendable {
    package var subscription: Subscription.ID
    package var access: AccessPeriod
    package var cell: MetricsCell
    package var planRank: Int
    /// How long one period of the product is; nil for what is bought once.
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

    /// What it adds to monthly recurring revenue, in minor units; 0 for trials, what is shared by family, and what is
    /// bought once.
    package var monthly: Int64 {
        guard access.isPaid, let price = access.price, let length else { return 0 }
        return price.monthly(every: length)?.minorUnits ?? 0
    }

    /// Whether a customer with both is counted under this one: the higher plan, then the later end, then the smaller
    /// id.
    func decides(over other: MetricsPeriod) -> Bool {
        if planRank != other.planRank { return planRank > other.planRank }
        if access.endsAt != other.access.endsAt {
            guard let end = access.endsAt else { return true }
            return other.access.endsAt.map { end > $0 } ?? false
        }
        return (access.transactionID, subscription.description)
            < (other.access.transactionID, other.subscription.description)
    }
}
