import Billing
import Desk
import Foundation
import HTML
import HTTP
import Storage
import Testing

@Suite struct CohortsPageTests {
    @Test("what the months leave out for want of a rate and what lifetime value leaves out are both named")
    func missingRates() throws {
        let (yen, lira) = (Sample.currency("JPY"), Sample.currency("TRY"))
        let text = try page(
            monthly: [Money(minorUnits: 450, currency: yen)],
            lifetime: [Money(minorUnits: 900, currency: yen), Money(minorUnits: 5_999, currency: lira)]
        )
        #expect(text.contains("Left out of monthly net revenue for want of an exchange rate: 450 JPY."))
        #expect(text.contains("Left out of realised LTV for want of an exchange rate: 900 JPY, 59.99 TRY."))
    }

    @Test("where nothing is left out nothing is said of it")
    func noMissingRates() throws {
        #expect(try !page(monthly: [], lifetime: []).contains("Left out"))
    }

    private func page(monthly: [Money], lifetime: [Money]) throws -> String {
        let day = try #require(BusinessDay("2026-11-21"))
        let currency = Sample.currency("CNY")
        let metrics = CohortMetrics(
            day: day,
            retention: [],
            conversion: [],
            monthly: ConvertedMetrics(currency: currency, rows: [], missingRates: [], unconverted: monthly),
            lifetime: ConvertedMetrics(currency: currency, rows: [], missingRates: [], unconverted: lifetime),
            predicted: nil
        )
        let page = CohortsPage(
            metrics: metrics,
            view: CohortsView(),
            choices: MetricsOptions(products: [], countries: [], currencies: []),
            viewer: Sample.viewer,
            now: Sample.now
        )
        return page.html()
    }
}
