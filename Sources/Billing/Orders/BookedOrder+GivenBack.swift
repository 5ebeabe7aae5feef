package import Foundation

extension BookedOrder {
    /// The time of the full refund of the charge, by the order's own entries; nil while some of it is left, and for a free order. The
    /// credit of an upgrade is no refund.
    package var givenBackAt: Date? {
        guard amount.minorUnits > 0, !entries.isEmpty, refunded.minorUnits >= amount.minorUnits else { return nil }
        let lastReversal = entries.lastIndex { $0.kind == .refundReversal } ?? entries.startIndex
        return entries[lastReversal...].filter { $0.kind.undoesCharge && $0.amount.minorUnits < 0 }.map(\.occurredAt)
            .max()
    }
}

extension Ledger {
    /// The times of the full refunds of charges that people refunded, in part or in full, by hand; by transaction.
    ///
    /// - Parameter hand: the manual refunds, by transaction.
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
