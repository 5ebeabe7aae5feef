/// One choice of a filter, as a link.
struct FilterTab: Sendable {
    var label: String
    var href: String
    var isCurrent: Bool
}

/// An applied filter and the link that removes it alone.
struct FilterChip: Sendable {
    var label: String
    var removeHref: String
}

/// A column heading that sorts.
struct SortHeading: Sendable {
    var href: String
    /// `ascending` or `descending`, on the one column that the list is sorted by.
    var order: String?
    var arrow: String
}

/// The links to the pages beside this one.
struct PageLinks: Sendable {
    var previous: String?
    var next: String?

    var isNeeded: Bool { previous != nil || next != nil }
}

/// What a list without rows says.
struct EmptyState: Sendable {
    var headline: String
    var text: String
    var linkText: String
    var href: String
}
