package import Foundation

/// That a longer time is bought and paid for period by period (Apple: a one-year subscription billed monthly, `billingPlanType`
/// MONTHLY). Price and end of its transactions are those of one billing period.
package struct Commitment: Hashable, Sendable, Codable {
    /// Which of its billing periods a transaction is for, from 1; nil where the store does not say.
    package var period: Int?
    /// Their number.
    package var periods: Int?
    /// When all of them are over, as far as is known: what is paid for late moves it.
    package var endsAt: Date?
    /// Of all of them together; nil where the store does not say. Never an amount that was charged.
    package var price: Money?

    package init(period: Int? = nil, periods: Int? = nil, endsAt: Date? = nil, price: Money? = nil) {
        (self.period, self.periods, self.endsAt, self.price) = (period, periods, endsAt, price)
    }

    /// Whether more billing periods follow the one that ends at a moment.
    func goesOn(after end: Date?) -> Bool {
        if let period, let periods { return period < periods }
        guard let endsAt, let end else { return false }
        return end < endsAt.addingTimeInterval(-86_400)
    }

    /// Whether a transaction's is the same year as another's.
    func continues(_ other: Commitment) -> Bool {
        if let period { return period > 1 }
        return endsAt == other.endsAt
    }
}

extension Subscription {
    /// What a commitment leaves to the customer: whether it is renewed when all of its periods are over. The next month is billed
    /// whatever they wish.
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
