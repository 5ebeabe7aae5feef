import HTML
import Testing

@Suite("Escaping")
struct EscapingTests {
    @Test("text escapes what could open a tag or a reference")
    func text() {
        #expect(
            written { $0.text("<b>Müller & 'Söhne' \"李娜\"</b>") }
                == "&lt;b&gt;Müller &amp; 'Söhne' \"李娜\"&lt;/b&gt;"
        )
    }

    @Test(
        "a text that is written from right to left, or turns the writing round, moves nothing beside it",
        arguments: [
            ("محمد", true), ("שלום <b>", true), ("a\u{202E}b", true), ("abcdefghا", true), ("\u{2066}x", true),
            ("\u{202E}", true), ("a\u{200F}1\u{61C}", true),
            ("ﷺ", true),
            ("𞤀", true), ("李娜 Çelik é 1,5 € “x”", false), ("Հայ", false), ("\u{FEFF}x", false), ("12345678Ş", false),
            ("", false),
        ]
    )
    func directions(_ text: String, _ isIsolated: Bool) {
        let plain = text.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        var seen = ""
        seen.unicodeScalars.append(contentsOf: plain.unicodeScalars.filter { !$0.properties.isBidiControl })
        #expect(written { $0.text(text) } == (isIsolated ? "<bdi>\(seen)</bdi>" : plain))
        #expect(written { $0.content(text) } == plain)
        #expect(written { $0.attribute(text) } == plain)
    }

    @Test("an attribute also escapes both quotes")
    func attribute() {
        #expect(written { $0.attribute("\" onclick='x' <&>") } == "&quot; onclick=&#39;x&#39; &lt;&amp;&gt;")
    }

    @Test(
        "a value that is all markup, none, or nothing comes out whole",
        arguments: [
            ("<<<<", "&lt;&lt;&lt;&lt;"), ("plain", "plain"), ("", ""), ("&", "&amp;"), ("a&", "a&amp;"),
            ("&a", "&amp;a"),
        ]
    )
    func edges(value: String, expected: String) {
        #expect(written { $0.text(value) } == expected)
        #expect(written { $0.attribute(value) } == expected)
    }

    @Test("what is to be escaped is found wherever it stands", arguments: 0..<20)
    func places(_ place: Int) {
        let references = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        // A number sign looks like a quote to code that reads eight bytes at once.
        let (before, after) = (String(repeating: "x", count: place), String(repeating: "#", count: 19 - place))
        for byte in UInt8(1)..<128 {
            let character = String(UnicodeScalar(byte))
            let expected = before + (references[character] ?? character) + after
            #expect(written { $0.attribute(before + character + after) } == expected)
        }
    }

    @Test("a URL component keeps only unreserved characters")
    func component() {
        #expect(written { $0.component("aZ09-._~") } == "aZ09-._~")
        #expect(
            written { $0.component("a b&c=d/e?f#g:h\"'<>%é") }
                == "a%20b%26c%3Dd%2Fe%3Ff%23g%3Ah%22%27%3C%3E%25%C3%A9"
        )
    }

    @Test("every kind of text is escaped alike")
    func kinds() {
        let string = "x<y & z"
        #expect(written { $0.text(string.dropFirst(2)) } == "y &amp; z")
        #expect(written { $0.text("1 < 2" as StaticString) } == "1 &lt; 2")
        #expect(written { $0.text("ü" as StaticString) } == "ü")
    }

    @Test("a type of our own passes its text on")
    func ownType() {
        struct Number: HTMLRenderable {
            var text: String

            func write(into html: inout HTMLBuffer, as context: HTMLContext) {
                text.write(into: &html, as: context)
            }
        }
        let number = Number(text: "<1>")
        #expect(written { $0.text(number) } == "&lt;1&gt;")
        #expect(written { $0.component(number) } == "%3C1%3E")
    }

    @Test("integers of every width come out in digits")
    func integers() {
        #expect(written { $0.text(0) } == "0")
        #expect(written { $0.text(-1_284) } == "-1284")
        #expect(written { $0.attribute(Int.min) } == String(Int.min))
        #expect(written { $0.component(UInt64.max) } == String(UInt64.max))
        #expect(written { $0.url(Int8.min) } == "-128")
        #expect(written { $0.text(UInt8.max) } == "255")
    }

    @Test("trusted HTML comes out as it is, and what it collects is escaped")
    func trusted() {
        #expect(written { $0.trusted(TrustedHTML(trusting: "<b>&amp;</b>")) } == "<b>&amp;</b>")
        let drawn = TrustedHTML { svg in
            svg.append("<text x=\"")
            svg.attribute("\"1\"")
            svg.append("\">")
            svg.text("<a>")
            svg.append("</text>")
        }
        #expect(written { $0.trusted(drawn) } == "<text x=\"&quot;1&quot;\">&lt;a&gt;</text>")
    }
}

/// Returns the text that `write` writes into a fresh buffer.
func written(_ write: (inout HTMLBuffer) -> Void) -> String {
    var html = HTMLBuffer()
    write(&html)
    return html.string()
}
