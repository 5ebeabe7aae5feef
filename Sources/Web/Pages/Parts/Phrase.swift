import Storage

/// Numbers and lists in words.
enum Phrase {
    /// "1,284"
    static func grouped(_ number: Int) -> String {
        MoneyText.grouped(String(number.magnitude), isNegative: number < 0)
    }

    /// "1,284", "10,000+"
    static func count(_ count: RowCount) -> String {
        switch count {
        case .exact(let number): grouped(number)
        case .moreThanCounted: grouped(RowCount.limit) + "+"
        }
    }

    /// "1 day", "24 days"
    static func days(_ number: Int) -> String {
        number == 1 ? "1 day" : "\(grouped(number)) days"
    }

    /// "26–50 of 1,284"; "1,284 of 1,284" needs no range of one.
    static func range(before: Int, shown: Int, total: RowCount) -> String {
        guard shown > 0 else { return "0" }
        let end = before + shown
        let of =
            switch total {
            case .exact(let number): grouped(max(number, end))
            case .moreThanCounted: count(total)
            }
        return shown == 1 ? "\(grouped(end)) of \(of)" : "\(grouped(before + 1))–\(grouped(end)) of \(of)"
    }
}
