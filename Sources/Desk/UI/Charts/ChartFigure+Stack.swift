import Charts
import HTTP
package import Words

extension ChartFigure {
    /// Several series per period, what adds stacked up from zero and what takes away stacked down from it.
    ///
    /// - Parameters:
    ///   - series: at most six, the inner ones first; one value per period each, what takes away below zero.
    ///   - total: the name of a period's total: "Net".
    ///   - totals: the periods' totals, where they are not the sums: parts that were rounded for themselves may be off by a
    ///     little.
    ///   - sum: the total of all periods, where it is not their sum either.
    package static func stack(
        _ heading: ChartHeading,
        periods: ChartPeriods,
        series: [ChartSeries],
        total: String,
        totals: [Int64]? = nil,
        sum: Int64? = nil,
        unit: ChartUnit,
        options: ChartOptions = ChartOptions(),
        _ strings: Strings
    ) -> Self {
        let count = periods.all.count
        let values = series.prefix(StackedBarChart.mostSeries).map { series in (0..<count).map { series[$0] ?? 0 } }
        let names = series.prefix(StackedBarChart.mostSeries).map(\.name)
        let sums = (0..<count).map { period in
            totals.map { Int128($0[period]) } ?? values.reduce(Int128.zero) { $0 + Int128($1[period]) }
        }
        let colours = names.indices.map { series[$0].colour ?? $0 }
        var figure = ChartFigure(heading, options, strings)
        guard count > 0, !values.isEmpty else { return figure }
        figure.emptyText = nil
        figure.table = ChartTable(
            periods,
            names: names,
            values: values,
            series: Array(series.prefix(StackedBarChart.mostSeries)),
            total: (total, sums, sum.map { Int128($0) } ?? sums.reduce(0, +)),
            unit,
            options,
            strings
        )
        let pieces = (0..<count).map { period in
            let net = Int64(exactly: sums[period]).map {
                strings.chartsNamed(name: total, value: unit.text($0, strings))
            }
            return [net].compactMap(\.self)
                + zip(names, values).filter { $1[period] != 0 }
                .map { strings.chartsNamed(name: $0, value: unit.number($1[period], strings)) }
        }
        let drawing = PlotDrawing(
            heading,
            periods,
            covering: StackedBarChart.extremes(of: values, periods: count),
            unit: unit,
            pieces: pieces,
            options: options,
            strings
        )
        let chart = StackedBarChart(series: values, periods: count, scale: drawing.scale, layout: drawing.layout)
        figure.plot = drawing.plot(
            shapes: (0..<count).map { period in
                let segments = chart.columns[period].map {
                    PlotShape.series(colours[$0.series], id: heading.id, path: $0.box.outline)
                }
                let isOpen = periods.all[period].isPartial && !segments.isEmpty
                return segments + (isOpen ? [PlotShape(style: "unfinished", path: chart.outlines[period].outline)] : [])
            },
            pieces: pieces,
            isZero: values.allSatisfy { $0.allSatisfy { $0 == 0 } }
        )
        figure.legend = names.indices.map {
            ChartLegendItem(mark: .series(colours[$0], id: heading.id, path: PlotShape.swatch), label: names[$0])
        }
        if periods.all.contains(where: \.isPartial) {
            let mark = PlotShape(style: "unfinished", path: PlotShape.innerSwatch)
            figure.legend.append(ChartLegendItem(mark: mark, label: strings.chartsUnfinished.description))
        }
        figure.plot?.samples = figure.legend.map(\.mark)
        return figure
    }
}

extension ChartTable {
    /// A row per period, a column per series and one for all of them.
    fileprivate init(
        _ periods: ChartPeriods,
        names: [String],
        values: [[Int64]],
        series: [ChartSeries],
        total: (name: String, sums: [Int128], all: Int128),
        _ unit: ChartUnit,
        _ options: ChartOptions,
        _ strings: Strings
    ) {
        self.init(rowHeading: periods.heading(strings), columns: names + [total.name])
        func cells(_ numbers: [Int128], _ sum: Int128, _ hrefs: [String?] = []) -> [Cell] {
            (numbers + [sum]).enumerated().map { index, number in
                Cell(
                    text: Int64(exactly: number).map { unit.number($0, strings) } ?? "",
                    href: hrefs.indices.contains(index) && number != 0 ? hrefs[index] : nil
                )
            }
        }
        rows = periods.all.enumerated().map { index, period in
            Row(
                name: period.name,
                href: period.href,
                isPartial: period.isPartial,
                cells: cells(
                    values.map { Int128($0[index]) },
                    total.sums[index],
                    series.map { $0.hrefs.indices.contains(index) ? $0.hrefs[index] : nil }
                )
            )
        }
        guard options.isSummed, rows.count > 1 else { return }
        let places = Array(periods.all.indices)
        let sums = zip(series, values).map { series, values in
            series.sum(of: places).map { Int128($0) } ?? values.reduce(Int128.zero) { $0 + Int128($1) }
        }
        totals = [Row(name: strings.chartsTotal.description, cells: cells(sums, total.all))]
    }
}
