/// A rectangle of a drawing.
package struct Box: Sendable, Hashable {
    package let left: Coordinate
    package let top: Coordinate
    package let right: Coordinate
    package let bottom: Coordinate

    package var width: Coordinate { right - left }
    package var height: Coordinate { bottom - top }
    package var middle: Coordinate { left + width / 2 }

    package init(left: Coordinate, top: Coordinate, right: Coordinate, bottom: Coordinate) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// The rectangle as the `d` of a path.
    package var outline: String {
        var path = PathData()
        path.move(to: Point(x: left, y: top))
        path.horizontal(to: right)
        path.vertical(to: bottom)
        path.horizontal(to: left)
        path.close()
        return path.text
    }

    /// The rectangle with two corners rounded: the upper ones, or the lower ones of what hangs from the zero line.
    func outline(rounding radius: Coordinate, hangs: Bool) -> String {
        let radius = min(radius, width / 2, height)
        let (foot, head) = hangs ? (top, bottom) : (bottom, top)
        let shoulder = hangs ? head - radius : head + radius
        var path = PathData()
        path.move(to: Point(x: left, y: foot))
        path.vertical(to: shoulder)
        path.turn(around: Point(x: left, y: head), to: Point(x: left + radius, y: head))
        path.horizontal(to: right - radius)
        path.turn(around: Point(x: right, y: head), to: Point(x: right, y: shoulder))
        path.vertical(to: foot)
        path.close()
        return path.text
    }
}
