/// The number that people read to each other: `ORD-20241215-0001` (product.md, decision 5).
///
/// The day is the app's business day; the sequence has at least four digits and grows beyond them: `ORD-20241215-10000`.
package struct OrderNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let day: BusinessDay
    /// Counts the day's orders from 1.
    package let sequence: Int

    package init(day: BusinessDay, sequence: Int) {
        self.day = day
        self.sequence = sequence
    }

    /// Reads only what `description` writes, so two texts never name one order; nil otherwise.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count == 3, parts[0] == "ORD", parts[1].utf8.count == 8, let day = BusinessDay(parts[1]),
            parts[2].utf8.allSatisfy({ (48...57).contains($0) }), let sequence = Int(parts[2]), sequence > 0,
            parts[2].utf8.count == max(4, String(sequence).utf8.count)
        else { return nil }
        self.init(day: day, sequence: sequence)
    }

    package var description: String {
        "ORD-\(day.compactText)-\(BusinessDay.pad(sequence, to: 4))"
    }

    package static func < (left: OrderNumber, right: OrderNumber) -> Bool {
        (left.day, left.sequence) < (right.day, right.sequence)
    }
}
