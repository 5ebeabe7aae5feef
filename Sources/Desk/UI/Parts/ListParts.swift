import Billing
import HTTP
import Storage
import Words

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

/// The links to the neighbouring pages.
struct PageLinks: Sendable {
    var previous: String?
    var next: String?

    var isNeeded: Bool { previous != nil || next != nil }
}

extension PageLinks {
    /// - Parameter path: the address of a list.
    init<Filter: ListFilter>(_ list: ListPage<Filter.Row>, by filter: Filter, path: (Filter) -> String) {
        previous = list.previous(by: filter).map { cursor in path(filter.changed { $0.position = .before(cursor) }) }
        next = list.next(by: filter).map { cursor in path(filter.changed { $0.position = .after(cursor) }) }
    }
}

/// The text of a list without rows.
struct EmptyState: Sendable {
    var headline: String
    var text: String
    var linkText: String
    var href: String
}

/// Something that may be done on a page: a link to the page that asks for it.
package struct PageAction: Sendable, Hashable {
    let label: String
    let href: String

    package init(label: String, href: String) {
        self.label = label
        self.href = href
    }
}

/// The link that takes a list away as a file.
struct ExportLink: Sendable {
    var href: String
    /// "Export CSV (1,284 rows)"
    var label: String

    /// nil for a list without rows: there is nothing to take.
    init?<Row>(_ name: String, _ filter: QueryText, _ list: ListPage<Row>, _ strings: Strings) {
        guard !list.rows.isEmpty, let total = list.total else { return nil }
        href = "\(DashboardPath.exports)/\(name)\(filter.text)"
        label = Self.label(total, strings)
    }

    static func label(_ total: RowCount, _ strings: Strings) -> String {
        switch total {
        case .exact(let count): strings.listsExport(count: count)
        case .moreThanCounted: strings.listsExportMany(number: strings.number(RowCount.limit))
        }
    }
}

/// The filters of a list as a form that works without scripts.
struct FilterForm: Sendable {
    var action: String
    var search: String
    var searchLabel: StaticString
    var hasSearch = true
    /// The fields that stay as they are: order and status.
    var hidden: [Hidden] = []
    var selects: [Select] = []
    var dates: [Day] = []
    var boxes: [Box] = []
    /// True if the form says that dates are the wrong way round; false where they are not applied and the page says that.
    var saysReversed = true

    /// True if the first day is after the last.
    var isReversed: Bool {
        func day(_ name: String) -> String? { dates.first { $0.name == name && !$0.value.isEmpty }?.value }
        guard saysReversed, let from = day("from"), let to = day("to") else { return false }
        return from > to
    }

    struct Hidden: Sendable {
        var name: String
        var value: String
    }

    struct Select: Sendable {
        var name: String
        var label: StaticString
        var options: [Option]

        /// - Parameter all: the text for no filter.
        init(
            _ name: String,
            _ label: StaticString,
            all: StaticString,
            chosen: String?,
            _ choices: [(value: String, label: String)]
        ) {
            self.name = name
            self.label = label
            options = [Option(value: "", label: all.description, isChosen: chosen == nil)]
            options += choices.map { Option(value: $0.value, label: $0.label, isChosen: $0.value == chosen) }
        }

        /// One of these, always.
        init(_ name: String, _ label: StaticString, chosen: String, _ choices: [(value: String, label: String)]) {
            self.name = name
            self.label = label
            options = choices.map { Option(value: $0.value, label: $0.label, isChosen: $0.value == chosen) }
        }
    }

    struct Option: Sendable {
        var value: String
        var label: String
        var isChosen: Bool
    }

    struct Day: Sendable {
        var name: String
        var label: StaticString
        /// "2026-11-21", or empty.
        var value: String
    }

    struct Box: Sendable {
        var name: String
        var label: StaticString
        var isChecked: Bool
    }
}

/// The filters that narrow a list, in words and as chips.
struct AppliedFilters: Sendable {
    /// "refunded", "“lina”", "customer 李娜"
    private(set) var strings: [String] = []
    private(set) var chips: [FilterChip] = []

    /// - Parameter without: the list's address without this filter.
    mutating func add(_ strings: String, chip: String, without: String) {
        self.strings.append(strings)
        chips.append(FilterChip(label: chip, removeHref: without))
    }

    /// The text that is looked for.
    mutating func add(_ search: String, _ strings: Strings, without: String) {
        add(strings.partsQuoted(text: search), chip: strings.listsSearch(text: search), without: without)
    }

    mutating func add(_ store: Store, _ strings: Strings, without: String) {
        let name = StoreText.name(of: store, strings).description
        add(name, chip: strings.listsStore(store: name), without: without)
    }
}

extension FilterForm.Select {
    /// - Parameter chosen: also shown when Perennial ships no such store.
    static func stores(_ chosen: Store?, _ strings: Strings) -> Self {
        let others = [chosen].compactMap(\.self).filter { !Store.allCases.contains($0) }
        return Self(
            "store",
            strings.partsStore,
            all: strings.listsAny,
            chosen: chosen?.rawValue,
            (Store.allCases + others).map { ($0.rawValue, StoreText.name(of: $0, strings).description) }
        )
    }
}
