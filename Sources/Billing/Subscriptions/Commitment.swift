package import Foundation

/// A commitment to a longer time that is billed period by period (Apple: a one-year subscription billed monthly, `billingPlanType`
/// MONTHLY). Price and end of its transactions are those of one billing period.
package struct Commitment: Hashable, Sendable, Codable {
    /// The number of the transaction's billing period, from 1; nil where the store does not say.
    package var period: Int?
    /// The number of billing periods.
    package var periods: Int?
    /// The end of the last billing period, as far as is known: a late payment moves it.
    package var endsAt: Date?
    /// The price of all periods together; nil where the store does not say. Never an amount that was charged.
    package var price: Money?

    package init(period: Int? = nil, periods: Int? = nil, endsAt: Date? = nil, price: Money? = nil) {
        (self.period, self.periods, self.endsAt, self.price) = (period, periods, endsAt, price)
    }

    /// True if more billing periods follow the one that ends at a moment.
    func goesOn(after end: Date?) -> Bool {
        if let period, let periods { return period < periods }
        guard let endsAt, let end else { return false }
        return end < endsAt.addingTimeInterval(-86_400)
    }

    /// True if both are the same commitment.
    func continues(_ other: Commitment) -> Bool {
        if let period { return period > 1 }
        return endsAt == other.endsAt
    }
}

extension Subscription {
    /// True while more periods of the commitment follow. They are billed even if the customer cancels: a cancellation only stops the
    /// renewal after the last one.
    var isBound: Bool { commitment?.goesOn(after: periodEndsAt) ?? false }

    /// Takes over what the store says of the time after the commitment.
    mutating func followCommitment(_ event: StoreEvent) {
        guard commitment != nil else { return }
        let isTurnedOff = event.kind == .autoRenewDisabled
        let isTurnedOn = event.kind == .autoRenewEnabled
        guard let renews = event.renewal?.commitmentRenews ?? (isTurnedOff ? false : isTurnedOn ? true : nil) else {
            return
        }
        commitmentCancelledAt = renews ? nil : commitmentCancelledAt ?? event.signedAt
    }
}
