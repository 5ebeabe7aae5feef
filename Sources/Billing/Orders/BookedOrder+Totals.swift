extension BookedOrder {
    /// The kind of its charge.
    package var kind: LedgerEntry.Kind { entries.first?.kind ?? awaitedKind }

    /// True if the store has named the price. Until then the order's amount is unknown: neither zero nor free.
    package var isPriced: Bool { !entries.isEmpty }

    /// `pending` before the price is known, then by what was given back of it, and by whether an upgrade took its place.
    package var status: OrderStatus {
        guard !entries.isEmpty else { return .pending }
        return .charged(amount, refunded: refunded, isSuperseded: supersession != nil)
    }

    /// The refunds, less reversals; never below zero.
    package var refunded: Money {
        let units = total { $0.kind.undoesCharge }
        return Money(minorUnits: max(0, units == .min ? .max : -units), currency: amount.currency)
    }

    /// The amount refunded beyond the charge, by us and by the store; zero normally. Staff have to look into it.
    package var overpaid: Money {
        Money(minorUnits: max(0, refunded.minorUnits.minus(amount.minorUnits)), currency: amount.currency)
    }

    /// The credit for an upgrade that replaced the order, less what was reversed of it; never below zero.
    package var credited: Money {
        let units = total { $0.kind.isUpgradeCredit }
        return Money(minorUnits: max(0, units == .min ? .max : -units), currency: amount.currency)
    }

    /// The net amount of the charge: the sum of all entries.
    package var kept: Money {
        Money(minorUnits: total { _ in true }, currency: amount.currency)
    }

    /// Entries are of the order's currency; what an `Int64` cannot hold stops at its bounds instead of trapping.
    private func total(_ isCounted: (LedgerEntry) -> Bool) -> Int64 {
        Int64(clamping: entries.lazy.filter(isCounted).reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) })
    }
}

extension OrderStatus {
    /// The status of a charge: `refunded` after a full refund, even if an upgrade has replaced the order; a free order is `completed`
    /// unless one has.
    package static func charged(_ amount: Money, refunded: Money, isSuperseded: Bool) -> OrderStatus {
        if refunded.minorUnits > 0, refunded.minorUnits >= amount.minorUnits { return .refunded }
        if isSuperseded { return .superseded }
        return refunded.minorUnits > 0 ? .partiallyRefunded : .completed
    }
}

extension LedgerEntry.Kind {
    /// Refunds and what takes them back, as opposed to charges and credits.
    var undoesCharge: Bool {
        switch self {
        case .refund, .revoke, .refundReversal: true
        case .initialPurchase, .renewal, .upgrade, .downgrade, .upgradeCredit, .upgradeCreditReversal: false
        }
    }

    /// Credits of upgrades and what takes them back.
    var isUpgradeCredit: Bool {
        switch self {
        case .upgradeCredit, .upgradeCreditReversal: true
        case .initialPurchase, .renewal, .upgrade, .downgrade, .refund, .revoke, .refundReversal: false
        }
    }
}
