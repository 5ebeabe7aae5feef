import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("What Google Play tells nobody, or told in vain, is found by asking") struct GoogleLostTests {
    /// The events that somebody has who asked for the subscription once a day, beside those that were pushed.
    private struct Books {
        var events: [StoreEvent] = []

        var outcome: SubscriptionHistory.Outcome { SubscriptionHistory(events).replay() }
        var refunded: [String: Int64] {
            let orders = outcome.books.orders.filter { $0.refunded.minorUnits != 0 }
            return Dictionary(orders.map { ($0.transactionID, $0.refunded.minorUnits) }) { first, _ in first }
        }

        mutating func hear(_ store: GoogleStore) async throws { events += try await store.newest() }

        mutating func ask(_ store: GoogleStore, about original: String) async throws {
            let source = try #require(try store.gateway.reconciliation(of: store.account))
            events +=
                try await source.events(
                    of: original,
                    by: events.filter { $0.purchaseToken != nil }.max { $0.signedAt < $1.signedAt }?.purchaseToken,
                    besides: Set(events.map(\.transaction.id)),
                    in: .production,
                    at: store.now
                )?.events ?? []
        }
    }

    private func first(_ store: GoogleStore, _ token: String) throws -> String {
        try #require(store.google.purchase(token)?.orders.first)
    }

    @Test(
        "a refund without revoking is found after later renewals too, once, and the renewals stay",
        arguments: [0, 1, 2, 5, 11]
    )
    func refundBeforeRenewals(renewals: Int) async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buy(GoogleStore.monthly)
            try await books.hear(store)
            let order = try first(store, token)
            store.days(29)
            store.google.refund(order, revoking: false)
            store.days(1)
            for _ in 0..<renewals {
                store.google.renew(token)
                try await books.hear(store)
                store.days(30)
            }
            for _ in 0..<2 {
                try await books.ask(store, about: order)
                #expect(books.refunded == [order: 999])
                store.days(1)
            }
            #expect(books.outcome.books.orders.count == renewals + 1)
            #expect(books.outcome.subscription.state == .active)
        }
    }

    @Test("so is one of the purchase whose place another took") func refundBeforeUpgrade() async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buy(GoogleStore.basic)
            try await books.hear(store)
            let order = try first(store, token)
            store.google.refund(order, revoking: false)
            store.days(1)
            let next = store.google.change(token, to: GoogleStore.monthly)
            for push in store.google.pushes.dropFirst() { books.events += try await store.meaning(of: push) }
            store.days(1)
            try await books.ask(store, about: order)
            #expect(books.refunded == [order: 499])
            #expect(books.outcome.subscription.productID == "pro:monthly")
            #expect(books.outcome.books.orders.map(\.transactionID) == [order, try first(store, next)])
        }
    }

    @Test("renewals of which no message came are found behind two changes of plans, and are of the one subscription")
    func chain() async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buy(GoogleStore.basic)
            try await books.hear(store)
            let order = try first(store, token)
            store.days(30)
            store.google.renew(token)
            store.days(5)
            let second = store.google.change(token, to: GoogleStore.monthly)
            store.days(5)
            let third = store.google.change(second, to: GoogleStore.yearly)
            books.events += try await store.reader.events(ofToken: third)
            let expected = [order, "\(order)..0", try first(store, second), try first(store, third)]
            #expect(books.outcome.books.orders.map(\.transactionID) == expected)
            #expect(books.outcome.steps.allSatisfy { $0.rejectionReason == nil })
            #expect(books.outcome.subscription.productID == "pro:yearly")
            // Known events are not told again.
            store.days(1)
            let count = books.events.count
            try await books.ask(store, about: order)
            #expect(books.events.count == count + 1)
        }
    }

    @Test("an order of which nothing was told but that it was taken back is booked, with those before it")
    func voidedBeforeTold() async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buy(GoogleStore.monthly)
            try await books.hear(store)
            let order = try first(store, token)
            for _ in 0..<2 {
                store.days(30)
                store.google.renew(token)
            }
            store.days(3)
            store.google.revoke(token)
            // The newest push says that the order was voided.
            try await books.hear(store)
            let ids = [order, "\(order)..0", "\(order)..1"]
            #expect(books.outcome.books.orders.map(\.transactionID) == ids)
            #expect(books.refunded == [ids[2]: 999])
            #expect(books.outcome.subscription.state == .revoked)
            #expect(books.outcome.steps.allSatisfy { $0.rejectionReason == nil && $0.warnings.isEmpty })
        }
    }

    /// A subscription that was paid for until day 30, put off until day 40, and revoked.
    struct Revocation: Sendable, CustomTestStringConvertible {
        var day: Double
        var isRefunded: Bool
        var isTold: Bool
        var testDescription: String { "on day \(day), refunded: \(isRefunded), told: \(isTold)" }

        static let all = [12.0, 35.0].flatMap { day in
            [false, true].flatMap { isRefunded in
                [false, true].map { Revocation(day: day, isRefunded: isRefunded, isTold: $0) }
            }
        }
    }

    @Test("revoked after a deferral it gives no access, whether that was told or is found", arguments: Revocation.all)
    func revokedAfterDeferral(row: Revocation) async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buy(GoogleStore.monthly)
            try await books.hear(store)
            let order = try first(store, token)
            store.google.postpone(token, days: 10)
            try await books.hear(store)
            store.days(row.day)
            store.google.revoke(token, refunding: row.isRefunded)
            if row.isTold {
                for push in store.google.pushes.dropFirst(2) { books.events += try await store.meaning(of: push) }
            }
            store.days(0.5)
            try await books.ask(store, about: order)
            #expect(books.outcome.subscription.state == .revoked)
            #expect(!books.outcome.subscription.hasAccess(at: store.now))
            #expect(books.refunded == (row.isRefunded ? [order: 999] : [:]))
            #expect(books.outcome.steps.allSatisfy { $0.rejectionReason == nil })
        }
    }

    @Test(
        "of a trial that was cancelled, and of whose end alone Google told, the end is the same as with every message"
    )
    func endedTrial() async throws {
        try await GoogleStore.run { store in
            var (whole, part) = (Books(), Books())
            let token = store.google.buy(GoogleStore.monthly, trial: 7)
            try await whole.hear(store)
            store.days(1)
            store.google.cancel(token)
            try await whole.hear(store)
            store.days(6)
            store.google.expire(token)
            try await whole.hear(store)
            part.events = try await store.newest()
            #expect(whole.outcome.subscription.state == .expired)
            #expect(part.outcome.subscription.state == .expired)
            #expect(part.outcome.subscription.endReason == whole.outcome.subscription.endReason)
        }
    }

    @Test("a change that waits for the period's end is acknowledged by its own token, whatever the orders name")
    func deferredChange() async throws {
        for movesOrders in [true, false] {
            try await GoogleStore.run { store in
                var books = Books()
                let token = store.google.buy(GoogleStore.monthly)
                try await books.hear(store)
                let order = try first(store, token)
                let server = try #require(try store.gateway.acknowledgements(of: store.account))
                func known(_ event: StoreEvent?) throws -> KnownPurchase {
                    let event = try #require(event)
                    return KnownPurchase(event.transaction.id, token: event.purchaseToken)
                }
                #expect(try await server.acknowledge(known(books.events.last), isDelivered: true) == .told)
                store.days(10)
                let next = store.google.changeLater(token, to: GoogleStore.basic, movesOrders: movesOrders)
                try await books.hear(store)
                let event = try #require(books.events.last)
                #expect(event.awaitsAcknowledgement == true)
                #expect(event.purchaseToken == next)
                #expect(event.acknowledgeBy == store.now.addingTimeInterval(3 * 86_400))
                #expect(try await server.acknowledge(known(event), isDelivered: true) == .told)
                #expect(store.google.purchase(next)?.isAcknowledged == true)
                // Its renewals, of which no message came, are found by its token as well.
                store.days(20)
                store.google.renew(next)
                store.days(1)
                try await books.ask(store, about: order)
                #expect(books.outcome.subscription.productID == "basic:monthly")
                #expect(books.outcome.books.orders.map(\.amount.minorUnits) == [999, 499])
            }
        }
    }

    @Test("after a change of plans the renewal of the new purchase is turned off, and never that of the old one for it")
    func cancelledAfterUpgrade() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.basic)
            let order = try first(store, token)
            let next = store.google.change(token, to: GoogleStore.monthly)
            let server = try #require(try store.gateway.renewals(of: store.account))
            let lost = await store.failure { _ = try await server.cancelRenewal(of: KnownPurchase(order)) }
            #expect(lost != nil && lost?.refusal == nil)
            #expect(store.google.purchase(next)?.state == "ACTIVE")
            let newest = KnownPurchase(try first(store, next))
            let byToken = KnownPurchase(order, token: next)
            for known in [byToken, newest] {
                let event = try await server.cancelRenewal(of: known)
                #expect(event.kind == .autoRenewDisabled)
                #expect(event.transaction.id == newest.transactionID)
                #expect(store.google.purchase(next)?.state == "CANCELED")
            }
        }
    }

    @Test("a trial of which Google says no total waits to be acknowledged, and costs nothing") func trialWithoutTotal()
        async throws
    {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, trial: 7)
            store.google.leaveOutTotal(ofOrder: try first(store, token))
            let event = try #require(try await store.newest().first)
            #expect(event.awaitsAcknowledgement == true)
            #expect(event.transaction.offer?.isFreeTrial == true)
            #expect(event.transaction.price == Money.zero(GoogleStore.eur))
            #expect(SubscriptionHistory([event]).replay().books.orders.map(\.amount.minorUnits) == [0])
        }
    }

    @Test("a part of a large order that was given back is booked by its amount, and not by its share")
    func partByAmount() async throws {
        try await GoogleStore.run { store in
            let rupiah = try #require(Currency("IDR"))
            var books = Books()
            let token = store.google.buyOnce("book", Money(minorUnits: 149_000_000, currency: rupiah))
            try await books.hear(store)
            let order = try first(store, token)
            store.days(1)
            store.google.refundPart(order, Money(minorUnits: 12_345_678, currency: rupiah))
            store.days(1)
            try await books.ask(store, about: order)
            #expect(books.refunded == [order: 12_345_678])
        }
    }

    @Test(
        "the items of an order bear what was given back of it, and together they bear the very amount",
        arguments: [1, 83, 84, 500, 599, 1_001, 1_197] as [Int64]
    )
    func partOfSeveral(units: Int64) async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, addOns: [GoogleStore.extra])
            let order = try first(store, token)
            store.google.refundPart(order, Money(minorUnits: units, currency: GoogleStore.eur))
            for _ in 0..<2 {
                let events = try await store.reader.events(ofToken: token)
                let given = events.compactMap(\.transaction.revocation?.amount?.minorUnits)
                #expect(given.count == 2)
                #expect(given.reduce(0) { $0 + $1 } == units)
                #expect(zip(events, given).allSatisfy { $0.transaction.price?.minorUnits ?? 0 >= $1 && $1 >= 0 })
                store.google.turnLines(ofOrder: order)
            }
        }
    }

    @Test("a product that was bought once and given back without revoking is found by asking, and stays its buyer's")
    func quietRefundOfOnce() async throws {
        try await GoogleStore.run { store in
            var books = Books()
            let token = store.google.buyOnce("book", Money(minorUnits: 900, currency: GoogleStore.eur))
            try await books.hear(store)
            let order = try first(store, token)
            store.days(40)
            store.google.refund(order, revoking: false)
            for _ in 0..<2 {
                store.days(1)
                try await books.ask(store, about: order)
                #expect(books.refunded == [order: 900])
                #expect(books.outcome.subscription.hasAccess(at: store.now))
            }
        }
    }

    @Test("some of several pieces that were given back are a part, and before Google says how many they are nothing")
    func partialVoid() async throws {
        try await GoogleStore.run { store in
            let price = Money(minorUnits: 900, currency: GoogleStore.eur)
            var books = Books()
            let token = store.google.buyOnce("coins", price, pieces: 3)
            try await books.hear(store)
            let order = try first(store, token)
            store.days(1)
            store.google.voidPieces(order, 0)
            let early = await store.failure { _ = try await store.newest() }
            #expect(early != nil && early?.refusal == nil)
            store.google.voidPieces(order, 1)
            try await books.hear(store)
            #expect(books.refunded == [order: 300])
            // The order's own word is the same, and changes nothing.
            store.google.refundPart(order, Money(minorUnits: 300, currency: GoogleStore.eur))
            store.days(1)
            try await books.hear(store)
            #expect(books.refunded == [order: 300])
            #expect(books.outcome.subscription.state != .revoked)
        }
    }
}
