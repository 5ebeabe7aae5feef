package import Billing
package import Foundation

/// One change of what a customer may use.
package struct AccessRow: Sendable {
    package var id: UUID
    package var at: Date
    package var customer: Customer.ID
    /// The plan's code; nil for nothing.
    package var before: String?
    package var after: String?
    package var cause: EntitlementChange.Cause
    /// The store of the purchase; nil for a grant.
    package var store: Store?
    /// The staff member who made the change; nil for others, and where nobody is known.
    package var staff: String?
    /// True if the access came from a promo code.
    package var isOfPromoCode: Bool
}
