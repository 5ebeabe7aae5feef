import Billing
import Foundation

/// A made-up subscription's events in order, the same for the same seed. They are a first period or a free trial, renewals, and
/// perhaps a cancellation, a grace period, billing retries or a refund.
struct MadeUpLife: Sendable {
    let seed: UInt64
    let customer: UUID
    private(set) var events: [StoreEvent] = []

    var subscription: String { "life-\(seed)" }

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        customer = UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012X", seed)) ?? UUID()
        let length = Double(Int.random(in: 4...40, using: &random))
        let product = ["pro.monthly", "pro.yearly", "premium.monthly"].randomElement(using: &random) ?? "pro.monthly"
        let start = Double(Int.random(in: 0...30, using: &random))
        let isTrial = Int.random(in: 0..<4, using: &random) == 0
        var period = StoreTransaction.sold(
            "\(seed)-0",
            of: subscription,
            from: start,
            to: start + length,
            for: isTrial ? .yuan(0) : .yuan(Int64.random(in: 1...300, using: &random)),
            product,
            to: customer,
            trial: isTrial
        )
        var end = start + length
        events.append(.told(.subscribed, on: start, period, RenewalTerms(renewsAutomatically: true)))
        for number in 0..<Int.random(in: 0...2, using: &random) {
            let price = Money.yuan(Int64.random(in: 1...300, using: &random))
            let next = end + length
            let id = "\(seed)-\(number + 1)"
            period = .sold(id, of: subscription, from: end, to: next, for: price, product, to: customer)
            events.append(.told(.renewed, on: end, period, RenewalTerms(renewsAutomatically: true)))
            end = next
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            let day = end - Double(Int.random(in: 1...3, using: &random))
            events.append(.told(.autoRenewDisabled, on: day, period, RenewalTerms(renewsAutomatically: false)))
        case 2:
            let terms = RenewalTerms(
                renewsAutomatically: true,
                gracePeriodEndsAt: .day(end + Double(Int.random(in: 1...16, using: &random))),
                isInBillingRetry: true
            )
            events.append(.told(.gracePeriodEntered, on: end, period, terms))
        case 3:
            let terms = RenewalTerms(renewsAutomatically: true, isInBillingRetry: true)
            events.append(.told(.billingRetryEntered, on: end, period, terms))
        case 4: events.append(.told(.refunded, on: end - 0.5, period.takenBack(on: end - 0.5)))
        default: break
        }
    }
}
