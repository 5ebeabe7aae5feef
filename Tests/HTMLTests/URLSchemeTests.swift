import HTML
import Testing

@Suite("URLs")
struct URLSchemeTests {
    @Test(
        "our schemes and relative URLs pass",
        arguments: [
            "", "/", "/orders?status=a:b", "orders/1", "#top", "?q=javascript:alert(1)", "//cdn.example.com/x", "./a:b",
            "http://example.com", "https://example.com/?a=1", "HTTPS://EXAMPLE.COM", "mailto:lina@example.com", "../a",
            "#a:b", "customers/李娜",
        ]
    )
    func passes(url: String) {
        #expect(written { $0.url(url) } == url)
    }

    @Test("a URL that passes is escaped for its attribute")
    func escapes() {
        #expect(written { $0.url("/a?b=1&c=\"2\"") } == "/a?b=1&amp;c=&quot;2&quot;")
        #expect(written { $0.url("/'onclick='x") } == "/&#39;onclick=&#39;x")
    }

    @Test(
        "no other scheme gets out, however it is disguised",
        arguments: [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:msgbox", "data:text/html,<script>",
            "file:///etc/passwd",
            " javascript:alert(1)", "\tjavascript:alert(1)", "\n\r javascript:alert(1)", "\u{0}javascript:alert(1)",
            "\u{1}javascript:alert(1)", "\u{1F} javascript:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)",
            "javascript\t:alert(1)", "jav\u{0}ascript:alert(1)", "\u{FEFF}javascript:alert(1)",
            "\u{A0}javascript:alert(1)",
            ":javascript:alert(1)", "blob:https://example.com/1", "filesystem:x", "intent:x", "view-source:x",
            "http\t:x",
            "https :x", "mailto\n:x", "httpsx:y", "ht:x", "tel:123", "ws://x", "feed:javascript:alert(1)", " https://x",
        ]
    )
    func refuses(url: String) {
        #expect(written { $0.url(url) } == "#unsafe")
    }

    @Test(
        "references in a value stay text, so they cannot spell a scheme",
        arguments: [
            "&#106;avascript:alert(1)", "javascript&#58;alert(1)", "javascript&colon;alert(1)",
            "&#x6A;avascript&#x3A;x",
            "&Tab;javascript&colon;x",
        ]
    )
    func references(url: String) {
        let out = written { $0.url(url) }
        #expect(out == "#unsafe" || out.hasPrefix("&amp;") || out.hasPrefix("javascript&amp;"))
        #expect(!out.contains("&#106;") && !out.contains("&#58;") && !out.contains("&colon;") && !out.contains("&Tab;"))
    }
}
