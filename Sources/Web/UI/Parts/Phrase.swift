import Billing
import Storage

/// Numbers in words.
enum Phrase {
    /// "1,284", "10,000+"
    static func count(_ count: RowCount, _ words: Words) -> String {
        switch count {
        case .exact(let number): words.number(number)
        case .moreThanCounted: words.number(RowCount.limit) + "+"
        }
    }

    /// "26–50 of 1,284"; "1,284 of 1,284" needs no range of one.
    static func range(before: Int, shown: Int, total: RowCount, _ words: Words) -> String {
        guard shown > 0 else { return "0" }
        let end = before + shown
        let total =
            switch total {
            case .exact(let number): words.number(max(number, end))
            case .moreThanCounted: count(total, words)
            }
        guard shown > 1 else { return words.partsRangeOfOne(last: words.number(end), total: total) }
        return words.partsRange(first: words.number(before + 1), last: words.number(end), total: total)
    }

    /// How long something took: "14 ms", "3.2 s", "2 min 5 s", "3 h 2 min", "4 days".
    static func duration(_ seconds: Double, _ words: Words) -> String {
        let seconds = max(0, seconds)
        let whole = Int(bounding: seconds)
        switch seconds {
        case ..<0.9995: return words.partsMilliseconds(number: String(Int(bounding: (seconds * 1_000).rounded())))
        case ..<10:
            let tenths = Int(bounding: (seconds * 10).rounded())
            return words.partsSeconds(number: "\(tenths / 10)\(words.decimalSeparator)\(tenths % 10)")
        case ..<60: return words.partsSeconds(number: String(whole))
        case ..<3_600: return words.partsMinutes(minutes: String(whole / 60), seconds: String(whole % 60))
        case ..<86_400: return words.partsHours(hours: String(whole / 3_600), minutes: String(whole / 60 % 60))
        case _: return words.partsDays(count: whole / 86_400)
        }
    }
}
