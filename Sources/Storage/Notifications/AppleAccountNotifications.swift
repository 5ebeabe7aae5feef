package import Billing
package import Foundation
import Postgres

/// A notification from Apple about an account with which somebody signs in to an app.
package struct StoredAccountNotification: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<StoredAccountNotification>

    package var id: ID
    package var app: App.ID
    /// The same on every delivery.
    package var notificationID: String
    package var clientID: String
    /// In Apple's own words.
    package var type: String
    /// Names the person within the developer's team.
    package var subject: String
    /// The relay address that it is about; nil also for a reader who may not see it.
    package var email: Personal<String>?
    package var isPrivateEmail: Bool?
    package var happenedAt: Date?
    package var receivedAt: Date

    package init(
        id: ID,
        app: App.ID,
        notificationID: String,
        clientID: String,
        type: String,
        subject: String,
        email: Personal<String>?,
        isPrivateEmail: Bool?,
        happenedAt: Date?,
        receivedAt: Date
    ) {
        self.id = id
        self.app = app
        self.notificationID = notificationID
        self.clientID = clientID
        self.type = type
        self.subject = subject
        self.email = email
        self.isPrivateEmail = isPrivateEmail
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }
}

extension WriteTransaction {
    /// Keeps one, unless it is there.
    ///
    /// - Returns: whether it is new.
    package func keep(_ notification: StoredAccountNotification) async throws -> Bool {
        try await query(
            """
            INSERT INTO apple_account_notifications
                (id, app_id, notification_id, client_id, type, subject, email, is_private_email, happened_at, received_at)
            VALUES
                (\(notification.id), \(notification.app), \(notification.notificationID), \(notification.clientID),
                 \(notification.type), \(notification.subject), \(notification.email), \(notification.isPrivateEmail),
                 \(notification.happenedAt), \(notification.receivedAt))
            ON CONFLICT ON CONSTRAINT an_account_notification_is_kept_once DO NOTHING
            """
        ).affectedRows > 0
    }
}

extension Queries {
    /// The newest of an app.
    ///
    /// - Parameter seesPersonalData: without it no address leaves the database.
    package func accountNotifications(
        of app: App.ID,
        seesPersonalData: Bool,
        limit: Int
    ) async throws -> [StoredAccountNotification] {
        try await reader.query(
            """
            SELECT id, app_id, notification_id, client_id, type, subject, CASE WHEN \(seesPersonalData) THEN email END,
                is_private_email, happened_at, received_at
            FROM apple_account_notifications
            WHERE app_id = \(app)
            ORDER BY received_at DESC, id DESC
            LIMIT \(limit)
            """
        ).map { row in
            var columns = try row.columns(10)
            return StoredAccountNotification(
                id: try columns.next(),
                app: try columns.next(),
                notificationID: try columns.next(),
                clientID: try columns.next(),
                type: try columns.next(),
                subject: try columns.next(),
                email: try columns.next(),
                isPrivateEmail: try columns.next(),
                happenedAt: try columns.next(),
                receivedAt: try columns.next()
            )
        }
    }
}
