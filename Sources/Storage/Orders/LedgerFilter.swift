package import Billing

/// The filter and the page of a list of ledger entries, newest first: the rows behind a metric.
package struct LedgerFilter: ListFilter, Hashable {
    package var metrics: MetricsFilter
    package var kind: Kind
    package var dating: Dating
    /// On or after.
    package var from: BusinessDay?
    /// On or before.
    package var to: BusinessDay?
    package var position: PagePosition

    package init(
        metrics: MetricsFilter = MetricsFilter(),
        kind: Kind = .everything,
        dating: Dating = .own,
        from: BusinessDay? = nil,
        to: BusinessDay? = nil,
        position: PagePosition = .first
    ) {
        self.metrics = metrics
        self.kind = kind
        self.dating = dating
        self.from = from
        self.to = to
        self.position = position
    }

    /// The kinds of entries. Raw values appear in URLs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Charges above zero, refunds and credits: net revenue.
        case everything
        /// Charges above zero: gross revenue.
        case charges
        /// Charges, free ones too.
        case orders
        /// Refunds, and their reversals.
        case refunds
        /// Upgrade credits, and their reversals.
        case credits
    }

    /// The day by which entries are selected. Raw values appear in URLs.
    package enum Dating: String, Hashable, Sendable {
        case own
        /// Refunds by the day of the charge that they undo.
        case charge
    }

    package func cursor(at row: ListedLedgerEntry, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .ledger, date: row.occurredAt, id: row.id, rowsBefore: rowsBefore)
    }
}
