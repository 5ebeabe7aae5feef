import HTTP

/// The numbers of a chart as a table.
struct ChartTable: Sendable {
    /// "Month"
    let rowHeading: StaticString
    let columns: [String]
    var rows: [Row] = []
    /// Sums.
    var totals: [Row] = []

    var hasTotals: Bool { !totals.isEmpty }

    struct Row: Sendable {
        let name: String
        var href: String?
        var isPartial = false
        let cells: [Cell]
    }

    struct Cell: Sendable {
        var text = ""
        var change: ChangeText?
        /// The list that it is the sum of, where that is another than its row's.
        var href: String?
    }
}
