package import Foundation

/// A refund that a person marked as done: it is in the ledger, though no store's message brought it.
package struct ManualRefund: Hashable, Sendable {
    /// The request's number.
    package var number: String
    package var amount: Money
    package var bookedAt: Date
    package var payer: RefundPayer
    /// The ledger's name of the store's own refund that turned out to be the same money.
    package var confirmedBy: String?

    package init(number: String, amount: Money, bookedAt: Date, payer: RefundPayer, confirmedBy: String? = nil) {
        self.number = number
        self.amount = amount
        self.bookedAt = bookedAt
        self.payer = payer
        self.confirmedBy = confirmedBy
    }

    /// The reference of its ledger entry.
    package var reference: String { Self.reference(of: number) }

    package static func reference(of number: String) -> String { "request:\(number)" }

    /// Its ledger entry.
    package var entry: LedgerEntry {
        LedgerEntry(
            kind: .refund,
            amount: Money(minorUnits: Int64.zero.minus(amount.minorUnits), currency: amount.currency),
            occurredAt: bookedAt,
            reference: reference,
            eventID: number
        )
    }
}

/// The payer of a refund. The database keeps the raw values.
package enum RefundPayer: String, Sendable, Codable, CaseIterable {
    /// The store: its own message about it, should it come, is about the same money.
    case store
    /// Paid outside the store (a bank transfer, a voucher): the store knows nothing of it.
    case elsewhere
}
