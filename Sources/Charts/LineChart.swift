/// One line over many points, and perhaps a second to compare it with.
package struct LineChart: Sendable, Hashable {
    /// The points of the line itself; none where nothing is known.
    package let points: [Point?]
    /// The points of the line it is compared with.
    package let previous: [Point?]
    /// Where the last part is drawn as unfinished.
    private let isPartial: Bool
    private let zero: Coordinate

    /// - Parameter isPartial: the last point may still change.
    package init(values: [Int64?], previous: [Int64?] = [], isPartial: Bool = false, scale: Scale, layout: Layout) {
        func points(_ values: some Collection<Int64?>, of count: Int) -> [Point?] {
            values.enumerated().map { index, value in
                guard let value else { return nil }
                let slot = layout.slot(index, of: count)
                return Point(x: slot.middle, y: scale.y(of: value, in: slot))
            }
        }
        self.points = points(values, of: values.count)
        self.previous = points(previous.prefix(values.count), of: values.count)
        self.isPartial = isPartial
        zero = scale.y(of: 0 as Int64, in: layout.plot)
    }

    /// The finished part, as the `d` of a path.
    package var path: String {
        PathData.line(through: isPartial ? points.dropLast() : points[...]).text
    }

    /// From the last finished point to the unfinished one, as the `d` of a path; empty when all are finished.
    package var unfinishedPath: String {
        guard isPartial, points.count > 1 else { return "" }
        return PathData.line(through: points.suffix(2)).text
    }

    package var previousPath: String { PathData.line(through: previous).text }

    /// The area between the line and zero, as the `d` of a path; an area for each part without a gap.
    package var area: String {
        var path = PathData()
        for part in points.split(separator: nil) {
            let part = part.compactMap(\.self)
            guard let first = part.first, part.count > 1 else { continue }
            path.move(to: Point(x: first.x, y: zero))
            for point in part { path.line(to: point) }
            path.vertical(to: zero)
            path.close()
        }
        return path.text
    }

    /// Where the line ends.
    package var end: Point? { points.last ?? nil }
}
