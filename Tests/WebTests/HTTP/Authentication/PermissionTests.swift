import Billing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Web

@Suite("Who may do what") struct PermissionTests {
    @Test("every route of the router has an entry, and the entries are the documented ones")
    func completeness() async throws {
        try await TestSite.run { site in
            let entries = Dictionary(
                site.map.entries.map { ("\($0.method.rawValue) \($0.path)", $0.access) }
            ) { first, _ in first }
            #expect(entries == Self.expected)
            let configuration = try WebConfiguration(port: 0)
            let routed = RouteBuilder(
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
                    case .token, .customer, .appServer:
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
            try await site.addBulkJob()
            try await site.addReconciliation()
            try await site.addBill()
            try await site.addWaitingCheckout()
            try await site.addVerification()
            try await site.addStoreAccount()
            try await site.addAppKey()
            try await site.addIssuer(withSecret: true)
            try await site.addSeat()
            try await site.addExternalPurchases()
            try await site.addRenewalExtension()
            try await site.addPromoBatch()
            try await CustomersTests.addSubscription(site)
            var denials = 0
            for apps in [["readmigo"], ["kombin"], nil] {
                let visits = Self.visits(site.map.entries, of: role, seesAllApps: apps == nil)
                #expect(visits.count >= 6)
                denials += visits.filter { !$0.may }.count
                let (email, app) = (try await site.addPerson(role, apps: apps), apps?.first ?? "readmigo")
                if app == "readmigo" { try await site.addRefund(askedBy: role == .support ? email : nil) }
                if app == "readmigo" { try await CustomersTests.addNote(of: email, site) }
                if app == "readmigo", apps != nil { try await KeysPagesTests.addKey(of: email, site) }
                if app == "readmigo" { try await ViewsTests.addView(of: email, site) }
                try await site.app.test(.router) { client async throws in
                    let browser = Browser(client)
                    _ = try await browser.signIn(email)
                    _ = try await browser.submit("/dashboard/app", [("app", app)])
                    for visit in visits {
                        let status = try await browser.ask(visit.method, visit.path).status
                        #expect(visit.fits(status, from: app), "\(email): \(visit): \(status)")
                    }
                }
            }
            let written = try await site.audit().filter { $0 == "access.deny" }.count
            #expect(written == denials)
        }
    }

    @Test("a program comes exactly where its owner's role and apps and its scopes lead", arguments: StaffRole.allCases)
    func tokenMatrix(_ role: StaffRole) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(3)
            try await site.addBill()
            try await site.addWaitingCheckout()
            try await site.addVerification()
            try await site.addRenewalExtension()
            try await site.addPromoBatch()
            try await Self.requestRefund(site)
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
                        // The app is checked in the same way for every scope: one of them stands for all.
                        guard scopes == nil || scopes == [TokenScope.all[0]] else { continue }
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

    @Test("what a role may not do is refused and written down once")
    func denial() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.analyst)
            try await site.app.test(.router) { client async throws in
                let (staff, tokens) = (Self.door(site), ClientAddress(proxies: .none))
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
                let context = WebRequestContext(
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

    private static func requestRefund(_ site: TestSite) async throws {
        let outcome = try await site.backOffice.requestRefund(
            of: "ORD-20260101-0002",
            app: try #require(App.ID(TestSite.readmigo)),
            RefundCommand(kind: .full),
            reason: Reason(.goodwill, "The reader crashed all day."),
            caller: .commandLine
        )
        #expect(outcome.result == "RF-000001")
    }

    private static func door(_ site: TestSite) -> StaffAuthenticator {
        StaffAuthenticator(
            backOffice: site.backOffice,
            cookies: SiteCookies(isSecure: false),
            origins: OriginCheck(publicURL: nil),
            addresses: ClientAddress(proxies: .none),
            assets: AssetPaths()
        )
    }

    private static func path(_ entry: RouteEntry) -> String {
        entry.path.replacing("{number}", with: "ORD-20260101-0001").replacing("{queue}", with: "reports")
            .replacing("{note}", with: "00000000-0000-7000-8000-000000000008")
            .replacing("{id}", with: "00000000-0000-7000-8000-000000000009")
    }

    private static func normalized(_ path: String) -> String {
        path.replacing("{", with: "").replacing("}", with: "").replacing(":", with: "").replacing("${", with: "")
    }
}
