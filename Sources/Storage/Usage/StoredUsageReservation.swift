package import Billing
package import Foundation
import Postgres

/// Usage that is held for what is under way.
package struct StoredUsageReservation: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<StoredUsageReservation>

    package var id: ID
    package var customer: Customer.ID
    package var feature: FeatureRecord.ID
    /// The business day that it is counted in.
    package var day: BusinessDay
    package var quantity: Int64
    package var state: State
    /// Of the quantity; nil while it is open.
    package var used: Int64?
    package var reservedAt: Date
    package var expiresAt: Date

    /// The database keeps the raw values.
    package enum State: String, Sendable, CaseIterable {
        /// It counts as used. Can transition to: each other.
        case open
        /// Some or all of it was used.
        case settled
        /// None of it was.
        case released
        /// Nobody said what was used until its time was over; then none of it was.
        case expired
    }

    package init(
        id: ID,
        customer: Customer.ID,
        feature: FeatureRecord.ID,
        day: BusinessDay,
        quantity: Int64,
        state: State = .open,
        used: Int64? = nil,
        reservedAt: Date,
        expiresAt: Date
    ) {
        (self.id, self.customer, self.feature) = (id, customer, feature)
        (self.day, self.quantity, self.state, self.used) = (day, quantity, state, used)
        (self.reservedAt, self.expiresAt) = (reservedAt, expiresAt)
    }
}

extension StoredUsageReservation.State: PostgresEncodable, PostgresDecodable {}

extension StoredUsageReservation {
    static let columns: Query =
        "id, customer_id, feature_id, day, quantity, state, used, reserved_at, expires_at"

    init(row: Row) throws {
        var columns = try row.columns(9)
        self.init(
            id: try columns.next(),
            customer: try columns.next(),
            feature: try columns.next(),
            day: try columns.next(),
            quantity: try columns.next(),
            state: try columns.next(),
            used: try columns.next(),
            reservedAt: try columns.next(),
            expiresAt: try columns.next()
        )
    }
}
