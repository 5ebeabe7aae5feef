package import Billing
import HTTP
package import Storage

/// Everything that the revenue page reads.
package struct RevenueMetrics: Sendable {
    package let span: RevenueSpan
    /// That of all amounts: the one that the page is filtered by, else the app's reporting currency.
    package let currency: Currency
    /// True if they are of all currencies, converted.
    let isConverted: Bool
    /// The periods, those they are compared with, and where all is asked for those before.
    let periods: [RevenueCell]
    /// Of what the unfinished period is compared with, as much as has passed of it.
    let part: Revenue
    /// The periods, divided.
    let divided: [RevenueCell]
    /// The amounts left out of the periods that are shown, for want of a rate.
    let unconverted: [Money]
    /// The number of orders left out, because the store has not said their amount yet.
    let unpriced: Int

    /// - Parameter leftOut: an answer of the shown periods alone, which says what they leave out; nil: what all that was read does.
    package init(
        span: RevenueSpan,
        currency: Currency,
        isConverted: Bool,
        periods: RevenueAnswer,
        part: Revenue,
        divided: RevenueAnswer,
        leftOut: RevenueAnswer? = nil
    ) {
        self.span = span
        self.currency = currency
        self.isConverted = isConverted
        self.periods = periods.cells
        self.part = part
        self.divided = divided.cells
        let answer = leftOut ?? periods
        (unconverted, unpriced) = (answer.unconverted, answer.unpriced)
    }

    /// True if there is nothing to show.
    package var isEmpty: Bool {
        unconverted.isEmpty && unpriced == 0 && !periods.contains { span.periods.contains($0.period) }
    }

    package func revenue(of period: ReportingPeriod) -> Revenue {
        periods.first { $0.period == period }?.revenue ?? Revenue()
    }

    /// All that was read, as one.
    var total: Revenue { periods.reduce(Revenue()) { $0 + $1.revenue } }

    /// Returns the revenue that a period is compared with; nil before the books begin, and for a part of a period.
    package func previous(of period: ReportingPeriod) -> Revenue? {
        guard !period.isCut else { return nil }
        let before = span.previous(of: period)
        if let open = span.partOfPrevious, open.from == before.first { return part }
        guard let start = periods.map(\.period).min(), before >= start else { return nil }
        return revenue(of: before)
    }

    /// A part of what is shown.
    package struct Part: Sendable {
        /// nil for all others together.
        package let name: String?
        /// By period.
        package let values: [Int64]
        /// All of them as one.
        package let total: Int64
    }

    /// The largest parts by a metric; the sixth is all others together.
    package func parts(_ shown: RevenueView.Shown) -> [Part] {
        let cells = divided
        var sums: [String: UInt64] = [:]
        for cell in cells {
            let (sum, isTooMuch) = sums[cell.part, default: 0]
                .addingReportingOverflow(shown.value(of: cell.revenue).magnitude)
            sums[cell.part] = isTooMuch ? .max : sum
        }
        let ranked = sums.keys.sorted { (sums[$1] ?? 0, $0) < (sums[$0] ?? 0, $1) }
        let named = ranked.count > 6 ? Array(ranked.prefix(5)) : ranked
        func part(_ name: String?, _ isMeant: (String) -> Bool) -> Part {
            let own = cells.filter { isMeant($0.part) }
            func value(_ cells: [RevenueCell]) -> Int64 {
                shown.value(of: cells.reduce(Revenue()) { $0 + $1.revenue })
            }
            return Part(
                name: name,
                values: span.periods.map { period in value(own.filter { $0.period == period }) },
                total: value(own)
            )
        }
        var parts = named.map { name in part(name) { $0 == name } }
        if named.count < ranked.count { parts.append(part(nil) { !named.contains($0) }) }
        return parts
    }
}
