package import Billing

/// The filter and the page of a list of access changes, newest first.
package struct AccessFilter: ListFilter, Hashable {
    package var metrics: MetricsFilter
    package var direction: Direction?
    package var cause: EntitlementChange.Cause?
    /// On or after.
    package var from: BusinessDay?
    /// On or before.
    package var to: BusinessDay?
    package var position: PagePosition

    package init(
        metrics: MetricsFilter = MetricsFilter(),
        direction: Direction? = nil,
        cause: EntitlementChange.Cause? = nil,
        from: BusinessDay? = nil,
        to: BusinessDay? = nil,
        position: PagePosition = .first
    ) {
        self.metrics = metrics
        self.direction = direction
        self.cause = cause
        self.from = from
        self.to = to
        self.position = position
    }

    /// The direction of a change. Raw values appear in URLs.
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        /// Had nothing.
        case gained
        /// Has nothing.
        case lost
        /// Had something and has something.
        case moved
    }

    package func cursor(at row: AccessRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .access, date: row.at, id: row.id, rowsBefore: rowsBefore)
    }
}
