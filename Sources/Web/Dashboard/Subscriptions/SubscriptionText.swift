import Billing
import Foundation

/// What becomes of a subscription, in words.
enum SubscriptionText {
    /// "renews", "ended", "no end"
    static func ending(of subscription: Subscription, _ words: Words, now: Date) -> StaticString {
        guard let end = subscription.periodEndsAt else { return words.subscriptionsNoEnd }
        guard end > now, subscription.hasAccess(at: now) else { return words.subscriptionsEnded }
        return subscription.renewsAutomatically ? words.subscriptionsRenewing : words.subscriptionsEnds
    }

    /// "renews 15 Dec 2026", "ended 15 Dec 2025", "no end"
    static func endingWithDay(
        of subscription: Subscription,
        zone: BusinessZone,
        _ words: Words,
        now: Date
    ) -> String {
        guard let end = subscription.periodEndsAt else { return words.subscriptionsNoEnd.description }
        let day = DateText.day(end, in: zone, words)
        guard end > now, subscription.hasAccess(at: now) else { return words.subscriptionsEndedOn(day: day) }
        return subscription.renewsAutomatically
            ? words.subscriptionsRenewsOn(day: day) : words.subscriptionsEndsOn(day: day)
    }
}
