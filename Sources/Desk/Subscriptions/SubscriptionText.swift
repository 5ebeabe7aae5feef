import Billing
import Foundation
import HTTP
import Words

/// The end of a subscription's period, and what follows it, in words.
enum SubscriptionText {
    /// "renews", "ended", "no end"; what stands before the end of the period.
    static func ending(of subscription: Subscription, _ strings: Strings, now: Date) -> StaticString {
        guard let end = subscription.periodEndsAt else { return strings.subscriptionsNoEnd }
        guard subscription.isLive(at: now) || !subscription.endedEarly else {
            return strings.subscriptionsPeriodUntil
        }
        guard end > now, subscription.isLive(at: now) else { return strings.subscriptionsEnded }
        return subscription.renewsAutomatically ? strings.subscriptionsRenewing : strings.subscriptionsEnds
    }

    /// "month 3 of 12"
    static func period(of commitment: Commitment, _ strings: Strings) -> String {
        guard let period = commitment.period, let periods = commitment.periods else {
            return strings.subscriptionsBilledMonthly.description
        }
        return strings.subscriptionsCommitmentPeriod(period: String(period), periods: String(periods))
    }

    static func name(of consent: PriceConsent, _ strings: Strings) -> StaticString {
        switch consent {
        case .pending: strings.subscriptionsPricePending
        case .accepted: strings.subscriptionsPriceAccepted
        }
    }

    /// The facts about a subscription that goes on, beside its end: the month of a commitment, the next offer, a price that
    /// waits for the customer.
    static func notes(on subscription: Subscription, _ strings: Strings, now: Date) -> [String] {
        guard subscription.hasAccess(at: now) || subscription.nextRenewal(at: now) != nil else { return [] }
        let next = subscription.nextRenewal(at: now)
        let notes = [
            subscription.commitment.map { period(of: $0, strings) },
            next?.offer.map { strings.subscriptionsNoteOffer(offer: OfferText.text($0, strings)) },
            next?.priceConsent == .pending ? pendingPrice(subscription.renewalPrice, strings) : nil,
        ]
        return notes.compactMap(\.self)
    }

    private static func pendingPrice(_ price: Money?, _ strings: Strings) -> String {
        price.map { strings.subscriptionsNotePrice(price: MoneyText($0, strings).withCurrency) }
            ?? strings.subscriptionsNotePriceUnknown.description
    }

    /// "renews 15 Dec 2026", "starts 31 Dec 2026", "ended 15 Dec 2025", "no end"
    static func endingWithDay(
        of subscription: Subscription,
        zone: BusinessZone,
        _ strings: Strings,
        now: Date
    ) -> String {
        guard let end = subscription.periodEndsAt else { return strings.subscriptionsNoEnd.description }
        if let start = subscription.accessStartsAt, subscription.isAhead(at: now) {
            return strings.subscriptionsStartsOn(day: DateText.day(start, in: zone, strings))
        }
        let day = DateText.day(end, in: zone, strings)
        guard end > now, subscription.hasAccess(at: now) else {
            let ended = subscription.hasAccess(at: now) ? end : min(end, subscription.endedAt ?? end)
            return strings.subscriptionsEndedOn(day: DateText.day(ended, in: zone, strings))
        }
        return subscription.renewsAutomatically
            ? strings.subscriptionsRenewsOn(day: day) : strings.subscriptionsEndsOn(day: day)
    }
}

extension Subscription {
    /// True if it was over before the period that was paid for.
    fileprivate var endedEarly: Bool {
        guard let endedAt, let periodEndsAt else { return false }
        return endedAt < periodEndsAt
    }
}
