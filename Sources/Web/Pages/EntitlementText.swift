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
    /// "renews, 128.00 CNY"
    var following: String?

    /// - Parameter held: everything that gives access; nil where only the subscriptions count.
    init(
        _ subscriptions: [OrderDetails.CustomerSubscription],
        held: Holdings? = nil,
        zone: BusinessZone,
        now: Date
    ) {
        let entitlement =
            held?.entitlement(at: now)
            ?? (held == nil
                ? Entitlement.current(of: subscriptions.map { ($0.id, $0.subscription, $0.plan) }, at: now) : nil)
        let source = subscriptions.first { .subscription($0.id) == entitlement?.source }
        if let entitlement, case .grant = entitlement.source {
            status = StatusText(entitlement.state)
            words = "\(entitlement.plan.code), granted"
            until = entitlement.until.map { Self.until($0, zone: zone, now: now) } ?? "no end"
            following = Self.afterGrant(entitlement, held, zone: zone, now: now)
            return
        }
        guard let entitlement, let source else {
            let suspended = subscriptions.first { held?.subscription($0.id)?.suspendedAt != nil }
            (words, status, following) = Self.withoutAccess(
                suspended ?? subscriptions.first,
                isSuspended: suspended != nil,
                zone: zone,
                now: now
            )
            return
        }
        status = StatusText(entitlement.state)
        words = "\(entitlement.plan.code), \(status.lowercased)"
        until = entitlement.until.map { Self.until($0, zone: zone, now: now) } ?? "no end"
        following = Self.following(entitlement, source)
    }

    private static func afterGrant(
        _ entitlement: Entitlement,
        _ held: Holdings?,
        zone: BusinessZone,
        now: Date
    ) -> String {
        guard entitlement.until != nil else { return "stays until staff end it" }
        guard let next = held?.outlook(from: now).dropFirst().first(where: { $0.plan != entitlement.plan }),
            let plan = next.plan
        else { return "ends; nothing is paid for after it" }
        return "falls back to \(plan.code)"
    }

    private static func withoutAccess(
        _ last: OrderDetails.CustomerSubscription?,
        isSuspended: Bool,
        zone: BusinessZone,
        now: Date
    ) -> (words: String, StatusText, following: String?) {
        guard let last else { return ("No access", StatusText(Subscription.State.expired), nil) }
        if isSuspended {
            return (
                "No access, revoked by staff", StatusText(Subscription.State.revoked), "returns when staff restore it"
            )
        }
        let state = last.subscription.state(at: now)
        let status = StatusText(state)
        let words = "No access, \(status.lowercased)"
        switch state {
        case .billingRetry: return (words, status, "access returns when the store collects the payment")
        case .paused: return (words, status, "access returns when the pause ends")
        case .pending: return (words, status, "access begins when the store confirms the payment")
        case .trial, .active, .gracePeriod, .cancelled, .expired, .trialExpired, .revoked:
            let end = last.subscription.endedAt ?? last.subscription.periodEndsAt
            return (words, status, end.map { "ended \(DateText.day($0, in: zone)); a new purchase starts again" })
        }
    }

    private static func until(_ end: Date, zone: BusinessZone, now: Date) -> String {
        let days = Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
        return "\(DateText.full(end, in: zone)) (\(days < 1 ? "less than a day" : Phrase.days(days)) left)"
    }

    private static func following(_ entitlement: Entitlement, _ source: OrderDetails.CustomerSubscription) -> String {
        switch entitlement.state {
        case .gracePeriod: return "the store retries the payment; access ends unless it succeeds"
        case .cancelled: return "ends; the customer turned renewal off"
        case .trial, .active, .pending, .billingRetry, .paused, .expired, .trialExpired, .revoked: break
        }
        guard entitlement.until != nil else { return "stays; it is paid for once" }
        guard entitlement.willRenew else { return "ends; it does not renew" }
        let price = source.subscription.renewalPrice.map { ", \(MoneyText($0).withCurrency)" } ?? ""
        let isOther = source.subscription.nextProductID.map { $0 != source.subscription.productID } ?? false
        return isOther
            ? "changes to \(source.nextProductName ?? source.subscription.nextProductID ?? "another product")\(price)"
            : "renews\(price)"
    }
}
