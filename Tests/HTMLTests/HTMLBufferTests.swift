import HTML
import Testing

@Suite("The buffer")
struct HTMLBufferTests {
    @Test("it grows past its first size without losing a byte")
    func grows() {
        var html = HTMLBuffer(capacity: 1)
        var expected = ""
        for number in 0..<1_000 {
            html.append("<li>")
            html.text(number)
            html.text(" & more, a longer piece of text than the one before it")
            expected += "<li>\(number) &amp; more, a longer piece of text than the one before it"
        }
        #expect(html.string() == expected)
        #expect(html.count == expected.utf8.count)
    }

    @Test("a piece larger than the whole buffer fits")
    func largePiece() {
        let long = String(repeating: "x", count: 100_000)
        #expect(written { $0.text(long) } == long)
    }

    @Test("an empty buffer lends no bytes")
    func empty() {
        #expect(written { _ in } == "")
        #expect(HTMLBuffer().withUnsafeBytes { $0.count } == 0)
    }

    @Test("literals of every shape are appended as they are")
    func literals() {
        #expect(
            written {
                $0.append("")
                $0.append("a")
                $0.append("–")
                $0.append("<p class=\"x\">\n")
            } == "a–<p class=\"x\">\n"
        )
    }

    @Test("a page renders to a string")
    func page() {
        struct Hello: HTMLPage {
            var name: String
            let strings: Void = ()

            func render(into html: inout HTMLBuffer) {
                html.append("<p>")
                html.text(name)
            }
        }
        #expect(Hello(name: "<Mei>").html() == "<p>&lt;Mei&gt;")
    }
}
