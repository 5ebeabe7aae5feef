import Billing
import Foundation
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("Numbers and dates in three languages")
struct FormatTests {
    @Test(
        "numbers are grouped as the language does",
        arguments: [
            (0, "0", "0"), (999, "999", "999"), (1_284, "1,284", "1.284"), (-1_234_567, "−1,234,567", "−1.234.567"),
            (-12, "−12", "−12"),
        ]
    )
    func numbers(_ number: Int, _ english: String, _ turkish: String) {
        #expect(Strings(.english).number(number) == english)
        #expect(Strings(.chinese).number(number) == english)
        #expect(Strings(.turkish).number(number) == turkish)
    }

    @Test(
        "amounts have the language's point",
        arguments: [
            (9_800, "CNY", "98.00", "98,00"), (123_456_789, "TRY", "1,234,567.89", "1.234.567,89"),
            (1_234_567, "JPY", "1,234,567", "1.234.567"), (-5, "KWD", "−0.005", "−0,005"),
        ] as [(Int64, String, String, String)]
    )
    func money(_ minorUnits: Int64, _ code: String, _ english: String, _ turkish: String) {
        let currency = Sample.currency(code)
        #expect(MoneyText(minorUnits, currency, Strings(.english)).amount == english)
        #expect(MoneyText(minorUnits, currency, Strings(.chinese)).amount == english)
        #expect(MoneyText(minorUnits, currency, Strings(.turkish)).amount == turkish)
    }

    @Test("days are written as the language does, every month")
    func days() {
        let zone = BusinessZone.named("UTC")
        func day(_ seconds: Double, _ language: Language) -> String {
            DateText.day(Date(timeIntervalSince1970: seconds), in: zone, Strings(language))
        }
        #expect(day(1_795_228_800, .english) == "21 Nov 2026")
        #expect(day(1_795_228_800, .chinese) == "2026年11月21日")
        #expect(day(1_795_228_800, .turkish) == "21 Kas 2026")
        let months = (0..<12).map { day(1_767_225_600 + Double($0) * 30.5 * 86_400, .turkish).split(separator: " ")[1] }
        #expect(months == ["Oca", "Oca", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara"])
        #expect(day(1_770_000_000, .turkish) == "2 Şub 2026")
    }

    @Test("counts take the plural of the language")
    func plurals() {
        #expect(
            [0, 1, 2, 1_284].map { Strings(.english).partsDays(count: $0) } == [
                "0 days", "1 day", "2 days", "1,284 days",
            ]
        )
        #expect([1, 1_284].map { Strings(.turkish).partsDays(count: $0) } == ["1 gün", "1.284 gün"])
        #expect([1, 1_284].map { Strings(.chinese).partsDays(count: $0) } == ["1 天", "1,284 天"])
    }

    @Test("durations have the language's units and point")
    func durations() {
        #expect(Phrase.duration(3.24, Strings(.turkish)) == "3,2 sn")
        #expect(Phrase.duration(3.24, Strings(.chinese)) == "3.2 秒")
        #expect(Phrase.duration(10_920, Strings(.turkish)) == "3 sa 2 dk")
        #expect(Phrase.duration(10_920, Strings(.chinese)) == "3 小时 2 分")
    }

    @Test("what a list shows")
    func ranges() {
        func range(_ language: Language) -> String {
            Phrase.range(ListPage(rows: Array(1...25), total: .moreThanCounted, rowsBefore: 1_275), Strings(language))
        }
        #expect(range(.english) == "1,276–1,300 of 10,000+")
        #expect(range(.chinese) == "第 1,276–1,300 条，共 10,000+ 条")
        #expect(range(.turkish) == "1.276–1.300 / 10.000+")
    }
}
