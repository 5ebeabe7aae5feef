import Charts
import HTTP

extension PlotShape {
    /// A bar of a period that is over.
    static func bar(_ path: String) -> PlotShape {
        PlotShape(style: "bar", path: path)
    }

    /// A bar of a period that is not: hatched.
    static func openBar(_ path: String, id: String) -> PlotShape {
        PlotShape(style: "open", path: path, fill: "url(#\(id)-hatch)")
    }

    /// A part of a stack or of a whole: each series has a colour, and each but the first a pattern.
    static func series(_ number: Int, id: String, path: String) -> PlotShape {
        PlotShape(style: "k\(number + 1)", path: path, fill: number == 0 ? nil : "url(#\(id)-k\(number + 1))")
    }

    /// A sample of a mark in a legend, 14 × 10 units.
    static let swatch = "M2 0H12Q14 0 14 2V8Q14 10 12 10H2Q0 10 0 8V2Q0 0 2 0Z"
    /// The same, with room for its edge.
    static let innerSwatch = "M2 1H12Q13 1 13 2V8Q13 9 12 9H2Q1 9 1 8V2Q1 1 2 1Z"
    /// A sample of a line.
    static let stroke = "M0 5H14"
}
