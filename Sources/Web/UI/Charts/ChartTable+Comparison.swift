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
    init(
        _ periods: ChartPeriods,
        names: (current: String, previous: String?),
        numbers: [ChartComparison],
        unit: ChartUnit,
        options: ChartOptions,
        _ words: Words
    ) {
        let changes = [words.chartsChange.description, words.chartsChangePercent.description]
        self.init(
            rowHeading: periods.heading(words),
            columns: [names.current] + (names.previous.map { [$0] + changes } ?? [])
        )
        func cells(_ numbers: ChartComparison, isCompared: Bool) -> [Cell] {
            ChartTable.cells(numbers, names.previous != nil, isCompared, unit, options.meaning, words)
        }
        rows = zip(periods.all, numbers).map { period, numbers in
            Row(
                name: period.name,
                href: period.href,
                isUnfinished: period.isUnfinished,
                cells: cells(numbers, isCompared: !period.isUnfinished)
            )
        }
        guard options.isSummed, rows.count > 1 else { return }
        let finished = zip(periods.all, numbers).filter { !$0.0.isUnfinished }.map(\.1)
        let isFinished = finished.count == numbers.count
        if !isFinished, names.previous != nil, !finished.isEmpty {
            let sums = cells(.sum(of: finished), isCompared: true)
            totals.append(Row(name: words.chartsFinishedTotal.description, cells: sums))
        }
        let sums = cells(.sum(of: numbers), isCompared: isFinished)
        totals.append(Row(name: words.chartsTotal.description, cells: sums))
    }

    private static func cells(
        _ numbers: ChartComparison,
        _ hasPrevious: Bool,
        _ isCompared: Bool,
        _ unit: ChartUnit,
        _ meaning: ChangeText.Meaning,
        _ words: Words
    ) -> [Cell] {
        let value = Cell(text: numbers.value.map { unit.number($0, words) } ?? "")
        guard hasPrevious else { return [value] }
        let change = isCompared ? numbers.difference.map { unit.number($0, words, showsPlus: true) } : nil
        return [
            value, Cell(text: numbers.previous.map { unit.number($0, words) } ?? ""), Cell(text: change ?? ""),
            Cell(
                change: ChangeText(
                    from: numbers.previous,
                    to: numbers.value,
                    isUnfinished: !isCompared,
                    meaning: meaning,
                    words
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

    /// nil for what 64 bits do not hold.
    static func sum(of numbers: [Self]) -> Self {
        func sum(_ values: [Int64?]) -> Int64? {
            let known = values.compactMap(\.self)
            return known.isEmpty ? nil : Int64(exactly: known.reduce(Int128.zero) { $0 + Int128($1) })
        }
        return Self(value: sum(numbers.map(\.value)), previous: sum(numbers.map(\.previous)))
    }
}
