/// A small line without an axis, from the lowest value to the highest: whether it goes up or down, and how steadily.
package struct Spark: Sendable, Hashable {
    /// As the `d` of a path; empty for less than two values.
    package let line: String
    /// The area below the line.
    package let area: String

    /// Of the drawing, in units; it is stretched to the width it is given.
    package static let size = Canvas(width: 100, height: 28)

    package init(_ values: [Int64]) {
        guard let low = values.min(), let high = values.max(), values.count > 1 else {
            (line, area) = ("", "")
            return
        }
        let points = values.enumerated().map { index, value in
            Point(
                x: Coordinate(tenths: Self.size.width * 10 * index / (values.count - 1)),
                y: Self.height(of: value, from: low, to: high)
            )
        }
        line = PathData.line(through: points).text
        var closed = PathData.line(through: points)
        closed.vertical(to: Coordinate(tenths: Self.size.height * 10))
        closed.horizontal(to: 0)
        closed.close()
        area = closed.text
    }

    /// Two units are left at both edges for the line's own width.
    private static func height(of value: Int64, from low: Int64, to high: Int64) -> Coordinate {
        guard low < high else { return Coordinate(tenths: size.height * 5) }
        let room = Int128(size.height * 10 - 40)
        let above = (Int128(value) - Int128(low)) * room / (Int128(high) - Int128(low))
        return Coordinate(tenths: size.height * 10 - 20 - Int(above))
    }
}
