/// The layout of a drawing. The read-out strip is above, the axis' numbers on the left, then the plot, and the names of the
/// periods below.
package struct Layout: Sendable, Hashable {
    package let canvas: Canvas
    /// The plot itself, in which values have their heights.
    package let plot: Box

    /// - Parameters:
    ///   - tickLabels: the labels left of the plot; the widest has room.
    ///   - readOutLines: lines of the strip above it.
    ///   - hasGroups: true if there is a second row below, of years for example.
    package init(canvas: Canvas, tickLabels: [String], readOutLines: Int, hasGroups: Bool) {
        self.canvas = canvas
        let widest = tickLabels.map(TextWidth.of).max() ?? 0
        plot = Box(
            left: max(widest + 12, 40),
            top: Layout.lineHeight * readOutLines + 20,
            right: Coordinate(tenths: canvas.width * 10) - 8,
            bottom: Coordinate(tenths: canvas.height * 10) - (hasGroups ? 46 : 28)
        )
    }

    /// Units between two lines of the read-out strip.
    package static let lineHeight: Coordinate = 20

    /// A period's part of the plot, as wide as every other.
    package func slot(_ index: Int, of count: Int) -> Box {
        slots(index..<index + 1, of: count)
    }

    /// The part of the plot that a run of adjacent periods takes.
    package func slots(_ range: Range<Int>, of count: Int) -> Box {
        let (width, count) = (plot.width.tenths, max(count, 1))
        return Box(
            left: plot.left + Coordinate(tenths: width * range.lowerBound / count),
            top: plot.top,
            right: plot.left + Coordinate(tenths: width * range.upperBound / count),
            bottom: plot.bottom
        )
    }

    /// A line from edge to edge at each of the heights, as the `d` of a path.
    package func rules(at heights: [Coordinate]) -> String {
        var path = PathData()
        for y in heights {
            path.move(to: Point(x: plot.left, y: y))
            path.horizontal(to: plot.right)
        }
        return path.text
    }
}
