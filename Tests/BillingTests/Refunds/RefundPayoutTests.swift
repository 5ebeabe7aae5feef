import Billing
import Foundation
import Testing

@Suite("A refund that a store pays") struct RefundPayoutTests {
    /// The effect of each of a store's words in each state: the letter of the state it leads to, `.` for none.
    private static let heard = """
        .           W  S  U  P  $  C  A  R  X
        processing  P  P  P  .  .  .  P  P  .
        succeeded   $  $  $  $  .  $  $  $  $
        closed      C  C  C  C  .  .  C  C  .
        abnormal    A  A  A  A  .  .  .  A  .
        """
    /// The effect of each step of ours in each state.
    private static let done = """
        .           W  S  U  P  $  C  A  R  X
        send        S  .  .  .  .  .  .  .  .
        refuse      R  R  .  .  .  .  .  .  .
        leave       .  U  .  .  .  .  .  .  .
        sendAgain   .  .  S  .  .  .  .  .  .
        settle      .  .  .  .  .  .  P  .  .
        withdraw    X  .  X  .  .  X  X  X  .
        """
    private static let letters: [(String, RefundPayout.State)] = [
        ("W", .waiting), ("S", .sent), ("U", .unpaid), ("P", .processing), ("$", .paid), ("C", .closed),
        ("A", .abnormal),
        ("R", .refused), ("X", .withdrawn),
    ]

    @Test("hears what the store says of it, in every state") func hearing() throws {
        try Self.check(Self.heard, rows: StoreRefundStanding.State.allCases.map(\.rawValue)) { payout, word in
            payout.hear(try #require(StoreRefundStanding.State(rawValue: word)))
        }
    }

    @Test("is sent, refused and withdrawn where that is possible, and nowhere else") func doing() throws {
        try Self.check(Self.done, rows: ["send", "refuse", "leave", "sendAgain", "settle", "withdraw"]) {
            payout,
            word in
            switch word {
            case "send": payout.send()
            case "refuse": payout.refuse()
            case "leave": payout.leave()
            case "sendAgain": payout.sendAgain()
            case "settle": payout.settle()
            case _: payout.withdraw()
            }
        }
    }

    @Test("may be paid by hand or cancelled only where the store has not paid and will not") func byHand() {
        for (_, state) in Self.letters {
            #expect(!(state.isOutcomeOpen && (state.allowsPayingByHand || state.allowsCancelling)), "\(state)")
            #expect(!state.allowsCancelling || state.allowsPayingByHand, "\(state)")
        }
        #expect(!RefundPayout.State.paid.allowsPayingByHand && !RefundPayout.State.paid.allowsCancelling)
        #expect(RefundPayout.State.abnormal.allowsPayingByHand && !RefundPayout.State.abnormal.allowsCancelling)
    }

    @Test("waits its minute, and is not sent where the store pays no such refund") func limits() {
        func step(
            _ state: RefundPayout.State = .waiting,
            _ fen: Int64 = 100,
            count: Int = 1,
            sent: Double = 0,
            at now: Double = 1,
            limits: RefundLimits = Store.wechat.rules.refundLimits
        ) -> RefundPayout.Step {
            RefundPayout(state).step(
                of: Money(minorUnits: fen, currency: .cny),
                from: Money(minorUnits: 1_800, currency: .cny),
                purchasedAt: .day(0),
                after: EarlierPayouts(count: count, lastSentAt: .day(sent)),
                within: limits,
                at: .day(now)
            )
        }
        #expect(step() == .send)
        #expect(step(at: 30.0 / 86_400) == .wait(until: .day(60.0 / 86_400)))
        #expect(step(at: 60.0 / 86_400) == .send)
        #expect(step(count: 49) == .send && step(count: 50) == .refuse(.tooMany))
        #expect(step(at: 365) == .send && step(at: 365.001) == .refuse(.tooOld))
        #expect(step(.waiting, 100, limits: Store.google.rules.refundLimits) == .refuse(.wholeOrdersOnly))
        #expect(step(.waiting, 1_800, limits: Store.google.rules.refundLimits) == .send)
        // A refund that was sent is asked for, whatever the limits are by then.
        for state in [RefundPayout.State.sent, .processing, .abnormal] {
            #expect(step(state, count: 60, at: 900) == .ask, "\(state)")
        }
        for state in [RefundPayout.State.unpaid, .paid, .closed, .refused, .withdrawn] {
            #expect(step(state) == .nothing, "\(state)")
        }
    }

    @Test("is left to people after a day of the store's word that it paid nothing, whose last hour nothing was sent in")
    func unpaid() {
        for (hours, next) in [
            (-1.0, UnpaidPayout.send), (0, .send), (22.99, .send), (23, .wait), (23.99, .wait), (24, .leave),
            (1_000, .leave),
        ] {
            #expect(UnpaidPayout(since: .day(0), at: .day(hours / 24)) == next, "after \(hours) hours")
        }
    }

    private static func check(
        _ table: String,
        rows: [String],
        _ act: (inout RefundPayout, String) throws -> Bool
    ) throws {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines[0].dropFirst() == letters.map(\.0)[...])
        #expect(lines.dropFirst().map { $0[0] }.sorted() == rows.sorted())
        for line in lines.dropFirst() {
            for ((_, state), cell) in zip(letters, line.dropFirst()) {
                var payout = RefundPayout(state)
                let changed = try act(&payout, line[0])
                let expected = cell == "." ? state : try #require(letters.first { $0.0 == cell }?.1)
                #expect(payout.state == expected, "\(line[0]) in \(state)")
                #expect(changed == (cell != "."), "\(line[0]) in \(state)")
            }
        }
    }
}
