import Billing
import Testing

@testable import Storage

@Suite("Days that are read by the month") struct DaySpanTests {
    @Test(
        "a stretch is whole months, and the days before the first and after the last of them",
        arguments: [
            ("...", "months ...", ""),
            ("...2026-06-30", "months ...2026-06-30", ""),
            ("...2026-06-29", "months ...2026-05-31", "2026-06-01...2026-06-29"),
            ("2026-01-01...", "months 2026-01-01...", ""),
            ("2026-01-02...", "months 2026-02-01...", "2026-01-02...2026-01-31"),
            ("2026-01-01...2026-02-28", "months 2026-01-01...2026-02-28", ""),
            (
                "2026-01-31...2026-04-01", "months 2026-02-01...2026-03-31",
                "2026-01-31...2026-01-31 2026-04-01...2026-04-01"
            ),
            ("2026-01-31...2026-02-27", "", "2026-01-31...2026-02-27"),
            ("2026-03-05...2026-03-09", "", "2026-03-05...2026-03-09"),
            ("2024-02-01...2024-02-28", "", "2024-02-01...2024-02-28"),
            ("2024-02-01...2024-02-29", "months 2024-02-01...2024-02-29", ""),
        ]
    )
    func months(_ span: String, _ months: String, _ days: String) throws {
        #expect(
            try Self.text(DaySpan(span).split(.months)) == [months, days].filter { !$0.isEmpty }.joined(separator: " ")
        )
    }

    @Test(
        "what was before a day is read by the month until the month of that day begins",
        arguments: [
            ("...2026-06-30", "2026-06-15", "months ...2026-05-31 2026-06-01...2026-06-30"),
            ("...", "2026-06-01", "months ...2026-05-31 2026-06-01..."),
            (
                "2026-04-20...2026-06-30", "2026-06-15",
                "months 2026-05-01...2026-05-31 2026-04-20...2026-04-30 2026-06-01...2026-06-30"
            ),
            ("2026-06-03...2026-06-30", "2026-06-15", "2026-06-03...2026-06-30"),
            ("...2026-05-03", "2026-06-15", "...2026-05-03"),
        ]
    )
    func since(_ span: String, _ day: String, _ expected: String) throws {
        #expect(try Self.text(DaySpan(span).split(.since(#require(BusinessDay(day))))) == expected)
    }

    @Test("where each day counts all are read by the day")
    func each() throws {
        #expect(try Self.text(DaySpan("2026-01-01...2026-12-31").split(.each)) == "2026-01-01...2026-12-31")
    }

    private static func text(_ split: (months: DaySpan?, days: [DaySpan])) -> String {
        ((split.months.map { ["months \($0.text)"] } ?? []) + split.days.map(\.text)).joined(separator: " ")
    }
}

extension DaySpan {
    /// - Parameter text: two days with `...` between them; either may be missing.
    fileprivate init(_ text: String) throws {
        let ends = try #require(text.firstRange(of: "..."))
        let (from, through) = (String(text[..<ends.lowerBound]), String(text[ends.upperBound...]))
        self.init(
            from: from.isEmpty ? nil : BusinessDay(from),
            through: through.isEmpty ? nil : BusinessDay(through)
        )
    }

    fileprivate var text: String { "\(from?.description ?? "")...\(through?.description ?? "")" }
}
