import Billing
import Foundation
import Testing

/// The lightgallery document's properties of renewals and upgrades, on many made-up ones. A failure prints its seed.
@Suite("properties of the lightgallery document: renewals and upgrades") struct PaymentProperties {
    static let seeds: Range<UInt64> = 0..<500

    @Test("Property 14: Auto-Renewal Handling")
    func renewal() throws {
        for seed in Self.seeds {
            var random = SplitMix64(seed: seed)
            let length = Double(Int.random(in: 3...365, using: &random))
            var events = [StoreEvent.told(.subscribed, on: 0, .sold("t0", from: 0, to: length))]
            for number in 1...Int.random(in: 1...6, using: &random) {
                let begin = length * Double(number)
                let next = StoreTransaction.sold("t\(number)", from: begin, to: begin + length)
                events.append(.told(.renewed, on: begin, next))
                let subscription = SubscriptionHistory(events).replay().subscription
                #expect(subscription.periodEndsAt == .day(begin + length), "seed \(seed)")
                #expect(subscription.hasAccess(at: .day(begin)), "seed \(seed)")
                #expect(subscription.hasAccess(at: .day(begin + length - 0.001)), "seed \(seed)")
                #expect(!subscription.hasAccess(at: .day(begin + length)), "seed \(seed)")
            }
        }
    }

    @Test("Property 22: Prorated Upgrade Calculation")
    func upgrade() throws {
        for seed in Self.seeds {
            var random = SplitMix64(seed: seed)
            let (price, days) = (
                Int64.random(in: 1...10_000_000, using: &random), Int64.random(in: 2...366, using: &random)
            )
            let day = Int64.random(in: 1..<days, using: &random)
            let charge = Money(minorUnits: price, currency: .cny)
            let old = StoreTransaction.sold("t1", from: 0, to: Double(days), for: charge)
            let new = StoreTransaction.sold(
                "t2",
                from: Double(day),
                to: Double(day + 30),
                for: Money(minorUnits: price * 2, currency: .cny),
                "premium.monthly"
            )
            let outcome = SubscriptionHistory.outcome(
                .told(.subscribed, on: 0, old),
                .told(.upgraded, on: Double(day), new)
            )
            // The price of the days that are left, half a minor unit rounded up.
            let credit = (2 * price * (days - day) + days) / (2 * days)
            let order = try outcome.order("t1")
            #expect(order.credited.minorUnits == credit, "seed \(seed): \(price) for \(days) days, on day \(day)")
            #expect(order.kept.minorUnits == price - credit, "seed \(seed)")
        }
    }
}
