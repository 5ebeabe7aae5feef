import Billing
import HTTP
import Storage
import Words

/// Numbers in words.
enum Phrase {
    /// "1,284", "10,000+"
    static func count(_ count: RowCount, _ strings: Strings) -> String {
        switch count {
        case .exact(let number): strings.number(number)
        case .moreThanCounted: strings.number(RowCount.limit) + "+"
        }
    }

    /// Returns the range of a list's rows that a page shows: "26–50 of 1,284", or "26–50 of 50+" for a list that is not counted;
    /// one row alone is no range: "1,284 of 1,284".
    static func range<Row>(_ list: ListPage<Row>, _ strings: Strings) -> String {
        guard !list.rows.isEmpty else { return "0" }
        let (before, end) = (list.rowsBefore, list.rowsBefore + list.rows.count)
        let total =
            switch list.total {
            case .exact(let number): strings.number(max(number, end))
            case .moreThanCounted: count(.moreThanCounted, strings)
            case nil: strings.number(end) + (list.hasNext ? "+" : "")
            }
        guard list.rows.count > 1 else { return strings.partsRangeOfOne(last: strings.number(end), total: total) }
        return strings.partsRange(first: strings.number(before + 1), last: strings.number(end), total: total)
    }

    /// Returns a duration in words: "14 ms", "3.2 s", "2 min 5 s", "3 h 2 min", "4 days".
    static func duration(_ seconds: Double, _ strings: Strings) -> String {
        let seconds = max(0, seconds)
        let whole = Int(bounding: seconds)
        switch seconds {
        case ..<0.9995: return strings.partsMilliseconds(number: String(Int(bounding: (seconds * 1_000).rounded())))
        case ..<10:
            let tenths = Int(bounding: (seconds * 10).rounded())
            return strings.partsSeconds(number: "\(tenths / 10)\(strings.decimalSeparator)\(tenths % 10)")
        case ..<60: return strings.partsSeconds(number: String(whole))
        case ..<3_600: return strings.partsMinutes(minutes: String(whole / 60), seconds: String(whole % 60))
        case ..<86_400: return strings.partsHours(hours: String(whole / 3_600), minutes: String(whole / 60 % 60))
        case _: return strings.partsDays(count: whole / 86_400)
        }
    }
}
