import Charts
import HTTP

/// A drawing of periods in the order of painting: the axis, each period's marks inside its link, then the lines.
struct ChartPlot: Sendable {
    /// The id of the figure that it stands in.
    let id: String
    let width: Int
    let height: Int
    /// `wide` or `half`
    let size: StaticString
    /// "Chart: Net revenue by month, CNY"
    let regionLabel: String
    let grid: String
    let zero: String
    let ticks: [PlotText]
    let labels: [PlotText]
    let hint: PlotText
    /// Said in the middle of a drawing of zeros.
    let message: PlotText?
    let notes: [PlotNote]
    /// Below everything: the area under a line.
    var ground: [PlotShape] = []
    var periods: [PlotPeriod]
    /// Above everything: the lines.
    var lines: [PlotShape] = []
    /// Lines whose points are marked.
    var dotted: [PlotShape] = []

    /// The marks of the legend, which may show what no period has.
    var samples: [PlotShape] = []

    var patterns: PlotPatterns {
        PlotPatterns(of: periods.flatMap(\.shapes) + samples, hasDots: !dotted.isEmpty)
    }
}

/// The patterns and marks that a drawing refers to; only those are part of the page.
struct PlotPatterns: Sendable {
    var hatch = false
    var k2 = false
    var k3 = false
    var k4 = false
    var k5 = false
    var k6 = false
    var dot = false

    init(of shapes: [PlotShape], hasDots: Bool = false) {
        for shape in shapes where shape.fill != nil {
            switch shape.style {
            case "open": hatch = true
            case "k2": k2 = true
            case "k3": k3 = true
            case "k4": k4 = true
            case "k5": k5 = true
            case "k6": k6 = true
            default: break
            }
        }
        dot = hasDots
    }
}

/// A text of a drawing; how it is anchored its group says.
struct PlotText: Sendable {
    let x: Coordinate
    let y: Coordinate
    let text: String
}

/// A shape of a drawing.
struct PlotShape: Sendable {
    /// Its class in the stylesheet.
    let style: String
    /// As the `d` of a path.
    let path: String
    /// The pattern that fills it: "url(#revenue-hatch)".
    var fill: String?
}

/// An annotation of a drawing: a dotted line with its number.
struct PlotNote: Sendable {
    let path: String
    let number: PlotText
}

/// One period of a drawing: its link, its marks and what the read-out strip says of it.
struct PlotPeriod: Sendable {
    let href: String?
    /// "January 2026: this year: 33,000.00 CNY · the year before: 29,000.00 CNY · 13.8% more"
    let spoken: String
    /// The area that reacts to the pointer.
    let hit: PlotBox
    var shapes: [PlotShape]
    let tip: PlotTip
}

/// A rectangle of a drawing.
struct PlotBox: Sendable {
    let x: Coordinate
    let y: Coordinate
    let width: Coordinate
    let height: Coordinate
}

/// The read-out of a period.
struct PlotTip: Sendable {
    let x: Coordinate
    let y: Coordinate
    /// The end of its lines that stands at `x`: `start`, `middle` or `end`.
    let anchor: StaticString
    /// "January 2026"
    let name: String
    /// The rest of the first line, after the name.
    let rest: String
    /// The lines below the first.
    let lines: [PlotText]
}
