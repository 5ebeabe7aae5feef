import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The refund queue: `/dashboard/refunds`.
package struct RefundIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let export: ExportLink?
    let range: String
    let tabs: [FilterTab]
    let tabsLabel: StaticString
    let tools: ListTools
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let caption: String
    let amountHeading: SortHeading
    let requestedHeading: SortHeading
    let deadlineHeading: SortHeading
    let hasRefunds: Bool
    let refunds: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        var href: String
        var number: String
        var orderHref: String
        var orderNumber: String
        var customer: String
        /// The customer has no name that may be shown.
        var isKey: Bool
        var isSandbox: Bool
        var kind: StaticString
        var money: MoneyText
        var status: RefundStatusText
        /// The state of its payment by the store; nil where people pay.
        var payout: String?
        var requester: String
        var requested: DateText
        var age: String
        /// nil once nothing runs any more.
        var deadline: String?
        var isUrgent: Bool
    }

    package init(
        list: ListPage<ListedRefund>,
        filter: RefundFilter,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let (path, text, strings) = (filter.path, RefundText(viewer, now: now), viewer.strings)
        frame = DashboardFrame(viewer, section: .refunds, path: path, now: now)
        let shown = Phrase.range(list, strings)
        let order = Self.order(filter, strings).description
        let tab = filter.status.map { text.name(of: $0) } ?? strings.refundsTabAll
        var applied = AppliedFilters()
        if !filter.search.isEmpty {
            applied.add(filter.search, strings, without: filter.changed { $0.search = "" }.path)
        }
        if let opener = filter.opener {
            let name = Self.name(of: opener, strings).description
            applied.add(
                name,
                chip: strings.refundsOpenedBy(opener: name),
                without: filter.changed { $0.opener = nil }.path
            )
        }
        let listed = ([strings.refundsTitle.description, tab.description] + applied.strings).joined(separator: ", ")
        export = ExportLink("refunds", filter.queryText(withPosition: false), list, strings)
        title = listed + (list.rows.isEmpty ? "" : " (\(shown))")
        range = list.rows.isEmpty ? strings.refundsNone.description : strings.refundsRange(order: order, range: shown)
        tabs = Self.tabs(filter, text)
        tabsLabel = strings.refundsColumnStatus
        form = Self.form(filter, viewer)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = filter.changed { ($0.search, $0.opener) = ("", nil) }.path
        caption = strings.refundsCaption(order: order, zone: viewer.zone.label)
        amountHeading = Self.heading(.amount, filter)
        requestedHeading = Self.heading(.requested, filter)
        deadlineHeading = Self.heading(.deadline, filter)
        tools = ListTools(
            filter,
            settings,
            viewer,
            headings: [(.amount, amountHeading), (.requested, requestedHeading), (.deadline, deadlineHeading)]
        )
        hasRefunds = !list.rows.isEmpty
        let from = path == DashboardPath.refunds ? nil : path
        refunds = list.rows.map { Row($0, text, for: viewer, from: from) }
        empty = Self.empty(filter, strings)
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func order(_ filter: RefundFilter, _ strings: Strings) -> StaticString {
        switch (filter.sort, filter.direction) {
        case (.deadline, .ascending): strings.refundsOrderDeadline
        case (.deadline, .descending): strings.refundsOrderDeadlineUp
        case (.requested, .descending): strings.refundsOrderNewest
        case (.requested, .ascending): strings.refundsOrderOldest
        case (.amount, .descending): strings.refundsOrderLargest
        case (.amount, .ascending): strings.refundsOrderSmallest
        }
    }

    private static func tabs(_ filter: RefundFilter, _ text: RefundText) -> [FilterTab] {
        (Refund.Status.allCases.map(Optional.some) + [nil]).map { status in
            FilterTab(
                label: (status.map { text.name(of: $0) } ?? text.strings.refundsTabAll).description,
                href: filter.changed { $0.status = status }.path,
                isCurrent: filter.status == status
            )
        }
    }

    private static func form(_ filter: RefundFilter, _ viewer: Viewer) -> FilterForm {
        let strings = viewer.strings
        var form = FilterForm(
            action: DashboardPath.refunds,
            search: filter.search,
            searchLabel: viewer.seesPersonalData ? strings.listsRefundsSearch : strings.listsRefundsSearchIds
        )
        form.hidden = [
            ("status", filter.status == .pending ? nil : filter.status?.rawValue ?? "all"),
            ("sort", filter.sort == .deadline ? nil : filter.sort.rawValue),
            ("dir", filter.direction == filter.sort.usualDirection ? nil : filter.direction.rawValue),
            ("columns", filter.columns?.text),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "opener",
                strings.refundsOpener,
                all: strings.listsAny,
                chosen: filter.opener?.rawValue,
                RefundFilter.Opener.allCases.map { ($0.rawValue, name(of: $0, strings).description) }
            )
        ]
        return form
    }

    private static func name(of opener: RefundFilter.Opener, _ strings: Strings) -> StaticString {
        switch opener {
        case .store: strings.refundsOpenerStore
        case .staff: strings.refundsOpenerStaff
        }
    }

    private static func heading(_ sort: RefundFilter.Sort, _ filter: RefundFilter) -> SortHeading {
        guard filter.sort == sort else {
            let href = filter.changed { ($0.sort, $0.direction) = (sort, sort.usualDirection) }.path
            return SortHeading(href: href, order: nil, arrow: "")
        }
        let isDescending = filter.direction == .descending
        return SortHeading(
            href: filter.changed { $0.direction = filter.direction.reversed }.path,
            order: isDescending ? "descending" : "ascending",
            arrow: isDescending ? "↓" : "↑"
        )
    }

    private static func empty(_ filter: RefundFilter, _ strings: Strings) -> EmptyState {
        guard filter.search.isEmpty else {
            return EmptyState(
                headline: strings.refundsEmptySearch(text: filter.search),
                text: strings.refundsEmptySearchText.description,
                linkText: strings.refundsSearchAll.description,
                href: RefundFilter(status: nil, search: filter.search).path
            )
        }
        return switch filter.status {
        case .pending:
            EmptyState(
                headline: strings.refundsEmptyWaiting.description,
                text: strings.refundsEmptyWaitingText.description,
                linkText: strings.refundsSeeOrders.description,
                href: DashboardPath.orders
            )
        case nil:
            EmptyState(
                headline: strings.refundsEmptyAll.description,
                text: strings.refundsEmptyWaitingText.description,
                linkText: strings.refundsSeeOrders.description,
                href: DashboardPath.orders
            )
        case .approved, .processed, .rejected, .cancelled, .expired:
            EmptyState(
                headline: strings.refundsEmptyStatus.description,
                text: strings.refundsEmptyStatusText.description,
                linkText: strings.refundsSeeAll.description,
                href: RefundFilter(status: nil).path
            )
        }
    }
}

extension RefundIndexPage.Row {
    fileprivate init(_ row: ListedRefund, _ text: RefundText, for viewer: Viewer, from: String?) {
        let request = row.request
        href = DashboardPath.refund(request.number, from: from)
        number = request.number
        orderHref = DashboardPath.order(row.orderNumber, from: from ?? DashboardPath.refunds)
        orderNumber = row.orderNumber
        let name = row.customerName?.shown(to: viewer)
        customer = name ?? row.customerKey
        isKey = name == nil
        isSandbox = row.environment == .sandbox
        kind = text.name(of: request.refund.kind)
        money = MoneyText(request.refund.processed ?? request.refund.approved ?? request.refund.requested, text.strings)
        status = text.status(of: request)
        let paid = PayoutText(row.store, text.strings)
        payout =
            row.isUnasked
            ? text.strings.refundsPayoutUnasked.description : row.payout.map { paid.name(of: $0).description }
        requester = row.requesterName ?? text.actor(request.requested.actor)
        requested = DateText(request.requested.at, in: text.zone, text.strings)
        age = text.ago(request.requested.at)
        deadline = text.deadline(of: request, at: row.store)
        isUrgent = text.isUrgent(request)
    }
}
