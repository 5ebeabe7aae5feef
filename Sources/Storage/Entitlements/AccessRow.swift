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
    /// Where it was bought; nil for a grant.
    package var store: Store?
    /// Who did it, of staff; nil for others, and where nobody is known.
    package var staff: String?
    /// Whether the customer was given it for a promo code.
    package var isOfPromoCode: Bool
}
