import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("Forged forms") struct ForgedFormTests {
    /// A forged form, with the headers that a browser would send.
    enum Forgery: CaseIterable {
        case noToken
        case emptyToken
        case nonsense
        case tokenOfAnotherSession
        case otherOrigin
        case nullOrigin
        case crossSite
        case sameSiteOtherHost
    }

    @Test("a forged form changes nothing and is answered with 403", arguments: Forgery.allCases)
    func refused(_ forgery: Forgery) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support)
            try await site.app.test(.router) { client async throws in
                let (victim, other) = (Browser(client), Browser(client))
                _ = try await victim.signIn("admin@example.com")
                _ = try await other.signIn("support@example.com")
                let before = try await site.rowCounts()
                let own = try #require(try await victim.get("/dashboard/orders").formToken)
                let foreign = try #require(try await other.get("/dashboard/orders").formToken)
                let (fields, headers) = Self.request(forgery, own: own, foreign: foreign)
                for (path, field) in [("sign-out", "x"), ("preferences", "theme"), ("app", "app")] {
                    let answer = try await victim.post(
                        "/dashboard/\(path)",
                        fields + [(field, "dark")],
                        headers: headers
                    )
                    #expect(answer.status == .forbidden, "\(path) led to \(answer.location ?? "nowhere")")
                }
                #expect(try await site.rowCounts() == before)
                #expect(try await victim.get("/dashboard/orders").status == .ok)
                let theme = try await site.pool.query("SELECT DISTINCT theme FROM staff").map {
                    try $0.decode(0, as: String.self)
                }
                #expect(theme == ["system"])
            }
        }
    }

    @Test("a form with our token, our origin and same-origin is taken; so is one from a client that says nothing")
    func accepted() async throws {
        try await TestSite.run(publicURL: "https://office.example.com") { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                let headers: HTTPFields = [.origin: "https://office.example.com", .secFetchSite: "same-origin"]
                let answer = try await browser.submit("/dashboard/preferences", [("theme", "dark")], headers: headers)
                #expect(answer.status == .seeOther)
                #expect(try await browser.submit("/dashboard/preferences", [("theme", "light")]).status == .seeOther)
            }
        }
    }

    @Test("signing in needs the visitor's own form, so nobody can be signed in as somebody else")
    func signInForm() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let (attacker, victim) = (Browser(client), Browser(client))
                let token = try #require(try await attacker.get("/dashboard/sign-in").formToken)
                _ = try await victim.get("/dashboard/sign-in")
                let fields = [("csrf", token), ("email", "admin@example.com"), ("password", TestSite.password)]
                let answer = try await victim.post("/dashboard/sign-in", fields)
                #expect(answer.status == .forbidden)
                #expect(answer.cookie("perennial") == nil)
                let crossSite: HTTPFields = [.secFetchSite: "cross-site"]
                #expect(try await attacker.post("/dashboard/sign-in", fields, headers: crossSite).status == .forbidden)
                #expect(try await site.audit() == ["staff.add"])
                #expect(try await attacker.post("/dashboard/sign-in", fields).status == .seeOther)
            }
        }
    }

    @Test("text/plain, JSON and a method in a field do not get past the form")
    func otherMediaTypes() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                for type in ["text/plain", "application/json", "multipart/form-data; boundary=x"] {
                    let answer = try await browser.submit("/dashboard/sign-out", [], headers: [.contentType: type])
                    #expect(answer.status == .unsupportedMediaType)
                }
                #expect(try await browser.get("/dashboard/sign-out?_method=POST").status == .methodNotAllowed)
                #expect(try await browser.get("/dashboard/orders").status == .ok)
            }
        }
    }

    @Test("the token differs in each page and is good in each")
    func masked() async throws {
        let secret = SecretToken.random()
        let (first, second) = (FormToken.issue(for: secret), FormToken.issue(for: secret))
        #expect(first != second)
        #expect(FormToken.accepts(first, for: secret) && FormToken.accepts(second, for: secret))
        #expect(!FormToken.accepts(first, for: .random()))
        #expect(!FormToken.accepts(String(first.dropLast(2)), for: secret))
        #expect(!FormToken.accepts(nil, for: secret))
        for digit in first.indices {
            let other = first[digit] == "0" ? "1" : "0"
            let flipped = first.replacingCharacters(in: digit...digit, with: other)
            #expect(!FormToken.accepts(flipped, for: secret))
        }
    }

    @Test("of ten thousand tokens of other sessions none is taken")
    func others() {
        let secret = SecretToken.random()
        let taken = (1...10_000).count { _ in FormToken.accepts(FormToken.issue(for: .random()), for: secret) }
        #expect(taken == 0)
    }

    private static func request(
        _ forgery: Forgery,
        own: String,
        foreign: String
    ) -> (fields: [(String, String)], headers: HTTPFields) {
        switch forgery {
        case .noToken: ([], [:])
        case .emptyToken: ([("csrf", "")], [:])
        case .nonsense: ([("csrf", String(repeating: "0", count: 128))], [:])
        case .tokenOfAnotherSession: ([("csrf", foreign)], [:])
        case .otherOrigin: ([("csrf", own)], [.origin: "https://evil.example"])
        case .nullOrigin: ([("csrf", own)], [.origin: "null"])
        case .crossSite: ([("csrf", own)], [.secFetchSite: "cross-site"])
        case .sameSiteOtherHost: ([("csrf", own)], [.secFetchSite: "same-site"])
        }
    }

    @Test("without a session a form waits for the sign-in only when the browser says that it is ours")
    func keptForms() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                for (headers, isKept) in [
                    ([:], false), ([.secFetchSite: "cross-site"], false), ([.secFetchSite: "same-origin"], true),
                ] as [(HTTPFields, Bool)] {
                    var headers = headers
                    headers[.contentType] = "application/x-www-form-urlencoded"
                    let answer = try await client.executeRequest(
                        uri: "/dashboard/preferences",
                        method: .post,
                        headers: headers,
                        body: ByteBuffer(string: "theme=dark&csrf=x")
                    )
                    #expect(answer.text.contains(#"name="kept""#) == isKept)
                }
            }
        }
    }
}
