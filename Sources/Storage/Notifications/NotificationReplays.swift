package import Billing
package import Foundation
import Postgres

/// A notification as a request for its replay finds it.
package struct ReplayableNotification: Sendable {
    package var type: String
    package var state: NotificationState
    package var attempts: Int
    /// True if there is an event to apply, or one to resolve.
    package var hasEvent: Bool
}

extension WriteTransaction {
    package var notifications: NotificationWrites { NotificationWrites(transaction: self) }
}

package struct NotificationWrites: Sendable {
    let transaction: WriteTransaction

    /// Locks one; nil when the app has none of that key.
    package func lock(_ id: UUID, of app: App.ID) async throws -> ReplayableNotification? {
        let rows = try await transaction.lock(
            """
            SELECT type, state, attempt, event IS NOT NULL OR needs_resolving
            FROM store_notifications
            WHERE id = \(id) AND app_id = \(app)
            FOR NO KEY UPDATE
            """
        )
        guard var columns = try rows.first?.columns(4) else { return nil }
        return ReplayableNotification(
            type: try columns.next(),
            state: try columns.next(),
            attempts: try columns.next(),
            hasEvent: try columns.next()
        )
    }

    /// Makes a finished one due at once, by the database's clock, by which workers look; its attempts count on.
    package func makeDue(_ id: UUID) async throws {
        let table = QueueTable.notifications
        try await transaction.pipeline([table.revival(where: "id = \(id)"), table.wakeUp])
    }
}
