/// One page of a sorted list: at most 25 rows, and whether there are more on either side.
package struct ListPage<Row: Sendable>: Sendable {
    package var rows: [Row]
    package var rowsBefore: Int
    package var hasPrevious: Bool
    package var hasNext: Bool
    /// The address points behind the last row, or the page before it is shorter than a first page would be.
    package var startsOver: Bool

    init(_ page: KeysetPage<Row>) {
        rows = page.rows
        rowsBefore = page.rowsBefore
        hasPrevious = page.hasPrevious
        hasNext = page.hasNext
        startsOver = page.startsOver
    }

    /// Made up, for what shows one.
    package init(
        rows: [Row],
        rowsBefore: Int = 0,
        hasPrevious: Bool = false,
        hasNext: Bool = false,
        startsOver: Bool = false
    ) {
        self.rows = rows
        self.rowsBefore = rowsBefore
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
        self.startsOver = startsOver
    }
}
