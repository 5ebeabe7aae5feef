import Foundation
import Testing

@testable import Billing

@Suite("A period is bought at a store that renews nothing")
struct PeriodPurchaseTests {
    private static let pro = Plan(code: "PRO", rank: 1)
    private static let max = Plan(code: "MAX", rank: 2)
    private static let shanghai = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
    private static let now = date("2026-03-31T08:00:00Z")

    @Test("who holds nothing begins now and pays the whole price")
    func first() throws {
        let purchase = try buy(Self.pro, .month, 1_800)
        #expect(purchase.startsAt == Self.now)
        // The month after 31 March has no 31st.
        #expect(purchase.endsAt == Self.date("2026-04-30T08:00:00Z"))
        #expect(purchase.credits.isEmpty)
        #expect(purchase.amount == Self.yuan(1_800))
    }

    @Test("the same plan is stacked on the end of all that is held of it, at whatever store")
    func stacked() throws {
        let held = [
            Self.held(Self.pro, "2026-03-10T00:00:00Z", "2026-04-10T00:00:00Z", 1_800),
            Self.held(Self.pro, "2026-04-10T00:00:00Z", "2026-05-10T00:00:00Z", nil),
        ]
        let purchase = try buy(Self.pro, .month, 1_800, holding: held)
        #expect(purchase.startsAt == Self.date("2026-05-10T00:00:00Z"))
        #expect(purchase.endsAt == Self.date("2026-06-10T00:00:00Z"))
        #expect(purchase.amount == Self.yuan(1_800))
    }

    @Test("what is over counts for nothing")
    func over() throws {
        let held = [Self.held(Self.max, "2026-02-28T08:00:00Z", "2026-03-31T08:00:00Z", 3_000)]
        #expect(try buy(Self.pro, .month, 1_800, holding: held).startsAt == Self.now)
    }

    @Test("a higher plan begins at once, and each lower period that was paid to us comes off its price")
    func upgrade() throws {
        let held = [
            // 15 of 30 days are unused.
            Self.held(Self.pro, "2026-03-16T08:00:00Z", "2026-04-15T08:00:00Z", 1_801),
            // All of it is unused.
            Self.held(Self.pro, "2026-04-15T08:00:00Z", "2026-05-15T08:00:00Z", 1_800),
        ]
        let purchase = try buy(Self.max, .year, 29_800, holding: held)
        #expect(purchase.startsAt == Self.now)
        #expect(purchase.endsAt == Self.date("2027-03-31T08:00:00Z"))
        #expect(purchase.price == Self.yuan(29_800))
        #expect(purchase.credits.map(\.amount) == [Self.yuan(901), Self.yuan(1_800)])
        #expect(purchase.amount == Self.yuan(29_800 - 901 - 1_800))
    }

    @Test("a lower period whose money another store has takes nothing off")
    func elsewhere() throws {
        let held = [Self.held(Self.pro, "2026-03-16T08:00:00Z", "2026-04-15T08:00:00Z", nil)]
        let purchase = try buy(Self.max, .month, 3_000, holding: held)
        #expect(purchase.startsAt == Self.now)
        #expect(purchase.amount == Self.yuan(3_000))
    }

    @Test("a lower plan is refused until the higher one ends, with the day")
    func downgrade() {
        let held = [
            Self.held(Self.max, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", 3_000),
            Self.held(Self.max, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", 3_000),
        ]
        #expect(throws: PurchaseRefused.higherPlanRuns(Self.max, until: Self.date("2026-05-01T00:00:00Z"))) {
            try buy(Self.pro, .month, 1_800, holding: held)
        }
    }

    @Test("nobody pays twice for a plan that a store renews")
    func renewing() throws {
        var held = Self.held(Self.pro, "2026-03-10T00:00:00Z", "2026-04-10T00:00:00Z", nil)
        held.renews = true
        #expect(throws: PurchaseRefused.renewsByItself(Self.pro, at: Self.date("2026-04-10T00:00:00Z"))) {
            try buy(Self.pro, .month, 1_800, holding: [held])
        }
        #expect(try buy(Self.max, .month, 3_000, holding: [held]).startsAt == Self.now)
    }

    @Test("a period that is worth no more than what is left of the running one is refused, and nothing is lost")
    func worthLess() {
        let held = [Self.held(Self.pro, "2026-03-31T08:00:00Z", "2027-03-31T08:00:00Z", 19_800)]
        #expect(throws: PurchaseRefused.worthLess(than: Self.yuan(19_800))) {
            try buy(Self.max, .month, 3_000, holding: held)
        }
        #expect(throws: PurchaseRefused.worthLess(than: Self.yuan(19_800))) {
            try buy(Self.max, .month, 19_800, holding: held)
        }
        #expect(throws: Never.self) { try buy(Self.max, .month, 19_801, holding: held) }
    }

    @Test("yuan are not taken off euros")
    func currency() {
        var held = Self.held(Self.pro, "2026-03-16T08:00:00Z", "2026-04-15T08:00:00Z", 1_800)
        held.value = Money(minorUnits: 499, currency: Self.euro)
        #expect(throws: PurchaseRefused.otherCurrency(Self.euro)) { try buy(Self.max, .year, 29_800, holding: [held]) }
    }

    @Test("years are not stacked without end, and a period without end is none", arguments: [1, 500, Int.max])
    func furthest(count: Int) {
        let held = [Self.held(Self.pro, "2026-03-10T00:00:00Z", "2035-12-31T00:00:00Z", 1_800)]
        #expect(throws: PurchaseRefused.tooFarAhead) {
            try PeriodPurchase(
                of: .init(plan: Self.pro, period: BillingPeriod(count, .year), price: Self.yuan(1)),
                holding: held,
                at: Self.now,
                in: Self.shanghai
            )
        }
    }

    /// By whole numbers, with the rounding of people: half a fen and more is a fen.
    @Test("an upgrade on any second of a year, leap or not, is priced to the fen", arguments: [2027, 2028])
    func anySecond(year: Int) throws {
        var random = SplitMix64(seed: UInt64(year))
        let start = Self.date("\(year - 1)-06-15T00:00:00Z")
        let end = BillingPeriod(1, .year).end(from: start, in: Self.shanghai)
        let total = Int64(end.timeIntervalSince(start))
        #expect(total == (year == 2028 ? 366 : 365) * 86_400)
        for _ in 0..<1_000 {
            let elapsed = Int64.random(in: 0..<total, using: &random)
            let paid = Int64.random(in: 1...50_000, using: &random)
            let price = Int64.random(in: 50_001...100_000, using: &random)
            let held = HeldPeriod(plan: Self.pro, startsAt: start, endsAt: end, renews: false, value: Self.yuan(paid))
            let purchase = try PeriodPurchase(
                of: .init(plan: Self.max, period: .year, price: Self.yuan(price)),
                holding: [held],
                at: start.addingTimeInterval(TimeInterval(elapsed)),
                in: Self.shanghai
            )
            let credit = (2 * paid * (total - elapsed) + total) / (2 * total)
            #expect(purchase.amount == Self.yuan(price - credit))
            #expect(purchase.credits.map(\.amount.minorUnits) == (credit > 0 ? [credit] : []))
        }
    }

    @Test("months that are bought one by one end on the day of the first, where the month has it")
    func monthsInARow() throws {
        var held = HeldPeriod(
            plan: Self.pro,
            startsAt: Self.date("2027-01-31T04:00:00Z"),
            endsAt: Self.date("2027-02-28T04:00:00Z"),
            renews: false,
            value: Self.yuan(1_800),
            anchoredAt: Self.date("2027-01-31T04:00:00Z")
        )
        for end in ["2027-03-31T04:00:00Z", "2027-04-30T04:00:00Z", "2027-05-31T04:00:00Z"] {
            let bought = try PeriodPurchase(
                of: .init(plan: Self.pro, period: .month, price: Self.yuan(1_800)),
                holding: [held],
                at: Self.date("2027-02-01T00:00:00Z"),
                in: Self.shanghai
            )
            #expect(bought.startsAt == held.endsAt && bought.endsAt == Self.date(end))
            (held.startsAt, held.endsAt) = (bought.startsAt, bought.endsAt)
        }
        // A leap day comes back with the next leap year, and what begins in the middle of a month is left alone.
        held.anchoredAt = Self.date("2024-02-29T04:00:00Z")
        held.endsAt = Self.date("2027-02-28T04:00:00Z")
        let year = BillingPeriod.year.end(from: held.endsAt, anchoredAt: held.anchoredAt, in: Self.shanghai)
        #expect(year == Self.date("2028-02-29T04:00:00Z"))
        let middle = BillingPeriod.month.end(
            from: Self.date("2027-03-10T04:00:00Z"),
            anchoredAt: Self.date("2027-01-31T04:00:00Z"),
            in: Self.shanghai
        )
        #expect(middle == Self.date("2027-04-10T04:00:00Z"))
    }

    private func buy(
        _ plan: Plan,
        _ period: BillingPeriod,
        _ price: Int64,
        holding held: [HeldPeriod] = []
    ) throws -> PeriodPurchase {
        try PeriodPurchase(
            of: .init(plan: plan, period: period, price: Self.yuan(price)),
            holding: held.reversed(),
            at: Self.now,
            in: Self.shanghai
        )
    }

    private static func held(_ plan: Plan, _ start: String, _ end: String, _ value: Int64?) -> HeldPeriod {
        HeldPeriod(
            plan: plan,
            startsAt: date(start),
            endsAt: date(end),
            renews: false,
            value: value.map { yuan($0) }
        )
    }

    private static let euro = Currency("EUR") ?? .unknown

    private static func yuan(_ fen: Int64) -> Money {
        Money(minorUnits: fen, currency: Currency("CNY") ?? .unknown)
    }

    private static func date(_ text: String) -> Date {
        (try? Date(text, strategy: .iso8601)) ?? .distantPast
    }
}

extension BillingPeriod {
    fileprivate static let month = BillingPeriod(1, .month)
    fileprivate static let year = BillingPeriod(1, .year)
}
