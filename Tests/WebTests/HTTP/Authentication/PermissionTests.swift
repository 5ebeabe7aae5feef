import Billing
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
        "GET /dashboard/sign-in/code": .open,
        "POST /dashboard/sign-in/code": .open,
        "GET /dashboard/identity": .signedIn,
        "POST /dashboard/identity": .signedIn,
        "GET /dashboard/account": .signedIn,
        "POST /dashboard/account/password": .signedIn,
        "POST /dashboard/account/ended-sessions": .signedIn,
        "GET /dashboard/account/keys": .signedIn,
        "GET /dashboard/account/keys/{id}": .signedIn,
        "POST /dashboard/account/keys/{id}": .signedIn,
        "GET /dashboard/staff/keys": .staff(.manageStaff),
        "GET /dashboard/staff/keys/{id}": .staff(.manageStaff),
        "POST /dashboard/staff/keys/{id}": .staff(.manageStaff),
        "GET /dashboard/account/two-factor": .signedIn,
        "POST /dashboard/account/two-factor": .signedIn,
        "POST /dashboard/account/two-factor/code": .signedIn,
        "POST /dashboard/account/recovery-codes": .signedIn,
        "GET /dashboard/account/two-factor/removal": .signedIn,
        "POST /dashboard/account/two-factor/removal": .signedIn,
        "GET /dashboard/welcome/{token}": .open,
        "POST /dashboard/welcome/{token}": .open,
        "GET /dashboard/help": .open,
        "GET /dashboard/staff": .staff(.manageStaff),
        "GET /dashboard/staff/invitation": .staff(.manageStaff),
        "POST /dashboard/staff/invitation": .staff(.manageStaff),
        "GET /dashboard/staff/{id}": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/role": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/role": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/apps": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/apps": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/link": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/link": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/ended-sessions": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/ended-sessions": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/two-factor-removal": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/two-factor-removal": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/closure": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/closure": .staff(.manageStaff),
        "GET /dashboard/staff/{id}/reopening": .staff(.manageStaff),
        "POST /dashboard/staff/{id}/reopening": .staff(.manageStaff),
        "GET /dashboard/audit": .staff(.viewAudit),
        "GET /dashboard/audit/{id}": .staff(.viewAudit),
        "POST /dashboard/audit/exports": .staff(.viewAudit),
        "GET /dashboard/revenue": .staff(.viewMetrics),
        "GET /dashboard/revenue/table.csv": .staff(.viewMetrics),
        "GET /dashboard/subscribers": .staff(.viewMetrics),
        "GET /dashboard/exports/ledger": .staff(.viewMetrics),
        "GET /dashboard/exports/access-changes": .staff(.viewMetrics),
        "GET /dashboard/exports/monthly-revenue": .staff(.viewMetrics),
        "GET /dashboard/subscribers/rows": .staff(.viewMetrics),
        "GET /dashboard/subscribers/table.csv": .staff(.viewMetrics),
        "GET /dashboard/access": .staff(.viewMetrics),
        "GET /dashboard/access/table.csv": .staff(.viewMetrics),
        "GET /dashboard/cohorts": .staff(.viewMetrics),
        "GET /dashboard/cohorts/rows": .staff(.viewMetrics),
        "GET /dashboard/cohorts/table.csv": .staff(.viewMetrics),
        "GET /dashboard/ledger": .staff(.viewMetrics),
        "GET /dashboard/health": .staff(.viewMetrics),
        "GET /dashboard/health/table.csv": .staff(.viewMetrics),
        "GET /dashboard/orders": .staff(.viewOrders),
        "GET /dashboard/orders/{number}": .staff(.viewOrders),
        "GET /dashboard/orders/{number}/refund": .staff(.requestRefunds),
        "POST /dashboard/orders/{number}/refund": .staff(.requestRefunds),
        "GET /dashboard/refunds": .staff(.viewRefunds),
        "GET /dashboard/refunds/{number}": .staff(.viewRefunds),
        "GET /dashboard/refunds/{number}/approval": .staff(.decideRefunds),
        "POST /dashboard/refunds/{number}/approval": .staff(.decideRefunds),
        "GET /dashboard/refunds/{number}/rejection": .staff(.decideRefunds),
        "POST /dashboard/refunds/{number}/rejection": .staff(.decideRefunds),
        "GET /dashboard/refunds/{number}/payment": .staff(.decideRefunds),
        "POST /dashboard/refunds/{number}/payment": .staff(.decideRefunds),
        "GET /dashboard/refunds/{number}/cancellation": .staff(.requestRefunds),
        "POST /dashboard/refunds/{number}/cancellation": .staff(.requestRefunds),
        "GET /dashboard/find": .staff(.viewOrders),
        "GET /dashboard/exports/orders": .staff(.exportLists),
        "GET /dashboard/exports/customers": .staff(.exportLists),
        "GET /dashboard/exports/subscriptions": .staff(.exportLists),
        "POST /dashboard/columns": .signedIn,
        "GET /dashboard/views/new": .staff(.saveViews),
        "POST /dashboard/views": .staff(.saveViews),
        "GET /dashboard/views/{id}": .staff(.saveViews),
        "POST /dashboard/views/{id}": .staff(.saveViews),
        "GET /dashboard/views/{id}/delete": .staff(.saveViews),
        "POST /dashboard/views/{id}/delete": .staff(.saveViews),
        "GET /dashboard/customers": .staff(.viewCustomers),
        "GET /dashboard/customers/{id}": .staff(.viewCustomers),
        "POST /dashboard/customers/{id}/notes": .staff(.writeNotes),
        "GET /dashboard/customers/{id}/notes/{note}/withdraw": .staff(.writeNotes),
        "POST /dashboard/customers/{id}/notes/{note}/withdraw": .staff(.writeNotes),
        "GET /dashboard/subscriptions": .staff(.viewCustomers),
        "GET /dashboard/subscriptions/{id}": .staff(.viewCustomers),
        "GET /dashboard/notifications": .staff(.viewNotifications),
        "GET /dashboard/notifications/{id}": .staff(.viewNotifications),
        "GET /dashboard/notifications/{id}/replays/new": .staff(.replayNotifications),
        "POST /dashboard/notifications/{id}/replays": .staff(.replayNotifications),
        "GET /dashboard/customers/{id}/grants/new": .staff(.giveAccess),
        "POST /dashboard/customers/{id}/grants": .staff(.giveAccess),
        "GET /dashboard/customers/{id}/extensions/new": .staff(.giveAccess),
        "POST /dashboard/customers/{id}/extensions": .staff(.giveAccess),
        "GET /dashboard/customers/{id}/revocations/new": .staff(.changeAccess),
        "POST /dashboard/customers/{id}/revocations": .staff(.changeAccess),
        "GET /dashboard/customers/{id}/restorations/new": .staff(.changeAccess),
        "POST /dashboard/customers/{id}/restorations": .staff(.changeAccess),
        "GET /dashboard/customers/{id}/plan-changes/new": .staff(.changeAccess),
        "POST /dashboard/customers/{id}/plan-changes": .staff(.changeAccess),
        "GET /dashboard/customers/{id}/transfers/new": .staff(.changeAccess),
        "POST /dashboard/customers/{id}/transfers": .staff(.changeAccess),
        "GET /dashboard/customers/{id}/cancellations/new": .staff(.changeAccess),
        "POST /dashboard/customers/{id}/cancellations": .staff(.changeAccess),
        "GET /dashboard/customers/{id}/undoings/new": .staff(.giveAccess),
        "POST /dashboard/customers/{id}/undoings": .staff(.giveAccess),
        "GET /dashboard/bulk": .staff(.runBulkJobs),
        "GET /dashboard/bulk/new": .staff(.runBulkJobs),
        "POST /dashboard/bulk": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}/result.csv": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}/starts/new": .staff(.runBulkJobs),
        "POST /dashboard/bulk/{id}/starts": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}/approvals/new": .staff(.runBulkJobs),
        "POST /dashboard/bulk/{id}/approvals": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}/cancellations/new": .staff(.runBulkJobs),
        "POST /dashboard/bulk/{id}/cancellations": .staff(.runBulkJobs),
        "GET /dashboard/bulk/{id}/undoings/new": .staff(.runBulkJobs),
        "POST /dashboard/bulk/{id}/undoings": .staff(.runBulkJobs),
        "POST /webhooks/apple": .store,
        "POST /ios/webhook": .store,
        "GET /openapi.json": .open,
        "GET /admin/orders": .token(.useAdminAPI),
        "GET /admin/orders/{id}": .token(.useAdminAPI),
        "POST /admin/orders/{id}/refunds": .token(.requestRefunds),
        "GET /admin/refunds": .token(.viewRefunds),
        "GET /admin/refunds/{number}": .token(.viewRefunds),
        "POST /admin/refunds/{number}/approve": .token(.decideRefunds),
        "POST /admin/refunds/{number}/reject": .token(.decideRefunds),
        "POST /admin/refunds/{number}/cancel": .token(.requestRefunds),
        "POST /admin/refunds/{number}/process": .token(.decideRefunds),
        "GET /admin/metrics/mrr": .token(.viewMetrics),
        "GET /admin/metrics/subscribers": .token(.viewMetrics),
        "GET /admin/metrics/trials": .token(.viewMetrics),
        "GET /admin/metrics/retention": .token(.viewMetrics),
        "GET /admin/metrics/conversion": .token(.viewMetrics),
        "GET /admin/metrics/arpu": .token(.viewMetrics),
        "GET /admin/metrics/access": .token(.viewMetrics),
        "GET /admin/metrics/health": .token(.viewMetrics),
        "GET /admin/metrics/ltv": .token(.viewMetrics),
        "GET /admin/subscriptions/stats/overview": .token(.viewMetrics),
        "GET /admin/subscriptions": .token(.viewSubscriptions),
        "GET /admin/subscriptions/{customer}": .token(.viewSubscriptions),
        "POST /admin/subscriptions/{customer}/grant": .token(.giveAccess),
        "POST /admin/subscriptions/{customer}/extend": .token(.giveAccess),
        "POST /admin/subscriptions/{customer}/revoke": .token(.changeAccess),
        "POST /admin/subscriptions/{customer}/restore": .token(.changeAccess),
        "POST /admin/subscriptions/{customer}/change-tier": .token(.changeAccess),
        "POST /admin/subscriptions/{customer}/transfer": .token(.changeAccess),
        "POST /admin/subscriptions/{customer}/cancel": .token(.changeAccess),
        "POST /admin/subscriptions/{customer}/undo": .token(.giveAccess),
        "GET /admin/customers": .token(.viewCustomers),
        "GET /admin/customers/{id}": .token(.viewCustomers),
        "GET /admin/customers/{id}/timeline": .token(.viewCustomers),
        "GET /admin/customers/{id}/notes": .token(.viewPersonalData),
        "POST /admin/customers/{id}/notes": .token(.writeNotes),
        "DELETE /admin/customers/{id}/notes/{note}": .token(.writeNotes),
        "GET /admin/orders/stats": .token(.viewMetrics),
        "GET /admin/support/stats": .token(.viewMetrics),
        "GET /admin/metrics/revenue": .token(.viewMetrics),
        "GET /admin/audit": .token(.viewAudit),
        "GET /admin/audit/{id}": .token(.viewAudit),
        "GET /healthz": .open,
        "GET /readyz": .open,
        "GET /metrics": .operatorOnly,
        "GET /favicon.ico": .open,
        "GET /assets/**": .open,
    ]

    /// What each role may do, as product.md says.
    static let roles: [StaffRole: Set<Permission>] = [
        .admin: Set(Permission.allCases),
        .support: Set(Permission.allCases).subtracting([
            .decideRefunds, .manageStaff, .changeAccess, .runBulkJobs, .replayNotifications, .viewMetrics,
        ]),
        .analyst: [
            .viewOrders, .viewRefunds, .viewNotifications, .viewCustomers, .exportLists, .useAdminAPI,
            .viewSubscriptions, .saveViews, .viewMetrics,
        ],
    ]

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
            try await site.addBulkJob()
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
                        // Which app is asked about is the same question whatever the scope: one of them stands for all.
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
            // What could be taken away is not there, so that each visit finds the same.
            if method == .delete { return status == .notFound }
            let isVisible = object == .none || object == .everywhere || (object == .there && app == "readmigo")
            guard isVisible else { return status == .notFound }
            return status == .ok || status == .seeOther || (method != .get && [409, 422].contains(status.code))
        }
    }

    private static func visits(_ entries: [RouteEntry], of role: StaffRole, seesAllApps: Bool) -> [Visit] {
        entries.flatMap { entry -> [Visit] in
            guard case .staff(let permission) = entry.access else { return [] }
            return visits(entry, may: role.may(permission) && (seesAllApps || !permission.terms.needsAllApps))
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
        (
            "/dashboard/customers/{id}/notes/{note}", "\(TestSite.customer)/notes/\(CustomersTests.note)",
            "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000009"
        ),
        ("/dashboard/customers/{id}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/subscriptions/{id}", CustomersTests.note, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/orders/{number}", "ORD-20260101-0001", "ORD-20260101-9999"),
        ("/dashboard/refunds/{number}", "RF-000001", "RF-999999"),
        ("/dashboard/notifications/{id}", TestSite.notificationID, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/audit/{id}", TestSite.auditEntry, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/account/keys/{id}", KeysPagesTests.key, "00000000-0000-7000-8000-000000000008"),
        ("/dashboard/staff/keys/{id}", KeysPagesTests.key, "00000000-0000-7000-8000-000000000008"),
        ("/dashboard/staff/{id}", TestSite.staffMember, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/views/{id}", ViewsTests.view, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/bulk/{id}", TestSite.bulkJobID, "00000000-0000-7000-8000-000000000009"),
        ("/admin/orders/{id}", "ORD-20260101-0001", "ORD-20260101-9999"),
        ("/admin/refunds/{number}", "RF-000001", "RF-999999"),
        ("/admin/subscriptions/{customer}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        (
            "/admin/customers/{id}/notes/{note}", "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000009",
            "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000008"
        ),
        ("/admin/customers/{id}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        ("/admin/audit/{id}", TestSite.auditEntry, "00000000-0000-7000-8000-000000000009"),
    ]

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

    enum Object {
        /// The path is not that of an object.
        case none
        case there
        /// Belongs to no app.
        case everywhere
        case missing
    }

    static func paths(_ entry: RouteEntry) -> [(String, Object)] {
        guard entry.path.contains("{") else { return [(entry.path, .none)] }
        guard let object = objects.first(where: { entry.path == $0.path || entry.path.hasPrefix($0.path + "/") })
        else {
            Issue.record("name an object for \(entry.path)")
            return []
        }
        let rest = entry.path.dropFirst(object.path.count)
        let start = object.path.prefix { $0 != "{" }
        let there = [TestSite.staffMember, KeysPagesTests.key].contains(object.there) ? Object.everywhere : .there
        return [(start + object.there + rest, there), (start + object.missing + rest, .missing)]
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

    private static func door(_ site: TestSite) -> StaffAuthenticator {
        StaffAuthenticator(
            backOffice: site.backOffice,
            cookies: Cookies(isSecure: false),
            origins: OriginCheck(publicURL: nil),
            addresses: ClientAddress(proxies: .none),
            assets: AssetPaths()
        )
    }

    private static func path(_ entry: RouteEntry) -> String {
        entry.path.replacing("{number}", with: "ORD-20260101-0001")
            .replacing("{note}", with: "00000000-0000-7000-8000-000000000008")
            .replacing("{id}", with: "00000000-0000-7000-8000-000000000009")
    }

    private static func normalized(_ path: String) -> String {
        path.replacing("{", with: "").replacing("}", with: "").replacing(":", with: "").replacing("${", with: "")
    }
}
