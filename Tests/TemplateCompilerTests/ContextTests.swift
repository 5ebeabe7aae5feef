import Testing

@testable import TemplateCompiler

@Suite("Escaping by place")
struct ContextTests {
    @Test(
        "the place decides the escaper",
        arguments: [
            ("<p>{{x}}</p>", "text(self.x)"),
            ("<title>{{x}}</title>", "content(self.x)"),
            ("<textarea>{{x}}</textarea>", "content(self.x)"),
            ("<svg><title>{{x}}</title></svg>", "content(self.x)"),
            ("<svg><text x=\"1\">{{x}}</text></svg>", "content(self.x)"),
            ("<svg><text><tspan>a</tspan>{{x}}</text></svg>", "content(self.x)"),
            ("<svg><text>a</text></svg><p>{{x}}</p>", "text(self.x)"),
            ("<option>{{x}}</option>", "content(self.x)"),
            ("<option>a</option>{{x}}", "text(self.x)"),
            ("<p title=\"{{x}}\">", "attribute(self.x)"),
            ("<p title='{{x}}'>", "attribute(self.x)"),
            ("<p title = '{{x}}'>", "attribute(self.x)"),
            ("<p class=\"status {{x}}\">", "attribute(self.x)"),
            ("<path d=\"{{x}}\"/>", "attribute(self.x)"),
            ("<p data-href=\"{{x}}\">", "attribute(self.x)"),
            ("<meta name=\"a\" content=\"{{x}}\">", "attribute(self.x)"),
            ("<a href=\"{{x}}\">", "url(self.x)"),
            ("<a HREF='{{x}}'>", "url(self.x)"),
            ("<a href=\" {{x}}\">", "url(self.x)"),
            ("<img src=\"{{x}}\">", "url(self.x)"),
            ("<script src=\"{{x}}\"></script>", "url(self.x)"),
            ("<form action=\"{{x}}\">", "url(self.x)"),
            ("<button formaction=\"{{x}}\">", "url(self.x)"),
            ("<video poster=\"{{x}}\">", "url(self.x)"),
            ("<q cite=\"{{x}}\">", "url(self.x)"),
            ("<use xlink:href=\"{{x}}\"/>", "url(self.x)"),
            ("<object data=\"{{x}}\">", "url(self.x)"),
            ("<a href=\"/orders/{{x}}\">", "component(self.x)"),
            ("<a href=\"?q={{x}}\">", "component(self.x)"),
            ("<a href=\"#{{x}}\">", "component(self.x)"),
            ("<a href=\"https://example.com/{{x}}\">", "component(self.x)"),
            ("<a href=\"mailto:{{x}}\">", "component(self.x)"),
            ("<a href=\"orders/{{x}}\">", "component(self.x)"),
            ("<a class=\"b\" href=\"/x\" title=\"{{x}}\">", "attribute(self.x)"),
            ("<!doctype html><!-- <a href=\" --><p>{{x}}", "text(self.x)"),
            ("<!-->{{x}}", "text(self.x)"),
            ("<!--->{{x}}", "text(self.x)"),
            ("<!-- a --!>{{x}}", "text(self.x)"),
            ("<!-- a -> -- > ---->{{x}}", "text(self.x)"),
            ("<script>if (a < b) { \"</p>\" }</script>{{x}}", "text(self.x)"),
            ("<style>a > b {}</style >{{x}}", "text(self.x)"),
            ("<title>a </titles> <b </title>{{x}}", "text(self.x)"),
            ("<title><</title>{{x}}", "text(self.x)"),
            ("<br/>{{x}}<hr />", "text(self.x)"),
            ("<option disabled value=\"{{x}}\"></option>", "attribute(self.x)"),
        ]
    )
    func escapers(body: String, expected: String) throws {
        #expect(try statements(of: body).filter { !$0.hasPrefix("append") } == [expected])
    }

    @Test("a value at the start of a URL is followed by components")
    func urlInParts() throws {
        let calls = try statements(of: #"<a href="{{base}}/{{id}}?q={{q}}#{{f}}">"#).filter { !$0.hasPrefix("append") }
        #expect(calls == ["url(self.base)", "component(self.id)", "component(self.q)", "component(self.f)"])
    }

    @Test(
        "no value may stand where it could become code or a name",
        arguments: [
            ("<script>{{x}}</script>", "2:11: error: no value may stand in <script>"),
            ("<style>{{x}}</style>", "2:10: error: no value may stand in <style>"),
            ("<iframe>{{x}}</iframe>", "2:11: error: no value may stand in <iframe>"),
            ("<!-- {{x}} -->", "2:8: error: no value may stand in an HTML comment"),
            ("<!doctype {{x}}>", "2:13: error: no value may stand in a declaration"),
            ("<{{x}}>", "2:4: error: no value may stand in a tag's name"),
            ("<h{{x}}>", "2:5: error: no value may stand in a tag's name"),
            ("<p {{x}}>", "2:6: error: no value may stand in a tag, between attributes"),
            ("<p data-{{x}}=\"\">", "2:11: error: no value may stand in an attribute's name"),
            ("<p class={{x}}>", "2:12: error: put the value in quotes: class=\"{{…}}\""),
            ("<p class=a{{x}}>", "2:13: error: put the value in quotes: class=\"{{…}}\""),
            ("<p style=\"{{x}}\">", "2:13: error: no value may stand in the attribute style of <p>"),
            ("<p onclick=\"f({{x}})\">", "2:17: error: no value may stand in the attribute onclick of <p>"),
            ("<p ONCLICK=\"f('{{x}}')\">", "2:18: error: no value may stand in the attribute onclick of <p>"),
            ("<iframe srcdoc=\"{{x}}\">", "2:19: error: no value may stand in the attribute srcdoc of <iframe>"),
            ("<img srcset=\"{{x}}\">", "2:16: error: no value may stand in the attribute srcset of <img>"),
            ("<set to=\"{{x}}\"/>", "2:12: error: no value may stand in the attribute to of <set>"),
            (
                "<meta http-equiv=\"refresh\" content=\"{{x}}\">",
                "2:39: error: no value may stand in a <meta content> that comes before name= or property="
            ),
            ("<title></{{x}}</title>", "2:12: error: no value may stand in <title>"),
        ]
    )
    func forbidden(body: String, expected: String) {
        #expect(mistakes(in: body) == [expected])
    }

    @Test(
        "no value may complete a scheme",
        arguments: [
            (
                "<a href=\"java{{x}}\">",
                "2:16: error: a value may stand at the start of a URL, or after `/`, `?` or `#`"
            ),
            (
                "<a href=\"{{x}}{{y}}\">",
                "2:17: error: a value may stand at the start of a URL, or after `/`, `?` or `#`"
            ),
            ("<a href=\"{{x}}:1\">", "2:15: error: `:` may not follow a value at the start of a URL"),
            ("<a href=\"{{x}}a:1\">", "2:16: error: `:` may not follow a value at the start of a URL"),
            ("<a href=\"javascript:f({{x}})\">", "2:20: error: a javascript: URL is never allowed"),
            ("<a href=\"JavaScript:f()\">", "2:20: error: a javascript: URL is never allowed"),
            ("<img src=\"data:{{x}}\">", "2:18: error: no value may stand in a URL with this scheme"),
            (
                "<a href=\"{{#if x}}java{{/if}}{{y}}\">",
                "2:32: error: a value may stand at the start of a URL, or after `/`, `?` or `#`"
            ),
            (
                "<a href=\"{{#if x}}java{{/if}}script:1\">",
                "2:36: error: `:` may not follow a value at the start of a URL"
            ),
        ]
    )
    func schemes(body: String, expected: String) {
        #expect(mistakes(in: body) == [expected])
    }

    @Test(
        "HTML that browsers would repair is an error",
        arguments: [
            ("a < b", "2:4: error: `<` begins no tag here; write &lt;"),
            ("<p class=\"a\"id=\"b\">", "2:13: error: white space is due before the next attribute"),
            ("<p class=>", "2:10: error: the attribute class has no value after `=`"),
            ("<p class=a\"b>", "2:11: error: the attribute class needs quotes"),
            ("<p \"a\">", "2:4: error: `\"` is out of place in a tag"),
            ("<p", "2:3: error: this begins in text and ends in a tag's name; it must end where it began"),
            (
                "<p title=\"a>",
                "2:13: error: this begins in text and ends in the attribute title; it must end where it began"
            ),
            ("<script>x", "2:10: error: this begins in text and ends in <script>; it must end where it began"),
            ("<!-- x", "2:7: error: this begins in text and ends in an HTML comment; it must end where it began"),
        ]
    )
    func broken(body: String, expected: String) {
        #expect(mistakes(in: body) == [expected])
    }

    @Test(
        "trusted HTML and partials stand between elements only",
        arguments: [
            ("<p title=\"{{{x}}}\">", "{{{ }}} stands between elements only, not in the attribute title"),
            ("<title>{{{x}}}</title>", "{{{ }}} stands between elements only, not in <title>"),
            ("<script>{{{x}}}</script>", "{{{ }}} stands between elements only, not in <script>"),
            ("<p {{{x}}}>", "{{{ }}} stands between elements only, not in a tag, between attributes"),
            ("<p title=\"{{> part}}\">", "a partial stands between elements only, not in the attribute title"),
            ("<p {{> part}}>", "a partial stands between elements only, not in a tag, between attributes"),
        ]
    )
    func betweenElements(body: String, expected: String) {
        let found = mistakes(in: body, besides: ["_part.html": "{{partial part()}}<b></b>"])
        #expect(found.count == 1 && found[0].hasSuffix(expected))
    }
}
