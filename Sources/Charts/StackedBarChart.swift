/// Several series per period: what is positive stacked up from the zero line, what is negative stacked down from it.
package struct StackedBarChart: Sendable, Hashable {
    /// For each period its segments, from the first series to the last; none for zeros.
    package let columns: [[Segment]]
    /// For each period the whole of its segments; of no height where there are none.
    package let outlines: [Box]

    /// One series' part of a column.
    package struct Segment: Sendable, Hashable {
        package let series: Int
        package let box: Box
    }

    /// The number of series that can be distinguished.
    package static let mostSeries = 6

    /// - Parameter series: the values of each, one per period; those after the sixth are not drawn.
    package init(series: [[Int64]], periods: Int, scale: Scale, layout: Layout) {
        let series = series.prefix(Self.mostSeries)
        let columns = (0..<periods).map { period in
            Self.segments(series.map { period < $0.count ? $0[period] : 0 }, layout.slot(period, of: periods), scale)
        }
        self.columns = columns
        outlines = columns.indices.map { period in
            let slot = layout.slot(period, of: periods)
            let zero = scale.y(of: 0 as Int64, in: slot)
            let boxes = columns[period].map(\.box)
            return Self.bar(
                in: slot,
                from: boxes.map(\.top).min() ?? zero,
                to: boxes.map(\.bottom).max() ?? zero
            )
        }
    }

    /// The sums up and down that a scale has to cover.
    package static func extremes(of series: [[Int64]], periods: Int) -> [Int128] {
        (0..<periods).flatMap { period in
            let values = series.prefix(mostSeries).map { period < $0.count ? Int128($0[period]) : 0 }
            return [values.filter { $0 > 0 }.reduce(0, +), values.filter { $0 < 0 }.reduce(0, +)]
        }
    }

    private static func segments(_ values: [Int64], _ slot: Box, _ scale: Scale) -> [Segment] {
        var (above, below) = (Int128.zero, Int128.zero)
        var segments: [Segment] = []
        for (series, value) in values.enumerated() where value != 0 {
            let from = value > 0 ? above : below
            let to = from + Int128(value)
            if value > 0 { above = to } else { below = to }
            let heights = [from, to].map { scale.y(of: $0, in: slot) }
            segments.append(
                Segment(
                    series: series,
                    box: bar(in: slot, from: min(heights[0], heights[1]), to: max(heights[0], heights[1]))
                )
            )
        }
        return segments
    }

    private static func bar(in slot: Box, from top: Coordinate, to bottom: Coordinate) -> Box {
        let width = min(slot.width * 6 / 10, 56)
        let left = slot.middle - width / 2
        return Box(left: left, top: top, right: left + width, bottom: bottom)
    }
}
