import Billing
import Foundation
import Testing

@Suite("refunds booked by hand beside the store's")
struct ManualRefundTests {
    static let sold = StoreTransaction.sold("t1", from: 0, to: 365, for: .yuan(128))
    static let bought = StoreEvent.told(.subscribed, on: 0, sold)

    /// The store's refunds (day and percent, nil for all) of a charge of 128.00, as the fold has them.
    static func order(_ refunds: [(Double, Int?)], reversedOn day: Double? = nil) throws -> BookedOrder {
        var events = [bought]
        events += refunds.map {
            .told(.refunded, on: $0.0, sold.takenBack(on: $0.0, milliPercent: $0.1.map { $0 * 1_000 }))
        }
        if let day { events.append(.told(.refundReversed, on: day, sold)) }
        return try SubscriptionHistory(events).replay().order("t1")
    }

    static func hand(
        _ number: String,
        _ yuan: Int64,
        on day: Double,
        by payer: RefundPayer = .store,
        confirmedBy reference: String? = nil
    ) -> ManualRefund {
        ManualRefund(
            number: number,
            amount: .yuan(yuan),
            bookedAt: .day(day),
            payer: payer,
            confirmedBy: reference
        )
    }

    @Test("the store's message about money that was booked by hand books nothing twice")
    func sameMoney() throws {
        let order = try Self.order([(20, 50)])
        let hand = Self.hand("RF-1", 64, on: 21)
        let settled = order.settlements(stored: ["charge", hand.reference], hand: [hand], approved: [])
        #expect(settled.map(\.number) == ["RF-1"])
        #expect(settled.first?.meaning == .confirms)
        let confirmed = Self.hand("RF-1", 64, on: 21, confirmedBy: settled[0].reference)
        let ledger = order.including([confirmed])
        #expect(ledger.refunded == .yuan(64))
        #expect(ledger.status == .partiallyRefunded)
        let stored = ["charge": Money.yuan(128), hand.reference: .yuan(-64)]
        #expect(ledger.entries(missingFrom: stored, dueTo: Self.bought).isEmpty)
        // Told again, it is known.
        #expect(order.settlements(stored: stored.keys, hand: [confirmed], approved: []).isEmpty)
    }

    @Test("money paid elsewhere stays apart from the store's: paid out twice, it is booked twice, and people are told")
    func elsewhere() throws {
        let order = try Self.order([(20, nil)])
        let hand = Self.hand("RF-1", 40, on: 10, by: .elsewhere)
        #expect(order.settlements(stored: ["charge", hand.reference], hand: [hand], approved: []).isEmpty)
        let ledger = order.including([hand])
        #expect(ledger.refunded == .yuan(168))
        #expect(ledger.overpaid == .yuan(40))
        #expect(ledger.status == .refunded)
        #expect(ledger.entries.map(\.amount) == [.yuan(128), .yuan(-40), .yuan(-128)])
    }

    @Test("a store that gave back more than was booked adds the rest; one that gave less is believed")
    func otherAmounts() throws {
        let full = try Self.order([(20, nil)])
        let reference = try #require(full.entries.last?.reference)
        let more = full.including([Self.hand("RF-1", 40, on: 21, confirmedBy: reference)])
        #expect(more.refunded == .yuan(128))
        #expect(more.entries.last?.amount == .yuan(-40))
        #expect(more.entries.dropFirst().map(\.amount.minorUnits).sorted() == [-8_800, -4_000])
        let half = try Self.order([(20, 25)])
        let less = half.including([
            Self.hand("RF-1", 40, on: 21, confirmedBy: try #require(half.entries.last?.reference))
        ])
        #expect(less.refunded == .yuan(32))
        let stored = ["charge": Money.yuan(128), "request:RF-1": .yuan(-40)]
        let corrections = less.entries(missingFrom: stored, dueTo: Self.bought)
        #expect(corrections.map(\.reference) == ["request:RF-1:corrected-1"])
        #expect(corrections.map(\.amount) == [.yuan(8)])
        #expect(corrections.map(\.kind) == [.refundReversal])
    }

    @Test(
        "a reversal takes back what the store gave, the part booked by hand included, and not what was paid elsewhere"
    )
    func reversal() throws {
        let order = try Self.order([(20, nil)], reversedOn: 40)
        let reference = try #require(order.entries.first { $0.kind == .refund }?.reference)
        let ledger = order.including([
            Self.hand("RF-1", 40, on: 21, confirmedBy: reference), Self.hand("RF-2", 8, on: 15, by: .elsewhere),
        ])
        #expect(ledger.refunded == .yuan(8))
        #expect(ledger.entries.last?.amount == .yuan(128))
        // What is booked after a reversal is not eaten by what was given before it.
        let after = order.including([Self.hand("RF-3", 128, on: 50, by: .elsewhere)])
        #expect(after.entries.map(\.amount) == [.yuan(128), .yuan(-128), .yuan(128), .yuan(-128)])
    }

    @Test("a refund settles the request of its amount, else the oldest it is large enough for")
    func settlement() throws {
        func approved(_ number: String, _ yuan: Int64, on day: Double) -> ApprovedRefund {
            ApprovedRefund(number: number, amount: .yuan(yuan), requestedAt: .day(day))
        }
        let half = try Self.order([(20, 50)])
        let table: [([ApprovedRefund], [ManualRefund], [String])] = [
            ([approved("A", 40, on: 1), approved("B", 64, on: 2)], [], ["B 64.00 processes"]),
            ([approved("A", 30, on: 1), approved("B", 20, on: 2)], [], ["A 30.00 processes", "B 34.00 processes"]),
            ([approved("A", 128, on: 1)], [], ["A 64.00 processes"]),
            ([approved("A", 40, on: 1)], [Self.hand("H", 64, on: 3)], ["H 64.00 confirms"]),
            ([approved("A", 64, on: 1)], [Self.hand("H", 30, on: 3)], ["A 64.00 processes"]),
            ([approved("A", 34, on: 1)], [Self.hand("H", 30, on: 3)], ["H 30.00 confirms", "A 34.00 processes"]),
            ([approved("A", 64, on: 30)], [], ["A 64.00 processes"]), ([approved("A", 40, on: 30)], [], []),
            ([], [Self.hand("H", 64, on: 3, by: .elsewhere)], []), ([], [], []),
        ]
        for (approved, hand, expected) in table {
            let settled = half.settlements(stored: ["charge"], hand: hand, approved: approved)
            #expect(settled.map { "\($0.number) \($0.amount.decimalText) \($0.meaning)" } == expected)
        }
        let known = half.entries.map(\.reference)
        #expect(half.settlements(stored: known, hand: [], approved: [approved("A", 64, on: 1)]).isEmpty)
    }

    @Test("without anything booked by hand the books are the store's")
    func nothingByHand() throws {
        let order = try Self.order([(20, 50), (30, nil)], reversedOn: 40)
        #expect(order.including([]) == order)
    }

    @Test("whatever the store says and people book, in any order: each the charge at most, and stored sums follow")
    func conservation() throws {
        for seed in UInt64(0)..<3_000 {
            var random = SplitMix64(seed: seed)
            var events: [StoreEvent] = []
            for index in 0..<Int.random(in: 0...3, using: &random) {
                let day = Double(Int.random(in: 1...60, using: &random)) + Double(index) / 10
                let percent = [nil, 25, 40, 50].randomElement(using: &random) ?? nil
                events.append(
                    random.happens(25)
                        ? .told(.refundReversed, on: day, Self.sold)
                        : .told(
                            .refunded,
                            on: day,
                            Self.sold.takenBack(on: day, milliPercent: percent.map { $0 * 1_000 })
                        )
                )
            }
            var ledger = TestLedger()
            ledger.hear(Self.bought)
            for step in 0..<Int.random(in: 1...3, using: &random) + events.count {
                if !events.isEmpty, random.happens(60) {
                    ledger.hear(events.remove(at: Int.random(in: 0..<events.count, using: &random)))
                } else {
                    let payer = RefundPayer.allCases.randomElement(using: &random) ?? .store
                    let yuan = [16, 32, 64, 128].randomElement(using: &random) ?? 16
                    ledger.book(
                        "RF-\(step)",
                        Int64(yuan),
                        on: Double(Int.random(in: 1...60, using: &random)),
                        by: payer
                    )
                }
                let sum = ledger.stored.values.reduce(0) { $0 + $1.minorUnits }
                #expect((-12_800...12_800).contains(sum), "seed \(seed): \(ledger.stored)")
                #expect(sum == ledger.expected.kept.minorUnits, "seed \(seed)")
                #expect(ledger.expected.refunded.minorUnits == 12_800 - sum, "seed \(seed)")
            }
        }
    }
}

/// The ledger of one order as the database would hold it: rows are added, never changed.
private struct TestLedger {
    var history = SubscriptionHistory([])
    var stored: [String: Money] = [:]
    var hand: [ManualRefund] = []
    var expected = BookedOrder(
        transactionID: "t1",
        productID: "p",
        amount: .yuan(128),
        purchasedAt: .day(0),
        periodStartsAt: .day(0),
        periodEndsAt: nil,
        storefront: nil,
        entries: []
    )

    mutating func hear(_ event: StoreEvent) {
        history.insert(event)
        guard let told = history.replay().books.orders.first else { return }
        for settled in told.settlements(stored: stored.keys, hand: hand, approved: []) {
            guard let index = hand.firstIndex(where: { $0.number == settled.number }) else { continue }
            hand[index].confirmedBy = settled.reference
        }
        expected = told.including(hand)
        for entry in expected.entries(missingFrom: stored, dueTo: event) { stored[entry.reference] = entry.amount }
    }

    /// Books what a person paid, unless more was given back already than that leaves.
    mutating func book(_ number: String, _ yuan: Int64, on day: Double, by payer: RefundPayer) {
        guard expected.kept.minorUnits >= yuan * 100 else { return }
        let refund = ManualRefundTests.hand(number, yuan, on: day, by: payer)
        hand.append(refund)
        stored[refund.reference] = refund.entry.amount
        guard let told = history.replay().books.orders.first else { return }
        expected = told.including(hand)
    }
}
