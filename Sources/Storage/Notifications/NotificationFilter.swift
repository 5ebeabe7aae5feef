/// Where a notification stands in the inbox. Raw values are what the database keeps.
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

/// Which notifications a list shows, newest first, and which page of it.
package struct NotificationFilter: ListFilter, Hashable {
    /// nil for all.
    package var state: NotificationState?
    /// Only what that reconciliation found missing; nil for all.
    package var reconciliation: Reconciliation.ID?
    package var position: PagePosition
    /// Which columns the address names; nil for the person's own choice.
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
