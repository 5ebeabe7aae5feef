/// The position of a page in a list.
package enum PagePosition: Hashable, Sendable {
    case first
    case after(PageCursor)
    case before(PageCursor)
}

package enum SortDirection: String, Hashable, Sendable, CaseIterable {
    case descending = "desc"
    case ascending = "asc"

    package var reversed: SortDirection { self == .descending ? .ascending : .descending }
}
