package import Billing
package import Storage

/// Everything that the revenue page reads.
package struct RevenueMetrics: Sendable {
    package let span: RevenueSpan
    /// The periods, those they are compared with, and where all is asked for those before.
    let periods: [RevenueCell]
    /// Of what the unfinished period is compared with, as much as has passed of it.
    let part: [Currency: Revenue]
    /// The periods, divided.
    let divided: [RevenueCell]
    package let missingRates: [Currency]

    package init(
        span: RevenueSpan,
        periods: RevenueAnswer,
        part: [Currency: Revenue],
        divided: RevenueAnswer
    ) {
        self.span = span
        self.periods = periods.cells
        self.part = part
        self.divided = divided.cells
        missingRates = Set(periods.missingRates + divided.missingRates).sorted { $0.code < $1.code }
    }

    /// What there is to show, the currency with the most charges first.
    package var currencies: [Currency] {
        var charges: [Currency: Int] = [:]
        for cell in periods where span.periods.contains(cell.period) {
            charges[cell.currency, default: 0] += cell.revenue.charges + cell.revenue.refundsMade
        }
        return charges.keys.sorted { (charges[$1] ?? 0, $0.code) < (charges[$0] ?? 0, $1.code) }
    }

    package func revenue(of period: ReportingPeriod, in currency: Currency) -> Revenue {
        periods.first { $0.period == period && $0.currency == currency }?.revenue ?? Revenue()
    }

    /// All that was read, as one.
    func total(in currency: Currency) -> Revenue {
        periods.filter { $0.currency == currency }.reduce(Revenue()) { $0 + $1.revenue }
    }

    /// What a period is compared with; nil before the books begin.
    package func previous(of period: ReportingPeriod, in currency: Currency) -> Revenue? {
        let before = span.previous(of: period)
        if let open = span.partOfPrevious, open.from == before.first { return part[currency] ?? Revenue() }
        guard let start = periods.map(\.period).min(), before >= start else { return nil }
        return revenue(of: before, in: currency)
    }

    /// The largest parts by a metric, each with its values by period; the sixth is all others together.
    package func parts(in currency: Currency, _ shown: RevenueView.Shown) -> [(name: String?, values: [Int64])] {
        let cells = divided.filter { $0.currency == currency }
        var sums: [String: UInt64] = [:]
        for cell in cells {
            let (sum, isTooMuch) = sums[cell.part, default: 0]
                .addingReportingOverflow(shown.value(of: cell.revenue).magnitude)
            sums[cell.part] = isTooMuch ? .max : sum
        }
        let ranked = sums.keys.sorted { (sums[$1] ?? 0, $0) < (sums[$0] ?? 0, $1) }
        let named = ranked.count > 6 ? Array(ranked.prefix(5)) : ranked
        func values(_ isMeant: (String) -> Bool) -> [Int64] {
            span.periods.map { period in
                cells.filter { $0.period == period && isMeant($0.part) }.map { shown.value(of: $0.revenue) }.boundedSum
            }
        }
        var parts: [(name: String?, values: [Int64])] = named.map { name in (name, values { $0 == name }) }
        if named.count < ranked.count { parts.append((nil, values { !named.contains($0) })) }
        return parts
    }
}
