import Billing
import Foundation
import HTTP
import Storage
import Words

/// A customer's current access: the plan, its source, its start and end, what follows, and what it falls back to.
struct EntitlementCard: Sendable {
    var status: StatusText
    /// The plan that everybody has where nothing gives more; nil for an app without plans.
    var plan: String?
    /// "Apple, Pro yearly"
    var source: String?
    var sourceHref: String?
    var since: DateText?
    /// "15 Dec 2026 10:00 UTC+8 (24 days left)", "no end"
    var until: String?
    /// The end as `<time>` has it.
    var end: DateText?
    var following: String?
    /// "Refunded by Apple on 3 Nov 2026", with the event that says so; nil where they have access, or never had any.
    var loss: ActionPage.Fact?
    /// The other sources of access, which would go on if the first ended.
    var underneath: [Underneath]

    struct Underneath: Sendable {
        /// nil for a grant.
        var href: String?
        /// "PRO, Apple, until 15 Dec 2026"
        var text: String
    }

    init(
        _ subscriptions: [CustomerDetails.Held],
        held: EntitlementSources,
        standing: CustomerStanding,
        loss: AccessLoss?,
        from: String?,
        zone: BusinessZone,
        _ strings: Strings,
        now: Date
    ) {
        let text = EntitlementText(
            subscriptions.map(\.held),
            held: held,
            standing: standing,
            zone: zone,
            strings,
            now: now
        )
        let entitlement = held.entitlement(at: now)
        status = text.status
        plan = standing.plan
        since = entitlement?.since.map { DateText($0, in: zone, strings) }
        (until, end) = (text.until, text.end)
        following = text.following
        self.loss = loss.map { ActionPage.Fact($0, from: from, zone: zone, strings) }
        switch entitlement?.source {
        case .subscription(let id):
            let source = subscriptions.first { $0.held.id == id }
            self.source = source.map {
                strings.customersSourceOf(
                    product: $0.productName,
                    store: StoreText.name(of: $0.store, strings).description
                )
            }
            // Of a seat the subscription is the purchaser's, and stands on no list of the member's.
            if held.subscription(id)?.seat != nil { self.source = strings.subscriptionsMember.description }
            sourceHref = DashboardPath.subscription(id, from: from)
        case .grant: source = strings.customersGranted.description
        case nil: break
        }
        underneath =
            subscriptions
            .filter { other in
                entitlement?.source != .subscription(other.held.id)
                    && held.subscription(other.held.id)?.isLive(at: now) == true
            }
            .map { Underneath($0, from: from, zone: zone, strings, now: now) }
            + held.grants
            .filter { entitlement?.source != .grant($0.id) && $0.hasAccess(at: now) }
            .map { Underneath($0, zone: zone, strings) }
    }
}

extension ActionPage.Fact {
    /// The reason for the end of access, with a link to the event.
    fileprivate init(_ loss: AccessLoss, from: String?, zone: BusinessZone, _ strings: Strings) {
        let date = DateText.day(loss.at, in: zone, strings)
        let store = StoreText.name(of: loss.store, strings).description
        let value =
            switch loss.reason {
            case .refunded: strings.customersLossRefunded(date: date, store: store)
            case .sharingEnded: strings.customersLossSharing(date: date)
            case .renewalOff: strings.customersLossRenewalOff(date: date)
            case .paymentFailed: strings.customersLossPayment(date: date, store: store)
            case .paused: strings.customersLossPaused(date: date)
            case .staff: strings.customersLossStaff(date: date)
            case .ended: strings.customersLossEnded(date: date)
            }
        self.init(
            name: strings.customersLoss.description,
            value: value,
            href: loss.notification.map { DashboardPath.notification($0, from: from) }
                ?? DashboardPath.subscription(loss.subscription, from: from),
            at: DateText(loss.at, in: zone, strings)
        )
    }
}

extension EntitlementCard.Underneath {
    fileprivate init(
        _ held: CustomerDetails.Held,
        from: String?,
        zone: BusinessZone,
        _ strings: Strings,
        now: Date
    ) {
        let subscription = held.held.subscription
        href = DashboardPath.subscription(held.held.id, from: from)
        text = strings.customersUnderneathStore(
            end: subscription.isAhead(at: now)
                ? SubscriptionText.endingWithDay(of: subscription, zone: zone, strings, now: now)
                : Self.end(subscription.accessEndsAt, zone, strings),
            plan: held.held.plan.code,
            store: StoreText.name(of: held.store, strings).description
        )
    }

    fileprivate init(_ grant: Grant, zone: BusinessZone, _ strings: Strings) {
        text = strings.customersUnderneathGrant(end: Self.end(grant.endsAt, zone, strings), plan: grant.plan.code)
    }

    private static func end(_ end: Date?, _ zone: BusinessZone, _ strings: Strings) -> String {
        end.map { strings.customersUntilDay(day: DateText.day($0, in: zone, strings)) }
            ?? strings.partsNoEnd.description
    }
}
