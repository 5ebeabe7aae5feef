package import Billing
package import Foundation

/// What one customer adds, of what stands in all and of what changes on one day.
package struct SubscriberRow: Hashable, Sendable {
    package var customer: Customer.ID
    package var customerKey: String
    /// The business day; of what stands the last on which it changed.
    package var day: BusinessDay
    /// Minor units a month of the asked currency, or how many; nil for what has no rate.
    package var value: Int64?
    /// What is charged for that, by currency; nothing for what is counted.
    package var own: [Money]
    /// What it takes away, and what it adds, by plan.
    package var left: [Product]
    package var came: [Product]
    package var movement: MovementClass?
    /// The stretch of access that it is of; nil where none is known.
    package var stretch: Stretch?
    /// Why the stretch ended, where the store said so.
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
        /// How long what is paid for at once lasts; nil for what is bought once.
        package var length: BillingPeriod?
    }

    package enum End: Hashable, Sendable {
        case expired(ExpirationReason)
        case takenBack
    }
}

/// What all rows behind a metric add up to.
package struct SubscriberSums: Hashable, Sendable {
    /// Minor units a month by currency, the largest first; nothing for what is counted.
    package var amounts: [Money] = []
    /// All of them in the asked currency; nil for what is counted.
    package var converted: Money?
    /// What is not in it for want of a rate.
    package var unconverted: [Money] = []
    /// Running periods whose price is not known, and not in it.
    package var unpriced = 0
    /// How many; 0 for money.
    package var count: Int64 = 0
    /// Of what is lost: how many there were at the start.
    package var start: Int64?

    package init() {}
}
