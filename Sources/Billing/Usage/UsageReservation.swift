package import Foundation

/// The usage reserved for an operation under way, and the totals with it. It is kept under the call's idempotency key, so its coding does
/// not change.
package struct UsageReservation: Hashable, Sendable, Codable {
    package var id: UUID
    /// The feature's code.
    package var feature: String
    package var quantity: Int64
    /// The time at which it is released by itself.
    package var expiresAt: Date
    package var usage: UsageByWindow

    package init(id: UUID, feature: String, quantity: Int64, expiresAt: Date, usage: UsageByWindow) {
        (self.id, self.feature, self.quantity) = (id, feature, quantity)
        (self.expiresAt, self.usage) = (expiresAt, usage)
    }
}
