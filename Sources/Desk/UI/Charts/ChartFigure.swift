import HTTP

/// A chart of a page with everything around it: heading, legend, drawing, annotations, and its numbers as a table.
///
/// One of `bars`, `lines`, `stack`, `heat`, `parts` and `steps` makes it; `{{> charts/figure figure}}` shows it.
package struct ChartFigure: Sendable {
    let heading: ChartHeading
    /// Nothing where one kind of mark says it all.
    var legend: [ChartLegendItem] = []
    /// nil for a table or a bar of shares, and where there is nothing to draw.
    var plot: ChartPlot?
    var annotations: [ChartAnnotation] = []
    /// The numbers of the plot.
    var table: ChartTable?
    var heat: HeatTable?
    var shares: ShareTable?
    var csvHref: String?
    /// The page with the table where this is the drawing, or with the drawing where this is the table; nil for both in one.
    var otherHref: String?
    /// The text in place of a chart without numbers.
    var emptyText: StaticString?

    init(_ heading: ChartHeading) {
        self.heading = heading
    }

    var hasLegend: Bool { !legend.isEmpty }
    var hasAnnotations: Bool { !annotations.isEmpty }
}

/// A mark of the drawing and what it stands for.
struct ChartLegendItem: Sendable {
    /// Drawn as in the plot, 14 × 10 units.
    let mark: PlotShape
    let label: String
}
