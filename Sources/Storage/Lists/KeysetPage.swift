/// One page of a sorted list, as the statement gave it: at most 25 rows and a sign whether there are more.
struct KeysetPage<Row: Sendable>: Sendable {
    var rows: [Row]
    var hasPrevious: Bool
    var hasNext: Bool
    var rowsBefore: Int
    /// The cursor points behind the last row, or the page before it is shorter than a first page would be.
    var startsOver: Bool

    /// - Parameter fetched: up to `KeysetPageSize.fetched` rows; in reverse when the position is `.before`.
    init(_ fetched: [Row], at position: PagePosition) {
        let hasMore = fetched.count > KeysetPageSize.shown
        rows = Array(fetched.prefix(KeysetPageSize.shown))
        switch position {
        case .first:
            (hasPrevious, hasNext, rowsBefore, startsOver) = (false, hasMore, 0, false)
        case .after(let cursor):
            (hasPrevious, hasNext, rowsBefore, startsOver) = (true, hasMore, cursor.rowsBefore, rows.isEmpty)
        case .before(let cursor):
            rows.reverse()
            (hasPrevious, hasNext) = (hasMore, true)
            rowsBefore = hasMore ? max(cursor.rowsBefore - rows.count, 1) : 0
            startsOver = !hasMore && rows.count < KeysetPageSize.shown
        }
    }
}

enum KeysetPageSize {
    static let shown = 25
    /// One row more tells whether there is another page.
    static let fetched = 26
}
