import Billing
import Postgres

/// A part of an order number with its dash: the end of the day, and the sequence whole or from its first four digits on.
///
/// People read `215-0042` of `ORD-20241215-0042` over the telephone, and its trigrams are in nearly every order. The days and
/// sequences that were issued tell which numbers it can belong to, and those are found by key.
struct OrderNumberPart {
    private let text: String
    /// `215`: the last two to eight digits of the day.
    private let dayEnds: Substring
    /// The ranges of the sequence: 42; or 1234, 12340 to 12349, and so on.
    let sequences: [ClosedRange<Int>]

    /// nil unless the text is two to eight digits, a dash and four to eight digits.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count == 2, (2...8).contains(parts[0].utf8.count), (4...Self.longest).contains(parts[1].utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let start = Int(parts[1])
        else { return nil }
        (self.text, dayEnds) = (text, parts[0])
        let digits = parts[1].utf8.count
        if parts[1].first == "0" {
            // Only a sequence of four digits begins with zeros.
            sequences = digits == 4 && start > 0 ? [start...start] : []
        } else {
            let sizes = sequence(first: 1) { $0 * 10 }.prefix(Self.longest - digits + 1)
            sequences = sizes.map { start * $0...(start + 1) * $0 - 1 }
        }
    }

    /// A condition on the orders, `o`, of an app.
    ///
    /// Google's ids are groups of digits with dashes, too (`GPA.3345-1234-5678-12345`), and have an index of their own.
    func condition(app: App.ID) -> Query {
        """
        o.number = ANY (ARRAY(
            SELECT 'ORD-' || to_char(day, 'YYYYMMDD') || '-'
                || lpad(sequence::text, greatest(4, length(sequence::text)), '0')
            FROM order_numbers
            CROSS JOIN unnest(
                \(sequences.map(\.lowerBound))::bigint[], \(sequences.map(\.upperBound))::bigint[]
            ) AS range (lower, upper)
            CROSS JOIN generate_series(lower, least(upper, last_sequence)) AS sequence
            WHERE app_id = \(app) AND to_char(day, 'YYYYMMDD') LIKE \("%\(dayEnds)")))
        OR o.store = 'google' AND o.search LIKE \("%\(text)%")
        """
    }

    /// Nobody sells so much on a day that it takes more digits.
    private static let longest = 8
}
