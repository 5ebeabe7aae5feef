/// One page of a sorted list: at most 25 rows, and whether there are more on either side.
package struct ListPage<Row: Sendable>: Sendable {
    package var rows: [Row]
    /// The number of rows of the list; nil where they are not counted.
    package var total: RowCount?
    /// More matches what is searched for than is looked through.
    package var isCut: Bool
    package var rowsBefore: Int
    package var hasPrevious: Bool
    package var hasNext: Bool
    /// The cursor points behind the last row, or the page before it is shorter than a first page would be: the list's
    /// first page is what to show.
    package var startsOver: Bool

    /// - Parameter fetched: up to `ListPageSize.fetched` rows; in reverse when the position is `.before`.
    init(_ fetched: [Row], at position: PagePosition) {
        let hasMore = fetched.count > ListPageSize.shown
        (rows, total, isCut) = (Array(fetched.prefix(ListPageSize.shown)), nil, false)
        switch position {
        case .first:
            (hasPrevious, hasNext, rowsBefore, startsOver) = (false, hasMore, 0, false)
        case .after(let cursor):
            (hasPrevious, hasNext, rowsBefore, startsOver) = (true, hasMore, cursor.rowsBefore, rows.isEmpty)
        case .before(let cursor):
            rows.reverse()
            (hasPrevious, hasNext) = (hasMore, true)
            rowsBefore = hasMore ? max(cursor.rowsBefore - rows.count, 1) : 0
            startsOver = !hasMore && rows.count < ListPageSize.shown
        }
    }

    /// Made up, for what shows one.
    package init(
        rows: [Row],
        total: RowCount? = nil,
        isCut: Bool = false,
        rowsBefore: Int = 0,
        hasPrevious: Bool = false,
        hasNext: Bool = false
    ) {
        self.rows = rows
        self.total = total
        self.isCut = isCut
        self.rowsBefore = rowsBefore
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
        startsOver = false
    }

    /// The end of the previous page; nil when there is none.
    package func previous<Filter: ListFilter>(by filter: Filter) -> PageCursor? where Filter.Row == Row {
        guard hasPrevious else { return nil }
        return rows.first.map { filter.cursor(at: $0, rowsBefore: rowsBefore) }
    }

    /// The start of the next page; nil when there is none.
    package func next<Filter: ListFilter>(by filter: Filter) -> PageCursor? where Filter.Row == Row {
        guard hasNext else { return nil }
        return rows.last.map { filter.cursor(at: $0, rowsBefore: rowsBefore + rows.count) }
    }
}

enum ListPageSize {
    static let shown = 25
    /// One row more tells whether there is another page.
    static let fetched = 26
}
