import Billing
import Foundation
import Testing

@Suite("refund requests")
struct RefundTests {
    /// What each step makes of each status; what is not named is refused.
    static let table: [Refund.Status: [String: Refund.Status]] = [
        .pending: [
            "approve": .approved, "reject": .rejected, "declineByStore": .rejected, "cancel": .cancelled,
            "expire": .expired,
        ],
        .approved: [
            "process": .processed, "declineByStore": .rejected, "cancel": .cancelled, "expire": .expired,
        ],
        .processed: [:], .rejected: [:], .cancelled: [:], .expired: [:],
    ]
    static let steps: [(name: String, step: Refund.Step)] = [
        ("approve", .approve(.yuan(40))), ("reject", .reject), ("declineByStore", .declineByStore), ("cancel", .cancel),
        ("process", .process(.yuan(40))), ("expire", .expire),
    ]

    @Test("each step leads where the table says, and nowhere else", arguments: Refund.Status.allCases)
    func transitions(_ status: Refund.Status) throws {
        let allowed = try #require(Self.table[status])
        for (name, step) in Self.steps {
            let before = Refund(kind: .partial, status: status, requested: .yuan(40))
            var refund = before
            if let after = allowed[name] {
                try refund.take(step)
                #expect(refund.status == after, "\(status) \(name)")
            } else {
                let error = #expect(throws: RefundRefused.self, "\(status) \(name)") { try refund.take(step) }
                #expect(error?.code == .notPossible(status))
                #expect(refund == before)
            }
        }
        #expect(status.isOpen == !allowed.isEmpty)
    }

    @Test("an approval is of something, at most of what was asked for, in its currency")
    func approvedAmount() throws {
        let asked = Refund(kind: .full, requested: .yuan(40))
        for (amount, code) in [
            (Money.yuan(41), RefundRefused.Code.aboveRequested(.yuan(40))), (.yuan(0), .amountNotPositive),
            (Money(minorUnits: -1, currency: .cny), .amountNotPositive),
            (Money(minorUnits: 1, currency: .named("USD")), .aboveRequested(.yuan(40))),
        ] {
            var refund = asked
            #expect(throws: RefundRefused.self) { try refund.take(.approve(amount)) }
            do { try refund.take(.approve(amount)) } catch { #expect(error.code == code, "\(amount)") }
            #expect(refund == asked)
        }
        var refund = asked
        try refund.take(.approve(.yuan(30)))
        try refund.take(.process(.yuan(30)))
        #expect(refund.approved == .yuan(30))
        #expect(refund.processed == .yuan(30))
    }

    @Test("numbers read back as they are written, and no other text is one")
    func numbers() {
        for sequence in [1, 77, 999_999, 1_000_000, 12_345_678] {
            #expect(RefundNumber(RefundNumber(sequence).description) == RefundNumber(sequence))
        }
        #expect(RefundNumber(1).description == "RF-000001")
        #expect(RefundNumber(1_000_000).description == "RF-1000000")
        for text in ["", "RF-", "RF-1", "RF-000000", "rf-000001", "RF-0000001", "RF-00000１", "ORD-000001", "RF-+00001"]
        {
            #expect(RefundNumber(text) == nil, "\(text)")
        }
    }

    @Test(
        "only what was charged and is left can be asked for",
        arguments: [
            (OrderStatus.completed, Int64(128), Int64(0), Int64(0), nil),
            (.partiallyRefunded, 128, 40, 0, nil), (.partiallyRefunded, 128, 40, 87, nil),
            (.partiallyRefunded, 128, 40, 88, .nothingLeft), (.refunded, 128, 128, 0, .nothingLeft),
            (.completed, 128, 0, 128, .nothingLeft), (.completed, 0, 0, 0, .notCharged),
            (.pending, 128, 0, 0, .notCharged), (.failed, 128, 0, 0, .notCharged), (.cancelled, 128, 0, 0, .notCharged),
        ] as [(OrderStatus, Int64, Int64, Int64, RefundRefused.Code?)]
    )
    func eligibility(
        _ status: OrderStatus,
        _ amount: Int64,
        _ refunded: Int64,
        _ held: Int64,
        _ rejectionReason: RefundRefused.Code?
    ) {
        let order = RefundableOrder.yuan(amount, refunded: refunded, held: held, status)
        do throws(RefundRefused) {
            let full = try order.amount(for: .full, chosen: nil, at: .day(10))
            #expect(rejectionReason == nil)
            #expect(full == .yuan(amount - refunded - held))
        } catch {
            #expect(error.code == rejectionReason)
        }
    }

    @Test("a partial amount is more than nothing, at most what is left, and in the order's currency")
    func partial() throws {
        let order = RefundableOrder.yuan(128, refunded: 40, held: 30)
        #expect(try order.amount(for: .partial, chosen: .yuan(58), at: .day(10)) == .yuan(58))
        for (chosen, code) in [
            (Money(minorUnits: 5_801, currency: .cny), RefundRefused.Code.aboveLeft(.yuan(58))),
            (.yuan(0), .amountNotPositive), (Money(minorUnits: 1, currency: .named("USD")), .otherCurrency),
        ] {
            do throws(RefundRefused) {
                _ = try order.amount(for: .partial, chosen: chosen, at: .day(10))
                Issue.record("\(chosen) was taken")
            } catch { #expect(error.code == code) }
        }
        #expect(throws: RefundRefused.self) { try order.amount(for: .partial, chosen: nil, at: .day(10)) }
    }

    @Test("the unused share goes by the second, and is rounded once")
    func proration() throws {
        let year = RefundableOrder.yuan(128, days: 365)
        let start = try year.proration(at: .day(0))
        #expect((start.amount, start.unusedDays, start.totalDays) == (.yuan(128), 365, 365))
        let late = try year.proration(at: .day(11))
        // 128.00 × 354 / 365 = 124.142…
        #expect((late.amount.decimalText, late.unusedDays) == ("124.14", 354))
        #expect(!late.isLimited)
        let half = try RefundableOrder.yuan(1, days: 2).proration(at: .day(1))
        #expect(half.amount.decimalText == "0.50")
        let yen = RefundableOrder(
            status: .completed,
            amount: Money(minorUnits: 301, currency: .named("JPY")),
            refunded: .zero(.named("JPY")),
            held: .zero(.named("JPY")),
            periodStartsAt: .day(0),
            periodEndsAt: .day(30)
        )
        // 150.5 yen: half a yen goes to the customer.
        #expect(try yen.proration(at: .day(15)).amount.minorUnits == 151)
    }

    /// The amount that earlier periods paid of the price; what a later one took of it; what is refunded and held; then what is left of 10.00, and the
    /// unused half of the price, where there is one.
    @Test(
        "what an upgrade took off its price is not left of the charge, and the share is of the whole price",
        arguments: [
            (in: 0, out: 0, refunded: 0, held: 0, left: 10, half: 5), (0, 10, 0, 0, 0, nil), (0, 4, 0, 0, 6, 5),
            (0, 4, 3, 0, 3, 3), (18, 0, 0, 0, 10, 10), (2, 0, 0, 0, 10, 6), (18, 14, 0, 0, 10, 10),
            (18, 28, 0, 0, 0, nil), (18, 20, 0, 0, 8, 8), (18, 20, 8, 0, 0, nil), (18, 20, 0, 3, 5, 5),
            (18, 0, 10, 0, 0, nil),
        ] as [(in: Int64, out: Int64, refunded: Int64, held: Int64, left: Int64, half: Int64?)]
    )
    func carried(row: (in: Int64, out: Int64, refunded: Int64, held: Int64, left: Int64, half: Int64?)) {
        var order = RefundableOrder.yuan(10, refunded: row.refunded, held: row.held, days: 30)
        (order.carriedIn, order.carriedOut) = (.yuan(row.in), .yuan(row.out))
        #expect(order.left == .yuan(row.left), "\(row)")
        #expect((try? order.proration(at: .day(15)))?.amount == row.half.map { .yuan($0) }, "\(row)")
    }

    @Test("what was given back before, or is asked for elsewhere, limits the share")
    func limitedProration() throws {
        let proration = try RefundableOrder.yuan(128, refunded: 100, held: 20, days: 365).proration(at: .day(11))
        #expect(proration.amount == .yuan(8))
        #expect(proration.share.decimalText == "124.14")
        #expect(proration.isLimited)
    }

    @Test("nothing is unused of what is over, and no share is of what does not run")
    func noProration() {
        for (order, day, code) in [
            (RefundableOrder.yuan(128, days: 365), 365.0, RefundRefused.Code.periodOver),
            (.yuan(128, days: 365), 400, .periodOver),
            (.yuan(128, days: 365), 364.99999, .periodOver), (.yuan(128, days: nil), 10, .noPeriod),
        ] {
            do throws(RefundRefused) {
                _ = try order.proration(at: .day(day))
                Issue.record("a share of \(order) on day \(day)")
            } catch { #expect(error.code == code, "day \(day)") }
        }
    }

    @Test("a prorated refund is never above what is left, never below a unit, and never grows with time")
    func prorationProperties() {
        var random = SplitMix64(seed: 8)
        for _ in 0..<5_000 {
            let amount = Int64.random(in: 1...1_000_000, using: &random)
            let refunded = Int64.random(in: 0..<amount, using: &random)
            let order = RefundableOrder(
                status: refunded == 0 ? .completed : .partiallyRefunded,
                amount: Money(minorUnits: amount, currency: .cny),
                refunded: Money(minorUnits: refunded, currency: .cny),
                held: Money(minorUnits: Int64.random(in: 0..<(amount - refunded), using: &random), currency: .cny),
                periodStartsAt: .day(0),
                periodEndsAt: .day(Double.random(in: 0.1...400, using: &random))
            )
            var last = order.left.minorUnits
            for day in stride(from: -1.0, to: 401, by: 13.7) {
                guard let proration = try? order.proration(at: .day(day)) else {
                    last = 0
                    continue
                }
                #expect((1...last).contains(proration.amount.minorUnits), "\(order) on day \(day)")
                last = proration.amount.minorUnits
            }
        }
    }
}

extension RefundableOrder {
    static func yuan(
        _ amount: Int64,
        refunded: Int64 = 0,
        held: Int64 = 0,
        _ status: OrderStatus? = nil,
        days: Double? = 30
    ) -> RefundableOrder {
        RefundableOrder(
            status: status ?? (refunded == 0 ? .completed : .partiallyRefunded),
            amount: .yuan(amount),
            refunded: .yuan(refunded),
            held: .yuan(held),
            periodStartsAt: .day(0),
            periodEndsAt: days.map { .day($0) }
        )
    }
}
