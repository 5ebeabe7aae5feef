import Billing
import Foundation

/// The beginning of an order number, and the days on which orders with such numbers were bought.
///
/// Without the days a common beginning like `ORD-2025` would have to be looked for in every order after 2025.
struct OrderNumberPrefix {
    /// `ORD-2025`, `ORD-20251215-00`.
    let text: String
    /// With a day to spare on each side, whatever the app's time zone.
    let days: Range<Date>

    /// nil unless the text is `ORD-` with a year at least, in either case.
    init?(_ typed: String) {
        text = typed.uppercased()
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0] == "ORD", parts.dropFirst().allSatisfy(Self.isDigits) else {
            return nil
        }
        let digits = String(parts[1])
        let known = digits.utf8.count
        guard parts.count == 2 ? (4...8).contains(known) : known == 8 else { return nil }
        // The first day that the digits leave open: 2025 means 20250101, 20251 means 20251001, 2025120 means 20251201.
        let firsts = ["0101", digits.hasSuffix("0") ? "101" : "001", "01", digits.hasSuffix("0") ? "1" : "0", ""]
        guard let first = BusinessDay(digits + firsts[known - 4]) else { return nil }
        let start = first.start(in: .gmt)
        days = start.addingTimeInterval(-Self.day)..<start.addingTimeInterval(Self.lengths[known - 4] + Self.day)
    }

    private static func isDigits(_ part: Substring) -> Bool {
        part.utf8.allSatisfy { (48...57).contains($0) }
    }

    private static let day: TimeInterval = 86_400
    /// The greatest length, in seconds, of a year, nine months, a month, ten days and a day.
    private static let lengths: [TimeInterval] = [366, 276, 31, 10, 1].map { $0 * day }
}
