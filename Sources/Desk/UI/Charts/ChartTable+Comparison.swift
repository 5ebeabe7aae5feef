import HTTP
import Words

/// Two numbers of the same thing, now and before.
struct ChartComparison: Sendable {
    var value: Int64?
    var previous: Int64?
}

extension ChartTable {
    /// A row per period: what it is, and what it is compared with.
    ///
    /// - Parameters:
    ///   - names: of the number and, where there is one, of what it is compared with.
    ///   - numbers: one per period.
    ///   - sum: returns the total of the numbers at some places.
    init(
        _ periods: ChartPeriods,
        names: (current: String, previous: String?),
        numbers: [ChartComparison],
        sum: ([Int]) -> ChartComparison,
        unit: ChartUnit,
        options: ChartOptions,
        _ strings: Strings
    ) {
        let changes = [strings.chartsChange.description, strings.chartsChangePercent.description]
        self.init(
            rowHeading: periods.heading(strings),
            columns: [names.current] + (names.previous.map { [$0] + changes } ?? [])
        )
        func cells(_ numbers: ChartComparison, isCompared: Bool) -> [Cell] {
            ChartTable.cells(numbers, names.previous != nil, isCompared, unit, options.meaning, strings)
        }
        rows = zip(periods.all, numbers).map { period, numbers in
            Row(
                name: period.name,
                href: period.href,
                isPartial: period.isPartial,
                cells: cells(numbers, isCompared: !period.isPartial)
            )
        }
        guard options.isSummed, rows.count > 1 else { return }
        let finished = numbers.indices.filter { !periods.all[$0].isPartial }
        let isFinished = finished.count == numbers.count
        if !isFinished, names.previous != nil, !finished.isEmpty {
            let sums = cells(sum(finished), isCompared: true)
            totals.append(Row(name: strings.chartsFinishedTotal.description, cells: sums))
        }
        let sums = cells(sum(Array(numbers.indices)), isCompared: isFinished)
        totals.append(Row(name: strings.chartsTotal.description, cells: sums))
    }

    private static func cells(
        _ numbers: ChartComparison,
        _ hasPrevious: Bool,
        _ isCompared: Bool,
        _ unit: ChartUnit,
        _ meaning: ChangeText.Meaning,
        _ strings: Strings
    ) -> [Cell] {
        let value = Cell(text: numbers.value.map { unit.number($0, strings) } ?? "")
        guard hasPrevious else { return [value] }
        let change = isCompared ? numbers.difference.map { unit.number($0, strings, showsPlus: true) } : nil
        return [
            value, Cell(text: numbers.previous.map { unit.number($0, strings) } ?? ""), Cell(text: change ?? ""),
            Cell(
                change: ChangeText(
                    from: numbers.previous,
                    to: numbers.value,
                    isPartial: !isCompared,
                    meaning: meaning,
                    strings
                )
            ),
        ]
    }
}

extension ChartComparison {
    /// nil where one of them is not known, or 64 bits do not hold it.
    var difference: Int64? {
        guard let value, let previous else { return nil }
        return Int64(exactly: Int128(value) - Int128(previous))
    }
}
