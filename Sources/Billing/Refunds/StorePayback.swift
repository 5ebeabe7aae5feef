package import Foundation

/// About how much a store that decides for itself pays back, by what it is told. It takes no amounts of ours.
package struct StorePayback: Hashable, Sendable {
    /// All of the charge that was not given back yet.
    package let full: Money
    /// The unused share of the paid period; nil where there is none that we could work out.
    package let prorated: Proration?

    package init(_ order: RefundableOrder, at now: Date) {
        var whole = order
        // Other requests of ours hold nothing at the store.
        whole.held = .zero(order.amount.currency)
        full = whole.left
        prorated = try? whole.proration(at: now)
    }

    /// nil where the store alone knows.
    package func amount(for preference: RefundPreference) -> Money? {
        switch preference {
        case .grantFull: full
        case .grantProrated: prorated?.amount
        case .decline: .zero(full.currency)
        }
    }

    /// The amount that an approval is compared with the limits by: all that is left where the store alone knows.
    package func weighed(for preference: RefundPreference) -> Money { amount(for: preference) ?? full }
}
