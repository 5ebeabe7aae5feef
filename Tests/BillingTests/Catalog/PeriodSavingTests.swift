import Billing
import Testing

@Suite("What a longer period saves") struct PeriodSavingTests {
    @Test("a year is held against twelve months, and the share is rounded down")
    func year() {
        let saving = PeriodSaving(of: lira(99_999), every: BillingPeriod(1, .year), against: lira(12_999))
        #expect(saving?.amount == lira(55_989))
        #expect(saving?.percent == 35)
        let quarter = PeriodSaving(of: lira(299), every: BillingPeriod(3, .month), against: lira(100))
        // Less than one in a hundred is nothing to say.
        #expect(quarter == nil)
    }

    @Test("weeks and days, the same price, more, another currency and nothing to compare with say nothing")
    func nothing() {
        for period in [BillingPeriod(1, .week), BillingPeriod(30, .day), BillingPeriod(1, .month)] {
            #expect(PeriodSaving(of: lira(1), every: period, against: lira(12_999)) == nil)
        }
        let year = BillingPeriod(1, .year)
        #expect(PeriodSaving(of: lira(1_200), every: year, against: lira(100)) == nil)
        #expect(PeriodSaving(of: lira(1_201), every: year, against: lira(100)) == nil)
        #expect(PeriodSaving(of: lira(1), every: year, against: lira(0)) == nil)
        #expect(PeriodSaving(of: lira(-1), every: year, against: lira(100)) == nil)
        #expect(PeriodSaving(of: Money(minorUnits: 1, currency: .cny), every: year, against: lira(100)) == nil)
        #expect(PeriodSaving(of: lira(1), every: year, against: lira(.max)) == nil)
        #expect(PeriodSaving(of: lira(.min), every: year, against: lira(.max)) == nil)
        #expect(PeriodSaving(of: lira(0), every: year, against: lira(100))?.percent == 100)
    }

    private func lira(_ units: Int64) -> Money {
        Money(minorUnits: units, currency: Currency("TRY") ?? .cny)
    }
}
