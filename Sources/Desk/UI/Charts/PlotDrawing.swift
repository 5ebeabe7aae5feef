import Charts
import HTTP
import Words

/// The common parts of the drawings of bars, stacks and lines: axis, names of periods, read-out, annotations.
struct PlotDrawing {
    let heading: ChartHeading
    let periods: ChartPeriods
    let options: ChartOptions
    let strings: Strings
    let scale: Scale
    let layout: Layout
    /// The part of the plot that belongs to each period.
    let spans: [Box]
    private let ticks: [(value: Int64, label: String)]
    private let tips: [[String]]
    private let values: Int

    /// - Parameters:
    ///   - pieces: the read-out of each period, piece by piece.
    init(
        _ heading: ChartHeading,
        _ periods: ChartPeriods,
        covering values: [Int128],
        unit: ChartUnit,
        pieces: [[String]],
        options: ChartOptions,
        _ strings: Strings
    ) {
        (self.heading, self.periods, self.options, self.strings) = (heading, periods, options, strings)
        let scale = Scale(covering: values)
        let ticks = scale.ticks.map { (value: $0, label: unit.tick($0, strings)) }
        (self.scale, self.ticks) = (scale, ticks)
        let canvas = options.size.canvas
        let room = Coordinate(tenths: canvas.width * 10) - 16
        tips = zip(periods.all, pieces).map { period, pieces in
            TextWidth.lines(of: [PlotDrawing.name(of: period, strings)] + pieces, within: room)
        }
        let layout = Layout(
            canvas: canvas,
            tickLabels: ticks.map(\.label),
            readOutLines: max(tips.map(\.count).max() ?? 1, 1),
            hasGroups: periods.all.contains { $0.group != nil }
        )
        self.layout = layout
        let ranges = periods.ranges
        let count = ranges.last?.upperBound ?? 0
        self.values = count
        spans = ranges.map { layout.slots($0, of: count) }
    }

    /// - Parameters:
    ///   - shapes: the marks of each period.
    ///   - isZero: there is nothing to see but the axis.
    func plot(shapes: [[PlotShape]], pieces: [[String]], isZero: Bool) -> ChartPlot {
        let (plot, canvas) = (layout.plot, layout.canvas)
        // An axis of zeros has no other number.
        let ticks = isZero ? self.ticks.filter { $0.value == 0 } : self.ticks
        let heights = ticks.map { scale.y(of: $0.value, in: plot) }
        let zero = scale.y(of: 0 as Int64, in: plot)
        return ChartPlot(
            id: heading.id,
            width: canvas.width,
            height: canvas.height,
            size: options.size.style,
            regionLabel: strings.chartsRegion(title: heading.title),
            grid: layout.rules(at: heights.filter { $0 != zero }),
            zero: layout.rules(at: [zero]),
            ticks: zip(ticks, heights).map { PlotText(x: plot.left - 8, y: $1 + 4, text: $0.label) },
            labels: labels,
            hint: PlotText(x: plot.left, y: 18, text: periods.hint(strings).description),
            message: isZero
                ? PlotText(x: plot.middle, y: plot.top + plot.height / 2, text: strings.chartsAllZero.description)
                : nil,
            notes: notes,
            periods: periods.all.indices.map { index in
                let period = periods.all[index]
                let span = spans[index]
                return PlotPeriod(
                    href: period.href,
                    spoken: strings.chartsNamed(
                        name: PlotDrawing.name(of: period, strings),
                        value: pieces[index].joined(separator: " · ")
                    ),
                    hit: PlotBox(
                        x: span.left,
                        y: plot.top,
                        width: span.width,
                        height: Coordinate(tenths: canvas.height * 10) - plot.top - 2
                    ),
                    shapes: shapes[index],
                    tip: tip(of: index)
                )
            }
        )
    }

    /// "January 2026 (in progress)"
    private static func name(of period: ChartPeriod, _ strings: Strings) -> String {
        period.isPartial ? strings.chartsUnfinishedName(name: period.name) : period.name
    }

    /// The names of the periods, and below them those of their groups.
    private var labels: [PlotText] {
        let (names, middles) = (periods.all.map(\.label), spans.map(\.middle))
        let below = layout.plot.bottom
        let row = LabelRow(names, at: middles).shown.map {
            PlotText(x: middles[$0], y: below + 18, text: names[$0])
        }
        let groups = periods.all.indices.filter { index in
            periods.all[index].group != nil && (index == 0 || periods.all[index].group != periods.all[index - 1].group)
        }
        let (groupNames, groupMiddles) = (groups.map { periods.all[$0].group ?? "" }, groups.map { middles[$0] })
        return row
            + LabelRow(latestOf: groupNames, at: groupMiddles).shown.map {
                PlotText(x: groupMiddles[$0], y: below + 36, text: groupNames[$0])
            }
    }

    private var notes: [PlotNote] {
        options.annotations.enumerated().map { number, annotation in
            let x = layout.slot(min(max(annotation.index, 0), max(values - 1, 0)), of: values).middle
            return PlotNote(
                path: "M\(x) \(layout.plot.top)V\(layout.plot.bottom)",
                number: PlotText(x: x, y: layout.plot.top - 4, text: String(number + 1))
            )
        }
    }

    /// The lines of the strip, above the middle of their period, or at the edge that they would run over.
    private func tip(of index: Int) -> PlotTip {
        let lines = tips[index]
        let name = PlotDrawing.name(of: periods.all[index], strings)
        let half = (lines.map(TextWidth.of).max() ?? 0) / 2
        let (middle, right) = (spans[index].middle, Coordinate(tenths: layout.canvas.width * 10) - 4)
        let (x, anchor): (Coordinate, StaticString) =
            middle - half < 4 ? (4, "start") : middle + half > right ? (right, "end") : (middle, "middle")
        return PlotTip(
            x: x,
            y: 18,
            anchor: anchor,
            name: name,
            rest: String(lines.first?.dropFirst(name.count) ?? ""),
            lines: lines.dropFirst().enumerated().map { number, line in
                PlotText(x: x, y: Layout.lineHeight * (number + 1) + 18, text: line)
            }
        )
    }
}

extension ChartSize {
    var canvas: Canvas {
        switch self {
        case .wide: .wide
        case .half: .half
        }
    }

    var style: StaticString {
        switch self {
        case .wide: "wide"
        case .half: "half"
        }
    }
}
