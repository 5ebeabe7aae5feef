import Billing
import Storage
import Testing

@testable import Desk
@testable import Words

@Suite struct ChartUnitTests {
    let english = Strings(.english)
    let turkish = Strings(.turkish)
    let chinese = Strings(.chinese)

    @Test("an axis is short and exact, in each language's own large numbers")
    func ticks() {
        let money = ChartUnit.money(Sample.currency("CNY"))
        #expect(
            [0, 250_000, 2_000_000, 250_000_000, -50].map { money.tick($0, english) } == [
                "0", "2.5k", "20k", "2.5M", "−0.5",
            ]
        )
        #expect(
            [0, 250_000, 2_000_000, 250_000_000].map { money.tick($0, turkish) } == ["0", "2,5 B", "20 B", "2,5 Mn"]
        )
        #expect([250_000, 2_000_000, 25_000_000_000].map { money.tick($0, chinese) } == ["2,500", "2万", "2.5亿"])
        #expect(ChartUnit.money(Sample.currency("JPY")).tick(20_000, english) == "20k")
        #expect([5, 1_000, 2_500_000].map { ChartUnit.count.tick($0, english) } == ["5", "1k", "2.5M"])
        #expect([0, 250, 10_000].map { ChartUnit.percent.tick($0, turkish) } == ["%0", "%2,5", "%100"])
    }

    @Test("numbers are those of the table and of the lists")
    func numbers() {
        let money = ChartUnit.money(Sample.currency("CNY"))
        #expect(money.text(-3_300_000, english) == "−33,000.00 CNY")
        #expect(money.number(3_300_000, turkish, showsPlus: true) == "+33.000,00")
        #expect(ChartUnit.count.number(1_284, chinese, showsPlus: true) == "+1,284")
        #expect(ChartUnit.percent.text(253, english) == "2.53%" && ChartUnit.percent.text(-5, english) == "−0.05%")
    }

    @Test("no number is too large or too small")
    func extremes() {
        for unit in [ChartUnit.money(Sample.currency("KWD")), .count, .percent] {
            for value in [Int64.min, .max] {
                #expect(!unit.tick(value, turkish).isEmpty && !unit.text(value, english).isEmpty)
            }
        }
        #expect(ChartUnit.count.tick(.max, english) == "9,223,372,036.854775807B")
    }
}
