package import Foundation

/// The answer to a store that decides for itself and asks about a refund (Apple's refund preference; product.md,
/// decision 8). Raw values are Apple's, and what the database keeps.
package enum RefundPreference: String, Sendable, Codable, CaseIterable {
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
    case decline = "DECLINE"

    /// The preference for an approval of this kind, unless staff choose another. The store knows no amounts of ours: a partial refund is
    /// proposed to it as a prorated one.
    package static func proposed(for kind: Refund.Kind) -> RefundPreference {
        switch kind {
        case .full: .grantFull
        case .partial, .prorated: .grantProrated
        }
    }

    /// The answers that go with an approval.
    package static let grants: [RefundPreference] = [.grantFull, .grantProrated]

    /// Until when a store's consumption request can be answered; nil for stores that do not ask. Apple: 12 hours, Google: 24.
    package static func deadline(of store: Store, askedAt: Date) -> Date? {
        store.rules.refundAnswerTime.map { askedAt.addingTimeInterval($0) }
    }
}
