import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The list of subscriptions: `/dashboard/subscriptions`.
package struct SubscriptionIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
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
    let extensionsHref = DashboardPath.extensions
    /// Trials that the app gives by itself are no subscriptions: they are found among the customers.
    let trialsHref = CustomerFilter(given: .trial).path

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
        var store: String
        var isSandbox: Bool
        var started: DateText
    }

    /// - Parameters:
    ///   - customer: the name of the customer whose subscriptions are listed.
    package init(
        list: ListPage<ListedSubscription>,
        filter: SubscriptionFilter,
        plans: [PlanChoice],
        customer: String?,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let (path, strings) = (filter.path, viewer.strings)
        let applied = AppliedFilters(filter, customer: customer, strings)
        frame = DashboardFrame(viewer, section: .subscriptions, path: path, now: now)
        let order = Self.order(of: filter, strings)
        let heading = ListHeading(
            list,
            of: strings.subscriptionsTitle.description,
            filters: applied.strings,
            none: strings.subscriptionsNone,
            order: order,
            strings
        )
        (title, range) = (heading.title, heading.range)
        form = Self.form(filter, plans, viewer)
        tabs = Self.tabs(for: filter, strings)
        export = ExportLink("subscriptions", filter.queryText(withPosition: false), list, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.subscriptions
        hint = list.isCut ? strings.listsCut : nil
        caption = strings.subscriptionsCaption(order: order.description, zone: viewer.zone.label)
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
        empty = Self.empty(applied, strings)
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func order(of filter: SubscriptionFilter, _ strings: Strings) -> StaticString {
        switch (filter.sort, filter.direction) {
        case (.started, .descending): strings.partsNewestFirst
        case (.started, .ascending): strings.partsOldestFirst
        case (.end, .descending): strings.subscriptionsLatestEnd
        case (.end, .ascending): strings.subscriptionsEarliestEnd
        }
    }

    private static func tabs(for filter: SubscriptionFilter, _ strings: Strings) -> [FilterTab] {
        let states: [Subscription.State?] = [
            nil, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused, .expired, .trialExpired, .revoked,
            .pending,
        ]
        return states.map { state in
            FilterTab(
                label: (state.map { StatusText($0, strings).word } ?? strings.partsAll).description,
                href: filter.changed { $0.state = state }.path,
                isCurrent: filter.state == state
            )
        }
    }

    private static func form(_ filter: SubscriptionFilter, _ plans: [PlanChoice], _ viewer: Viewer) -> FilterForm {
        let strings = viewer.strings
        var form = FilterForm(
            action: DashboardPath.subscriptions,
            search: filter.search,
            searchLabel: viewer.seesPersonalData ? strings.subscriptionsSearch : strings.subscriptionsSearchIds
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
                strings.subscriptionsPlan,
                all: strings.listsAny,
                chosen: filter.plan,
                plans.map { ($0.code, $0.code) }
            ),
            .stores(filter.store, strings),
            .init(
                "environment",
                strings.subscriptionsEnvironment,
                all: strings.listsAny,
                chosen: filter.environment?.name,
                StoreEnvironment.allCases.map { ($0.name, StoreText.name(of: $0, strings).description) }
            ),
            .init(
                "renews",
                strings.subscriptionsRenews,
                all: strings.listsAnyTime,
                chosen: filter.renewsWithin.map { String($0) },
                SubscriptionFilter.spans.map { (String($0), strings.partsDays(count: $0)) }
            ),
            .init(
                "ends",
                strings.subscriptionsEndsForGood,
                all: strings.listsAnyTime,
                chosen: filter.endsWithin.map { String($0) },
                SubscriptionFilter.spans.map { (String($0), strings.partsDays(count: $0)) }
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

    private static func empty(_ applied: AppliedFilters, _ strings: Strings) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: strings.subscriptionsNoMatchHeadline.description,
                text: strings.subscriptionsNoMatchText(filters: strings.list(applied.strings)),
                linkText: strings.subscriptionsNoMatchLink.description,
                href: DashboardPath.subscriptions
            )
        }
        return EmptyState(
            headline: strings.subscriptionsEmptyHeadline.description,
            text: strings.subscriptionsEmptyText.description,
            linkText: strings.customersEmptyLink.description,
            href: DashboardPath.notifications
        )
    }
}

extension SubscriptionIndexPage.Row {
    fileprivate init(_ row: ListedSubscription, from: String?, viewer: Viewer, now: Date) {
        let (subscription, strings) = (row.subscription, viewer.strings)
        href = DashboardPath.subscription(row.id, from: from)
        originalID = row.originalTransactionID
        customerHref = DashboardPath.customer(row.customer.id, from: from)
        person = PersonText(row.customer, viewer)
        product = row.productName ?? subscription.productID ?? ""
        plan = row.planCode
        status = StatusText(subscription.state(at: now), strings)
        end = subscription.periodEndsAt.map { DateText($0, in: viewer.zone, strings) }
        ending = SubscriptionText.ending(of: subscription, strings, now: now)
        price = subscription.renewsAutomatically ? subscription.renewalPrice.map { MoneyText($0, strings) } : nil
        store = StoreText.name(of: row.store, strings)
        isSandbox = row.environment == .sandbox
        started = DateText(row.startedAt, in: viewer.zone, strings)
    }
}

extension AppliedFilters {
    fileprivate init(_ filter: SubscriptionFilter, customer: String?, _ strings: Strings) {
        self.init()
        func without(_ change: (inout SubscriptionFilter) -> Void) -> String { filter.changed(change).path }
        if let state = filter.state {
            let text = StatusText(state, strings)
            add(
                text.within.description,
                chip: strings.listsStatus(status: text.word.description),
                without: without { $0.state = nil }
            )
        }
        if !filter.search.isEmpty { add(filter.search, strings, without: without { $0.search = "" }) }
        if let id = filter.customer {
            let name = customer ?? id.description
            add(
                strings.listsCustomerWithin(customer: name),
                chip: strings.listsCustomer(customer: name),
                without: without { $0.customer = nil }
            )
        }
        if let plan = filter.plan {
            add(
                strings.listsPlanWithin(plan: plan),
                chip: strings.listsPlan(plan: plan),
                without: without { $0.plan = nil }
            )
        }
        if let store = filter.store { add(store, strings, without: without { $0.store = nil }) }
        if let environment = filter.environment {
            let name = StoreText.name(of: environment, strings).description
            add(name, chip: strings.listsEnvironment(environment: name), without: without { $0.environment = nil })
        }
        if let days = filter.renewsWithin {
            let span = strings.partsDays(count: days)
            add(
                strings.subscriptionsRenewsWithin(span: span),
                chip: strings.subscriptionsRenewsChip(span: span),
                without: without { $0.renewsWithin = nil }
            )
        }
        if let days = filter.endsWithin {
            let span = strings.partsDays(count: days)
            add(
                strings.subscriptionsEndsWithin(span: span),
                chip: strings.subscriptionsEndsChip(span: span),
                without: without { $0.endsWithin = nil }
            )
        }
    }
}
