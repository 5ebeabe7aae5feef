import Foundation

extension BookedOrder {
    /// The rows to add to a ledger that already holds `stored` (amounts by reference), so that it matches this order.
    ///
    /// Rows are never changed. When a message arrives after younger ones were booked, an amount may turn out otherwise: a full refund is
    /// booked as 128.00, and only then comes the partial refund of 76.80 before it. The full one then took 51.20, so in addition to the
    /// missing row a correction of 76.80 is added, named `<reference>:corrected-<n>`, as a refund or a reversal (or a credit or its
    /// reversal) by its sign and at the date of the corrected row. The sums are the same in any order of arrival. A charge is never
    /// corrected: a transaction has one price.
    package func entries(missingFrom stored: [String: Money], dueTo event: StoreEvent) -> [LedgerEntry] {
        let missing = entries.filter { stored[$0.reference] == nil }
        let expected = Dictionary(entries.map { ($0.reference, $0) }) { first, _ in first }
        let originals = stored.keys.sorted().filter { !$0.contains(BookedOrder.correctionMark) && $0 != "charge" }
        let corrections = originals.compactMap { reference in
            correction(of: reference, to: expected[reference], in: stored, dueTo: event)
        }
        return missing + corrections
    }

    private static let correctionMark = ":corrected-"

    private static func correctionKind(of reference: String, isNegative: Bool) -> LedgerEntry.Kind {
        reference.hasPrefix(Supersession.referencePrefix)
            ? isNegative ? .upgradeCredit : .upgradeCreditReversal
            : isNegative ? .refund : .refundReversal
    }

    private func correction(
        of reference: String,
        to expected: LedgerEntry?,
        in stored: [String: Money],
        dueTo event: StoreEvent
    ) -> LedgerEntry? {
        let prefix = reference + BookedOrder.correctionMark
        let rows = stored.filter { $0.key == reference || $0.key.hasPrefix(prefix) }
        let booked = rows.values.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
        let difference = Int64(clamping: Int128(expected?.amount.minorUnits ?? 0) - booked)
        guard difference != 0 else { return nil }
        return LedgerEntry(
            kind: BookedOrder.correctionKind(of: reference, isNegative: difference < 0),
            amount: Money(minorUnits: difference, currency: amount.currency),
            occurredAt: expected?.occurredAt ?? Date(ofReference: reference) ?? event.signedAt,
            reference: "\(prefix)\(rows.count)",
            eventID: event.id
        )
    }
}

extension Date {
    /// The date in a reference such as `refund:1735948800000` or `refund:1735948800000-2`.
    fileprivate init?(ofReference reference: String) {
        let parts = reference.split(whereSeparator: { $0 == ":" || $0 == "-" })
        guard parts.count >= 2, let milliseconds = Int64(parts[1]) else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
