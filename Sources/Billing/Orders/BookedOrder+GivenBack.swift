package import Foundation

extension BookedOrder {
    /// Since when the charge is refunded in full, by the order's own entries; nil while something of it is not, and for a free
    /// order. The credit of an upgrade is no refund.
    package var givenBackAt: Date? {
        guard amount.minorUnits > 0, !entries.isEmpty, refunded.minorUnits >= amount.minorUnits else { return nil }
        let lastReversal = entries.lastIndex { $0.kind == .refundReversal } ?? entries.startIndex
        return entries[lastReversal...].filter { $0.kind.undoesCharge && $0.amount.minorUnits < 0 }.map(\.occurredAt)
            .max()
    }
}

extension Ledger {
    /// Since when charges are given back in full where people gave back some or all of it by hand, by transaction.
    ///
    /// - Parameter hand: what they gave back, by transaction.
    package func givenBack(byHand hand: [String: [ManualRefund]]) -> [String: Date] {
        guard !hand.isEmpty else { return [:] }
        var moments: [String: Date] = [:]
        for order in orders {
            guard let refunds = hand[order.transactionID], !refunds.isEmpty else { continue }
            moments[order.transactionID] = order.including(refunds).givenBackAt
        }
        return moments
    }
}
