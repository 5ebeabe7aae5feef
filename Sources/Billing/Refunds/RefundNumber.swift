/// The number that people call a refund request by: `RF-000001`, counted per app from 1, with six digits or more.
package struct RefundNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let sequence: Int

    package init(_ sequence: Int) {
        self.sequence = sequence
    }

    /// Reads only what `description` writes, so two texts never name one request; nil otherwise.
    package init?(_ text: some StringProtocol) {
        let digits = text.dropFirst(3)
        guard
            text.hasPrefix("RF-"), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let sequence = Int(digits), sequence > 0, digits.utf8.count == max(6, String(sequence).utf8.count)
        else { return nil }
        self.init(sequence)
    }

    package var description: String { "RF-\(BusinessDay.pad(sequence, to: 6))" }

    package static func < (left: RefundNumber, right: RefundNumber) -> Bool {
        left.sequence < right.sequence
    }
}
