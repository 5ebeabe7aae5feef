package import Billing
package import Foundation

/// One customer's share of a subscription metric: of a snapshot in all, of changes on one day.
package struct SubscriberRow: Hashable, Sendable {
    package var customer: Customer.ID
    package var customerKey: String
    /// The business day; for a snapshot, the last on which it changed.
    package var day: BusinessDay
    /// Minor units a month in the asked currency, or a count; nil without a rate.
    package var value: Int64?
    /// The amounts in the currencies that were charged; empty for a count.
    package var own: [Money]
    /// The products that it takes away, and those that it adds.
    package var left: [Product]
    package var came: [Product]
    package var movement: MovementClass?
    /// The access period behind it; nil where none is known.
    package var stretch: Stretch?
    /// The reason why the period ended, where the store reported one.
    package var end: End?

    package struct Product: Hashable, Sendable {
        package var name: String
        package var plan: String
    }

    package struct Stretch: Hashable, Sendable {
        package var from: Date
        /// nil: never.
        package var until: Date?
        package var price: Money?
        /// The length of the period that one charge pays for; nil for a one-time purchase.
        package var length: BillingPeriod?
    }

    package enum End: Hashable, Sendable {
        case expired(ExpirationReason)
        case takenBack
    }
}

/// The totals of all rows behind a subscription metric.
package struct SubscriberSums: Hashable, Sendable {
    /// Minor units a month by currency, the largest first; empty for a count.
    package var amounts: [Money] = []
    /// All of them in the asked currency; nil for a count.
    package var converted: Money?
    /// The amounts that `converted` lacks because a rate is missing.
    package var unconverted: [Money] = []
    /// Running periods of unknown price, which the amounts lack.
    package var unpriced = 0
    /// The count; 0 for money.
    package var count: Int64 = 0
    /// For `lost`, the number at the start.
    package var start: Int64?

    package init() {}
}
