package import Billing
package import Foundation

/// A person with a device and a store account.
package struct SimulatedCustomer: Hashable, Sendable {
    /// The app account token that every purchase of theirs carries.
    package var token: UUID
    package var storefront: SimulatedStorefront
    package var environment: StoreEnvironment
    /// True if they have the subscription through another family member's purchase.
    package var isFamilyMember: Bool
    package var joinsAt: Date
}
