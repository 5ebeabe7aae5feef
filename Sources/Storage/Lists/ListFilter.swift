/// The rows of a list, their order, and the page to show.
package protocol ListFilter: Sendable {
    associatedtype Row: Sendable

    var position: PagePosition { get set }

    /// A row's place in this order.
    ///
    /// - Parameter rowsBefore: the number of rows before that place.
    func cursor(at row: Row, rowsBefore: Int) -> PageCursor
}

extension ListFilter {
    package var firstPage: Self { changed { _ in } }

    /// This list from its first page, changed: whatever is filtered or sorted anew applies to the whole of it.
    package func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        copy.position = .first
        change(&copy)
        return copy
    }
}
