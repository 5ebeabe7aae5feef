/// The state of a notification in the inbox. The database keeps the raw values.
package enum NotificationState: String, Hashable, Sendable, CaseIterable {
    /// Stored, and due now or at its next attempt.
    case received
    /// A worker holds it.
    case processing
    case processed
    /// Nothing had to be done.
    case ignored
    /// Given up after its last attempt; waits for people.
    case failed
}

/// The filter and the page of a list of notifications, newest first.
package struct NotificationFilter: ListFilter, Hashable {
    /// nil for all.
    package var state: NotificationState?
    /// Only notifications that this reconciliation found missing; nil for all.
    package var reconciliation: Reconciliation.ID?
    package var position: PagePosition
    /// The columns that the URL names; nil for the person's own choice.
    package var columns: ColumnChoice?

    package init(
        state: NotificationState? = nil,
        reconciliation: Reconciliation.ID? = nil,
        position: PagePosition = .first
    ) {
        self.state = state
        self.reconciliation = reconciliation
        self.position = position
    }

    package func cursor(at row: ListedNotification, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .notificationReceived, date: row.receivedAt, id: row.id, rowsBefore: rowsBefore)
    }
}
