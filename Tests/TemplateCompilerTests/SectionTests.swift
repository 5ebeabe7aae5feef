import Testing

@testable import TemplateCompiler

@Suite("Sections")
struct SectionTests {
    @Test("a value is compared with a case of its enumeration")
    func comparisons() throws {
        #expect(
            try statements(of: "{{#if section == orders}}a{{else if tab.kind != default}}b{{/if}}") == [
                "if self.section == .orders {", "append(\"a\")", "} else if self.tab.kind != .`default` {",
                "append(\"b\")", "}",
            ]
        )
    }

    @Test(
        "what is compared otherwise is refused",
        arguments: ["section = orders", "section ==", "section == a.b", "!section == orders", "section == \"orders\""]
    )
    func badComparisons(_ condition: String) {
        #expect(errors(in: ["a.html": "{{page A}}{{#if \(condition)}}a{{/if}}"]).count == 1)
    }

    @Test("#if, else if and else become one chain")
    func condition() throws {
        #expect(
            try statements(of: "{{#if paid}}a{{else if !late}}b{{else if let n = order.name}}{{n}}{{else}}c{{/if}}")
                == [
                    "if self.paid {", "append(\"a\")", "} else if !self.late {", "append(\"b\")",
                    "} else if let n = self.order.name {", "text(n)", "} else {", "append(\"c\")", "}",
                ]
        )
    }

    @Test("#with unwraps, and its name ends with it")
    func with() throws {
        #expect(
            try statements(of: "{{#with order.customer as c}}{{c.name}}{{else}}{{c}}{{/with}}") == [
                "if let c = self.order.customer {", "text(c.name)", "} else {", "text(self.c)", "}",
            ]
        )
    }

    @Test("#each becomes a loop, its else stands for emptiness")
    func each() throws {
        #expect(
            try statements(
                of: "{{#each orders as order}}{{order}}{{#each order.lines as order}}{{order.x}}{{/each}}{{/each}}"
            )
                == [
                    "for order in self.orders {", "text(order)", "for order in order.lines {", "text(order.x)", "}",
                    "}",
                ]
        )
        #expect(
            try statements(of: "{{#each a.b as c}}x{{else}}y{{/each}}") == [
                "if self.a.b.isEmpty {", "append(\"y\")", "}", "for c in self.a.b {", "append(\"x\")", "}",
            ]
        )
    }

    @Test("Swift's keywords may be properties and names")
    func keywords() throws {
        #expect(
            try statements(of: "{{status.class}}{{#each default as case}}{{case.in}}{{/each}}") == [
                "text(self.status.`class`)", "for `case` in self.`default` {", "text(`case`.`in`)", "}",
            ]
        )
    }

    @Test(
        "sections stand inside tags and values",
        arguments: [
            "<option{{#if x}} selected{{/if}}></option>",
            "<option value=\"{{id}}\"{{#if x}} selected{{/if}}>a</option>",
            "<option {{#if x}}selected{{/if}}></option>",
            "<option {{#if x}}selected{{else}}disabled{{/if}} value=\"1\"></option>",
            "<a class=\"b{{#if x}} c{{/if}}\">",
            "<a{{#each xs as x}} data-x=\"{{x}}\"{{/each}} id=\"1\">",
            "<a href=\"/x{{#if q}}?q={{q}}{{/if}}\">",
            "<a href=\"{{#if x}}{{x}}{{else}}/y{{/if}}/{{z}}\">",
            "<a href=\"?{{#each xs as x}}&amp;x={{x}}{{/each}}\">",
            "<input{{#if x}} value=\"{{x}}\"{{/if}}{{#if y}} disabled{{/if}}/>",
            "<meta{{#if x}} name=\"a\"{{/if}}>",
            "<title>{{#if x}}{{y}}{{/if}}</title>",
        ]
    )
    func insideTags(body: String) {
        #expect(mistakes(in: body) == [])
    }

    @Test(
        "a section ends where the rest of the page can go on",
        arguments: [
            (
                "<a {{#if x}}title=\"{{/if}}\">",
                "the branches of this section end in different places: the attribute title and a tag, between attributes"
            ),
            (
                "{{#if x}}<p {{/if}}>",
                "the branches of this section end in different places: a tag, between attributes and text"
            ),
            ("{{#each xs as x}}<p {{/each}}>", "this section begins in text and ends in a tag, between attributes; "),
            (
                "<a href=\"{{#each xs as x}}{{x}}{{/each}}\">",
                "this section begins in the attribute href and ends in the "
            ),
            ("<a title={{#if x}}a{{/if}}>", "no section may begin in an unquoted attribute"),
            ("<script>{{#if x}}a{{/if}}</script>", "no section may begin in <script>"),
            ("<!-- {{#if x}}a{{/if}} -->", "no section may begin in an HTML comment"),
            ("{{#if x}}<{{/if}}p>", "this section ends in a tag's name"),
            ("<p {{#if x}}class={{/if}}\"a\">", "this section ends in an unquoted attribute"),
            ("<option{{#if x}}selected{{/if}}>", "white space is due before the next attribute"),
            ("<p{{#if x}} a{{else}} b {{/if}}c>", "white space is due before the next attribute"),
            ("<p{{#if x}} b {{else}} a{{/if}}c>", "white space is due before the next attribute"),
            ("<p {{#if x}}data-{{/if}}id=\"a\">", "white space is due before the next attribute"),
            ("<p {{#each xs as x}}a=\"{{x}}\"{{/each}}>", "white space is due before the next attribute"),
            (
                "<meta{{#if x}} name=\"a\"{{/if}} content=\"{{x}}\">",
                "no value may stand in a <meta content> that comes before name= or property="
            ),
        ]
    )
    func badEnds(body: String, expected: String) {
        let found = mistakes(in: body)
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
    }

    @Test(
        "sections are nested and closed",
        arguments: [
            ("\n {{#if x}}a", "3:2: error: this section is not closed with {{/if}}"),
            ("{{#each x as y}}", "2:1: error: this section is not closed with {{/each}}"),
            ("{{/if}}", "2:1: error: {{/if}} closes nothing"),
            (
                "{{#if x}}\n{{/each}}",
                "3:1: error: {{/each}} where {{/if}} is due, for the section opened in line 2"
            ),
            ("{{else}}", "2:1: error: {{else}} outside of #if, #with and #each"),
            ("{{#if x}}{{else}}{{else}}{{/if}}", "2:18: error: nothing but {{/if}} may follow {{else}}"),
            ("{{#with x as y}}{{else if z}}{{/with}}", "2:17: error: {{else if}} belongs to #if"),
            ("{{#each x as y}}{{else if z}}{{/each}}", "2:17: error: {{else if}} belongs to #if"),
        ]
    )
    func nesting(body: String, expected: String) {
        #expect(mistakes(in: body) == [expected])
    }
}
