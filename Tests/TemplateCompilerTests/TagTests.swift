import Testing

@testable import TemplateCompiler

@Suite("Tags")
struct TagTests {
    @Test(
        "a tag that cannot be read is an error at its place",
        arguments: [
            ("<p>{{name</p>", "2:4: error: this tag is not closed with }}"),
            ("{{name <b>{{x}}", "2:1: error: this tag is not closed with }}"),
            ("{{{name}}", "2:1: error: this tag is not closed with }}}"),
            ("{{! name", "2:1: error: this comment is not closed with }}"),
            ("{{!-- {{name}}", "2:1: error: this comment is not closed with --}}"),
            ("{{}}", "2:3: error: expected a property"),
            ("{{1}}", "2:3: error: expected a property"),
            ("{{a.}}", "2:5: error: expected a property"),
            ("{{a..b}}", "2:5: error: expected a property"),
            ("{{a + b}}", "2:3: error: a value is a property path; nothing may follow `a`"),
            ("{{a()}}", "2:3: error: a value is a property path; nothing may follow `a`"),
            ("{{a[0]}}", "2:3: error: a value is a property path; nothing may follow `a`"),
            ("{{_a}}", "2:3: error: expected a property"),
            ("{{\"a\"}}", "2:3: error: expected a property"),
            ("{{{a b}}}", "2:6: error: nothing may follow here; templates take property paths only"),
            ("{{#unless a}}", "2:4: error: unknown section #unless; there are #each, #if, #with and #block"),
            ("{{#if a + b}}", "2:9: error: nothing may follow here; templates take property paths only"),
            ("{{#if a && b}}", "2:9: error: nothing may follow here; templates take property paths only"),
            ("{{#if}}", "2:6: error: expected a property"),
            ("{{#if let a}}", "2:12: error: expected `=`"),
            ("{{#each as}}", "2:11: error: expected `as`"),
            ("{{#each orders}}", "2:15: error: expected `as`"),
            ("{{#each orders as}}", "2:18: error: expected a name"),
            ("{{#with a b}}", "2:10: error: expected `as`"),
            ("{{t title}}", "2:5: error: expected a key such as `orders.title`, not `title`"),
            ("{{t orders.title x}}", "2:18: error: strings take their arguments by name: name=value"),
            ("{{t orders.title x=y x=z}}", "2:22: error: `x` is given twice"),
            ("<p {{t orders.title}}>", "2:8: error: no value may stand in a tag, between attributes"),
            ("{{> }}", "2:5: error: expected the name of a template"),
            ("{{> part \"a}}", "2:10: error: this text has no closing quote"),
            ("{{page Other}}", "2:1: error: this tag belongs at the beginning of a template, once"),
            ("x{{layout dashboard}}", "2:2: error: this tag belongs at the beginning of a template, once"),
            ("{{block a}}{{/block}}", "2:1: error: {{block}} belongs to a layout; a page writes {{#block}}"),
            (
                "{{#block a}}{{/block}}",
                "2:1: error: {{#block}} belongs to a page with a layout, outside of everything"
            ),
        ]
    )
    func unreadable(body: String, expected: String) {
        #expect(mistakes(in: body) == [expected])
    }

    @Test("a file that is not UTF-8 is refused")
    func notUTF8() {
        let source = TemplateSource(name: "a.html", path: "a.html", bytes: Array("{{page A}}".utf8) + [0xFF])
        let compiled = TemplateSet.compile([source])
        #expect(throws: TemplateErrors(errors: [source.error(at: 0, "this file is not UTF-8")])) { try compiled.get() }
    }

    @Test("names that are also tags are values when they stand alone")
    func tagWords() throws {
        #expect(
            try statements(of: "{{page}}{{block}}{{layout.x}}{{partial}}{{if}}") == [
                "text(self.page)", "text(self.block)", "text(self.layout.x)", "text(self.partial)", "text(self.`if`)",
            ]
        )
    }

    @Test("strings stand by their key wherever a value may, and take what they leave open by name")
    func strings() throws {
        #expect(
            try statements(
                of: "{{t orders.title}}<a href=\"/x?q={{t orders.no_match}}\" title='{{t a.b_c.d y=1 x=!z.w}}'>"
            )
                == [
                    "text(self.strings.ordersTitle)", "append(\"<a href=\\\"/x?q=\")",
                    "component(self.strings.ordersNoMatch)", "append(\"\\\" title='\")",
                    "attribute(self.strings.aBCD(x: !self.z.w, y: 1))", "append(\"'>\")",
                ]
        )
        #expect(try statements(of: "{{t}}") == ["text(self.t)"])
        let swift = try compile(["_a.html": "{{partial a()}}\n{{t a.b}}{{strings.tag}}"])
        let partial = try #require(swift["_a.html"])
        #expect(partial.contains("static func a(strings: Strings, into _html: inout HTMLBuffer) {"))
        #expect(partial.contains("_html.text(strings.aB)"))
        #expect(partial.contains("_html.text(strings.tag)"))
    }

    @Test("comments vanish, whatever is in them")
    func comments() throws {
        #expect(try statements(of: "a{{! x < y }}b{{!-- {{x}} <p --}}c{{!}}") == ["append(\"abc\")"])
    }

    @Test("text is copied byte by byte")
    func literals() throws {
        #expect(
            try statements(of: #"<p title='"\(x)"'>\n "# + "\t李 }} { {") == [
                #"append("<p title='\"\\(x)\"'>\\n \t李 }} { {")"#
            ]
        )
    }

    @Test("a line with nothing but section tags leaves no line")
    func blankLines() throws {
        let body = """
            <ul>
              {{#each xs as x}}
                {{! one }} {{#if x.y}}
              <li>{{x.y}}</li>
                {{/if}}{{/each}}
            </ul>
            {{!--
              long
            --}}
            {{x}}
            {{> part}}

            """
        #expect(
            try statements(of: body, besides: ["_part.html": "{{partial part()}}\n<b></b>\n"]) == [
                "append(\"<ul>\\n\")", "for x in self.xs {", "if x.y {", "append(\"  <li>\")", "text(x.y)",
                "append(\"</li>\\n\")", "}", "}", "append(\"</ul>\\n\")", "text(self.x)", "append(\"\\n\")",
                "Templates.part(strings: self.strings, into: &_html)", "append(\"\\n\")",
            ]
        )
    }

    @Test("a line with anything else keeps its white space")
    func keptLines() throws {
        #expect(
            try statements(of: "a\n {{#if x}} b\n {{/if}} {{y}}\n") == [
                "append(\"a\\n \")", "if self.x {", "append(\" b\\n \")", "}", "append(\" \")", "text(self.y)",
                "append(\"\\n\")",
            ]
        )
    }

    @Test("a tilde eats the white space on its side")
    func tilde() throws {
        #expect(
            try statements(of: "a \n {{~x}} b {{y~}} \n c {{~! z ~}} d") == [
                "append(\"a\")", "text(self.x)", "append(\" b \")", "text(self.y)", "append(\"cd\")",
            ]
        )
    }
}
