extension BookedOrder {
    /// What its charge was.
    package var kind: LedgerEntry.Kind { entries.first?.kind ?? .initialPurchase }

    /// `pending` before the charge, then by what was given back of it. A free order stays `completed`.
    package var status: OrderStatus {
        guard !entries.isEmpty else { return .pending }
        let refunded = refunded.minorUnits
        guard refunded > 0 else { return .completed }
        return refunded < amount.minorUnits ? .partiallyRefunded : .refunded
    }

    /// What was given back and not reversed; never below zero.
    package var refunded: Money {
        let units = total { $0.kind.undoesCharge }
        return Money(minorUnits: max(0, units == .min ? .max : -units), currency: amount.currency)
    }

    /// What is left of the charge: the sum of all entries.
    package var kept: Money {
        Money(minorUnits: total { _ in true }, currency: amount.currency)
    }

    /// Entries are of the order's currency; what an `Int64` cannot hold stops at its bounds instead of trapping.
    private func total(_ isCounted: (LedgerEntry) -> Bool) -> Int64 {
        Int64(clamping: entries.lazy.filter(isCounted).reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) })
    }
}

extension LedgerEntry.Kind {
    /// Refunds and what takes them back, as opposed to charges.
    var undoesCharge: Bool {
        switch self {
        case .refund, .revoke, .refundReversal: true
        case .initialPurchase, .renewal, .upgrade, .downgrade: false
        }
    }
}
