import HTTP
import Operations
import Storage
import Words

/// The tools over a list, next to its filters: its views, and the columns to choose.
struct ListTools: Sendable {
    let shows: ShownColumns
    let tabs: [Tab]
    /// nil where the open list is a view already.
    let saveHref: String?
    /// nil where the open list is no view, or nobody's that may change it.
    let changeHref: String?
    /// Bulk actions, from the view that is open.
    let bulkHref: String?
    /// The column that the list is sorted by, when it is not shown: then nothing in the table says so.
    let hiddenSort: HiddenSort?
    let list: String
    let choices: [Choice]
    /// This page of the list without the columns that its address names.
    let returnTo: String
    let csrfToken: String

    var hasLinks: Bool { !tabs.isEmpty || saveHref != nil }

    struct Tab: Sendable {
        var label: String
        /// The view's owner, when it is somebody else's.
        var owner: String?
        var href: String
        var isCurrent: Bool
    }

    struct Choice: Sendable {
        var name: String
        var label: StaticString
        var isChosen: Bool
    }

    struct HiddenSort: Sendable {
        var column: String
        /// The list in the opposite order.
        var href: String
    }

    /// - Parameter headings: the columns that the list can be sorted by.
    init(
        _ filter: some ListAddress,
        _ settings: ListSettings,
        _ viewer: Viewer,
        headings: [(ListColumn, SortHeading)] = []
    ) {
        let list = type(of: filter).list
        let shown = filter.columns ?? settings.columns ?? ColumnChoice(allOf: list)
        let query = filter.queryText(withPosition: false).text
        let current = settings.views.first { $0.query == query && $0.columns == shown }
        shows = ShownColumns(shown)
        tabs = settings.views.map { view in
            Tab(
                label: view.name,
                owner: view.owner == settings.staff ? nil : view.ownerName,
                href: view.path,
                isCurrent: view.id == current?.id
            )
        }
        var save = QueryText()
        save.add("list", list.rawValue)
        save.add("columns", shown.text)
        let state = query.isEmpty ? "" : "&" + query.dropFirst()
        saveHref =
            current == nil && viewer.may(.saveViews) ? "\(DashboardPath.views)/new\(save.text)\(state)" : nil
        changeHref = current.flatMap { view in
            view.mayBeDeleted(by: settings.staff, viewer.role) ? DashboardPath.view(view.id) : nil
        }
        bulkHref = current.flatMap { view in
            BulkList.lists.contains(list) && viewer.may(.runBulkJobs)
                ? "\(DashboardPath.bulk)/new?view=\(view.id)" : nil
        }
        hiddenSort = headings.first { $0.1.order != nil && !shown.columns.contains($0.0) }.map { column, heading in
            HiddenSort(column: String(column.name(in: list, viewer.strings)), href: heading.href)
        }
        self.list = list.rawValue
        choices = list.columns.map { column in
            Choice(
                name: column.rawValue,
                label: column.name(in: list, viewer.strings),
                isChosen: shown.columns.contains(column)
            )
        }
        var plain = filter
        plain.columns = nil
        returnTo = plain.path
        csrfToken = viewer.csrfToken
    }
}

/// The columns that a list's table shows. It asks once for each cell, so each column is looked up once for the page.
struct ShownColumns: Sendable {
    let actor: Bool
    let amount: Bool
    let app: Bool
    let appID: Bool
    let attempts: Bool
    let created: Bool
    let customer: Bool
    let deadline: Bool
    let end: Bool
    let error: Bool
    let firstSeen: Bool
    let kind: Bool
    let lastOrder: Bool
    let lastPurchase: Bool
    let object: Bool
    let order: Bool
    let plan: Bool
    let product: Bool
    let reason: Bool
    let renewal: Bool
    let requested: Bool
    let requester: Bool
    let started: Bool
    let status: Bool
    let store: Bool
    let uuid: Bool

    init(_ choice: ColumnChoice) {
        actor = choice.columns.contains(.actor)
        amount = choice.columns.contains(.amount)
        app = choice.columns.contains(.app)
        appID = choice.columns.contains(.appID)
        attempts = choice.columns.contains(.attempts)
        created = choice.columns.contains(.created)
        customer = choice.columns.contains(.customer)
        deadline = choice.columns.contains(.deadline)
        end = choice.columns.contains(.end)
        error = choice.columns.contains(.error)
        firstSeen = choice.columns.contains(.firstSeen)
        kind = choice.columns.contains(.kind)
        lastOrder = choice.columns.contains(.lastOrder)
        lastPurchase = choice.columns.contains(.lastPurchase)
        object = choice.columns.contains(.object)
        order = choice.columns.contains(.order)
        plan = choice.columns.contains(.plan)
        product = choice.columns.contains(.product)
        reason = choice.columns.contains(.reason)
        renewal = choice.columns.contains(.renewal)
        requested = choice.columns.contains(.requested)
        requester = choice.columns.contains(.requester)
        started = choice.columns.contains(.started)
        status = choice.columns.contains(.status)
        store = choice.columns.contains(.store)
        uuid = choice.columns.contains(.uuid)
    }
}
