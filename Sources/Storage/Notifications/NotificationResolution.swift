package import Billing
import Foundation
import Postgres

/// Finding out what a kept notification means, while it is leased.
extension Database {
    /// What the store sent, to ask it about.
    ///
    /// - Returns: nil when the lease is no longer ours.
    package func signedPayload(of leased: LeasedNotification) async throws -> String? {
        try await writeAlone(
            """
            SELECT signed_payload
            FROM store_notifications
            WHERE id = \(leased.id) AND attempts = \(leased.attempt) AND leased_by = \(leased.worker)
            """
        ).first?.decode(0, as: String.self)
    }

    /// Keeps what it means, so that the store is not asked again however often applying it is tried.
    ///
    /// - Returns: false when the lease is no longer ours; then nothing has changed.
    package func resolve(_ leased: LeasedNotification, as event: StoreEvent) async throws -> Bool {
        try await writeAlone(
            """
            UPDATE store_notifications
            SET event = \(EventJSON.text(of: event))::jsonb, needs_resolving = false,
                original_transaction_id = \(event.transaction.originalID)
            WHERE id = \(leased.id) AND attempts = \(leased.attempt) AND leased_by = \(leased.worker)
            """
        ).affectedRows == 1
    }

    /// Finishes one that turned out to concern no subscription.
    ///
    /// - Returns: false when the lease is no longer ours; then nothing has changed.
    package func ignore(_ leased: LeasedNotification) async throws -> Bool {
        try await writeAlone(
            """
            WITH ignored AS (
                UPDATE store_notifications
                SET state = 'ignored', needs_resolving = false, leased_by = NULL, lease_ends_at = NULL,
                    last_error = NULL, finished_at = \(now)
                WHERE id = \(leased.id) AND attempts = \(leased.attempt) AND leased_by = \(leased.worker)
                RETURNING id
            )
            INSERT INTO notification_attempts (notification_id, attempt, result, started_at, finished_at)
            SELECT id, \(leased.attempt), 'ignored', \(leased.startedAt), \(now)
            FROM ignored
            """
        ).affectedRows == 1
    }
}
