import Charts
import HTTP
package import Words

extension ChartFigure {
    /// A bar per period, and the same periods of another time as a line over them.
    ///
    /// - Parameters:
    ///   - current: one value per period.
    ///   - previous: the values that the line joins; for an unfinished period, as much of the other time as has passed.
    package static func bars(
        _ heading: ChartHeading,
        periods: ChartPeriods,
        current: ChartSeries,
        previous: ChartSeries? = nil,
        unit: ChartUnit,
        options: ChartOptions = ChartOptions(),
        _ strings: Strings
    ) -> Self {
        let numbers = periods.all.indices.map { ChartComparison(value: current[$0], previous: previous?[$0]) }
        var figure = ChartFigure(heading, options, strings)
        guard numbers.contains(where: { $0.value != nil || $0.previous != nil }) else { return figure }
        figure.emptyText = nil
        let names = (current: current.name, previous: previous?.name)
        figure.table = ChartTable(
            periods,
            names: names,
            numbers: numbers,
            sum: { ChartComparison(value: current.sum(of: $0), previous: previous?.sum(of: $0)) },
            unit: unit,
            options: options,
            strings
        )
        let pieces = zip(periods.all, numbers).map { period, numbers in
            numbers.pieces(names, of: period, unit: unit, meaning: options.meaning, strings)
        }
        let values = numbers.flatMap { [$0.value, $0.previous] }.compactMap(\.self)
        let drawing = PlotDrawing(
            heading,
            periods,
            covering: values.map { Int128($0) },
            unit: unit,
            pieces: pieces,
            options: options,
            strings
        )
        let chart = BarChart(
            values: numbers.map(\.value),
            previous: previous == nil ? [] : numbers.map(\.previous),
            scale: drawing.scale,
            layout: drawing.layout
        )
        figure.plot = drawing.plot(
            shapes: zip(periods.all, chart.bars).map { period, drawn in
                guard !drawn.path.isEmpty else { return [] }
                return [period.isPartial ? .openBar(drawn.path, id: heading.id) : .bar(drawn.path)]
            },
            pieces: pieces,
            isZero: values.allSatisfy { $0 == 0 }
        )
        let hasOpen = periods.all.contains(where: \.isPartial)
        if let previous {
            figure.plot?.lines = [PlotShape(style: "halo", path: chart.linePath)]
            let paths = chart.linePaths(unfinished: periods.unfinished)
            figure.plot?.dotted = [("line", paths.finished), ("line dashes", paths.unfinished)]
                .filter { !$1.isEmpty }.map { PlotShape(style: $0, path: $1) }
            figure.legend = [
                ChartLegendItem(mark: .bar(PlotShape.swatch), label: current.name),
                ChartLegendItem(mark: PlotShape(style: "line", path: PlotShape.stroke), label: previous.name),
            ]
        }
        if hasOpen {
            if figure.legend.isEmpty {
                figure.legend = [ChartLegendItem(mark: .bar(PlotShape.swatch), label: current.name)]
            }
            figure.legend.append(
                ChartLegendItem(
                    mark: .openBar(PlotShape.innerSwatch, id: heading.id),
                    label: strings.chartsUnfinished.description
                )
            )
        }
        figure.plot?.samples = figure.legend.map(\.mark)
        return figure
    }

    /// A figure that has nothing to draw yet.
    init(_ heading: ChartHeading, _ options: ChartOptions, _ strings: Strings) {
        self.init(heading)
        csvHref = options.csvHref
        annotations = options.annotations
        emptyText = strings.chartsEmpty
    }
}

extension ChartComparison {
    /// Returns the read-out: "this year: 33,000.00 CNY", "the year before: 29,000.00 CNY", "13.8% more".
    func pieces(
        _ names: (current: String, previous: String?),
        of period: ChartPeriod,
        unit: ChartUnit,
        meaning: ChangeText.Meaning,
        _ strings: Strings
    ) -> [String] {
        let change = ChangeText(
            from: previous,
            to: value,
            isPartial: period.isPartial,
            meaning: meaning,
            strings
        )
        let texts = [(names.current, value), (names.previous ?? "", previous)].compactMap { name, value in
            value.map { strings.chartsNamed(name: name, value: unit.text($0, strings)) }
        }
        return texts + (change.map { [$0.text] } ?? [])
    }
}
