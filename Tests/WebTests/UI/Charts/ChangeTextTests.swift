import Storage
import Testing

@testable import Desk
@testable import Words

@Suite struct ChangeTextTests {
    let strings = Strings(.english)

    @Test(
        "a change has an arrow and a word",
        arguments: [
            (100, 116, "▲", "16.0% more"), (1_000, 999, "▼", "0.1% less"), (3, 4, "▲", "33.3% more"),
            (3, 2, "▼", "33.3% less"), (5, 5, "=", "0.0% unchanged"), (10_000, 9_996, "=", "0.0% unchanged"),
            (10_000, 10_005, "▲", "0.1% more"), (0, 7, "+", "new"),
            (1, 1_234, "▲", "123,300.0% more"),
            (8, 0, "▼", "100.0% less"),
        ] as [(Int64, Int64, String, String)]
    )
    func change(previous: Int64, value: Int64, arrow: String, text: String) throws {
        let change = try #require(ChangeText(from: previous, to: value, strings))
        #expect(change.arrow.description == arrow)
        #expect(change.text == text)
    }

    @Test("nothing is said of what is not finished, of what has nothing to be compared with, nor of losses before")
    func nothing() {
        #expect(ChangeText(from: 3, to: 4, isPartial: true, strings) == nil)
        #expect(ChangeText(from: nil, to: 4, strings) == nil)
        #expect(ChangeText(from: 4, to: nil, strings) == nil)
        #expect(ChangeText(from: -4, to: 4, strings) == nil)
        #expect(ChangeText(from: 0, to: 0, strings) == nil)
        #expect(ChangeText(from: 0, to: -3, strings) == nil)
    }

    @Test("more is for the better or for the worse, or neither")
    func tone() {
        func tone(_ value: Int64, _ meaning: ChangeText.Meaning) -> String? {
            ChangeText(from: 10, to: value, meaning: meaning, strings)?.tone.description
        }
        #expect(tone(11, .moreIsBetter) == "up" && tone(9, .moreIsBetter) == "down")
        #expect(tone(11, .moreIsWorse) == "down" && tone(9, .moreIsWorse) == "up")
        #expect(tone(11, .neither) == "" && tone(10, .moreIsBetter) == "")
    }

    @Test("each language writes it in its own way")
    func languages() {
        #expect(ChangeText(from: 1_000, to: 1_141, Strings(.turkish))?.text == "%14,1 artış")
        #expect(ChangeText(from: 1_000, to: 1_141, Strings(.chinese))?.text == "14.1% 增加")
    }

    @Test("the largest numbers there are change, too")
    func extremes() {
        #expect(ChangeText(from: .max, to: .min, strings)?.text == "200.0% less")
        #expect(ChangeText(from: 1, to: .max, strings) != nil)
    }
}
