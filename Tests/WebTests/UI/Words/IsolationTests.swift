import HTTP
import Storage
import Testing
import Words

@Suite("Names within sentences") struct IsolationTests {
    @Test("a name from right to left, or one that turns the writing round, moves nothing of the sentence")
    func sentences() {
        let strings = Strings(.english)
        #expect(strings.findTitled(text: "محمد").contains("\u{2068}محمد\u{2069}"))
        #expect(strings.findTitled(text: "a\u{202E}\u{2069}b").contains("\u{2068}ab\u{2069}"))
        #expect(!strings.findTitled(text: "李娜 Çelik").contains("\u{2068}"))
    }

    @Test(
        "what is searched for is the text, whatever form it comes in",
        arguments: [
            ("  ＡＢＣ１２ ", "ABC12"), ("'2000000796570433", "2000000796570433"), ("'007", "007"), ("'tis", "'tis"),
            ("S\u{327}ule", "Şule"), ("i\u{307}pek", "ipek"), ("\u{2068}محمد\u{2069}", "محمد"), ("a\u{202E}b", "ab"),
        ]
    )
    func searches(_ typed: String, _ text: String) {
        #expect(SearchInput.text(typed).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
}
