import Billing
import Foundation
import Storage
import Testing

@testable import API
@testable import Desk
@testable import Words

@Suite("Prices and periods of offers") struct PriceTextTests {
    @Test(
        "a price is written as its reader writes it, without decimals that are zeros",
        arguments: [
            (12_800, "CNY", .chinese, "¥128/年"), (12_800, "CNY", .english, "CN¥128/year"),
            (999, "USD", .english, "$9.99/year"),
            (4_999, "TRY", .turkish, "₺49,99/yıl"), (500_000, "TRY", .turkish, "₺5.000/yıl"),
            (300, "JPY", .english, "¥300/year"),
            (1_500, "KWD", .english, "KWD\u{A0}1.500/year"), (0, "USD", .english, "$0/year"),
        ] as [(Int64, String, Language, String)]
    )
    func price(_ minorUnits: Int64, _ code: String, _ language: Language, _ text: String) {
        let price = Money(minorUnits: minorUnits, currency: Sample.currency(code))
        #expect(PriceText.text(price, every: BillingPeriod(1, .year), Strings(language)) == text)
    }

    @Test(
        "a period is said by its largest unit",
        arguments: [
            (BillingPeriod(1, .day), "daily", "$1/day"), (BillingPeriod(7, .day), "weekly", "$1/week"),
            (BillingPeriod(1, .month), "monthly", "$1/month"), (BillingPeriod(12, .month), "yearly", "$1/year"),
            (BillingPeriod(3, .month), "every_3_months", "$1/3 months"),
            (BillingPeriod(2, .week), "every_2_weeks", "$1/2 weeks"),
            (BillingPeriod(3, .day), "every_3_days", "$1/3 days"),
            (BillingPeriod(2, .year), "every_2_years", "$1/2 years"),
            (nil, "lifetime", "$1"),
        ] as [(BillingPeriod?, String, String)]
    )
    func period(_ period: BillingPeriod?, _ adverb: String, _ text: String) {
        let price = Money(minorUnits: 100, currency: Sample.currency("USD"))
        #expect(BillingPeriod.adverb(period) == adverb)
        #expect(PriceText.text(price, every: period, Strings(.english)) == text)
    }
}
