import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("Google's amounts and moments") struct GoogleMoneyTests {
    private func money(_ json: JSON) throws -> Money? { try Money(google: json) }

    @Test("units come as a text or a number, and what is zero is left out") func units() throws {
        let eur = try #require(Currency("EUR"))
        let jpy = try #require(Currency("JPY"))
        let kwd = try #require(Currency("KWD"))
        #expect(try money(["currencyCode": "EUR", "units": "9", "nanos": 990_000_000])?.minorUnits == 999)
        #expect(try money(["currencyCode": "EUR", "units": 9, "nanos": 990_000_000])?.minorUnits == 999)
        #expect(try money(["currencyCode": "EUR", "units": .number(9), "nanos": "990000000"])?.minorUnits == 999)
        #expect(try money(["currencyCode": "EUR", "nanos": 990_000_000])?.minorUnits == 99)
        #expect(try money(["currencyCode": "EUR", "units": "10"])?.minorUnits == 1_000)
        #expect(try money(["currencyCode": "EUR"]) == Money(minorUnits: 0, currency: eur))
        #expect(try money(["currencyCode": "JPY", "units": "300"]) == Money(minorUnits: 300, currency: jpy))
        #expect(
            try money(["currencyCode": "KWD", "units": "1", "nanos": 5_000_000])
                == Money(minorUnits: 1_005, currency: kwd)
        )
        #expect(try money(["currencyCode": "USD", "units": "-1", "nanos": -750_000_000])?.minorUnits == -175)
    }

    @Test("an amount of no currency is not known yet") func noCurrency() throws {
        #expect(try money(["units": "9"]) == nil)
        #expect(try money(["currencyCode": "", "units": "9"]) == nil)
        #expect(try money(["currencyCode": "euro", "units": "9"]) == nil)
    }

    @Test(
        "an amount that cannot be kept is an error, and never rounded",
        arguments: [
            ["currencyCode": "EUR", "nanos": 5_000_000], ["currencyCode": "JPY", "units": "1", "nanos": 500_000_000],
            ["currencyCode": "EUR", "units": "9223372036854775807"], ["currencyCode": "EUR", "units": "1e3"],
            ["currencyCode": "EUR", "units": "nine"], ["currencyCode": "EUR", "units": .number(9.5)],
            ["currencyCode": "EUR", "units": "1", "nanos": -1], ["currencyCode": "EUR", "nanos": 1_000_000_000],
            ["currencyCode": "EUR", "units": "2000000000000"], ["currencyCode": 7], [], "9.99",
        ] as [JSON]
    )
    func unkeepable(json: JSON) {
        #expect(throws: GatewayError.self) { try Money(google: json) }
    }

    @Test(
        "moments are RFC 3339, to the millisecond",
        arguments: [
            ("2026-01-02T03:04:05Z", 1_767_323_045.0), ("2026-01-02T03:04:05.123456789Z", 1_767_323_045.123),
            ("2026-01-02T05:04:05.5+02:00", 1_767_323_045.5), ("2026-01-01t22:04:05-05:00", 1_767_323_045.0),
        ]
    )
    func moment(text: String, seconds: Double) throws {
        let read = try #require(Date(rfc3339: text)?.timeIntervalSince1970)
        #expect((read * 1_000).rounded() == (seconds * 1_000).rounded())
    }

    @Test(
        "what is no moment is none",
        arguments: [
            "", "2026-01-02", "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z", "1767323045", "2026-01-02T25:04:05Z",
        ]
    )
    func noMoment(text: String) {
        #expect(Date(rfc3339: text) == nil)
    }

    @Test("order numbers know the order that they renew") func orderNumbers() {
        let renewal = GoogleOrderID("GPA.3345-1234-5678-12345..11")
        #expect(renewal.base == "GPA.3345-1234-5678-12345")
        #expect(renewal.renewal == 11)
        #expect(
            GoogleOrderID("GPA.1..2").before(atMost: 9) == ["GPA.1..1", "GPA.1..0", "GPA.1"]
        )
        #expect(GoogleOrderID("GPA.1").renewal == nil)
        #expect(GoogleOrderID("GPA.1..x").base == "GPA.1..x")
        #expect(GoogleOrderID("..1").renewal == nil)
        let name = GoogleItemName("GPA.1..2:extra")
        #expect(name.transactionID == "GPA.1..2:extra")
        #expect(name.originalID == "GPA.1:extra")
    }

    @Test("countries have the letters of our books") func countries() {
        #expect(GoogleCountry.storefront("DE") == "DEU")
        #expect(GoogleCountry.storefront("CN") == "CHN")
        #expect(GoogleCountry.storefront("GB") == "GBR")
        #expect(GoogleCountry.storefront("AT") == "AUT")
        #expect(GoogleCountry.storefront("xx") == nil)
        #expect(GoogleCountry.storefront(nil) == nil)
    }
}
