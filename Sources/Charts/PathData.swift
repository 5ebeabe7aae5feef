/// The `d` attribute of an SVG path (SVG 2, section 9.3).
struct PathData {
    private(set) var text = ""

    mutating func move(to point: Point) {
        text += "M\(point.x) \(point.y)"
    }

    mutating func line(to point: Point) {
        text += "L\(point.x) \(point.y)"
    }

    mutating func horizontal(to x: Coordinate) {
        text += "H\(x)"
    }

    mutating func vertical(to y: Coordinate) {
        text += "V\(y)"
    }

    /// A quarter of an ellipse's edge, near enough, that leaves towards `corner`.
    mutating func turn(around corner: Point, to point: Point) {
        text += "Q\(corner.x) \(corner.y) \(point.x) \(point.y)"
    }

    mutating func close() {
        text += "Z"
    }

    /// The points joined; where one is missing, the line is interrupted.
    static func line(through points: some Sequence<Point?>) -> PathData {
        var path = PathData()
        var isDrawing = false
        for point in points {
            guard let point else {
                isDrawing = false
                continue
            }
            if isDrawing { path.line(to: point) } else { path.move(to: point) }
            isDrawing = true
        }
        return path
    }
}
