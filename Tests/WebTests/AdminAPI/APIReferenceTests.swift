import APITypes
import Foundation
import HTTPTypes
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("The API reference") struct APIReferenceTests {
    @Test("the page of a tag has its operations with all their parameters and fields, and the first page leads there")
    func completeness() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let first = try await browser.get(SitePath.docs).text
                for tag in APIOperation.Tag.allCases {
                    let routes = site.map.operations.filter { $0.operation.tag == tag }
                    #expect(!routes.isEmpty, "\(tag)")
                    let page = try await browser.get(SitePath.reference(of: tag)).text
                    for route in routes {
                        #expect(first.contains("href=\"\(SitePath.reference(of: route.operation))\""))
                        let section = Self.section(of: route.operation, in: page)
                        #expect(section.contains("<strong>\(route.method.rawValue)</strong> \(route.path)</p>"))
                        let missing = Self.names(of: route).filter { name in
                            !section.contains(">\(name)</code>") && !section.contains(".\(name)</code>")
                        }
                        #expect(missing.isEmpty, "\(route.operation.id)")
                    }
                }
            }
        }
    }

    @Test("each operation has a call to copy: its method, a path that leads to it, a body with what is required")
    func calls() async throws {
        try await TestSite.run { site in
            let origin = "https://office.example.com"
            for route in site.map.operations {
                let text = CurlCommand(route, origin: origin).text
                let start = "curl -X \(route.method.rawValue) '\(origin)"
                #expect(text.hasPrefix(start), "\(text)")
                let path = String(text.dropFirst(start.count).prefix { $0 != "'" })
                #expect(site.map.methods(at: path).contains(route.method.rawValue), "\(path)")
                #expect(text.contains("Authorization: Bearer $TOKEN") == (route.access != .open), "\(text)")
                #expect(text.contains("Idempotency-Key") == route.takesKey, "\(text)")
                let namesApp = route.operation.query.contains { $0.name == "app" }
                #expect(text.contains("X-App: $APP") == namesApp, "\(text)")
                guard let members = route.operation.body?.schema.members else { continue }
                let sent = try #require(text.components(separatedBy: "-d '").last)
                let json = try JSONSerialization.jsonObject(with: Data(sent.dropLast().utf8))
                let body = try #require(json as? [String: Any])
                #expect(Set(members.filter(\.isRequired).map(\.name)).isSubset(of: body.keys), "\(text)")
                #expect(Set(body.keys).isSubset(of: members.map(\.name)), "\(text)")
            }
        }
    }

    @Test("an example keeps the rules that stand beside it")
    func examples() async throws {
        try await TestSite.run { site in
            for route in site.map.operations {
                let members = (route.operation.body?.schema.members ?? []).filter(\.isRequired)
                for schema in route.operation.path.map(\.schema) + members.map(\.schema) {
                    guard case .string(let text) = schema.innermost.scalarExample else { continue }
                    for rule in schema.innermost.rules {
                        let isKept = try Self.keeps(text, rule)
                        #expect(isKept, "\(route.operation.id): \(text)")
                    }
                }
            }
        }
    }

    @Test("anybody may read it, in their language, without a script from elsewhere; it is not sent twice")
    func served() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let english = try await browser.get("/docs/orders")
                #expect(english.status == .ok)
                #expect(english.headers[.contentType] == "text/html; charset=utf-8")
                #expect(english.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
                let sources = english.text.components(separatedBy: "src=\"").dropFirst()
                #expect(sources.count == 1)
                #expect(sources.allSatisfy { $0.hasPrefix("/assets/") })
                let tag = try #require(english.headers[.eTag])
                for known in [tag, "W/\(tag)"] {
                    let again = try await browser.get("/docs/orders", headers: [.ifNoneMatch: known])
                    #expect(again.status == .notModified)
                }
                let headers: HTTPFields = [.acceptLanguage: "tr", .ifNoneMatch: tag]
                let turkish = try await browser.get("/docs/orders", headers: headers)
                #expect(turkish.status == .ok)
                #expect(turkish.text.contains("<html lang=\"tr\">"))
                #expect(turkish.text.contains("Parametreler"))
                let nowhere = try await browser.get("/docs/nothing")
                #expect(nowhere.status == .notFound)
                #expect(nowhere.headers[.contentType] == "text/html; charset=utf-8")
            }
        }
    }

    @Test("a resource is spelled out where it first stands, and named where it stands again")
    func recursion() {
        let fields = SchemaField.list(of: Branch.schema)
        #expect(fields.map(\.path) == ["name", "twigs", "leaf", "leaf.colour", "fallen"])
        #expect(fields.map(\.sameAs) == [nil, Branch.schemaName, nil, nil, "leaf"])
        let (branch, leaf) = (Branch.schemaName, Leaf.schemaName)
        let types = ["string", "array of \(branch)", leaf, "string | null", "\(leaf) | null"]
        #expect(fields.map(\.schema.typeText) == types)
    }

    @Test("what stands between backticks is code")
    func marks() {
        let pieces = MarkedText("`a` or b, `c`.").pieces
        #expect(pieces.map(\.text) == ["a", " or b, ", "c", "."])
        #expect(pieces.map(\.isCode) == [true, false, true, false])
    }

    @Test("the operations of a tag look as they were recorded")
    func snapshot() async throws {
        try await TestSite.run { site in
            let routes = site.map.operations
            let frame = APIReferenceFrame(routes, showing: .tokens, assets: AssetPaths())
            let page = APIReferenceTagPage(
                .tokens,
                of: routes,
                origin: "https://office.example.com",
                strings: Strings(.english),
                frame: frame
            )
            try expectSnapshot(page, named: "reference/tokens")
        }
    }

    /// Returns an operation's section of the page, from its heading on, without line ends.
    private static func section(of operation: APIOperation, in page: String) -> String {
        guard let start = page.range(of: "<h2 id=\"\(operation.id)\"") else { return "" }
        let rest = page[start.lowerBound...]
        let end = rest.range(of: "</section>")?.lowerBound ?? rest.endIndex
        return String(rest[..<end]).replacing("\n", with: "")
    }

    /// Returns the names of every parameter, every member of the body, and every field of the answer.
    private static func names(of route: DescribedRoute) -> [String] {
        let answered = APIDocument.components(of: [route.operation]).filter { !$0.name.hasPrefix("Problem") }
        return route.parameters.map(\.name) + (route.operation.body?.schema.members ?? []).map(\.name)
            + answered.flatMap { $0.type.fieldNames }
    }

    private static func keeps(_ text: String, _ rule: JSONSchema.Rule) throws -> Bool {
        switch rule {
        case .pattern(let expression): try text.wholeMatch(of: Regex(expression)) != nil
        case .length(let least, let most): text.count >= least && text.count <= most ?? .max
        case .oneOf, .format, .range, .above, .count, .preset, .example: true
        }
    }

    struct Leaf: Resource {
        var colour: String?

        static let fields = Fields<Self> {
            Field("colour", \.colour)
        }
    }

    struct Branch: Resource {
        var name: String
        var twigs: [Branch]
        var leaf: Leaf
        var fallen: Leaf?

        static let fields = Fields<Self> {
            Field("name", \.name)
            Field("twigs", \.twigs)
            Field("leaf", \.leaf)
            Field("fallen", \.fallen)
        }
    }
}
