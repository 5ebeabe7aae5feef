import Billing
import Foundation
import Testing

@Suite("money")
struct MoneyTests {
    @Test(
        "is written with the currency's own digits, and read back",
        arguments: [
            (12_800, "CNY", "128.00"), (-4_000, "CNY", "-40.00"), (300, "JPY", "300"), (0, "CNY", "0.00"),
            (5, "CNY", "0.05"),
            (-5, "USD", "-0.05"), (1_234, "KWD", "1.234"), (7, "KWD", "0.007"), (0, "JPY", "0"),
            (10_001, "CLF", "1.0001"),
            (.max, "CNY", "92233720368547758.07"), (.min, "CNY", "-92233720368547758.08"),
            (.min, "JPY", "-9223372036854775808"),
        ] as [(Int64, String, String)]
    )
    func text(_ units: Int64, _ code: String, _ text: String) throws {
        let money = Money(minorUnits: units, currency: .named(code))
        #expect(money.decimalText == text)
        #expect(try Money(decimalText: text, currency: .named(code)) == money)
    }

    @Test(
        "is read from shorter and longer texts of the same amount",
        arguments: [("128", 12_800), ("128.5", 12_850), ("128.5000", 12_850), ("-0.01", -1), ("007", 700), ("-0", 0)]
            as [(String, Int64)]
    )
    func reading(_ text: String, _ units: Int64) throws {
        #expect(try Money(decimalText: text, currency: .cny).minorUnits == units)
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "-", ".", "1.", ".5", "1.005", "1,00", "1e3", "+1", " 1", "1 ", "--1", "1.2.3", "\u{0661}", "0x10",
            "¥1", "NaN",
        ]
    )
    func nonsense(_ text: String) {
        let error = #expect(throws: MoneyError.self) { try Money(decimalText: text, currency: .cny) }
        #expect(error?.code == .notAnAmount)
    }

    @Test(
        "what does not fit is an overflow",
        arguments: ["92233720368547758.08", "-92233720368547758.09", "1" + String(repeating: "0", count: 400)]
    )
    func tooLong(_ text: String) {
        let error = #expect(throws: MoneyError.self) { try Money(decimalText: text, currency: .cny) }
        #expect(error?.code == .overflow)
    }

    @Test(
        "comes from Apple's milliunits, half a minor unit rounded up",
        arguments: [
            (9_990, "CNY", 999), (300_000, "JPY", 300), (9_995, "CNY", 1_000), (9_994, "CNY", 999),
            (300_499, "JPY", 300),
            (300_500, "JPY", 301), (9_990, "KWD", 9_990), (0, "USD", 0), (5, "USD", 1), (4, "USD", 0),
            (1_500, "CLF", 15_000),
            (-9_995, "CNY", -1_000), (.max, "CNY", 922_337_203_685_477_581),
        ] as [(Int64, String, Int64)]
    )
    func milliunits(_ milliunits: Int64, _ code: String, _ units: Int64) throws {
        #expect(try Money(milliunits: milliunits, currency: .named(code)).minorUnits == units)
    }

    @Test("is added and taken away in one currency only")
    func currencies() throws {
        #expect(try Money.yuan(1) + .yuan(2) == .yuan(3))
        #expect(try Money.yuan(1) - .yuan(2) == .yuan(-1))
        let lira = Money(minorUnits: 1, currency: .named("TRY"))
        let attempts: [() throws -> Any] = [
            { try Money.yuan(1) + lira }, { try Money.yuan(1) - lira }, { try Money.yuan(1).isLess(than: lira) },
            { try Money.sum([.yuan(1), lira], in: .cny) },
        ]
        for attempt in attempts {
            let error = #expect(throws: MoneyError.self) { _ = try attempt() }
            #expect(error?.code == .otherCurrency)
        }
    }

    @Test("never traps beyond 64 bits")
    func overflow() throws {
        let most = Money(minorUnits: .max, currency: .cny)
        let least = Money(minorUnits: .min, currency: .cny)
        let one = Money(minorUnits: 1, currency: .cny)
        let attempts: [() throws -> Money] = [
            { try most + one }, { try least - one }, { try least.negated() }, { try most.multiplied(by: 2) },
            { try least.multiplied(by: .min) }, { try least.multiplied(by: 1, over: -1) },
            { try Money.sum([most, one], in: .cny) },
        ]
        for attempt in attempts {
            let error = #expect(throws: MoneyError.self) { _ = try attempt() }
            #expect(error?.code == .overflow)
        }
        let error = #expect(throws: MoneyError.self) { try one.multiplied(by: 1, over: 0) }
        #expect(error?.code == .divisionByZero)
        #expect(try least.multiplied(by: .min, over: .min) == least)
    }

    @Test("only the total of a sum must fit, and nothing sums to zero")
    func sum() throws {
        let most = Money(minorUnits: .max, currency: .cny)
        #expect(try Money.sum([most, most, most.negated(), .yuan(-1)], in: .cny).minorUnits == .max - 100)
        #expect(try Money.sum([], in: .cny) == .yuan(0))
    }

    @Test(
        "is multiplied exactly and rounded once, half away from zero",
        arguments: [
            (100, 1, 8, 13), (-100, 1, 8, -13), (100, 1, 3, 33), (200, 1, 3, 67), (100, -1, 8, -13), (100, 1, -8, -13),
            (-100, -1, 8, 13), (.max, .max, .max, .max), (1, 1, 2, 1), (1, 49, 100, 0), (0, 5, 7, 0),
            (12_800, 1, 1, 12_800),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func product(_ units: Int64, _ numerator: Int64, _ denominator: Int64, _ expected: Int64) throws {
        let money = Money(minorUnits: units, currency: .cny)
        #expect(try money.multiplied(by: numerator, over: denominator).minorUnits == expected)
    }
}
