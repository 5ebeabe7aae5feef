package import Foundation

/// A change's contribution to a metric of one business day, in the cell that the metric is filtered by.
package struct MetricsEntry: Hashable, Sendable {
    package var measure: Measure
    package var day: BusinessDay
    /// For `mrr` and `subscriber` a `MovementClass`; for `lost` 1 by day, 2 by week, 3 by month; for `retained` the number of the paid
    /// period; for `holder` 1 in a free trial; for `access` an `AccessMovement`; otherwise 0.
    package var dimension: Int
    package var cell: MetricsCell
    /// Minor units of the cell's currency.
    package var amount: Int64
    package var count: Int
    /// The moment from which the metric counts: that of the last change it follows from. An end that is still to come
    /// is known already, and not yet true.
    package var effectiveAt: Date

    /// Raw values are what the database keeps.
    package enum Measure: String, Sendable, CaseIterable {
        /// The change in monthly recurring revenue.
        case mrr
        /// The change in the number of customers with paid access.
        case subscriber
        /// Customers with paid access before a day, week or month, and none at its end; on its first day. True when its
        /// last day ends.
        case lost
        /// Free trials, on the day they began. So are the next two.
        case trial
        case trialConverted = "trial_converted"
        case trialAbandoned = "trial_abandoned"
        /// Subscriptions whose first paid period began, on that day. So is the next.
        case started
        /// Of these, those that paid for a period.
        case retained
        /// The change in the number of customers with access, paid or not.
        case holder
        /// Changes of customers' access.
        case access
        /// Renewals that could not be charged, on the day the store first said so.
        case chargeFailed = "charge_failed"

        /// True if each customer's contribution to the metric is kept too, as the rows behind it.
        package var hasRows: Bool {
            switch self {
            case .mrr, .subscriber, .lost, .trial, .trialConverted, .trialAbandoned, .started, .retained, .holder: true
            // Changes of access are rows themselves; failed charges are shown by day alone.
            case .access, .chargeFailed: false
            }
        }
    }
}

/// The dimensions that subscription metrics are broken down by.
package struct MetricsCell: Hashable, Sendable {
    /// The catalogue's key of the product.
    package var product: UUID
    /// Empty where the store does not say.
    package var country: String
    /// nil for access without a price.
    package var currency: Currency?

    package init(product: UUID, country: String, currency: Currency?) {
        self.product = product
        self.country = country
        self.currency = currency
    }
}

extension MetricsCell {
    /// An order in which the cells of a customer always stand.
    func precedes(_ other: MetricsCell) -> Bool {
        (product.uuidString, country, currency?.code ?? "") < (
            other.product.uuidString, other.country, other.currency?.code ?? ""
        )
    }
}

/// The change in a customer's access. The raw values are the dimensions of entries.
package enum AccessMovement: Int, Sendable, CaseIterable {
    /// They never had any access before.
    case gained
    /// They had none, but some earlier.
    case regained
    /// They have none any more.
    case lost
    /// They have a higher plan than before.
    case raised
    /// Has a lower plan, or another of the same rank.
    case lowered
}

/// The change in a customer's paid access over a business day. The raw values are the dimensions of entries.
package enum MovementClass: Int, Sendable, CaseIterable {
    /// They never had any at the end of an earlier day.
    case new
    /// They had none at the end of the day before, but some earlier.
    case reactivation
    /// They had some and have more in the currency than before. Never below zero.
    case expansion
    /// They had some and have less in the currency than before. Never above zero.
    case contraction
    /// Has none at the end of the day.
    case churned
    /// Had some and has, of another product: what left the one and came to the other. Adds up to nothing over all
    /// products of a currency.
    case moved
}

extension MetricsEntry {
    /// The business day at whose end the metric counts for the first time.
    package func firstDay(in zone: TimeZone) -> BusinessDay {
        let day = BusinessDay(effectiveAt, in: zone)
        // Its moment is the first of the day after the period.
        return measure == .lost ? day.advanced(by: -1) : day
    }

    /// The entries to add to `old` to make it `new`; empty if both are equal.
    package static func difference(from old: [MetricsEntry], to new: [MetricsEntry]) -> [MetricsEntry] {
        var sums: [Place: (amount: Int64, count: Int)] = [:]
        for (entries, sign) in [(old, -1), (new, 1)] {
            for entry in entries {
                let sum = sums[Place(entry), default: (0, 0)]
                sums[Place(entry)] = (
                    Int64(clamping: Int128(sum.amount) + Int128(entry.amount) * Int128(sign)),
                    sum.count + entry.count * sign
                )
            }
        }
        return sums.compactMap { place, sum in
            guard sum.amount != 0 || sum.count != 0 else { return nil }
            var entry = place.entry
            (entry.amount, entry.count) = (sum.amount, sum.count)
            return entry
        }
    }

    /// The key under which an entry counts. Moments are compared by the microsecond, as the database keeps them.
    private struct Place: Hashable {
        var entry: MetricsEntry

        init(_ entry: MetricsEntry) {
            self.entry = entry
            (self.entry.amount, self.entry.count) = (0, 0)
            let microseconds = (entry.effectiveAt.timeIntervalSinceReferenceDate * 1_000_000).rounded()
            self.entry.effectiveAt = Date(timeIntervalSinceReferenceDate: microseconds / 1_000_000)
        }
    }
}
