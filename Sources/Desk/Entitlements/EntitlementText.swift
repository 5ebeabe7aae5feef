import Billing
import Foundation
import HTTP
import Storage
import Words

/// A customer's current access, its end, and what happens then.
struct EntitlementText: Sendable {
    /// "PRO, active"
    var text: String
    var status: StatusText
    /// "15 Dec 2026 (24 days)", "no end"; nil when there is no access.
    var until: String?
    /// The end as `<time>` has it.
    var end: DateText?
    /// "renews, 128.00 CNY"
    var following: String?

    /// - Parameters:
    ///   - held: everything that gives access; nil where only the subscriptions count.
    ///   - standing: the customer's plan and state; nil where only the subscriptions count.
    init(
        _ subscriptions: [OrderDetails.CustomerSubscription],
        held: EntitlementSources? = nil,
        standing: CustomerStanding? = nil,
        zone: BusinessZone,
        _ strings: Strings,
        now: Date
    ) {
        let entitlement =
            held?.entitlement(at: now)
            ?? (held == nil
                ? Entitlement.current(of: subscriptions.map { ($0.id, $0.subscription, $0.plan) }, at: now) : nil)
        let source = subscriptions.first { .subscription($0.id) == entitlement?.source }
        if let entitlement, case .grant = entitlement.source {
            status = StatusText(entitlement.state, strings)
            self.text = strings.entitlementGranted(plan: entitlement.plan.code)
            until = Self.until(entitlement.until, zone: zone, strings, now: now)
            end = entitlement.until.map { DateText($0, in: zone, strings) }
            following = Self.afterGrant(entitlement, held, strings, now: now)
            return
        }
        guard let entitlement, let source else {
            let suspended = subscriptions.first { held?.subscription($0.id)?.suspendedAt != nil }
            let ahead = subscriptions.first { each in
                held.map { $0.subscription(each.id)?.isLive(at: now) == true } ?? each.subscription.isLive(at: now)
            }
            (text, status, following) = Self.withoutAccess(
                ahead ?? suspended ?? subscriptions.first,
                isSuspended: ahead == nil && suspended != nil,
                standing,
                zone: zone,
                strings,
                now: now
            )
            return
        }
        status = StatusText(entitlement.state, strings)
        self.text = strings.entitlementWords(plan: entitlement.plan.code, status: status.within.description)
        until = Self.until(entitlement.until, zone: zone, strings, now: now)
        end = entitlement.until.map { DateText($0, in: zone, strings) }
        following = Self.following(entitlement, source, strings)
    }

    private static func afterGrant(
        _ entitlement: Entitlement,
        _ held: EntitlementSources?,
        _ strings: Strings,
        now: Date
    ) -> String {
        guard entitlement.until != nil else { return strings.entitlementGrantStays.description }
        guard let next = held?.outlook(from: now).dropFirst().first(where: { $0.plan != entitlement.plan }),
            let plan = next.plan
        else { return strings.entitlementGrantEnds.description }
        return strings.entitlementFallsBack(plan: plan.code)
    }

    private static func withoutAccess(
        _ last: OrderDetails.CustomerSubscription?,
        isSuspended: Bool,
        _ standing: CustomerStanding?,
        zone: BusinessZone,
        _ strings: Strings,
        now: Date
    ) -> (text: String, StatusText, following: String?) {
        guard let last else {
            guard let standing, let plan = standing.plan else {
                return (strings.entitlementNone.description, StatusText(Subscription.State.expired, strings), nil)
            }
            let status = StatusText(standing.state, strings)
            let ended = standing.until.map { strings.entitlementEnded(date: DateText.day($0, in: zone, strings)) }
            return (strings.entitlementWords(plan: plan, status: status.within.description), status, ended)
        }
        if isSuspended {
            return (
                strings.entitlementSuspended.description, StatusText(Subscription.State.revoked, strings),
                strings.entitlementReturnsWithStaff.description
            )
        }
        if let start = last.subscription.accessStartsAt, last.subscription.isAhead(at: now) {
            let status = StatusText(Subscription.State.pending, strings)
            return (
                strings.entitlementWords(plan: last.plan.code, status: status.within.description), status,
                strings.entitlementStarts(date: DateText.day(start, in: zone, strings))
            )
        }
        let state = standing?.state ?? last.subscription.state(at: now)
        let status = StatusText(state, strings)
        let text =
            standing?.plan.map { strings.entitlementWords(plan: $0, status: status.within.description) }
            ?? strings.entitlementNoneWords(status: status.within.description)
        switch state {
        case .billingRetry: return (text, status, strings.entitlementReturnsWithPayment.description)
        case .paused: return (text, status, strings.entitlementReturnsAfterPause.description)
        case .pending: return (text, status, strings.entitlementBeginsWithPayment.description)
        case .trial, .active, .gracePeriod, .cancelled, .expired, .trialExpired, .revoked:
            let end = standing?.until ?? last.subscription.endedAt ?? last.subscription.periodEndsAt
            return (text, status, end.map { strings.entitlementEnded(date: DateText.day($0, in: zone, strings)) })
        }
    }

    private static func until(_ end: Date?, zone: BusinessZone, _ strings: Strings, now: Date) -> String {
        guard let end else { return strings.partsNoEnd.description }
        // As people count: to the same hour in seven days it is seven days, also a minute later.
        let left =
            end.timeIntervalSince(now) < 86_400
            ? strings.entitlementLessThanADay.description
            : strings.partsDays(count: zone.day(of: end) - zone.day(of: now))
        return strings.entitlementUntil(date: DateText.full(end, in: zone, strings), left: left)
    }

    private static func following(
        _ entitlement: Entitlement,
        _ source: OrderDetails.CustomerSubscription,
        _ strings: Strings
    ) -> String {
        switch entitlement.state {
        case .gracePeriod: return strings.entitlementPaymentRetried.description
        case .cancelled: return strings.entitlementRenewalOff.description
        case .trial, .active, .pending, .billingRetry, .paused, .expired, .trialExpired, .revoked: break
        }
        guard entitlement.until != nil else { return strings.entitlementStays.description }
        guard entitlement.willRenew else { return strings.entitlementDoesNotRenew.description }
        let price = source.subscription.renewalPrice.map { MoneyText($0, strings).withCurrency }
        let isOther = source.subscription.nextProductID.map { $0 != source.subscription.productID } ?? false
        guard isOther else {
            return price.map { strings.entitlementRenewsAt(price: $0) } ?? strings.entitlementRenews.description
        }
        let product =
            source.nextProductName ?? source.subscription.nextProductID ?? strings.entitlementAnotherProduct.description
        return price.map { strings.entitlementChangesToAt(price: $0, product: product) }
            ?? strings.entitlementChangesTo(product: product)
    }
}
