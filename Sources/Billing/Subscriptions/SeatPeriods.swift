import Foundation

/// Maps transactions that added seats to the period they extend (Apple: `SEAT_ADDITION`): they replace nothing and end with that period.
///
/// Apple marks every transaction of such a period, the first one too. It is an addition if it was bought within a period of the same
/// product that another transaction of the customer's began; the store's own renewals never are.
struct SeatPeriods {
    private var bases: [String: String] = [:]

    /// True where nothing was added to anything.
    var isTrivial: Bool { bases.isEmpty }

    /// - Parameter events: in signed order.
    init(_ events: [StoreEvent], by identities: PurchaseIdentities) {
        guard events.contains(where: { $0.transaction.seats?.isAddition == true }) else { return }
        var base: Span?
        for span in Self.spans(events, by: identities) {
            if span.isMarked, !span.isRenewal, let base, span.productID == base.productID, span.start < base.end {
                bases[span.id] = base.id
            } else {
                base = span
            }
        }
    }

    /// The transaction that began the period which the other added to; nil for one that added to none.
    func base(of transactionID: String) -> String? { bases[transactionID] }

    /// The name of the period that a transaction is of.
    func period(of transactionID: String) -> String { bases[transactionID] ?? transactionID }

    private struct Span {
        var id: String
        var productID: String
        var start: Date
        var end: Date
        var isMarked: Bool
        var isRenewal: Bool
    }

    /// Returns the paid periods in the order of their beginnings.
    private static func spans(_ events: [StoreEvent], by identities: PurchaseIdentities) -> [Span] {
        var spans: [String: Span] = [:]
        for event in events {
            let transaction = event.transaction
            guard transaction.kind == .autoRenewable, !transaction.isShared, let end = transaction.expiresAt else {
                continue
            }
            let id = identities.name(of: transaction.id)
            var span =
                spans[id]
                ?? Span(
                    id: id,
                    productID: transaction.productID,
                    start: transaction.purchasedAt,
                    end: end,
                    isMarked: false,
                    isRenewal: false
                )
            span.end = max(span.end, end)
            span.isMarked = span.isMarked || transaction.seats?.isAddition == true
            span.isRenewal = span.isRenewal || transaction.reason == .renewal
            spans[id] = span
        }
        return spans.values.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }
}
