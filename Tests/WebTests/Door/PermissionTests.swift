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
        "POST /dashboard/preferences": .signedIn,
        "POST /dashboard/app": .signedIn,
        "GET /dashboard": .signedIn,
        "GET /dashboard/orders": .staff(.viewOrders),
        "GET /dashboard/orders/{number}": .staff(.viewOrders),
        "GET /dashboard/notifications": .staff(.viewNotifications),
        "GET /dashboard/notifications/{id}": .staff(.viewNotifications),
        "POST /webhooks/apple": .store,
        "POST /ios/webhook": .store,
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
        .support: Set(Permission.allCases).subtracting([.decideRefunds]),
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

    @Test("each role comes exactly where its permissions lead", arguments: StaffRole.allCases)
    func matrix(_ role: StaffRole) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                for entry in site.map.entries where entry.method == .get {
                    guard case .staff(let permission) = entry.access else { continue }
                    let status = try await browser.get(Self.path(entry)).status
                    // What does not exist is 404; that it may be asked for is what counts.
                    #expect((status == .forbidden) == !role.may(permission), "\(entry.path): \(status)")
                }
            }
        }
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
