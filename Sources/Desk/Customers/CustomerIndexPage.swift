import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The list of customers: `/dashboard/customers`.
package struct CustomerIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    /// "1–25 of 1,284 · newest first"
    let range: String
    let form: FilterForm
    let tools: ListTools
    /// nil when there is nothing to take.
    let export: ExportLink?
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The hint on what a short text, or a viewer without personal data, can find.
    let hint: StaticString?
    let caption: String
    let createdHeading: SortHeading
    let hasCustomers: Bool
    let customers: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        var href: String
        var person: PersonText
        var externalID: String
        var entitlement: EntitlementText
        var plan: String?
        var lastOrder: Link?
        var lastPurchase: DateText?
        var store: String
        var hasRefunds: Bool
        var isSandbox: Bool
        var created: DateText
    }

    struct Link: Sendable {
        var href: String
        var text: String
    }

    package init(
        list: ListPage<ListedCustomer>,
        filter: CustomerFilter,
        plans: [PlanChoice],
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let (path, strings) = (filter.path, viewer.strings)
        let applied = AppliedFilters(filter, strings)
        frame = DashboardFrame(viewer, section: .customers, path: path, now: now)
        let order = filter.direction == .descending ? strings.partsNewestFirst : strings.partsOldestFirst
        let heading = ListHeading(
            list,
            of: strings.customersTitle.description,
            filters: applied.strings,
            none: strings.customersNone,
            order: order,
            strings
        )
        (title, range) = (heading.title, heading.range)
        form = Self.form(filter, plans, viewer)
        export = ExportLink("customers", filter.queryText(withPosition: false), list, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.customers
        hint = Self.hint(filter.search, viewer)
        caption = strings.customersCaption(order: order.description, zone: viewer.zone.label)
        createdHeading = SortHeading(
            href: filter.changed { $0.direction = filter.direction.reversed }.path,
            order: filter.direction == .descending ? "descending" : "ascending",
            arrow: filter.direction == .descending ? "↓" : "↑"
        )
        tools = ListTools(
            filter,
            settings,
            viewer,
            headings: [(.firstSeen, createdHeading)]
        )
        hasCustomers = !list.rows.isEmpty
        let from = path == DashboardPath.customers ? nil : path
        customers = list.rows.map { Row($0, from: from, viewer: viewer, now: now) }
        empty = Self.empty(applied, strings)
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func form(_ filter: CustomerFilter, _ plans: [PlanChoice], _ viewer: Viewer) -> FilterForm {
        let strings = viewer.strings
        var form = FilterForm(
            action: DashboardPath.customers,
            search: filter.search,
            searchLabel: viewer.seesPersonalData ? strings.customersSearch : strings.customersSearchIds
        )
        form.hidden = [("dir", filter.direction == .ascending ? "asc" : nil), ("columns", filter.columns?.text)]
            .compactMap { name, value in value.map { .init(name: name, value: $0) } }
        var choices = plans.map { (CustomerFilter.PlanNow.plan(code: $0.code).text, $0.code) }
        // In place of the plan that everybody has, where there is none, or an address of before asks so.
        if filter.plan == .noAccess || !plans.contains(where: \.isBase) {
            choices.append((CustomerFilter.PlanNow.noAccess.text, strings.customersNoAccess.description))
        }
        form.selects = [
            .init(
                "plan",
                strings.customersPlanNow,
                all: strings.listsAny,
                chosen: filter.plan?.text,
                choices
            ),
            .stores(filter.store, strings),
            .init(
                "environment",
                strings.analyticsEnvironment,
                chosen: filter.environment?.name ?? CustomerFilter.everywhere,
                [
                    (StoreEnvironment.production.name, strings.partsProduction.description),
                    (StoreEnvironment.sandbox.name, strings.partsSandbox.description),
                    (CustomerFilter.everywhere, strings.customersEverywhere.description),
                ]
            ),
            .init(
                "given",
                strings.customersGiven,
                all: strings.listsAny,
                chosen: filter.given?.rawValue,
                CustomerFilter.Given.allCases.map { ($0.rawValue, Self.name(of: $0, strings).description) }
            ),
        ]
        form.dates = [
            .init(name: "from", label: strings.customersFirstSeenFrom, value: filter.from?.description ?? ""),
            .init(name: "to", label: strings.customersFirstSeenTo, value: filter.to?.description ?? ""),
        ]
        form.boxes = [.init(name: "refunds", label: strings.customersRefunds, isChecked: filter.hasRefunds)]
        return form
    }

    fileprivate static func name(of given: CustomerFilter.Given, _ strings: Strings) -> StaticString {
        switch given {
        case .trial: strings.customersGivenTrial
        case .promoCode: strings.customersGivenPromoCode
        case .staff: strings.customersGivenStaff
        }
    }

    fileprivate static func title(of given: CustomerFilter.Given, _ strings: Strings) -> StaticString {
        switch given {
        case .trial: strings.customersGivenTrialWithin
        case .promoCode: strings.customersGivenPromoCodeWithin
        case .staff: strings.customersGivenStaffWithin
        }
    }

    private static func hint(_ search: String, _ viewer: Viewer) -> StaticString? {
        guard !search.isEmpty else { return nil }
        guard viewer.seesPersonalData else { return viewer.strings.customersHintIds }
        return search.count < 3 ? viewer.strings.customersHintShort : nil
    }

    private static func empty(_ applied: AppliedFilters, _ strings: Strings) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: strings.customersNoMatchHeadline.description,
                text: strings.customersNoMatchText(filters: strings.list(applied.strings)),
                linkText: strings.customersNoMatchLink.description,
                href: DashboardPath.customers
            )
        }
        return EmptyState(
            headline: strings.customersEmptyHeadline.description,
            text: strings.customersEmptyText.description,
            linkText: strings.customersEmptyLink.description,
            href: DashboardPath.notifications
        )
    }
}

extension CustomerIndexPage.Row {
    fileprivate init(_ row: ListedCustomer, from: String?, viewer: Viewer, now: Date) {
        href = DashboardPath.customer(row.customer.id, from: from)
        person = PersonText(row.customer, viewer)
        externalID = row.customer.externalID ?? ""
        entitlement = EntitlementText(
            row.subscriptions,
            held: row.entitlementSources,
            standing: row.standing(at: now),
            zone: viewer.zone,
            viewer.strings,
            now: now
        )
        plan = row.standing(at: now).plan
        lastOrder = row.lastOrder.map { .init(href: DashboardPath.order($0.number, from: from), text: $0.number) }
        lastPurchase = row.lastOrder.map { DateText($0.purchasedAt, in: viewer.zone, viewer.strings) }
        store = row.lastOrder.map { StoreText.name(of: $0.store, viewer.strings) } ?? ""
        hasRefunds = row.hasRefunds
        isSandbox = row.isOnlyInSandbox
        created = DateText(row.createdAt, in: viewer.zone, viewer.strings)
    }
}

extension AppliedFilters {
    fileprivate init(_ filter: CustomerFilter, _ strings: Strings) {
        self.init()
        func without(_ change: (inout CustomerFilter) -> Void) -> String { filter.changed(change).path }
        if !filter.search.isEmpty { add(filter.search, strings, without: without { $0.search = "" }) }
        switch filter.plan {
        case nil: break
        case .noAccess:
            add(
                strings.customersNoAccessWithin.description,
                chip: strings.customersPlanChip(plan: strings.customersNoAccess.description),
                without: without { $0.plan = nil }
            )
        case .plan(let code):
            add(
                strings.listsPlanWithin(plan: code),
                chip: strings.customersPlanChip(plan: code),
                without: without { $0.plan = nil }
            )
        }
        if let store = filter.store { add(store, strings, without: without { $0.store = nil }) }
        if filter.environment != .production {
            let name = filter.environment == .sandbox ? strings.partsSandbox : strings.customersEverywhere
            add(
                name.description,
                chip: strings.listsEnvironment(environment: name.description),
                without: without { $0.environment = .production }
            )
        }
        if filter.hasRefunds {
            add(
                strings.customersRefundsWithin.description,
                chip: strings.customersRefunds.description,
                without: without { $0.hasRefunds = false }
            )
        }
        if let given = filter.given {
            add(
                CustomerIndexPage.title(of: given, strings).description,
                chip: strings.customersGivenChip(kind: CustomerIndexPage.name(of: given, strings).description),
                without: without { $0.given = nil }
            )
        }
        if let from = filter.from?.description {
            add(
                strings.customersFromWithin(day: from),
                chip: strings.customersFromChip(day: from),
                without: without { $0.from = nil }
            )
        }
        if let to = filter.to?.description {
            add(
                strings.customersToWithin(day: to),
                chip: strings.customersToChip(day: to),
                without: without { $0.to = nil }
            )
        }
    }
}
