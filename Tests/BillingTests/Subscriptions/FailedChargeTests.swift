import Billing
import Foundation
import Testing

@Suite("Failed charges") struct FailedChargeTests {
    private static let month = StoreTransaction.sold("t1", from: 0, to: 30)

    @Test("a period whose renewal could not be charged is one, whatever the store says of it later")
    func once() {
        let life: [StoreEvent] = [
            .told(.subscribed, on: 0, Self.month), .told(.gracePeriodEntered, on: 30, Self.month, .grace(until: 46)),
            .told(.billingRetryEntered, on: 36, Self.month), .told(.gracePeriodExpired, on: 46, Self.month),
            .told(.recovered, on: 50, .sold("t2", from: 50, to: 80)),
            .told(.billingRetryEntered, on: 80, .sold("t2", from: 50, to: 80)),
        ]
        let failed = FailedCharge.derived(from: life)
        #expect(failed.map(\.transactionID) == ["t1", "t2"])
        #expect(failed.map(\.failedAt) == [life[1].signedAt, life[5].signedAt])
        #expect(failed.first?.productID == Self.month.productID)
    }

    @Test("what others pay for is no charge of this customer's")
    func familyShared() {
        var shared = Self.month
        shared.isFamilyShared = true
        #expect(FailedCharge.derived(from: [.told(.billingRetryEntered, on: 30, shared)]).isEmpty)
    }

    @Test("an event that was refused says nothing, and the order of arrival changes nothing")
    func anyOrder() {
        var life: [StoreEvent] = [
            .told(.subscribed, on: 0, Self.month), .told(.gracePeriodEntered, on: 30, Self.month, .grace(until: 46)),
            .told(.billingRetryEntered, on: 36, Self.month),
            .told(.recovered, on: 40, .sold("t2", from: 40, to: 70)),
            .told(.billingRetryEntered, on: 70, .sold("t2", from: 40, to: 70)),
        ]
        var random = SplitMix64(seed: 22)
        let inOrder = Self.failed(life)
        #expect(inOrder.map(\.transactionID) == ["t1", "t2"])
        for _ in 0..<50 {
            life.shuffle(using: &random)
            #expect(Self.failed(life + life.prefix(2)) == inOrder)
        }
    }

    private static func failed(_ events: [StoreEvent]) -> [FailedCharge] {
        let history = SubscriptionHistory(events)
        return history.replay().failedCharges(of: history.events)
    }
}
