import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// A batch of promo codes, and its results: `/dashboard/promo-codes/{id}`.
package struct PromoBatchShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let name: String
    let backHref: String
    let status: StatusText
    let created: DateText
    let createdBy: String
    /// "stopped by mei@example.com"; nil while it goes on.
    let stopped: String?
    let zoneLabel: String
    /// The actions that may be taken; empty for those who may do nothing.
    let actions: [PageAction]
    /// nil for those who may not take the codes away.
    let codesHref: String?
    let figures: [ActionPage.Fact]
    let facts: [ActionPage.Fact]
    let hasDays: Bool
    let days: [Day]
    /// nil for those who may not know who redeemed what.
    let redemptions: Redemptions?

    struct Day: Sendable {
        let day: String
        let redemptions: String
    }

    struct Redemptions: Sendable {
        let range: String
        let caption: String
        let hasRows: Bool
        let rows: [Row]
        let pages: PageLinks
    }

    /// A redemption.
    struct Row: Sendable {
        let href: String
        let person: PersonText
        let code: String
        let redeemed: DateText
        let until: DateText?
        let isWithdrawn: Bool
    }

    package init(
        _ batch: PromoBatch,
        report: PromoReport,
        days: [PromoReport.Day],
        redemptions list: ListPage<PromoRedemption>?,
        filter: PromoRedemptionFilter,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let (state, own) = (batch.terms.state(at: now), filter.path(from: from))
        frame = DashboardFrame(viewer, section: .promoCodes, path: own, now: now)
        name = batch.name
        title = strings.promoCodesBatch(name: batch.name)
        backHref = from ?? DashboardPath.promoCodes
        status = PromoText.status(of: state, strings)
        created = DateText(batch.createdAt, in: viewer.zone, strings)
        createdBy = ActionText.actor(batch.createdAs, role: nil, strings)
        stopped = batch.stoppedAs.map {
            strings.promoCodesStoppedBy(person: ActionText.actor($0, role: nil, strings))
        }
        zoneLabel = viewer.zone.label
        let mayManage = viewer.may(.managePromoCodes)
        actions = mayManage ? [Self.action(on: batch, strings)] : []
        codesHref = mayManage ? DashboardPath.promoCodes(of: batch.id) : nil
        figures = Self.figures(report, strings)
        facts = PromoText.facts(batch.terms, codes: batch.codeCount, channel: batch.channel, viewer)
        hasDays = !days.isEmpty
        self.days = days.map { day in
            Day(
                day: DateText.day(day.day.start(in: .gmt), in: .named("GMT"), strings),
                redemptions: strings.number(day.redemptions)
            )
        }
        redemptions = list.map { Redemptions($0, filter, own: own, from: from, viewer) }
    }

    private static func action(on batch: PromoBatch, _ strings: Strings) -> PageAction {
        batch.terms.stoppedAt == nil
            ? PageAction(label: strings.promoCodesStop.description, href: DashboardPath.promoBatch(batch.id, .stop))
            : PageAction(label: strings.promoCodesResume.description, href: DashboardPath.promoBatch(batch.id, .resume))
    }

    private static func figures(_ report: PromoReport, _ strings: Strings) -> [ActionPage.Fact] {
        let redeemed = strings.promoCodesOf(
            all: strings.number(report.codes),
            some: strings.number(report.redeemedCodes)
        )
        return [
            ActionPage.Fact(name: strings.promoCodesRedeemedCodes.description, value: redeemed),
            ActionPage.Fact(
                name: strings.promoCodesRedemptions.description,
                value: strings.number(report.redemptions)
            ),
            ActionPage.Fact(name: strings.promoCodesCustomers.description, value: strings.number(report.customers)),
            ActionPage.Fact(name: strings.promoCodesNeverPaid.description, value: strings.number(report.neverPaid)),
            ActionPage.Fact(name: strings.promoCodesConverted.description, value: strings.number(report.converted)),
            ActionPage.Fact(name: strings.promoCodesRate.description, value: PromoText.rate(report, strings)),
        ]
    }
}

extension PromoBatchShowPage.Redemptions {
    fileprivate init(
        _ list: ListPage<PromoRedemption>,
        _ filter: PromoRedemptionFilter,
        own: String,
        from: String?,
        _ viewer: Viewer
    ) {
        let strings = viewer.strings
        range =
            ListHeading(
                list,
                of: strings.promoCodesRedemptions.description,
                filters: [],
                none: strings.promoCodesNoRedemptions,
                order: strings.partsNewestFirst,
                strings
            ).range
        caption = strings.promoCodesRedemptionsCaption(zone: viewer.zone.label)
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { row in
            PromoBatchShowPage.Row(
                href: DashboardPath.customer(row.customer.id, from: own),
                person: PersonText(row.customer, viewer),
                code: strings.promoCodesCodeNumber(number: strings.number(row.codeNumber)),
                redeemed: DateText(row.redeemedAt, in: viewer.zone, strings),
                until: row.endsAt.map { DateText($0, in: viewer.zone, strings) },
                isWithdrawn: row.isWithdrawn
            )
        }
        pages = PageLinks(list, by: filter) { $0.path(from: from) }
    }
}
