import Testing

@testable import TemplateCompiler

@Suite("Layouts and partials")
struct CompositionTests {
    private let layout = """
        {{layout site(frame: Frame)}}
        <title>{{block title}}Default{{/block}}</title><body class="{{block look}}{{/block}}">{{block content}}{{/block}}
        """

    @Test("a page fills its layout's blocks, each escaped for the place the layout puts it")
    func fills() throws {
        let swift = try compile([
            "layouts/site.html": layout,
            "a.html":
                "{{page A}}\n{{layout site}}\n{{#block look}}x {{y}}{{/block}}\n{{#block title}}{{y}}{{/block}}\n",
        ])
        let page = try #require(swift["a.html"])
        #expect(page.contains("extension A: HTMLPage {"))
        #expect(
            page.contains(
                "Templates.layouts_site(frame: self.frame, strings: self.strings, title: { self._fill_title(into: &$0) }, "
                    + "look: { self._fill_look(into: &$0) }, content: { _ in false }, into: &_html)"
            )
        )
        #expect(page.contains("_html.attribute(self.y)"))
        #expect(page.contains("_html.content(self.y)"))
        let frame = try #require(swift["layouts/site.html"])
        #expect(frame.contains("if !title(&_html) {\n            _html.append(\"Default\")\n        }"))
    }

    @Test(
        "a page and its layout must agree",
        arguments: [
            ("{{layout other}}", "2:10: error: unknown layout `other`: there is no layouts/other.html"),
            ("{{layout site}}<p>", "2:16: error: a page with a layout has nothing outside its {{#block}}s"),
            ("{{layout site}}{{x}}", "2:18: error: a page with a layout has nothing outside its {{#block}}s"),
            (
                "{{layout site}}{{#block titel}}{{/block}}",
                "2:16: error: layouts/site.html has no block `titel`; there are: content, look, title"
            ),
            (
                "{{layout site}}{{#block title}}{{/block}}{{#block title}}{{/block}}",
                "2:42: error: the block `title` is filled twice"
            ),
            (
                "{{layout site}}{{#block look}}\"{{/block}}",
                "2:16: error: this begins in the attribute look and ends in a tag, between attributes; "
            ),
            ("{{layout site}}{{#block content}}<p {{/block}}", "2:16: error: this begins in text and ends in a tag"),
            ("{{layout site frame=x y=z}}", "2:23: error: `site` has no parameter `y`; there are: frame"),
            ("{{layout site}}{{#block title}}<b>{{{x}}}</b>{{/block}}", "error: {{{ }}} stands between elements only"),
        ]
    )
    func disagreements(body: String, expected: String) {
        let found = mistakes(in: body, besides: ["layouts/site.html": layout]).joined()
        #expect(found.contains(expected.replacing("the attribute look", with: "the attribute class")), "\(found)")
    }

    @Test("a partial is found beside its caller, then at the top, or by its path")
    func lookup() throws {
        let partials = [
            "_row.html": "{{partial row()}}", "orders/_row.html": "{{partial row()}}",
            "_flash.html": "{{partial flash()}}",
        ]
        let tags = "{{> row}}{{> flash}}{{> orders/row}}"
        let calls = ["Templates.orders_row(", "Templates.flash(", "Templates.orders_row("]
        let swift = try compile(partials.merging(["orders/x.html": "{{page X}}" + tags]) { $1 })
        let found = try #require(swift["orders/x.html"]).split(separator: "\n").filter { $0.contains("into: &") }
        #expect(found.count == 3)
        for (line, call) in zip(found, calls) {
            #expect(line.contains(call))
        }
        #expect(
            try statements(of: "{{> row}}", besides: partials) == ["Templates.row(strings: self.strings, into: &_html)"]
        )
    }

    @Test("arguments come by position, by name, or from the name itself")
    func arguments() throws {
        let partial = [
            "_row.html": "{{partial row(order: Order, last: Bool, label: String?, width: [String: (Int, Int)])}}"
        ]
        let loop = "{{#each orders as order}}{{> row !done=x}}{{/each}}"
        #expect(mistakes(in: loop, besides: partial).count == 1)
        #expect(
            try statements(
                of: "{{#each orders as order}}{{> row width=a.b last=!x.y label=\"A \\(b) “c”\"}}{{/each}}",
                besides: partial
            )[1]
                == #"Templates.row(order: order, last: !self.x.y, label: "A \\(b) “c”", width: self.a.b, strings: self.strings, into: &_html)"#
        )
        #expect(
            try statements(of: "{{> row a true nil -12}}", besides: partial)
                == [
                    "Templates.row(order: self.a, last: true, label: nil, width: -12, strings: self.strings, into: &_html)"
                ]
        )
    }

    @Test(
        "a wrong call is an error at its place",
        arguments: [
            ("{{> raw}}", "2:5: error: unknown partial `raw`: there is no _raw.html"),
            ("{{> a/raw}}", "2:5: error: unknown partial `a/raw`: there is no a/_raw.html"),
            ("{{> row a b}}", "2:11: error: `row` takes 1 arguments"),
            ("{{> row a order=b}}", "2:11: error: `order` is given twice"),
            ("{{> row odrer=b}}", "2:9: error: `row` has no parameter `odrer`; there are: order"),
        ]
    )
    func wrongCalls(body: String, expected: String) {
        #expect(mistakes(in: body, besides: ["_row.html": "{{partial row(order: Order)}}"]) == [expected])
    }

    @Test("partials and layouts see only what they declare")
    func closedScope() {
        #expect(
            errors(in: ["_a.html": "{{partial a(x: X, y: Y)}}\n<p>{{z}}"]) == [
                "Templates/_a.html:2:6: error: `z` is neither a parameter nor a local here; there are: strings, x, y"
            ]
        )
        #expect(
            errors(in: ["_a.html": "{{partial a()}}\n{{> b}}", "_b.html": "{{partial b(x: X)}}"]) == [
                "Templates/_a.html:2:5: error: `b` needs the argument `x`"
            ]
        )
    }

    @Test(
        "a header says what its file is",
        arguments: [
            (
                "a.html", "<p>",
                "1:1: error: a template begins with {{page Type}}, {{partial name(…)}} or {{layout name(…)}}"
            ),
            ("_a.html", "{{partial b()}}", "1:1: error: `b` must be called `a`, like its file"),
            ("_a.html", "{{partial a(x: X, x: Y)}}", "1:19: error: `x` is declared twice"),
            (
                "_a.html", "{{partial a(strings: X)}}",
                "1:13: error: `strings` is given to every partial and layout already"
            ),
            ("_a.html", "{{partial a(x)}}", "1:14: error: expected `:`"),
            ("_a.html", "{{partial a}}", "1:12: error: expected `(`"),
            (
                "a.html", "{{layout site}}",
                "1:1: error: {{page Type}} comes first; a layout declares parameters: {{layout name(…)}}"
            ),
            (
                "layouts/a.html", "{{layout a(x: X)}}{{block x}}{{/block}}",
                "1:19: error: the block `x` has the name of a parameter"
            ),
            (
                "layouts/a.html", "{{layout a()}}{{block x}}{{/block}}{{block x}}{{/block}}",
                "1:36: error: the block `x` is declared twice"
            ),
        ]
    )
    func headers(name: String, text: String, expected: String) {
        #expect(errors(in: [name: text]) == ["Templates/\(name):\(expected)"])
    }

    @Test("all errors of all templates are reported at once")
    func allErrors() {
        #expect(errors(in: ["a.html": "{{page A}}{{#if}}", "b.html": "{{page B}}{{/if}}"]).count == 2)
        #expect(errors(in: ["a.html": "{{page A}}<p {{x}}>", "b.html": "{{page B}}<p {{x}}>"]).count == 2)
    }

    @Test("templates with the same file name are told apart for the Swift compiler")
    func sharedFileNames() throws {
        let swift = try compile([
            "a/index.html": "{{page A}}\n{{x}}", "b/index.html": "{{page B}}", "c.html": "{{page C}}",
        ])
        #expect(
            try #require(swift["a/index.html"]).contains(
                "#sourceLocation(file: \"Templates/a/index.html:2:3: error: in a.index.html\", line: 2)"
            )
        )
        #expect(try #require(swift["c.html"]).contains("#sourceLocation(file: \"Templates/c.html\", line: 1)"))
    }
}
