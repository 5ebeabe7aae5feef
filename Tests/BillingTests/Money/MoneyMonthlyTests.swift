import Billing
import Testing

@Suite("prices made monthly")
struct MoneyMonthlyTests {
    @Test(
        "months are exact, weeks and days go by 30.436875 days a month, rounded half away from zero",
        arguments: [
            (1_000, BillingPeriod(1, .month), 1_000),
            (1_000, BillingPeriod(1, .week), 4_348),
            (1_000, BillingPeriod(2, .week), 2_174),
            (1_000, BillingPeriod(7, .day), 4_348),
            (1_000, BillingPeriod(1, .day), 30_437),
            (9_900, BillingPeriod(1, .year), 825),
            (10_000, BillingPeriod(1, .year), 833),
            (10_000, BillingPeriod(3, .month), 3_333),
            (20_000, BillingPeriod(3, .month), 6_667),
            (9_999, BillingPeriod(2, .month), 5_000),
            (6, BillingPeriod(1, .year), 1),
            (5, BillingPeriod(1, .year), 0),
            (0, BillingPeriod(1, .week), 0),
        ]
    )
    func monthly(price: Int64, length: BillingPeriod, expected: Int64) {
        let money = Money(minorUnits: price, currency: .cny)
        #expect(money.monthly(every: length)?.minorUnits == expected)
    }

    @Test("what no amount can hold is nothing")
    func outOfRange() {
        #expect(Money(minorUnits: .max, currency: .cny).monthly(every: BillingPeriod(1, .day)) == nil)
    }
}
