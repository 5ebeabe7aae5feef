import Foundation
import Testing

@testable import Billing

@Suite("A period is paid")
struct PaidPeriodTests {
    private static let pro = Plan(code: "PRO", rank: 1)
    private static let max = Plan(code: "MAX", rank: 2)

    @Test("it begins as it is paid, and lasts a month")
    func first() {
        let period = paid(1_800, Self.pro)
        #expect(period.startsAt == .day(0) && period.endsAt == .day(31))
        #expect(period.credits.isEmpty && period.covered.minorUnits == 1_800)
    }

    @Test("two that were paid at once follow each other, whichever is settled first")
    func twice() {
        let first = paid(1_800, Self.pro)
        let second = paid(
            1_800,
            Self.pro,
            holding: [Self.held(Self.pro, first.startsAt, first.endsAt, 1_800)],
            at: -0.001
        )
        #expect(second.startsAt == first.endsAt)
        #expect(second.endsAt == .day(59))
    }

    @Test("a lower plan that was paid while a higher one runs begins after it: nothing that was paid is lost")
    func downgrade() {
        let period = paid(1_800, Self.pro, holding: [Self.held(Self.max, .day(-5), .day(25), 3_000)])
        #expect(period.startsAt == .day(25) && period.credits.isEmpty)
    }

    @Test("an upgrade ends the lower periods that were taken off its price")
    func upgrade() {
        let held = Self.held(Self.pro, .day(-15), .day(15), 1_800)
        let period = paid(2_100, Self.max, 3_000, holding: [held])
        #expect(period.startsAt == .day(0) && period.endsAt == .day(31))
        #expect(period.credits.map(\.period) == [held] && period.credits.map(\.amount.minorUnits) == [900])
        #expect(period.covered.minorUnits == 3_000)
    }

    @Test("a credit is that of the moment at which the order was opened, however late it is paid")
    func late() {
        let held = Self.held(Self.pro, .day(-15), .day(15), 1_800)
        let period = paid(2_100, Self.max, 3_000, holding: [held], openedAt: 0, at: 10)
        #expect(period.endsAt == .day(41) && period.covered.minorUnits == 3_000)
    }

    @Test("a credit that another order has used shortens the period to what was paid for")
    func usedTwice() {
        let first = Self.held(Self.max, .day(0), .day(31), 2_100)
        let period = paid(1_500, Self.max, 3_000, holding: [first])
        #expect(period.startsAt == .day(31))
        // Half of the 28 days of February.
        #expect(period.endsAt == .day(45) && period.covered.minorUnits == 1_500)
    }

    @Test("a lower period that was bought after the order was opened pays for more time, and none of it is lost")
    func boughtMeanwhile() {
        let held = Self.held(Self.pro, .day(0), .day(31), 1_500)
        let period = paid(3_000, Self.max, 3_000, holding: [held], at: 0.01)
        #expect(period.credits.map(\.amount.minorUnits) == [1_500] && period.covered.minorUnits == 4_500)
        // The month of 31 days, and half of it.
        #expect(period.endsAt.timeIntervalSince(period.startsAt) == 46.5 * 86_400)
    }

    @Test("credits that could pay for centuries pay for no more than any period may last")
    func centuries() {
        let held = Self.held(Self.pro, .day(0), .day(31), .max)
        let period = paid(1, Self.max, 1, holding: [held])
        #expect(period.endsAt.timeIntervalSince(period.startsAt) <= PeriodPurchase.furthest)
        #expect(period.covered.minorUnits < 200)
    }

    @Test("beside something owned for ever it runs at once, and people are told", arguments: [1, 2])
    func endless(rank: Int) throws {
        let end = try Date("2999-12-31T00:00:00Z", strategy: .iso8601)
        let endless = Self.held(Plan(code: "OWNED", rank: rank), .day(-100), end, nil)
        let period = paid(1_800, Self.pro, holding: [endless])
        #expect(period.startsAt == .day(0) && period.endsAt == .day(31) && period.isBesideTheEndless)
        #expect(!paid(1_800, Self.max, holding: [Self.held(Self.pro, .day(-100), end, nil)]).isBesideTheEndless)
    }

    @Test("what another store was paid for is neither ended nor taken off")
    func elsewhere() {
        let held = Self.held(Self.pro, .day(-15), .day(15), nil)
        #expect(paid(3_000, Self.max, 3_000, holding: [held]).credits.isEmpty)
    }

    private func paid(
        _ amount: Int64,
        _ plan: Plan,
        _ price: Int64 = 1_800,
        holding held: [HeldPeriod] = [],
        openedAt: Double = 0,
        at day: Double = 0
    ) -> PaidPeriod {
        PaidPeriod(
            paying: Money(minorUnits: amount, currency: .cny),
            of: PeriodPurchase.Offer(
                plan: plan,
                period: BillingPeriod(1, .month),
                price: Money(minorUnits: price, currency: .cny)
            ),
            openedAt: .day(openedAt),
            holding: held,
            at: .day(day),
            in: .gmt
        )
    }

    private static func held(_ plan: Plan, _ start: Date, _ end: Date, _ fen: Int64?) -> HeldPeriod {
        HeldPeriod(
            plan: plan,
            startsAt: start,
            endsAt: end,
            renews: false,
            value: fen.map { Money(minorUnits: $0, currency: .cny) }
        )
    }
}
