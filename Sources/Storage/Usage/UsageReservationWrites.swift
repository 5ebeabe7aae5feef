package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var usageReservations: UsageReservationWrites { UsageReservationWrites(transaction: self) }
}

/// The writes of reservations and of their settlement.
package struct UsageReservationWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a reservation whose quantity was counted in this transaction.
    package func insert(_ reservation: StoredUsageReservation) async throws {
        try await transaction.query(
            """
            INSERT INTO usage_reservations (id, customer_id, feature_id, day, quantity, state, reserved_at, expires_at)
            VALUES (\(reservation.id), \(reservation.customer), \(reservation.feature), \(reservation.day),
                \(reservation.quantity), \(reservation.state), \(reservation.reservedAt), \(reservation.expiresAt))
            """
        )
    }

    /// A customer's reservation, locked until the transaction ends; nil where they have none of this id for the feature.
    package func lock(
        _ id: StoredUsageReservation.ID,
        of customer: Customer.ID,
        for feature: String
    ) async throws -> StoredUsageReservation? {
        let found = try await transaction.lock(
            """
            SELECT \(StoredUsageReservation.columns)
            FROM usage_reservations
            WHERE id = \(id) AND feature_id IN (SELECT f.id FROM features f WHERE f.code = \(feature))
            FOR UPDATE
            """
        ).first.map(StoredUsageReservation.init(row:))
        // Asked once it is locked: whoever was merging the customer has ended.
        guard let found, try await transaction.customers.current(customer) == found.customer else { return nil }
        return found
    }

    /// Ends one that is locked and open, and gives back what was not used.
    ///
    /// - Parameter used: at most its quantity; 0 unless it is settled.
    package func end(
        _ reservation: StoredUsageReservation,
        as state: StoredUsageReservation.State,
        used: Int64
    ) async throws {
        try await transaction.query(
            """
            UPDATE usage_reservations
            SET state = \(state), used = \(used), ended_at = \(transaction.now)
            WHERE id = \(reservation.id) AND state = 'open'
            """
        )
        try await giveBack(reservation.quantity.minus(used), of: reservation)
    }

    /// Ends those whose time is over, a hundred at a time; another transaction's are left to it.
    ///
    /// - Parameters:
    ///   - customer: nil for everybody's.
    ///   - feature: nil for every feature's.
    /// - Returns: how many.
    package func expire(of customer: Customer.ID? = nil, _ feature: FeatureRecord.ID? = nil) async throws -> Int {
        let expired = try await transaction.query(
            """
            UPDATE usage_reservations
            SET state = 'expired', used = 0, ended_at = \(transaction.now)
            WHERE id IN (
                SELECT id
                FROM usage_reservations
                WHERE state = 'open' AND expires_at <= \(transaction.now)
                    AND customer_id = coalesce(\(customer), customer_id) AND feature_id = coalesce(\(feature), feature_id)
                ORDER BY expires_at, id
                LIMIT 100
                FOR UPDATE SKIP LOCKED
            )
            RETURNING \(StoredUsageReservation.columns)
            """
        ).map(StoredUsageReservation.init(row:))
        // In one order, so that two of these do not wait for each other.
        let ordered = expired.sorted { left, right in
            (left.customer.description, left.feature.description)
                < (right.customer.description, right.feature.description)
        }
        for reservation in ordered { try await giveBack(reservation.quantity, of: reservation) }
        return expired.count
    }

    /// Takes it out of the day that it was counted in, and of the windows with that day which are not over.
    private func giveBack(_ quantity: Int64, of reservation: StoredUsageReservation) async throws {
        guard quantity > 0 else { return }
        let month = ReportingPeriod(.month, containing: reservation.day).first
        try await transaction.pipeline([
            """
            UPDATE usage_counters
            SET day_used = CASE WHEN day = \(reservation.day) THEN day_used - \(quantity) ELSE day_used END,
                month_used = CASE WHEN month = \(month) THEN month_used - \(quantity) ELSE month_used END,
                lifetime_used = lifetime_used - \(quantity)
            WHERE customer_id = \(reservation.customer) AND feature_id = \(reservation.feature)
            """,
            """
            UPDATE usage_days
            SET used = used - \(quantity)
            WHERE customer_id = \(reservation.customer) AND feature_id = \(reservation.feature)
                AND day = \(reservation.day)
            """,
        ])
    }
}

extension Database {
    /// Forgets reservations that ended before a moment.
    ///
    /// - Returns: how many.
    package func forgetUsageReservations(endedBefore moment: Date) async throws -> Int {
        try await writeAlone("DELETE FROM usage_reservations WHERE ended_at < \(moment)").affectedRows
    }
}
