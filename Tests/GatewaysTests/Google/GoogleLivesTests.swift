import Billing
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import Gateways

@Suite("Lives at Google Play: which subscription, state, orders and access follow") struct GoogleLivesTests {
    /// The events of a life, told as it happens.
    private struct Told {
        var events: [StoreEvent] = []
        var seen = 0

        mutating func hear(_ store: GoogleStore) async throws {
            for push in store.google.pushes.dropFirst(seen) { events += try await store.meaning(of: push) }
            seen = store.google.pushes.count
        }

        var outcome: SubscriptionHistory.Outcome { SubscriptionHistory(events).replay() }
        var charged: [Int64] { outcome.books.orders.map(\.amount.minorUnits) }
        var refunded: Int64 { outcome.books.orders.reduce(0) { $0 + $1.refunded.minorUnits } }
    }

    private func original(_ store: GoogleStore, _ token: String) throws -> String {
        try #require(store.google.purchase(token)?.orders.first)
    }

    @Test("a trial becomes a paid subscription of the same name") func trial() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly, trial: 7)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .trial)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(7)
            store.google.renew(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .active)
            #expect(told.charged.filter { $0 > 0 } == [999])
            #expect(Set(told.events.map(\.transaction.originalID)) == [try original(store, token)])
        }
    }

    @Test("grace goes on to hold, and a late payment opens the next period") func failing() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            try await told.hear(store)
            let paidUntil = try #require(told.outcome.subscription.periodEndsAt)
            store.days(30)
            store.google.failCharge(token, grace: 7)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .gracePeriod)
            #expect(told.outcome.subscription.periodEndsAt == paidUntil)
            #expect(told.outcome.subscription.gracePeriodEndsAt == paidUntil.addingTimeInterval(7 * 86_400))
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(7)
            store.google.hold(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .billingRetry)
            #expect(!told.outcome.subscription.hasAccess(at: store.now))
            store.days(5)
            store.google.renew(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .active)
            #expect(told.outcome.subscription.periodStartsAt == store.now)
            #expect(told.charged == [999, 999])
        }
    }

    @Test("a paused one has no access, and goes on with its next payment") func paused() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            store.google.planPause(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(30)
            store.google.pause(token, days: 14)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .paused)
            #expect(!told.outcome.subscription.hasAccess(at: store.now))
            store.days(14)
            store.google.renew(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .active)
            #expect(told.outcome.steps.allSatisfy { $0.rejectionReason == nil })
        }
    }

    @Test("an upgrade is the same subscription under its first name, and nothing is given back for the rest")
    func upgrade() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let first = store.google.buy(GoogleStore.basic, account: GoogleStore.ada?.uuidString)
            store.days(10)
            let second = store.google.change(first, to: GoogleStore.yearly)
            store.days(1)
            let third = store.google.change(second, to: GoogleStore.monthly)
            try await told.hear(store)
            let outcome = told.outcome
            #expect(outcome.subscription.productID == "pro:monthly")
            #expect(outcome.subscription.state == .active)
            #expect(outcome.steps.allSatisfy { $0.rejectionReason == nil })
            #expect(told.charged.sorted() == [499, 999, 9_999])
            #expect(told.refunded == 0)
            #expect(outcome.books.orders.allSatisfy { $0.supersession == nil })
            let links = told.events.compactMap(\.transaction.previousOriginalID)
            #expect(Set(links) == [try original(store, first), try original(store, second)])
            #expect(told.events.last { $0.kind == .upgraded }?.transaction.originalID == (try original(store, third)))
        }
    }

    @Test("a downgrade waits for the period's end, and is of the same subscription") func downgrade() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            store.days(10)
            let next = store.google.changeLater(token, to: GoogleStore.basic)
            try await told.hear(store)
            #expect(told.events.last?.kind == .downgradeScheduled)
            #expect(told.outcome.subscription.productID == "pro:monthly")
            #expect(told.outcome.subscription.nextProductID == "basic:monthly")
            #expect(told.charged == [999])
            store.days(20)
            store.google.renew(next)
            try await told.hear(store)
            #expect(told.outcome.subscription.productID == "basic:monthly")
            #expect(told.charged == [999, 499])
        }
    }

    @Test("what is bought again after its end is a subscription of its own, of the same account") func again()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            store.google.cancel(token)
            store.days(30)
            store.google.expire(token)
            store.days(10)
            let inApp = store.google.buy(GoogleStore.monthly, account: GoogleStore.ada?.uuidString)
            let event = try #require(try await store.newest().first)
            #expect(event.kind == .subscribed)
            #expect(event.transaction.originalID == (try original(store, inApp)))
            #expect(event.transaction.previousOriginalID == nil)
            #expect(event.transaction.customerToken == GoogleStore.ada)
            store.google.buy(GoogleStore.monthly, expired: token)
            let outside = try #require(try await store.newest().first)
            #expect(outside.kind == .resubscribed)
            #expect(outside.transaction.previousOriginalID == nil)
        }
    }

    @Test("a revoked one gives money back and no access") func revoked() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            try await told.hear(store)
            store.days(5)
            store.google.revoke(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .revoked)
            #expect(told.outcome.subscription.endedAt == store.now)
            #expect(!told.outcome.subscription.hasAccess(at: store.now))
            #expect(told.refunded == 999)
        }
    }

    @Test("a refund without revoking gives money back and leaves access, until something else ends it")
    func refundWithoutRevoking() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            try await told.hear(store)
            let order = try original(store, token)
            store.days(5)
            store.google.refund(order, revoking: false)
            // Google tells nobody; it is found by asking.
            #expect(store.google.pushes.count == told.seen)
            let source = try #require(try store.gateway.reconciliation(of: store.account))
            let standing = try #require(
                try await source.events(of: order, besides: [order], in: .production, at: store.now)
            )
            told.events += standing.events
            #expect(told.refunded == 999)
            #expect(told.outcome.subscription.state == .active)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(1)
            store.google.cancel(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .cancelled)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(24)
            store.google.expire(token)
            try await told.hear(store)
            #expect(told.outcome.subscription.state == .expired)
            #expect(told.outcome.subscription.endedAt == told.outcome.subscription.periodEndsAt)
            #expect(told.refunded == 999)
        }
    }

    @Test("access that is taken later, after money was given back without that, ends then") func revokedLater()
        async throws
    {
        try await GoogleStore.run { store in
            var told = Told()
            let token = store.google.buy(GoogleStore.monthly)
            let order = try original(store, token)
            store.days(5)
            store.google.refund(order, revoking: false)
            try await told.hear(store)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
            store.days(5)
            store.google.revoke(token)
            try await told.hear(store)
            #expect(!told.outcome.subscription.hasAccess(at: store.now))
            #expect(told.refunded == 999)
        }
    }

    @Test("a refund of a part is a part, to the minor unit") func partialRefund() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly)
            var told = Told()
            try await told.hear(store)
            let order = try original(store, token)
            store.google.refundPart(order, Money(minorUnits: 333, currency: GoogleStore.eur))
            let source = try #require(try store.gateway.reconciliation(of: store.account))
            store.days(1)
            told.events += [try #require(try await source.transaction(order, in: .production, at: store.now))]
            #expect(told.refunded == 333)
            #expect(told.outcome.subscription.hasAccess(at: store.now))
        }
    }

    @Test("prepaid time is topped up, and is one subscription") func prepaid() async throws {
        try await GoogleStore.run { store in
            var told = Told()
            let first = store.google.buy(GoogleStore.monthly, isPrepaid: true)
            store.days(20)
            store.google.buy(GoogleStore.monthly, linked: first, isPrepaid: true)
            try await told.hear(store)
            #expect(told.outcome.steps.allSatisfy { $0.rejectionReason == nil })
            #expect(told.charged == [999, 999])
            #expect(told.events.allSatisfy { $0.transaction.kind == .nonRenewing })
            #expect(told.outcome.subscription.hasAccess(at: store.now.addingTimeInterval(29 * 86_400)))
            #expect(!told.outcome.subscription.renewsAutomatically)
        }
    }

    @Test("each item of a purchase is a subscription of its own, with the order's share of it") func addOns()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(
                GoogleStore.monthly,
                account: GoogleStore.ada?.uuidString,
                addOns: [GoogleStore.extra]
            )
            let events = try await store.newest()
            let order = try original(store, token)
            #expect(events.map(\.transaction.originalID) == [order, "\(order):extra"])
            #expect(events.map(\.transaction.price?.minorUnits) == [999, 199])
            #expect(Set(events.map(\.id)).count == 2)
            #expect(events.allSatisfy { $0.transaction.customerToken == GoogleStore.ada })
            // The main item goes on under its name when the other is dropped.
            store.google.dropAddOns(token)
            store.days(30)
            store.google.renew(token)
            #expect(try await store.newest().map(\.transaction.originalID) == [order])
        }
    }

    @Test("a tester's purchase is of the sandbox") func tester() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly, isTest: true)
            let events = try await store.newest()
            #expect(events.map(\.environment) == [.sandbox])
        }
    }

    @Test("messages lost, doubled, late and in any order come to the same state, access and books") func disturbed()
        async throws
    {
        for seed in 1...UInt64(TestScale.rounds(300, sampled: 12)) {
            try await GoogleStore.run { store in
                var random = SeededRandom(seed: seed)
                var whole = Told()
                let token = try await Self.live(store, &random) { try await whole.hear(store) }
                var disturbed: [StoreEvent] = []
                for push in store.google.pushes.shuffled(using: &random) {
                    for _ in 0..<Int.random(in: 0...2, using: &random) {
                        disturbed += try await store.meaning(of: push)
                    }
                }
                let source = try #require(try store.gateway.reconciliation(of: store.account))
                store.days(0.01)
                let original = try original(store, token)
                let last = try await store.reader.events(ofToken: token)
                for var told in [whole.events, disturbed] {
                    told += last
                    let known = Set(told.map(\.transaction.id))
                    told +=
                        try await source.events(of: original, besides: known, in: .production, at: store.now)?.events
                        ?? []
                    let outcome = SubscriptionHistory(told).replay()
                    #expect(
                        outcome.subscription.hasAccess(at: store.now)
                            == whole.outcome.subscription.hasAccess(at: store.now)
                    )
                    #expect(
                        Set(outcome.books.orders.map { "\($0.transactionID) \($0.amount) \($0.refunded)" })
                            == Set(
                                SubscriptionHistory(whole.events + last).replay().books.orders.map {
                                    "\($0.transactionID) \($0.amount) \($0.refunded)"
                                }
                            ),
                        "seed \(seed)"
                    )
                }
            }
        }
    }

    /// A life of some months, by chance.
    private static func live(
        _ store: GoogleStore,
        _ random: inout SeededRandom,
        _ hear: () async throws -> Void
    ) async throws -> String {
        let token = store.google.buy(GoogleStore.monthly, trial: Bool.random(using: &random) ? 7 : 0)
        try await hear()
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            guard let purchase = store.google.purchase(token), let end = purchase.expiresAt else { break }
            if end > store.now { store.clock.advance(by: end.timeIntervalSince(store.now)) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                store.google.failCharge(token, grace: 3)
                try await hear()
                store.days(3)
                store.google.hold(token)
                try await hear()
                store.days(2)
            case 1:
                store.google.pause(token, days: 10)
                try await hear()
                store.days(10)
            case 2:
                if let order = purchase.orders.last { store.google.refund(order, revoking: false) }
            default: break
            }
            store.google.renew(token)
            try await hear()
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            store.days(2)
            store.google.revoke(token)
        case 1:
            store.google.cancel(token)
            try await hear()
            if let end = store.google.purchase(token)?.expiresAt {
                store.clock.advance(by: max(0, end.timeIntervalSince(store.now)))
            }
            store.google.expire(token)
        case 2: store.google.cancel(token)
        default: break
        }
        try await hear()
        return token
    }
}
