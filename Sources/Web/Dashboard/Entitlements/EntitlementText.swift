import Billing
import Foundation
import Storage

/// What a customer has now, until when, and what happens then.
struct EntitlementText: Sendable {
    /// "PRO, active"
    var words: String
    var status: StatusText
    /// "15 Dec 2026 (24 days)", "no end"; nil when there is no access.
    var until: String?
    /// The end as `<time>` has it.
    var end: DateText?
    /// "renews, 128.00 CNY"
    var following: String?

    /// - Parameter held: everything that gives access; nil where only the subscriptions count.
    init(
        _ subscriptions: [OrderDetails.CustomerSubscription],
        held: EntitlementSources? = nil,
        zone: BusinessZone,
        _ words: Words,
        now: Date
    ) {
        let entitlement =
            held?.entitlement(at: now)
            ?? (held == nil
                ? Entitlement.current(of: subscriptions.map { ($0.id, $0.subscription, $0.plan) }, at: now) : nil)
        let source = subscriptions.first { .subscription($0.id) == entitlement?.source }
        if let entitlement, case .grant = entitlement.source {
            status = StatusText(entitlement.state, words)
            self.words = words.entitlementGranted(plan: entitlement.plan.code)
            until = Self.until(entitlement.until, zone: zone, words, now: now)
            end = entitlement.until.map { DateText($0, in: zone, words) }
            following = Self.afterGrant(entitlement, held, words, now: now)
            return
        }
        guard let entitlement, let source else {
            let suspended = subscriptions.first { held?.subscription($0.id)?.suspendedAt != nil }
            (self.words, status, following) = Self.withoutAccess(
                suspended ?? subscriptions.first,
                isSuspended: suspended != nil,
                zone: zone,
                words,
                now: now
            )
            return
        }
        status = StatusText(entitlement.state, words)
        self.words = words.entitlementWords(plan: entitlement.plan.code, status: status.within.description)
        until = Self.until(entitlement.until, zone: zone, words, now: now)
        end = entitlement.until.map { DateText($0, in: zone, words) }
        following = Self.following(entitlement, source, words)
    }

    private static func afterGrant(
        _ entitlement: Entitlement,
        _ held: EntitlementSources?,
        _ words: Words,
        now: Date
    ) -> String {
        guard entitlement.until != nil else { return words.entitlementGrantStays.description }
        guard let next = held?.outlook(from: now).dropFirst().first(where: { $0.plan != entitlement.plan }),
            let plan = next.plan
        else { return words.entitlementGrantEnds.description }
        return words.entitlementFallsBack(plan: plan.code)
    }

    private static func withoutAccess(
        _ last: OrderDetails.CustomerSubscription?,
        isSuspended: Bool,
        zone: BusinessZone,
        _ words: Words,
        now: Date
    ) -> (words: String, StatusText, following: String?) {
        guard let last else {
            return (words.entitlementNone.description, StatusText(Subscription.State.expired, words), nil)
        }
        if isSuspended {
            return (
                words.entitlementSuspended.description, StatusText(Subscription.State.revoked, words),
                words.entitlementReturnsWithStaff.description
            )
        }
        let state = last.subscription.state(at: now)
        let status = StatusText(state, words)
        let text = words.entitlementNoneWords(status: status.within.description)
        switch state {
        case .billingRetry: return (text, status, words.entitlementReturnsWithPayment.description)
        case .paused: return (text, status, words.entitlementReturnsAfterPause.description)
        case .pending: return (text, status, words.entitlementBeginsWithPayment.description)
        case .trial, .active, .gracePeriod, .cancelled, .expired, .trialExpired, .revoked:
            let end = last.subscription.endedAt ?? last.subscription.periodEndsAt
            return (text, status, end.map { words.entitlementEnded(date: DateText.day($0, in: zone, words)) })
        }
    }

    private static func until(_ end: Date?, zone: BusinessZone, _ words: Words, now: Date) -> String {
        guard let end else { return words.partsNoEnd.description }
        let days = Int(bounding: (end.timeIntervalSince(now) / 86_400).rounded(.down))
        let left = days < 1 ? words.entitlementLessThanADay.description : words.partsDays(count: days)
        return words.entitlementUntil(date: DateText.full(end, in: zone, words), left: left)
    }

    private static func following(
        _ entitlement: Entitlement,
        _ source: OrderDetails.CustomerSubscription,
        _ words: Words
    ) -> String {
        switch entitlement.state {
        case .gracePeriod: return words.entitlementPaymentRetried.description
        case .cancelled: return words.entitlementRenewalOff.description
        case .trial, .active, .pending, .billingRetry, .paused, .expired, .trialExpired, .revoked: break
        }
        guard entitlement.until != nil else { return words.entitlementStays.description }
        guard entitlement.willRenew else { return words.entitlementDoesNotRenew.description }
        let price = source.subscription.renewalPrice.map { MoneyText($0, words).withCurrency }
        let isOther = source.subscription.nextProductID.map { $0 != source.subscription.productID } ?? false
        guard isOther else {
            return price.map { words.entitlementRenewsAt(price: $0) } ?? words.entitlementRenews.description
        }
        let product =
            source.nextProductName ?? source.subscription.nextProductID ?? words.entitlementAnotherProduct.description
        return price.map { words.entitlementChangesToAt(price: $0, product: product) }
            ?? words.entitlementChangesTo(product: product)
    }
}
