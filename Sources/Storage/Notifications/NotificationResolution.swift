package import Billing
package import Foundation
import Postgres

/// Finding out what a kept notification means, while it is leased.
extension Database {
    /// The payload that the store signed, to ask the store about it.
    ///
    /// - Returns: nil when the lease is no longer ours.
    package func signedPayload(of leased: LeasedNotification) async throws -> String? {
        try await writeAlone(
            """
            SELECT signed_payload
            FROM store_notifications
            WHERE \(QueueTable.notifications.isHeld(leased.lease))
            """
        ).first?.decode(0, as: String.self)
    }

    /// Keeps what it means, so that the store is not asked again however often applying it is tried.
    ///
    /// - Parameter others: the events of what was bought together with that one's subscription.
    /// - Returns: false when the lease is no longer ours; then nothing has changed.
    package func resolve(
        _ leased: LeasedNotification,
        as event: StoreEvent,
        and others: [StoreEvent] = []
    ) async throws -> Bool {
        try await writeAlone(
            """
            UPDATE store_notifications
            SET event = \(EventJSON.text(of: event))::jsonb, needs_resolving = false,
                other_events = nullif(\(EventJSON.text(of: others)), '')::jsonb,
                original_transaction_id = \(event.transaction.originalID), environment = \(event.environment)
            WHERE \(QueueTable.notifications.isHeld(leased.lease))
            """
        ).affectedRows == 1
    }

    /// Finishes one that turned out to concern no subscription.
    ///
    /// - Returns: false when the lease is no longer ours; then nothing has changed.
    package func ignore(_ leased: LeasedNotification) async throws -> Bool {
        try await writeAlone(
            QueueTable.notifications.finish(
                leased.lease,
                as: "'ignored'",
                at: now,
                setting: ", needs_resolving = false"
            )
        ).affectedRows == 1
    }
}

extension WriteTransaction {
    /// Finishes a notification that was about no subscription, with what it says.
    ///
    /// - Parameter end: the time at which it is finished.
    /// - Returns: its environment; nil when the lease is no longer ours.
    package func finish(_ leased: LeasedNotification, at end: Date) async throws -> StoreEnvironment? {
        let rows = try await lock(
            "SELECT environment FROM store_notifications WHERE \(QueueTable.notifications.isHeld(leased.lease)) FOR NO KEY UPDATE"
        )
        guard let environment = try rows.first?.decode(0, as: StoreEnvironment.self) else { return nil }
        try await query(
            QueueTable.notifications.finish(
                leased.lease,
                as: "'processed'",
                at: end,
                setting: ", needs_resolving = false"
            )
        )
        return environment
    }
}
