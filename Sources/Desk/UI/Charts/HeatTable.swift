import Charts
import HTTP
package import Words

/// Shares of cohorts as a table whose cells are the darker the larger they are.
struct HeatTable: Sendable {
    let regionLabel: String
    let rowHeading: String
    let sizeHeading: String
    let columns: [String]
    let rows: [Row]
    /// The meaning of the shades, from the lightest.
    let levels: [Level]
    let hasUnfinished: Bool

    struct Row: Sendable {
        let name: String
        let href: String?
        let size: String
        let cells: [Cell]
    }

    struct Cell: Sendable {
        /// `h0` to `h6`, with `open` for what may still change; nothing where the cohort is not that old.
        let style: String
        /// "42.1%"
        let text: String
        /// The count behind the share.
        let count: String?
        /// Those that it counts; nil where there is nobody.
        let href: String?
        let isPartial: Bool
    }

    struct Level: Sendable {
        let style: String
        /// "40%"
        let text: String
    }
}

/// One cohort: everybody who began in the same period.
package struct HeatRow: Sendable, Hashable {
    /// "March 2026"
    let name: String
    let href: String?
    /// The number of those who began.
    let size: Int64
    /// The numbers of those left in the first period, the second and so on.
    let kept: [Int64]
    /// The whole that each of them is a share of.
    let wholes: [Int64]
    /// The number of values at the end that may still change.
    let unfinished: Int
    /// The lists of those left, one for each number; nothing where there are no lists.
    let hrefs: [String]

    package init(
        name: String,
        href: String? = nil,
        size: Int64,
        kept: [Int64],
        wholes: [Int64]? = nil,
        hrefs: [String] = [],
        unfinished: Int = 0
    ) {
        self.name = name
        self.href = href
        self.size = size
        self.kept = kept
        self.wholes = wholes ?? kept.map { _ in size }
        self.hrefs = hrefs
        self.unfinished = unfinished
    }
}

extension ChartFigure {
    /// Draws the share of each cohort that is left after one period, two and so on.
    ///
    /// - Parameters:
    ///   - rowHeading: the definition of a cohort: "First paid in".
    ///   - sizeHeading: the people whom it counts: "Subscribers".
    ///   - columns: the names of the periods: "0", "1", "2".
    package static func heat(
        _ heading: ChartHeading,
        rowHeading: String,
        sizeHeading: String,
        columns: [String],
        rows: [HeatRow],
        csvHref: String? = nil,
        _ strings: Strings
    ) -> Self {
        var figure = ChartFigure(heading, ChartOptions(csvHref: csvHref), strings)
        guard !rows.isEmpty else { return figure }
        figure.emptyText = nil
        let map = HeatMap(rows.map { row in zip(row.kept, row.wholes).map { HeatMap.Share($0, of: $1) } })
        figure.heat = HeatTable(
            regionLabel: strings.chartsTableRegion(title: heading.title),
            rowHeading: rowHeading,
            sizeHeading: sizeHeading,
            columns: (0..<map.columns).map { $0 < columns.count ? columns[$0] : strings.number($0) },
            rows: zip(rows, map.rows).map { row, cells in
                HeatTable.Row(
                    name: row.name,
                    href: row.href,
                    size: strings.number(Int(row.size)),
                    cells: cells.enumerated().map { HeatTable.Cell(row, at: $0, $1, strings) }
                )
            },
            levels: map.bounds.enumerated().map { level, bound in
                HeatTable.Level(style: "h\(level)", text: strings.percent(Int64(bound), places: 0))
            },
            hasUnfinished: rows.contains { $0.unfinished > 0 && !$0.kept.isEmpty }
        )
        return figure
    }
}

extension HeatTable.Cell {
    fileprivate init(_ row: HeatRow, at index: Int, _ cell: HeatMap.Cell?, _ strings: Strings) {
        guard let level = cell?.level else {
            self.init(style: "none", text: "", count: nil, href: nil, isPartial: false)
            return
        }
        let isPartial = index >= row.kept.count - row.unfinished
        let whole = Int128(row.wholes[index])
        let tenths = (Int128(row.kept[index]) * 2_000 + whole) / (whole * 2)
        self.init(
            style: isPartial ? "h\(level) open" : "h\(level)",
            text: strings.percent(Int64(clamping: tenths), places: 1),
            count: strings.number(Int(row.kept[index])),
            href: row.hrefs.indices.contains(index) && row.kept[index] != 0 ? row.hrefs[index] : nil,
            isPartial: isPartial
        )
    }
}
