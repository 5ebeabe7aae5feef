import Charts
import HTTP
package import Words

extension ChartFigure {
    /// A line over many points, such as the subscribers of each day, and perhaps a second to compare it with.
    ///
    /// Periods are read one by one: the points themselves as long as there are no more than 31 of them, else months that say
    /// how many points they have. A period's number is the last of its points.
    package static func lines(
        _ heading: ChartHeading,
        periods: ChartPeriods,
        current: ChartSeries,
        previous: ChartSeries? = nil,
        unit: ChartUnit,
        options: ChartOptions = ChartOptions(isSummed: false),
        _ strings: Strings
    ) -> Self {
        let ranges = periods.ranges
        let numbers = ranges.map { range in
            ChartComparison(value: current.last(in: range), previous: previous?.last(in: range))
        }
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
        let count = ranges.last?.upperBound ?? 0
        let values = (0..<count).map { current[$0] }
        let before = previous.map { previous in (0..<count).map { previous[$0] } } ?? []
        let drawing = PlotDrawing(
            heading,
            periods,
            covering: (values + before).compactMap { $0.map { Int128($0) } },
            unit: unit,
            pieces: pieces,
            options: options,
            strings
        )
        let isPartial = periods.all.last?.isPartial ?? false
        let chart = LineChart(
            values: values,
            previous: before,
            isPartial: isPartial,
            scale: drawing.scale,
            layout: drawing.layout
        )
        figure.plot = drawing.plot(
            shapes: ranges.map { range in
                let point = range.reversed().lazy.compactMap { chart.points[$0] }.first
                return point.map { [PlotShape(style: "mark", path: $0.circle(radius: 5))] } ?? []
            },
            pieces: pieces,
            isZero: (values + before).allSatisfy { $0 ?? 0 == 0 }
        )
        figure.plot?.ground = [PlotShape(style: "area", path: chart.area)]
        figure.plot?.lines = chart.strokes
        figure.legend =
            previous.map { previous in
                [("trend", current.name), ("before", previous.name)].map {
                    ChartLegendItem(mark: PlotShape(style: $0, path: PlotShape.stroke), label: $1)
                }
            } ?? []
        return figure
    }
}

extension LineChart {
    /// The shapes of the drawing, the lowest first.
    fileprivate var strokes: [PlotShape] {
        let end = end.map {
            PlotShape(style: unfinishedPath.isEmpty ? "end" : "end hollow", path: $0.circle(radius: 4))
        }
        let shapes = [
            PlotShape(style: "before", path: previousPath), PlotShape(style: "trend", path: path),
            PlotShape(style: "trend dashed", path: unfinishedPath),
        ]
        return shapes.filter { !$0.path.isEmpty } + [end].compactMap(\.self)
    }
}
