import Billing
import Foundation
import Testing

/// What must hold for every life, tried on many.
@Suite("properties of histories")
struct HistoryPropertyTests {
    static let seeds: Range<UInt64> = 0..<1_500

    @Test("a repeated event changes nothing")
    func duplicates() {
        for seed in Self.seeds {
            let events = PlausibleLife(seed: seed).events
            var random = SplitMix64(seed: ~seed)
            var history = SubscriptionHistory(events)
            let once = history.replay()
            for event in events.shuffled(using: &random) {
                let isNew = history.insert(event)
                #expect(!isNew, "seed \(seed)")
            }
            #expect(history.replay().says(once), "seed \(seed)")
        }
    }

    @Test("the order of arrival never matters: one by one, replayed after each, in any order")
    func permutations() {
        for seed in Self.seeds {
            let events = PlausibleLife(seed: seed).events
            let told = SubscriptionHistory(events).replay()
            var random = SplitMix64(seed: ~seed)
            var history = SubscriptionHistory([])
            var arrived: SubscriptionHistory.Outcome?
            for event in events.shuffled(using: &random) {
                history.insert(event)
                arrived = history.replay()
            }
            #expect(arrived?.says(told) == true, "seed \(seed)")
            #expect(SubscriptionHistory(events.reversed()).replay().says(told), "seed \(seed)")
        }
    }

    @Test("no access without a period, or grace, that the store sold and that is not over")
    func noAccessAfterTheEnd() {
        for seed in Self.seeds {
            let events = PlausibleLife(seed: seed).events
            let outcome = SubscriptionHistory(events).replay()
            var random = SplitMix64(seed: ~seed)
            for _ in 0..<20 {
                let now = Date.day(Double.random(in: -10...900, using: &random))
                guard outcome.subscription.hasAccess(at: now) else { continue }
                let isCovered = events.contains { event in
                    // Of a grace period without an end of its own.
                    let isOpen = event.kind == .gracePeriodEntered && event.renewal?.gracePeriodEndsAt == nil
                    let longest = event.transaction.expiresAt?.addingTimeInterval(Subscription.longestGracePeriod)
                    let ends = [
                        event.transaction.expiresAt, event.renewal?.gracePeriodEndsAt, isOpen ? longest : nil,
                    ].compactMap { $0 }
                    return event.transaction.kind != .consumable && (ends.isEmpty || ends.contains { $0 > now })
                }
                #expect(isCovered, "seed \(seed) at \(now)")
            }
        }
    }

    @Test("what the store took back or ended gives no access, whatever the time")
    func noAccessAfterTheLastWord() {
        var tried = 0
        for seed in Self.seeds {
            let history = SubscriptionHistory(PlausibleLife(seed: seed).events)
            let outcome = history.replay()
            guard
                let event = history.events.last, let step = outcome.steps.last, step.rejectionReason == nil,
                [.refunded, .revoked, .expired].contains(event.kind),
                outcome.subscription.transactionID == event.transaction.id
            else { continue }
            tried += 1
            for day in stride(from: 0.0, to: 900, by: 50) {
                #expect(!outcome.subscription.hasAccess(at: .day(day)), "seed \(seed) on day \(day)")
            }
        }
        #expect(tried > 50)
    }

    @Test(
        "money is conserved: charges less refunds and credits is what is kept, never below zero or above the charge"
    )
    func money() throws {
        for seed in Self.seeds {
            let orders = SubscriptionHistory(PlausibleLife(seed: seed).events).replay().books.orders
            for order in orders {
                var left: Int64 = 0
                for (index, entry) in order.entries.enumerated() {
                    let amount = entry.amount.minorUnits
                    #expect(entry.amount.currency == order.amount.currency, "seed \(seed)")
                    switch entry.kind {
                    case .initialPurchase, .renewal, .upgrade, .downgrade:
                        #expect(index == 0 && amount == order.amount.minorUnits, "seed \(seed): one charge, first")
                    case .refund, .revoke: #expect(amount < 0, "seed \(seed)")
                    case .refundReversal: #expect(amount > 0, "seed \(seed)")
                    case .upgradeCredit:
                        #expect(amount < 0 && index == order.entries.count - 1, "seed \(seed): one credit, last")
                        #expect(order.supersession?.at == entry.occurredAt, "seed \(seed)")
                    case .upgradeCreditReversal: Issue.record("seed \(seed): only a correction takes a credit back")
                    }
                    left += amount
                    #expect((0...order.amount.minorUnits).contains(left), "seed \(seed): \(order)")
                }
                #expect(order.kept.minorUnits == left, "seed \(seed)")
                #expect(
                    order.refunded.minorUnits + order.credited.minorUnits == order.amount.minorUnits - left,
                    "seed \(seed)"
                )
                #expect(Set(order.entries.map(\.reference)).count == order.entries.count, "seed \(seed)")
            }
            for (currency, orders) in Dictionary(grouping: orders, by: \.amount.currency) {
                let charged = try Money.sum(orders.map(\.amount), in: currency)
                let refunded = try Money.sum(orders.map(\.refunded), in: currency)
                let credited = try Money.sum(orders.map(\.credited), in: currency)
                let kept = try Money.sum(orders.map(\.kept), in: currency)
                #expect(try charged - refunded - credited == kept, "seed \(seed)")
            }
        }
    }

    @Test("a ledger whose rows are never changed ends with the same sums, whatever the order of arrival")
    func ledgerConverges() {
        var (corrections, reversals) = (0, 0)
        for seed in Self.seeds {
            var random = SplitMix64(seed: ~seed)
            // A history is of one subscription, and a transaction has one price.
            let events = PlausibleLife(seed: seed).events.filter { event in
                ["t1", "m1"].contains(event.transaction.originalID) && event.store == .apple
                    && event.environment == .production
                    && event.transaction.price?.currency.code != "JPY"
            }
            var history = SubscriptionHistory([])
            var ledger: [String: [String: Money]] = [:]
            for event in events.shuffled(using: &random) {
                history.insert(event)
                let orders = history.replay().books.orders
                #expect(ledger.keys.allSatisfy { id in orders.contains { $0.transactionID == id } }, "seed \(seed)")
                for order in orders {
                    var rows = ledger[order.transactionID, default: [:]]
                    for row in order.entries(missingFrom: rows, dueTo: event) {
                        #expect(
                            rows.updateValue(row.amount, forKey: row.reference) == nil,
                            "seed \(seed): written twice"
                        )
                        let isNegative = row.kind == .refund || row.kind == .upgradeCredit
                        #expect(isNegative == (row.amount.minorUnits < 0), "seed \(seed): \(row)")
                        if row.kind == .upgradeCreditReversal { reversals += 1 }
                        if row.reference.contains(":corrected-") { corrections += 1 }
                    }
                    ledger[order.transactionID] = rows
                    let kept = rows.values.reduce(0) { $0 + $1.minorUnits }
                    #expect(kept == order.kept.minorUnits, "seed \(seed): \(rows)")
                }
            }
        }
        #expect(corrections > 20, "the lives must need corrections")
        #expect(reversals > 5, "the lives must take credits back")
    }

    @Test(
        "there is one order for each transaction that a taken event charges, at a price that was told of it, and no other"
    )
    func ordersAreTheCharges() {
        for seed in Self.seeds {
            let history = SubscriptionHistory(PlausibleLife(seed: seed).events)
            let outcome = history.replay()
            var (charged, free): (Set<String>, Set<String>) = ([], [])
            var prices: [String: Set<Money>] = [:]
            for (event, step) in zip(history.events, outcome.steps) where step.rejectionReason == nil {
                let transaction = event.transaction
                if let price = transaction.price { prices[transaction.id, default: []].insert(price) }
                guard event.kind.charges, !transaction.isFamilyShared else { continue }
                charged.insert(transaction.id)
                if transaction.offer?.isFreeTrial == true { free.insert(transaction.id) }
            }
            let expected = charged.filter { !free.contains($0) || prices[$0] != nil }
            #expect(Set(outcome.books.orders.map(\.transactionID)) == expected, "seed \(seed)")
            #expect(outcome.books.orders.count == expected.count, "seed \(seed)")
            for order in outcome.books.orders {
                let told = prices[order.transactionID, default: []]
                #expect(order.isPriced ? told.contains(order.amount) : told.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test("a refused event leaves no trace: without it the outcome is the same")
    func refusedLeavesNoTrace() {
        var refused = 0
        for seed in Self.seeds {
            let history = SubscriptionHistory(PlausibleLife(seed: seed).events)
            let all = history.replay()
            let taken = zip(history.events, all.steps).filter { $1.rejectionReason == nil }.map(\.0)
            refused += history.events.count - taken.count
            let without = SubscriptionHistory(taken).replay()
            #expect(without.subscription == all.subscription, "seed \(seed)")
            #expect(without.books == all.books, "seed \(seed)")
            #expect(without.rejections.isEmpty, "seed \(seed)")
            for step in all.steps where step.rejectionReason != nil {
                #expect(step.before == step.after, "seed \(seed)")
            }
        }
        #expect(refused > 500, "the lives must hold enough that cannot be")
    }

    @Test("between events time only takes access away, and every state is passed once")
    func monotone() {
        for seed in Self.seeds {
            let subscription = SubscriptionHistory(PlausibleLife(seed: seed).events).replay().subscription
            var random = SplitMix64(seed: ~seed)
            let moments = (0..<30).map { _ in Date.day(Double.random(in: -10...900, using: &random)) }.sorted()
            var passed: [Subscription.State] = []
            for now in moments {
                let state = subscription.state(at: now)
                if passed.last != state { passed.append(state) }
                #expect(
                    subscription.hasAccess(at: now) == (subscription.hasAccess && now < subscription.end),
                    "seed \(seed)"
                )
            }
            #expect(Set(passed).count == passed.count, "seed \(seed): \(passed)")
            let ranks = passed.map(\.lateness)
            #expect(ranks == ranks.sorted(), "seed \(seed): \(passed)")
        }
    }

    @Test("the lives are not all alike: they reach every state, every word of the ledger and every warning but one")
    func lives() {
        var states: Set<Subscription.State> = []
        var words: Set<LedgerEntry.Kind> = []
        var warnings: Set<EventWarning> = []
        var statuses: Set<OrderStatus> = []
        for seed in Self.seeds {
            let outcome = SubscriptionHistory(PlausibleLife(seed: seed).events).replay()
            states.formUnion(outcome.steps.map(\.after))
            warnings.formUnion(outcome.steps.flatMap(\.warnings))
            words.formUnion(outcome.books.orders.flatMap { $0.entries.map(\.kind) })
            statuses.formUnion(outcome.books.orders.map(\.status))
        }
        #expect(states == Set(Subscription.State.allCases))
        #expect(warnings.union([.waitingRefundDropped]) == Set(EventWarning.allCases))
        #expect(words == [.initialPurchase, .renewal, .upgrade, .refund, .refundReversal, .upgradeCredit])
        #expect(statuses == [.pending, .completed, .partiallyRefunded, .refunded, .superseded])
    }
}

extension SubscriptionHistory.Outcome {
    /// Whether two outcomes say the same, step by step.
    fileprivate func says(_ other: SubscriptionHistory.Outcome) -> Bool {
        subscription == other.subscription && books == other.books
            && steps.elementsEqual(other.steps) { left, right in
                left.eventID == right.eventID && left.before == right.before && left.after == right.after
                    && left.rejectionReason?.code == right.rejectionReason?.code && left.warnings == right.warnings
            }
    }
}

extension Subscription {
    /// Whether the state gives access before its end comes.
    fileprivate var hasAccess: Bool { [.trial, .active, .gracePeriod, .cancelled].contains(state) }
    fileprivate var end: Date { accessEndsAt ?? .distantFuture }
}

extension Subscription.State {
    /// How far on the way from access to the end.
    fileprivate var lateness: Int {
        switch self {
        case .pending, .trial, .active, .cancelled: 0
        case .gracePeriod: 1
        case .billingRetry: 2
        case .paused, .expired, .trialExpired, .revoked: 3
        }
    }
}
