import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Operations
import Postgres
import Storage
import Testing

@testable import Web

@Suite("Who may do what") struct PermissionTests {
    /// The whole site and who may come: a route that is not here fails the test below.
    static let expected: [String: RouteAccess] = [
        "GET /": .open,
        "GET /dashboard/sign-in": .open,
        "POST /dashboard/sign-in": .open,
        "POST /dashboard/sign-out": .signedIn,
        "GET /dashboard/preferences": .signedIn,
        "POST /dashboard/preferences": .signedIn,
        "POST /dashboard/app": .signedIn,
        "GET /dashboard": .signedIn,
        "GET /dashboard/orders": .staff(.viewOrders),
        "GET /dashboard/orders/{number}": .staff(.viewOrders),
        "GET /dashboard/notifications": .staff(.viewNotifications),
        "GET /dashboard/notifications/{id}": .staff(.viewNotifications),
        "POST /webhooks/apple": .store,
        "POST /ios/webhook": .store,
        "GET /openapi.json": .open,
        "GET /admin/orders": .token(.useAdminAPI),
        "GET /admin/orders/{id}": .token(.useAdminAPI),
        "GET /healthz": .open,
        "GET /readyz": .open,
        "GET /metrics": .operatorOnly,
        "GET /favicon.ico": .open,
        "GET /assets/**": .open,
    ]

    /// What each role may do, as product.md says.
    static let roles: [StaffRole: Set<Permission>] = [
        .admin: Set(Permission.allCases),
        .support: Set(Permission.allCases).subtracting([.decideRefunds, .manageStaff]),
        .analyst: [.viewOrders, .viewNotifications, .useAdminAPI],
    ]

    @Test("every route of the router has an entry, and the entries are the documented ones")
    func completeness() async throws {
        try await TestSite.run { site in
            let entries = Dictionary(
                site.map.entries.map { ("\($0.method.rawValue) \($0.path)", $0.access) }
            ) { first, _ in first }
            #expect(entries == Self.expected)
            let configuration = try WebConfiguration(port: 0)
            let routed = Site(
                backOffice: site.backOffice,
                configuration: configuration,
                metrics: site.registry,
                readiness: { .ready }
            ).router.routes.map { "\($0.method.rawValue) \(Self.normalized($0.path.description))" }
            #expect(Set(routed.filter { !$0.hasPrefix("HEAD") }) == Set(Self.expected.keys.map(Self.normalized)))
        }
    }

    @Test("each role may do what is written down and nothing else", arguments: StaffRole.allCases)
    func table(_ role: StaffRole) {
        for permission in Permission.allCases {
            #expect(role.may(permission) == Self.roles[role]?.contains(permission), "\(permission)")
        }
    }

    @Test("every dashboard route sends who is not signed in to sign in, and tells nothing")
    func signedOut() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                for entry in site.map.entries {
                    switch entry.access {
                    case .signedIn, .staff:
                        let answer = try await client.executeRequest(
                            uri: Self.path(entry),
                            method: entry.method,
                            headers: [:],
                            body: nil
                        )
                        #expect(answer.status == .seeOther)
                        #expect(answer.location?.hasPrefix("/dashboard/sign-in") == true)
                        #expect(answer.body.readableBytes == 0)
                    case .token:
                        let answer = try await client.executeRequest(
                            uri: Self.path(entry),
                            method: entry.method,
                            headers: [:],
                            body: nil
                        )
                        #expect(answer.status == .unauthorized)
                    case .open, .store, .operatorOnly: break
                    }
                }
            }
        }
    }

    @Test(
        "each role comes exactly where its permissions lead: its own app's objects, not another's, not what there is not",
        arguments: StaffRole.allCases
    )
    func matrix(_ role: StaffRole) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(3)
            let visits = Self.visits(site.map.entries, of: role)
            let denials = visits.filter { !$0.may }.count
            #expect(visits.count >= 6)
            for app in ["readmigo", "kombin"] {
                let email = try await site.addPerson(role, apps: [app])
                try await site.app.test(.router) { client async throws in
                    let browser = Browser(client)
                    _ = try await browser.signIn(email)
                    for visit in visits {
                        let status = try await browser.ask(visit.method, visit.path).status
                        #expect(visit.fits(status, from: app), "\(email): \(visit): \(status)")
                    }
                }
            }
            let written = try await site.audit().filter { $0 == "access.deny" }.count
            #expect(written == 2 * denials)
        }
    }

    @Test("a program comes exactly where its owner's role and apps and its scopes lead", arguments: StaffRole.allCases)
    func tokenMatrix(_ role: StaffRole) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(3)
            for app in ["readmigo", "kombin"] {
                let email = try await site.addPerson(role, apps: [app])
                for scopes in [nil, TokenScope.all] + TokenScope.all.map({ [$0] }) {
                    let token = try await site.backOffice.issueToken(
                        named: "test",
                        of: email,
                        scopes: scopes,
                        caller: .commandLine
                    ).text
                    for visit in Self.calls(site.map.entries, of: role, with: scopes) {
                        let status = try await site.call(visit.method, visit.path, token)
                        #expect(visit.fits(status, from: app), "\(email) \(scopes ?? []): \(visit): \(status)")
                        let named = try await site.call(visit.method, "\(visit.path)?app=\(app)", token)
                        #expect(named == status)
                        let other = try await site.call(
                            visit.method,
                            "\(visit.path)?app=\(app == "kombin" ? "readmigo" : "kombin")",
                            token
                        )
                        #expect(other == (visit.may ? .unprocessableContent : .forbidden))
                    }
                }
            }
        }
    }

    /// One request of the matrix.
    private struct Visit: Sendable, CustomStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let object: Object
        let may: Bool

        var description: String { "\(method) \(path)" }

        /// Forms are sent empty: what is there says what is missing in them.
        func fits(_ status: HTTPResponse.Status, from app: String) -> Bool {
            guard may else { return status == .forbidden }
            guard object == .none || (object == .there && app == "readmigo") else { return status == .notFound }
            return status == .ok || status == .seeOther || (method != .get && [409, 422].contains(status.code))
        }
    }

    private static func visits(_ entries: [RouteEntry], of role: StaffRole) -> [Visit] {
        entries.flatMap { entry -> [Visit] in
            guard case .staff(let permission) = entry.access else { return [] }
            return visits(entry, may: role.may(permission))
        }
    }

    private static func calls(_ entries: [RouteEntry], of role: StaffRole, with scopes: [TokenScope]?) -> [Visit] {
        entries.flatMap { entry -> [Visit] in
            guard case .token(let permission) = entry.access else { return [] }
            let hasScope = scopes?.contains { $0.covers(permission.terms.scope) } ?? true
            return visits(entry, may: role.may(permission) && hasScope)
        }
    }

    private static func visits(_ entry: RouteEntry, may: Bool) -> [Visit] {
        paths(entry).map { Visit(method: entry.method, path: $0.0, object: $0.1, may: may) }
    }

    /// Something of readmigo and something that there is not, for each path of an object; longer paths begin with one.
    private static let objects: [(path: String, there: String, missing: String)] = [
        ("/dashboard/orders/{number}", "ORD-20260101-0001", "ORD-20260101-9999"),
        ("/dashboard/notifications/{id}", TestSite.notificationID, "00000000-0000-7000-8000-000000000009"),
        ("/admin/orders/{id}", "ORD-20260101-0001", "ORD-20260101-9999"),
    ]

    private enum Object {
        /// The path is not that of an object.
        case none
        case there
        case missing
    }

    private static func paths(_ entry: RouteEntry) -> [(String, Object)] {
        guard entry.path.contains("{") else { return [(entry.path, .none)] }
        guard let object = objects.first(where: { entry.path == $0.path || entry.path.hasPrefix($0.path + "/") })
        else {
            Issue.record("name an object for \(entry.path)")
            return []
        }
        let rest = entry.path.dropFirst(object.path.count)
        let start = object.path.prefix { $0 != "{" }
        return [(start + object.there + rest, .there), (start + object.missing + rest, .missing)]
    }

    @Test("what a role may not do is refused and written down once")
    func denial() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.analyst)
            try await site.app.test(.router) { client async throws in
                let (staff, tokens) = (Self.door(site), ClientAddress(trustedProxies: 0))
                _ = tokens
                let browser = Browser(client)
                _ = try await browser.signIn("analyst@example.com")
                let cookie = "perennial=\(browser.cookies["perennial"] ?? "")"
                let request = Request(
                    head: HTTPRequest(
                        method: .get,
                        scheme: nil,
                        authority: nil,
                        path: "/dashboard/secret",
                        headerFields: [.cookie: cookie]
                    ),
                    body: .init(buffer: .init())
                )
                let context = SiteContext(
                    source: .init(channel: EmbeddedTestChannel.make(), logger: site.backOffice.logger)
                )
                await #expect(throws: WebError.self) {
                    try await staff.enter(request, context, needs: .viewNotificationPayloads, takesForm: false)
                }
                let entry = try #require(
                    try await site.pool.query(
                        "SELECT actor, role, object_id, reason FROM audit_entries WHERE action = 'access.deny'"
                    ).first
                ).decode(String.self, String.self, String.self, String.self)
                #expect(
                    entry == ("analyst@example.com", "analyst", "/dashboard/secret", "needs viewNotificationPayloads")
                )
            }
        }
    }

    private static func door(_ site: TestSite) -> StaffDoor {
        StaffDoor(
            backOffice: site.backOffice,
            cookies: Cookies(isSecure: false),
            origins: OriginCheck(publicURL: nil),
            addresses: ClientAddress(trustedProxies: 0),
            assets: AssetPaths()
        )
    }

    private static func path(_ entry: RouteEntry) -> String {
        entry.path.replacing("{number}", with: "ORD-20260101-0001")
            .replacing("{id}", with: "00000000-0000-7000-8000-000000000009")
    }

    private static func normalized(_ path: String) -> String {
        path.replacing("{", with: "").replacing("}", with: "").replacing(":", with: "").replacing("${", with: "")
    }
}
