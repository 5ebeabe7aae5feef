package import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The customers who have nearly used up a limit: `/dashboard/near-limits`.
package struct NearLimitIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let caption: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        let href: String
        let person: PersonText
        let feature: String
        /// "Day"
        let window: String
        /// "4 of 5 used"
        let used: String
        /// nil for what never resets.
        let resets: DateText?
    }

    package init(
        list: ListPage<NearLimit>,
        features: [CatalogFeature],
        filter: NearLimitFilter,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .customers, path: filter.path, now: now)
        var applied = AppliedFilters()
        if let code = filter.feature {
            let name = features.first { $0.feature.code == code }?.name(in: "\(strings.tag)") ?? code
            let text = strings.chartsNamed(name: strings.usageFeature.description, value: name)
            applied.add(text, chip: text, without: DashboardPath.nearLimits)
        }
        let heading = ListHeading(
            list,
            of: strings.usageNearTitle.description,
            filters: applied.strings,
            none: strings.usageNearNone,
            order: strings.usageNearOrder,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.usageNearCaption(zone: viewer.zone.label)
        form = Self.form(filter, features, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.nearLimits
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { row in
            Row(
                href: DashboardPath.customer(row.customer.id, from: filter.path),
                person: PersonText(row.customer, viewer),
                feature: row.feature.name(in: "\(strings.tag)"),
                window: UsageActionText.name(of: row.usage.window, strings).description,
                used: UsageActionText.used(row.usage, isIncluded: true, strings),
                resets: row.usage.resetsAt.map { DateText($0, in: viewer.zone, strings) }
            )
        }
        empty = EmptyState(
            headline: strings.usageNearNone.description,
            text: strings.usageNearEmptyText.description,
            linkText: (isFiltered ? strings.usageNearAll : strings.customersTitle).description,
            href: isFiltered ? DashboardPath.nearLimits : DashboardPath.customers
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func form(_ filter: NearLimitFilter, _ features: [CatalogFeature], _ strings: Strings) -> FilterForm
    {
        var form = FilterForm(action: DashboardPath.nearLimits, search: "", searchLabel: "")
        form.hasSearch = false
        form.selects = [
            .init(
                "feature",
                strings.usageFeature,
                all: strings.listsAny,
                chosen: filter.feature,
                features.map { ($0.feature.code, $0.name(in: "\(strings.tag)")) }
            )
        ]
        return form
    }
}
