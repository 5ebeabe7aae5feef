import Charts
import HTTP
package import Words

/// The shares of a whole: it and its parts, or steps of which each is a part of the first.
struct ShareTable: Sendable {
    let regionLabel: String
    let nameHeading: String
    let valueHeading: String
    let shareHeading: StaticString
    let noteHeading: String?
    /// The whole, cut into its parts; nothing for steps.
    let split: [PlotShape]
    let rows: [Row]

    var patterns: PlotPatterns { PlotPatterns(of: split + rows.compactMap(\.mark)) }
    var isSplit: Bool { !split.isEmpty }

    struct Row: Sendable {
        let name: String
        let href: String?
        /// Its mark in the whole.
        let mark: PlotShape?
        /// The length of its own bar, of 1000 units.
        let length: Coordinate?
        let value: String
        /// "12.0%"
        let share: String
        let note: String?
    }
}

/// One part of a whole, or one step.
package struct SharePart: Sendable, Hashable {
    let name: String
    let value: Int64
    let href: String?
    /// Something more about it, in a column of its own: "+212".
    let note: String?

    package init(_ name: String, _ value: Int64, href: String? = nil, note: String? = nil) {
        self.name = name
        self.value = value
        self.href = href
        self.note = note
    }
}

extension ChartFigure {
    /// A whole as one bar, cut into at most six parts, and the parts below it.
    ///
    /// - Parameters:
    ///   - headings: of the names, the numbers and the notes: "Plan", "Customers", "28 days".
    package static func parts(
        _ heading: ChartHeading,
        headings: (name: String, value: String, note: String?),
        parts: [SharePart],
        unit: ChartUnit = .count,
        csvHref: String? = nil,
        _ strings: Strings
    ) -> Self {
        let whole = parts.reduce(Int128.zero) { $0 + Int128(max($1.value, 0)) }
        let bar = ShareBar(parts.map(\.value))
        let marks = parts.indices.map { PlotShape.series(min($0, 5), id: heading.id, path: PlotShape.swatch) }
        let split = zip(marks, bar.parts).filter { $1.width > .zero }.map { mark, part in
            PlotShape(style: mark.style, path: part.outline, fill: mark.fill)
        }
        return shares(
            heading,
            headings,
            parts,
            of: whole,
            split: split,
            marks: marks,
            lengths: [],
            unit,
            csvHref,
            strings
        )
    }

    /// Steps of which each is a part of the first, with a bar of its own: how many began, stayed, paid.
    package static func steps(
        _ heading: ChartHeading,
        headings: (name: String, value: String, note: String?),
        steps: [SharePart],
        unit: ChartUnit = .count,
        csvHref: String? = nil,
        _ strings: Strings
    ) -> Self {
        let lengths = ShareBar.lengths(of: steps.map(\.value))
        let first = Int128(steps.first?.value ?? 0)
        return shares(
            heading,
            headings,
            steps,
            of: first,
            split: [],
            marks: [],
            lengths: lengths,
            unit,
            csvHref,
            strings
        )
    }

    private static func shares(
        _ heading: ChartHeading,
        _ headings: (name: String, value: String, note: String?),
        _ parts: [SharePart],
        of whole: Int128,
        split: [PlotShape],
        marks: [PlotShape],
        lengths: [Coordinate],
        _ unit: ChartUnit,
        _ csvHref: String?,
        _ strings: Strings
    ) -> Self {
        var figure = ChartFigure(heading, ChartOptions(csvHref: csvHref), strings)
        guard !parts.isEmpty else { return figure }
        figure.emptyText = nil
        figure.shares = ShareTable(
            regionLabel: strings.chartsTableRegion(title: heading.title),
            nameHeading: headings.name,
            valueHeading: headings.value,
            shareHeading: strings.chartsShare,
            noteHeading: headings.note,
            split: split,
            rows: parts.indices.map { index in
                let part = parts[index]
                let tenths = whole > 0 ? (Int128(part.value) * 2_000 + whole) / (whole * 2) : 0
                return ShareTable.Row(
                    name: part.name,
                    href: part.href,
                    mark: marks.isEmpty ? nil : marks[index],
                    length: lengths.isEmpty ? nil : lengths[index],
                    value: unit.number(part.value, strings),
                    share: whole > 0 ? strings.percent(Int64(clamping: tenths), places: 1) : "",
                    note: headings.note == nil ? nil : part.note ?? ""
                )
            }
        )
        return figure
    }
}
