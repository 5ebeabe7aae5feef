import Foundation
import Testing

/// Builds a package with both plugins, and checks the compiler's messages and the pages.
@Suite("Building with the plugins")
struct BuildTests {
    @Test("pages render, mistakes are reported where they stand, and added and removed files are noticed")
    func package() async throws {
        let package = try FixturePackage()
        try writeSite(to: package)

        let build = try await package.build()
        try #require(build.succeeded, "\(build.output)")
        #expect(try await package.runSite() == FixtureSite.expected)
        try await reportsMistakesInTypes(package)
        try await reportsMistakesInTags(package)
        try await reportsMistakesInLanguages(package)
        try await noticesFilesThatComeAndGo(package)
    }

    /// Checks mistakes that the Swift compiler finds, in templates that share a file name and in others.
    private func reportsMistakesInTypes(_ package: FixturePackage) async throws {
        try package.write(FixtureSite.badIndex, to: "Templates/orders/index.html")
        try package.write(
            "{{partial row(order: OrderRow)}}\n<p>\n{{order.lines}}</p>\n",
            to: "Templates/orders/_row.html"
        )
        let build = try await package.build()
        #expect(!build.succeeded)
        let index = package.path(of: "orders/index.html")
        expect(build.output, at: "\(index):5:6", "has no member 'headng'")
        expect(
            build.output,
            at: "\(index):6:12",
            "cannot convert value of type 'String' to expected condition type 'Bool'"
        )
        expect(build.output, at: "\(index):7:13", "must be unwrapped|unwrap it with \\{\\{#if let")
        expect(
            build.output,
            at: "\(index):8:7",
            "cannot convert value of type 'String' to expected argument type 'TrustedHTML'"
        )
        expect(
            build.output,
            at: "\(index):9:5",
            "cannot convert value of type 'String' to expected argument type 'OrderRow'"
        )
        expect(build.output, at: "\(index):10:8", "has no member 'siteNobdy'")
        expect(build.output, at: "\(package.path(of: "orders/_row.html")):3", "requires that '\\[String\\]' conform")
    }

    /// Checks mistakes that the template compiler finds.
    private func reportsMistakesInTags(_ package: FixturePackage) async throws {
        try package.write(
            "{{page OrderIndexPage}}\n{{layout site}}\n{{#block content}}\n<p>{{heading</p>\n",
            to: "Templates/orders/index.html"
        )
        try package.write("{{page RefundIndexPage}}\n\n <b>{{> nothing}}", to: "Templates/refunds/index.html")
        var build = try await package.build()
        #expect(!build.succeeded)
        let index = package.path(of: "orders/index.html")
        #expect(build.output.contains("\(index):4:4: error: this tag is not closed with }}\n"))
        try package.write(FixtureSite.index, to: "Templates/orders/index.html")
        build = try await package.build()
        let refunds = package.path(of: "refunds/index.html")
        #expect(
            build.output.contains(
                "\(refunds):3:9: error: unknown partial `nothing`: there is no refunds/_nothing.html and no _nothing.html\n"
            )
        )
    }

    /// Checks mistakes that the language compiler finds.
    private func reportsMistakesInLanguages(_ package: FixturePackage) async throws {
        try writeSite(to: package)
        try package.write("site.nobody = kimse\nsite.found = {kim} bulundu\n", to: "Languages/tr/site.strings")
        let build = try await package.build()
        #expect(!build.succeeded)
        let turkish = package.path(ofLanguage: "tr/site.strings")
        #expect(build.output.contains("\(turkish):2:1: error: `site.found` has {kim}, but {what} in line 2 of "))
    }

    private func noticesFilesThatComeAndGo(_ package: FixturePackage) async throws {
        try writeSite(to: package)
        try package.write("{{partial nothing()}}\nsomething {{t more.x}}", to: "Templates/refunds/_nothing.html")
        try package.write("{{page RefundIndexPage}}\n{{> nothing}}\n", to: "Templates/refunds/index.html")
        try package.write("new", to: "Public/images/new.txt")
        for language in ["en", "tr"] {
            try package.write("more.x = \(language)\n", to: "Languages/\(language)/more.strings")
        }
        var build = try await package.build()
        try #require(build.succeeded, "\(build.output)")
        var output = try await package.runSite()
        #expect(output.contains("something tr\n"))
        #expect(output.contains("images/new.txt 3 text/plain; charset=utf-8"))
        try writeSite(to: package)
        try package.remove("Templates/refunds/_nothing.html")
        try package.remove("Public/images/new.txt")
        for language in ["en", "tr"] { try package.remove("Languages/\(language)/more.strings") }
        build = try await package.build()
        try #require(build.succeeded, "\(build.output)")
        output = try await package.runSite()
        #expect(output == FixtureSite.expected)
    }

    private func expect(_ output: String, at place: String, _ message: String) {
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("\(place):") }
        let pattern = try? Regex(message)
        let matches = lines.contains { line in pattern.map { line.contains($0) } ?? false }
        #expect(matches, "no line begins with \(place) and says \(message) in:\n\(output)")
    }

    private func writeSite(to package: FixturePackage) throws {
        try package.write(FixtureSite.pages, to: "Sources/Site/Pages.swift")
        try package.write(FixtureSite.main, to: "Sources/Site/main.swift")
        try package.write(FixtureSite.layout, to: "Templates/layouts/site.html")
        try package.write(FixtureSite.index, to: "Templates/orders/index.html")
        try package.write(FixtureSite.row, to: "Templates/orders/_row.html")
        try package.write(
            "{{page RefundIndexPage}}\n<p title=\"{{t site.found what=text}}\">{{text}}</p>\n",
            to: "Templates/refunds/index.html"
        )
        try package.write(FixtureSite.english, to: "Languages/en/site.strings")
        try package.write(FixtureSite.turkish, to: "Languages/tr/site.strings")
        try package.write("a { }\n", to: "Public/site.css")
    }
}
