import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// The batches of promo codes: `/dashboard/promo-codes`.
package struct PromoBatchIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let caption: String
    /// nil for those who may not make one.
    let newHref: String?
    let tabs: [FilterTab]
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks
    let hasChannels: Bool
    let channels: [Channel]

    struct Row: Sendable {
        let href: String
        let name: String
        let status: StatusText
        let channel: String
        let gives: String
        let codes: String
        let redemptions: String
        let expires: DateText?
        let created: DateText
        let createdBy: String
    }

    /// The results of a channel.
    struct Channel: Sendable {
        let name: String
        let href: String
        let batches: String
        let codes: String
        let redemptions: String
        let customers: String
        let converted: String
        let rate: String
    }

    package init(
        list: ListPage<ListedPromoBatch>,
        channels: [PromoReport.Channel],
        choices: [String],
        filter: PromoBatchFilter,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let applied = AppliedFilters(filter, strings)
        frame = DashboardFrame(viewer, section: .promoCodes, path: filter.path, now: now)
        let heading = ListHeading(
            list,
            of: strings.promoCodesTitle.description,
            filters: applied.strings,
            none: strings.promoCodesNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.promoCodesCaption(zone: viewer.zone.label)
        newHref = viewer.may(.managePromoCodes) ? DashboardPath.newPromoBatch : nil
        tabs = Self.tabs(for: filter, strings)
        form = Self.form(filter, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.promoCodes
        hasRows = !list.rows.isEmpty
        let from = filter.path == DashboardPath.promoCodes ? nil : filter.path
        rows = list.rows.map { Row($0, from: from, viewer: viewer, now: now) }
        empty = Self.empty(applied, newHref, strings)
        pages = PageLinks(list, by: filter, path: \.path)
        hasChannels = !channels.isEmpty
        self.channels = channels.map { Channel($0, strings) }
    }

    private static func tabs(for filter: PromoBatchFilter, _ strings: Strings) -> [FilterTab] {
        ([nil] + PromoTerms.State.allCases.map(Optional.some)).map { state in
            FilterTab(
                label: (state.map { PromoText.name(of: $0, strings) } ?? strings.partsAll).description,
                href: filter.changed { $0.state = state }.path,
                isCurrent: filter.state == state
            )
        }
    }

    private static func form(_ filter: PromoBatchFilter, _ choices: [String], _ strings: Strings) -> FilterForm {
        var form = FilterForm(
            action: DashboardPath.promoCodes,
            search: "",
            searchLabel: strings.promoCodesChannel,
            hasSearch: false
        )
        form.hidden = filter.state.map { [.init(name: "state", value: $0.rawValue)] } ?? []
        let others = [filter.channel].compactMap(\.self).filter { !choices.contains($0) }
        form.selects = [
            .init(
                "channel",
                strings.promoCodesChannel,
                all: strings.listsAny,
                chosen: filter.channel,
                (choices + others).map { ($0, $0) }
            )
        ]
        return form
    }

    private static func empty(_ applied: AppliedFilters, _ newHref: String?, _ strings: Strings) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: strings.promoCodesNoMatch.description,
                text: strings.promoCodesNoMatchText(filters: strings.list(applied.strings)),
                linkText: strings.partsClearAll.description,
                href: DashboardPath.promoCodes
            )
        }
        return EmptyState(
            headline: strings.promoCodesNone.description,
            text: strings.promoCodesNoneText.description,
            linkText: (newHref == nil ? strings.promoCodesNoneLink : strings.promoCodesNew).description,
            href: newHref ?? DashboardPath.customers
        )
    }
}

extension PromoBatchIndexPage.Row {
    fileprivate init(_ row: ListedPromoBatch, from: String?, viewer: Viewer, now: Date) {
        let (batch, strings) = (row.batch, viewer.strings)
        href = DashboardPath.promoBatch(batch.id, from: from)
        name = batch.name
        status = PromoText.status(of: batch.terms.state(at: now), strings)
        channel = batch.channel
        gives = PromoText.gives(batch.terms, strings)
        codes = strings.number(batch.codeCount)
        redemptions = PromoText.count(row.redemptions, strings)
        expires = batch.terms.expiresAt.map { DateText($0, in: viewer.zone, strings) }
        created = DateText(batch.createdAt, in: viewer.zone, strings)
        createdBy = ActionText.actor(batch.createdAs, role: nil, strings)
    }
}

extension PromoBatchIndexPage.Channel {
    fileprivate init(_ channel: PromoReport.Channel, _ strings: Strings) {
        name = channel.channel
        href = PromoBatchFilter(channel: channel.channel).path
        batches = strings.number(channel.batches)
        codes = strings.number(channel.report.codes)
        redemptions = strings.number(channel.report.redemptions)
        customers = strings.number(channel.report.customers)
        converted = strings.number(channel.report.converted)
        rate = PromoText.rate(channel.report, strings)
    }
}

extension AppliedFilters {
    fileprivate init(_ filter: PromoBatchFilter, _ strings: Strings) {
        self.init()
        if let state = filter.state {
            let word = PromoText.name(of: state, strings).description
            add(word, chip: strings.listsStatus(status: word), without: filter.changed { $0.state = nil }.path)
        }
        if let channel = filter.channel {
            add(
                strings.promoCodesChannelWithin(channel: channel),
                chip: strings.promoCodesChannelChip(channel: channel),
                without: filter.changed { $0.channel = nil }.path
            )
        }
    }
}
