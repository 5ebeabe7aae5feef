/// One bar per period, from the zero line up or down, and the same periods of another time as a line over them.
package struct BarChart: Sendable, Hashable {
    package let bars: [Bar]
    /// The line's points; none where there is nothing to compare with.
    package let line: [Point?]

    /// One period's bar.
    package struct Bar: Sendable, Hashable {
        package let box: Box
        /// With its far end rounded, as the `d` of a path; empty for zero.
        package let path: String
    }

    /// - Parameters:
    ///   - values: a bar each; nil draws none.
    ///   - previous: the values that the line joins, from the first period on.
    package init(values: [Int64?], previous: [Int64?] = [], scale: Scale, layout: Layout) {
        let zero = scale.y(of: 0 as Int64, in: layout.plot)
        bars = values.indices.map { index in
            let slot = layout.slot(index, of: values.count)
            return Bar(values[index] ?? 0, in: slot, zero: zero, scale: scale)
        }
        line = previous.prefix(values.count).enumerated().map { index, value in
            guard let value else { return nil }
            let slot = layout.slot(index, of: values.count)
            return Point(x: slot.middle, y: scale.y(of: value, in: slot))
        }
    }

    /// The comparison line as the `d` of a path.
    package var linePath: String { PathData.line(through: line).text }

    /// The line in two: up to the last finished period, and from there on.
    ///
    /// - Parameter unfinished: the number of periods at the end that are not finished.
    package func linePaths(unfinished: Int) -> (finished: String, unfinished: String) {
        let finished = max(line.count - unfinished, 0)
        return (
            PathData.line(through: line.prefix(finished)).text,
            unfinished > 0 ? PathData.line(through: line.dropFirst(max(finished - 1, 0))).text : ""
        )
    }
}

extension BarChart.Bar {
    fileprivate init(_ value: Int64, in slot: Box, zero: Coordinate, scale: Scale) {
        let width = min(slot.width * 6 / 10, 56)
        let end = scale.y(of: value, in: slot)
        // Every value but zero can be seen.
        let (top, bottom) =
            value < 0 ? (zero, max(end, zero + 1)) : value > 0 ? (min(end, zero - 1), zero) : (zero, zero)
        let left = slot.middle - width / 2
        box = Box(left: left, top: top, right: left + width, bottom: bottom)
        path = value == 0 ? "" : box.outline(rounding: 3, hangs: value < 0)
    }
}
