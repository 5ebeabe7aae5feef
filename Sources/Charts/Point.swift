/// A place in a drawing, from its upper left corner.
package struct Point: Sendable, Hashable {
    package let x: Coordinate
    package let y: Coordinate

    package init(x: Coordinate, y: Coordinate) {
        self.x = x
        self.y = y
    }

    /// A circle around it, as the `d` of a path.
    package func circle(radius: Coordinate) -> String {
        let (across, back) = (radius * 2, Coordinate.zero - radius * 2)
        return "M\(x - radius) \(y)a\(radius) \(radius) 0 1 0 \(across) 0a\(radius) \(radius) 0 1 0 \(back) 0Z"
    }
}
