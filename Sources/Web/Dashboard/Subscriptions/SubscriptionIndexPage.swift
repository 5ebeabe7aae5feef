import Billing
package import Foundation
package import Storage

/// The list of subscriptions: `/dashboard/subscriptions`.
package struct SubscriptionIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    let form: FilterForm
    let tools: ListTools
    /// nil when there is nothing to take.
    let export: ExportLink?
    let tabs: [FilterTab]
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let hint: StaticString?
    let caption: String
    let startedHeading: SortHeading
    let endHeading: SortHeading
    let hasSubscriptions: Bool
    let subscriptions: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        var href: String
        var originalID: String
        var customerHref: String
        var person: PersonText
        var product: String
        var plan: String?
        var status: StatusText
        /// "renews", "ends", "ended", "never ends"
        var ending: StaticString
        var end: DateText?
        var price: MoneyText?
        var store: StaticString
        var isSandbox: Bool
        var started: DateText
    }

    /// - Parameters:
    ///   - customer: what to call the customer that the list is of.
    ///   - isCut: more customers match the search than are looked at.
    package init(
        list: SubscriptionList,
        filter: SubscriptionFilter,
        plans: [PlanChoice],
        customer: String?,
        isCut: Bool,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let (path, words) = (filter.path, viewer.words)
        let applied = AppliedFilters(filter, customer: customer, words)
        frame = DashboardFrame(viewer, section: .subscriptions, path: path, now: now)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total, words)
        let order = Self.order(of: filter, words).description
        let listed = words.list([words.subscriptionsTitle.description] + applied.words)
        title = list.rows.isEmpty ? listed : words.partsTitled(range: shown, title: listed)
        range = list.rows.isEmpty ? words.subscriptionsNone.description : "\(shown) · \(order)"
        form = Self.form(filter, plans, viewer)
        tabs = Self.tabs(for: filter, words)
        export =
            list.rows.isEmpty
            ? nil : ExportLink("subscriptions", filter.queryText(withPosition: false), total: list.total, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.subscriptions
        hint = isCut ? words.listsCut : nil
        caption = words.subscriptionsCaption(order: order, zone: viewer.zone.label)
        startedHeading = Self.heading(.started, filter)
        endHeading = Self.heading(.end, filter)
        tools = ListTools(
            filter,
            settings,
            viewer,
            headings: [(.started, startedHeading), (.end, endHeading)]
        )
        hasSubscriptions = !list.rows.isEmpty
        let from = path == DashboardPath.subscriptions ? nil : path
        subscriptions = list.rows.map { Row($0, from: from, viewer: viewer, now: now) }
        empty = Self.empty(applied, words)
        pages = Self.links(list, filter)
    }

    private static func order(of filter: SubscriptionFilter, _ words: Words) -> StaticString {
        switch (filter.sort, filter.direction) {
        case (.started, .descending): words.partsNewestFirst
        case (.started, .ascending): words.partsOldestFirst
        case (.end, .descending): words.subscriptionsLatestEnd
        case (.end, .ascending): words.subscriptionsEarliestEnd
        }
    }

    private static func tabs(for filter: SubscriptionFilter, _ words: Words) -> [FilterTab] {
        let states: [Subscription.State?] = [
            nil, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused, .expired, .trialExpired, .revoked,
            .pending,
        ]
        return states.map { state in
            FilterTab(
                label: (state.map { StatusText($0, words).word } ?? words.partsAll).description,
                href: filter.changed { $0.state = state }.path,
                isCurrent: filter.state == state
            )
        }
    }

    private static func form(_ filter: SubscriptionFilter, _ plans: [PlanChoice], _ viewer: Viewer) -> FilterForm {
        let words = viewer.words
        var form = FilterForm(
            action: DashboardPath.subscriptions,
            search: filter.search,
            searchLabel: viewer.seesPersonalData ? words.subscriptionsSearch : words.subscriptionsSearchIds
        )
        form.hidden = [
            ("state", filter.state?.rawValue), ("customer", filter.customer?.description),
            ("sort", filter.sort == .started ? nil : filter.sort.rawValue),
            ("dir", filter.direction == .descending ? nil : filter.direction.rawValue),
            ("columns", filter.columns?.text),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "plan",
                words.subscriptionsPlan,
                all: words.listsAny,
                chosen: filter.plan,
                plans.map { ($0.code, $0.code) }
            ),
            .stores(filter.store, words),
            .init(
                "environment",
                words.subscriptionsEnvironment,
                all: words.listsAny,
                chosen: filter.environment?.rawValue,
                StoreEnvironment.allCases.map { ($0.rawValue, StoreText.name(of: $0, words).description) }
            ),
            .init(
                "renews",
                words.subscriptionsRenews,
                all: words.listsAnyTime,
                chosen: filter.renewsWithin.map { String($0) },
                SubscriptionFilter.spans.map { (String($0), words.partsDays(count: $0)) }
            ),
        ]
        return form
    }

    private static func heading(_ sort: SubscriptionFilter.Sort, _ filter: SubscriptionFilter) -> SortHeading {
        guard filter.sort == sort else {
            let direction: SortDirection = sort == .end ? .ascending : .descending
            let href = filter.changed { ($0.sort, $0.direction) = (sort, direction) }.path
            return SortHeading(href: href, order: nil, arrow: "")
        }
        let isDescending = filter.direction == .descending
        return SortHeading(
            href: filter.changed { $0.direction = filter.direction.reversed }.path,
            order: isDescending ? "descending" : "ascending",
            arrow: isDescending ? "↓" : "↑"
        )
    }

    private static func empty(_ applied: AppliedFilters, _ words: Words) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: words.subscriptionsNoMatchHeadline.description,
                text: words.subscriptionsNoMatchText(filters: words.list(applied.words)),
                linkText: words.subscriptionsNoMatchLink.description,
                href: DashboardPath.subscriptions
            )
        }
        return EmptyState(
            headline: words.subscriptionsEmptyHeadline.description,
            text: words.subscriptionsEmptyText.description,
            linkText: words.customersEmptyLink.description,
            href: DashboardPath.notifications
        )
    }

    private static func links(_ list: SubscriptionList, _ filter: SubscriptionFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        var links = PageLinks()
        if list.hasPrevious {
            links.previous =
                filter.changed { $0.position = .before(filter.cursor(at: first, rowsBefore: list.rowsBefore)) }
                .path
        }
        if list.hasNext {
            let rowsBefore = list.rowsBefore + list.rows.count
            links.next = filter.changed { $0.position = .after(filter.cursor(at: last, rowsBefore: rowsBefore)) }.path
        }
        return links
    }
}

extension SubscriptionIndexPage.Row {
    fileprivate init(_ row: SubscriptionList.Row, from: String?, viewer: Viewer, now: Date) {
        let (subscription, words) = (row.subscription, viewer.words)
        href = DashboardPath.subscription(row.id, from: from)
        originalID = row.originalTransactionID
        customerHref = DashboardPath.customer(row.customer.id, from: from)
        person = PersonText(row.customer, viewer)
        product = row.productName ?? subscription.productID ?? ""
        plan = row.planCode
        status = StatusText(subscription.state(at: now), words)
        end = subscription.periodEndsAt.map { DateText($0, in: viewer.zone, words) }
        ending = SubscriptionText.ending(of: subscription, words, now: now)
        price = subscription.renewsAutomatically ? subscription.renewalPrice.map { MoneyText($0, words) } : nil
        store = StoreText.name(of: row.store, words)
        isSandbox = row.environment == .sandbox
        started = DateText(row.startedAt, in: viewer.zone, words)
    }
}

extension AppliedFilters {
    fileprivate init(_ filter: SubscriptionFilter, customer: String?, _ words: Words) {
        self.init()
        func without(_ change: (inout SubscriptionFilter) -> Void) -> String { filter.changed(change).path }
        if let state = filter.state {
            let text = StatusText(state, words)
            add(
                text.within.description,
                chip: words.listsStatus(status: text.word.description),
                without: without { $0.state = nil }
            )
        }
        if !filter.search.isEmpty { add(filter.search, words, without: without { $0.search = "" }) }
        if let id = filter.customer {
            let name = customer ?? id.description
            add(
                words.listsCustomerWithin(customer: name),
                chip: words.listsCustomer(customer: name),
                without: without { $0.customer = nil }
            )
        }
        if let plan = filter.plan {
            add(
                words.listsPlanWithin(plan: plan),
                chip: words.listsPlan(plan: plan),
                without: without { $0.plan = nil }
            )
        }
        if let store = filter.store { add(store, words, without: without { $0.store = nil }) }
        if let environment = filter.environment {
            let name = StoreText.name(of: environment, words).description
            add(name, chip: words.listsEnvironment(environment: name), without: without { $0.environment = nil })
        }
        if let days = filter.renewsWithin {
            let span = words.partsDays(count: days)
            add(
                words.subscriptionsRenewsWithin(span: span),
                chip: words.subscriptionsRenewsChip(span: span),
                without: without { $0.renewsWithin = nil }
            )
        }
    }
}
