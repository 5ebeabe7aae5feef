extension BookedOrder {
    /// The order as its ledger shall say it, with the refunds that people booked by hand.
    ///
    /// The ledger is derived from the store's events; refunds booked by hand are kept apart from it. Where a store's
    /// refund was found to be the money of one booked by hand (`confirmedBy`), it is booked once: the hand's entry
    /// stays, the store's entry is reduced by it. If the store gave back less than was booked, the hand's entry is
    /// expected to be that much; the ledger then gets a correction, as it does for late messages. Money that was paid
    /// elsewhere is never taken for the store's: when both gave the charge back, both are booked (`overpaid`). What a store
    /// takes back is everything that it had given since it last did. What an upgrade credits is worked out anew.
    ///
    /// Depends on the events and on `hand` alone, not on what arrived when.
    package func including(_ hand: [ManualRefund]) -> BookedOrder {
        guard !hand.isEmpty, isPriced else { return self }
        let shares = shares(of: hand)
        let reversals = entries.filter { $0.kind == .refundReversal }
        var order = self
        order.entries = entries.filter { !$0.kind.undoesCharge && !$0.kind.isUpgradeCredit }
        var stored = entries.filter(\.kind.undoesCharge)[...]
        for segment in 0...reversals.count {
            let reported = stored.prefix { $0.kind != .refundReversal }
            stored = stored.dropFirst(reported.count + 1)
            let booked = hand.filter { refund in
                if let share = shares[refund.number] { return reported.contains { $0.reference == share.reference } }
                return reversals.count { $0.occurredAt <= refund.bookedAt } == segment
            }
            let given = order.give(reported, booked, shares)
            guard segment < reversals.count else { break }
            var reversal = reversals[segment]
            reversal.amount.minorUnits = given
            order.entries.append(reversal)
        }
        order.creditUnusedPart()
        return order
    }

    /// The part of a manual refund that a store's refund confirms.
    private struct Share {
        var reference: String
        var units: Int64
    }

    /// By the number of the request.
    private func shares(of hand: [ManualRefund]) -> [String: Share] {
        let inOrder = hand.sorted { ($0.bookedAt, $0.number) < ($1.bookedAt, $1.number) }
        var shares: [String: Share] = [:]
        for entry in entries where entry.kind.undoesCharge && entry.kind != .refundReversal {
            var remaining = Int64.zero.minus(entry.amount.minorUnits)
            for refund in inOrder where refund.confirmedBy == entry.reference {
                let units = min(refund.amount.minorUnits, remaining)
                remaining -= units
                shares[refund.number] = Share(reference: entry.reference, units: units)
            }
        }
        return shares
    }

    /// Adds what went back between two reversals: what people booked as they booked it, and what the store gave beside that.
    /// Returns what the store gave of it.
    private mutating func give(
        _ reported: ArraySlice<LedgerEntry>,
        _ booked: [ManualRefund],
        _ shares: [String: Share]
    ) -> Int64 {
        var added = booked.map { refund in
            var entry = refund.entry
            if let share = shares[refund.number] { entry.amount.minorUnits = -share.units }
            return entry
        }
        var given: Int64 = 0
        for entry in reported {
            let byHand = shares.values.reduce(0) { $0 + ($1.reference == entry.reference ? $1.units : 0) }
            let own = max(0, Int64.zero.minus(entry.amount.minorUnits).minus(byHand))
            given += own + byHand
            // It is known by the request that it confirms; any other has to be in the ledger to be known.
            if own == 0, byHand > 0 { continue }
            var entry = entry
            entry.amount.minorUnits = -own
            added.append(entry)
        }
        entries += added.sorted { ($0.occurredAt, $0.reference) < ($1.occurredAt, $1.reference) }
        return given
    }
}
