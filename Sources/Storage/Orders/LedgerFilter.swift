package import Billing

/// Which part of the ledger a list shows, newest first, and which page of it: the rows behind a metric.
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

    /// Which rows. Raw values stand in addresses.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Charges above zero, what was given back and what was credited: net revenue.
        case everything
        /// Charges above zero: gross revenue.
        case charges
        /// Charges, free ones too.
        case orders
        /// What was given back, and what was taken back of that.
        case refunds
        /// What upgrades credited, and what was taken back of that.
        case credits
    }

    /// By which day rows are taken. Raw values stand in addresses.
    package enum Dating: String, Hashable, Sendable {
        case own
        /// Refunds by the day of the charge that they undo.
        case charge
    }

    package func cursor(at row: ListedLedgerEntry, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .ledger, date: row.occurredAt, id: row.id, rowsBefore: rowsBefore)
    }
}
