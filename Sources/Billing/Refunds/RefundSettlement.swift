package import Foundation

/// The meaning of a store's refund for the requests of its order.
package struct RefundSettlement: Hashable, Sendable {
    package var number: String
    /// The ledger's name of the store's refund.
    package var reference: String
    package var amount: Money
    /// The store's time.
    package var at: Date
    package var meaning: Meaning

    package enum Meaning: Hashable, Sendable {
        /// The store did what was approved: the request is processed.
        case processes
        /// A person had said so before: the same money, confirmed by the store.
        case confirms
    }
}

/// An approved request that waits for its money to move.
package struct ApprovedRefund: Hashable, Sendable {
    package var number: String
    package var amount: Money
    package var requestedAt: Date

    package init(number: String, amount: Money, requestedAt: Date) {
        self.number = number
        self.amount = amount
        self.requestedAt = requestedAt
    }
}

extension BookedOrder {
    /// Finds the requests that the store's refunds of these books settle.
    ///
    /// A refund is new when neither the ledger (`stored`) nor a confirmed request names it. It settles the request of
    /// exactly its amount; else those it is large enough for, the oldest first, the first in any case: first what people
    /// marked as paid by the store, then what was approved and waits. A refund from before a request was made settles
    /// that only when the amount is the same. Each refund and each request is used once.
    package func settlements(
        stored: some Collection<String>,
        hand: [ManualRefund],
        approved: [ApprovedRefund]
    ) -> [RefundSettlement] {
        let known = Set(stored).union(hand.compactMap(\.confirmedBy))
        var marked = hand.filter { $0.payer == .store && $0.confirmedBy == nil }
        marked.sort { ($0.bookedAt, $0.number) < ($1.bookedAt, $1.number) }
        var waiting = approved.sorted { ($0.requestedAt, $0.number) < ($1.requestedAt, $1.number) }
        var settlements: [RefundSettlement] = []
        for entry in entries where entry.kind == .refund && !known.contains(entry.reference) {
            let given = Int64.zero.minus(entry.amount.minorUnits)
            func settle(_ number: String, _ units: Int64, _ meaning: RefundSettlement.Meaning) {
                settlements.append(
                    RefundSettlement(
                        number: number,
                        reference: entry.reference,
                        amount: Money(minorUnits: units, currency: amount.currency),
                        at: entry.occurredAt,
                        meaning: meaning
                    )
                )
            }
            if let index = marked.firstIndex(where: { $0.amount.minorUnits == given }) {
                settle(marked.remove(at: index).number, given, .confirms)
                continue
            }
            if let index = waiting.firstIndex(where: { $0.amount.minorUnits == given }) {
                settle(waiting.remove(at: index).number, given, .processes)
                continue
            }
            var remaining = given
            while let first = marked.first, remaining == given || remaining >= first.amount.minorUnits, remaining > 0 {
                let units = min(first.amount.minorUnits, remaining)
                settle(first.number, units, .confirms)
                remaining -= units
                marked.removeFirst()
            }
            while let index = waiting.firstIndex(where: { $0.requestedAt <= entry.occurredAt }), remaining > 0,
                remaining == given || remaining >= waiting[index].amount.minorUnits
            {
                // The last one that there is takes what is over.
                let isLast = waiting.count(where: { $0.requestedAt <= entry.occurredAt }) == 1
                let units = isLast ? remaining : min(waiting[index].amount.minorUnits, remaining)
                settle(waiting.remove(at: index).number, units, .processes)
                remaining -= units
            }
        }
        return settlements
    }
}
