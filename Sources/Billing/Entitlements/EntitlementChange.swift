package import Foundation

/// A change of a customer's access.
package struct EntitlementChange: Hashable, Sendable {
    package var at: Date
    /// The access before: the catalogue's key of the product, or of a grant's plan; nil for none.
    package var before: UUID?
    package var after: UUID?
    package var cause: Cause
    /// The metrics cell of the change: that of the access after it, or of the access before where there is none after.
    package var cell: MetricsCell
    package var source: Entitlement.Source

    /// The cause of a change. The database keeps the raw values.
    package enum Cause: String, Sendable, CaseIterable {
        /// The customer bought, or the store renewed.
        case bought
        case trial
        /// A family member bought, or a group assigned a seat.
        case shared
        /// A pause ended, a refund was taken back, or a payment came late.
        case resumed
        /// Staff let a suspended subscription give access again.
        case restored
        /// Staff gave it.
        case granted
        case expired
        case trialEnded = "trial_ended"
        /// A charge failed.
        case unpaid
        case paused
        case refunded
        /// No longer shared by family, or the seat was taken away.
        case revoked
        /// Staff let a subscription give nothing.
        case suspended
        /// The time of a grant was over.
        case grantEnded = "grant_ended"
        /// Staff ended a grant before its time.
        case withdrawn
    }
}
