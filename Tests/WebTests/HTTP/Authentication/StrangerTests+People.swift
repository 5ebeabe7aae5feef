import Billing
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
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

extension StrangerTests {
    /// One of the four customers, with all that an answer could disclose of them.
    struct Person: Sendable {
        let app: App.ID
        let slug: String
        let name: String
        let plan: String
        var id = ""
        var token = ""
        var session = ""
        var reservation = ""

        var email: String { "\(name)@mail.example" }
        /// The idempotency key of their reservation.
        var key: String { "reserved by \(name)" }

        /// Returns the texts that no answer to anybody else may contain.
        func marks(withPlan: Bool) -> [String] {
            ([id, name, email, session, reservation] + (withPlan ? [plan] : [])).map { $0.lowercased() }
        }
    }

    static let reservation = #"{"quantity":2,"expiresIn":3600}"#

    struct Attempt {
        var path: String
        var body: String?
        var app: String?
    }

    struct Answer: Equatable {
        let status: HTTPResponse.Status
        let text: String
    }

    /// The body of each call, about the victim where it can name one; empty for a call without a body.
    static let bodies: [String: String] = [
        "POST /api/v1/auth/logout": "", "GET /api/v1/auth/sessions": "", "DELETE /api/v1/auth/sessions": "",
        "DELETE /api/v1/auth/sessions/{id}": "", "DELETE /api/v1/auth/account": #"{"userId":"$id"}"#,
        "POST /api/v1/auth/oauth/exchange": #"{"provider":"wechat","code":"$name","userId":"$id"}"#,
        "GET /api/v1/user/profile": "",
        "PUT /api/v1/user/profile": #"{"id":"$id","userId":"$id","displayName":"Somebody"}"#,
        "POST /customers/entitlements": #"{"customers":["$name"]}"#,
        "POST /customers/usage": #"{"items":[{"customer":"$name","feature":"ai","key":"$key"}]}"#,
        "GET /customers/{externalId}": "", "POST /customers/{externalId}/usage/{feature}": #"{"quantity":1}"#,
        "POST /customers/{externalId}/usage/{feature}/reservations": #"{"quantity":1}"#,
        "POST /customers/{externalId}/usage/{feature}/reservations/{id}/settle": #"{"quantity":1}"#,
        "DELETE /customers/{externalId}/usage/{feature}/reservations/{id}": "",
        "GET /customers/{externalId}/seats": "", "POST /customers/{externalId}/seats": #"{"member":"$name"}"#,
        "DELETE /customers/{externalId}/seats/{id}": "",
        "GET /customers/{externalId}/entitlements": "", "POST /customers/{externalId}/tokens": "{}",
        "GET /entitlements": "", "GET /entitlements/{feature}": "", "GET /subscriptions/status": "",
        "POST /subscriptions/verify": #"{"userId":"$id","transactionId":"$id"}"#,
        "POST /subscriptions/restore": #"{"userId":"$id","transactionId":"$id"}"#,
        "GET /subscriptions/trial/eligibility": "", "GET /subscriptions/trial/status": "",
        "POST /subscriptions/trial/start": #"{"userId":"$id"}"#, "GET /usage/current": "",
        "POST /usage": #"{"items":[{"customer":"$name","feature":"ai","key":"$key"}]}"#,
        "POST /usage/{feature}": #"{"customer":"$name","quantity":1}"#,
        "GET /paywall": "", "POST /promo-codes/redeem": #"{"userId":"$id","code":"0000-0000-0000"}"#,
        "POST /api/v1/subscription/orders": #"{"userId":"$id","product":"pro","method":"wechat_native"}"#,
        "GET /api/v1/subscription/orders/{number}": "",
        "POST /usage/{feature}/reservations": #"{"customer":"$name","quantity":1}"#,
        "POST /usage/{feature}/reservations/{id}/settle": #"{"quantity":1}"#,
        "DELETE /usage/{feature}/reservations/{id}": "",
        "POST /ios/validate-receipt": #"{"userId":"$id","transactionId":"$id"}"#, "GET /ios/status": "",
        "POST /ios/restore": #"{"userId":"$id","transactionId":"$id"}"#, "GET /api/v1/subscription/status": "",
        "POST /api/v1/subscription/verify": #"{"userId":"$id","paymentMethod":"apple_iap","transactionId":"$id"}"#,
        "POST /api/v1/subscription/sync": #"{"userId":"$id"}"#,
        "POST /api/v1/subscription/cancel": #"{"userId":"$id"}"#,
    ]

    /// Returns attempts on the victim's things by path and body: plainly, and with the victim's app beside the caller's token.
    func attempts(_ route: DescribedRoute, on victim: Person, by caller: Person) -> [Attempt] {
        let isOneOfServers = route.path.contains("{externalId}")
        let id = route.path.contains("reservations") ? victim.reservation : victim.session
        // In the same app a server may name its customer; only the other one's reservation is wrong.
        let name = isOneOfServers && victim.app == caller.app ? caller.name : victim.name
        let path = route.path.replacing("{id}", with: id).replacing("{externalId}", with: name)
            .replacing("{feature}", with: "ai")
        let body = Self.bodies["\(route.method.rawValue) \(route.path)"] ?? ""
        let sent = body.replacing("$id", with: victim.id).replacing("$name", with: victim.name)
        let plain = Attempt(path: path, body: sent.isEmpty ? nil : sent)
        guard victim.app != caller.app else { return [plain] }
        var (header, query) = (plain, plain)
        header.app = victim.slug
        query.path += "?app=\(victim.slug)"
        return [plain, header, query]
    }

    /// - Parameter butPlans: true if the call asks for the names of plans.
    func tellsNothing(
        _ answer: Answer,
        of others: [Person],
        after attempt: Attempt,
        _ what: String,
        butPlans: Bool = false
    ) {
        #expect(answer.status.code < 500, "\(what): \(answer.text)")
        // The answer may repeat the caller's own words.
        let said = (attempt.path + (attempt.body ?? "")).lowercased()
        let told = answer.text.lowercased()
        for other in others {
            for mark in other.marks(withPlan: !butPlans) where !said.contains(mark) {
                #expect(!told.contains(mark), "\(what) tells \(mark) of \(other.name): \(answer.status)")
            }
        }
    }

    func nothingHappens(
        to others: [Person],
        _ site: TestSite,
        _ what: String,
        _ body: () async throws -> Void
    ) async throws {
        // A call marks a session as used: so the answers come before the rows are read, and after.
        let answered = try await answers(to: others, site)
        let kept = try await rows(of: others, site)
        try await body()
        #expect(try await rows(of: others, site) == kept, "\(what)")
        #expect(try await answers(to: others, site) == answered, "\(what)")
    }

    func ask(
        _ method: HTTPRequest.Method,
        _ attempt: Attempt,
        _ token: String,
        _ site: TestSite,
        key: String = UUID().uuidString
    ) async throws -> Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token)", .idempotencyKey: key]
        if let app = attempt.app { headers[.app] = app }
        if attempt.body != nil { headers[.contentType] = "application/json" }
        let asked = headers
        return try await site.app.test(.router) { client in
            let response = try await client.executeRequest(
                uri: attempt.path,
                method: method,
                headers: asked,
                body: attempt.body.map { ByteBuffer(string: $0.replacing("$key", with: key)) }
            )
            return Answer(status: response.status, text: String(buffer: response.body))
        }
    }

    /// Returns the answers to the victims' own calls.
    private func answers(to people: [Person], _ site: TestSite) async throws -> [Answer] {
        var answers: [Answer] = []
        for person in people {
            for path in [
                "/entitlements", "/usage/current", "/subscriptions/status", "/api/v1/user/profile",
                "/api/v1/auth/sessions",
            ] {
                let answer = try await ask(.get, Attempt(path: path), person.token, site)
                #expect(answer.status == .ok, "\(path)")
                answers.append(answer)
            }
        }
        return answers
    }

    /// Returns these customers' rows of every table that names a customer.
    private func rows(of people: [Person], _ site: TestSite) async throws -> [String] {
        let tables = try await site.pool.query(
            """
            SELECT c.table_name::text
            FROM information_schema.columns c
            JOIN information_schema.tables t USING (table_schema, table_name)
            WHERE c.table_schema = 'public' AND c.column_name = 'customer_id' AND t.table_type = 'BASE TABLE'
            ORDER BY 1
            """
        ).map { try $0.decode(0, as: String.self) }
        #expect(tables.count > 20)
        let ids = people.map { "'\($0.id)'" }.joined(separator: ", ")
        let texts = (tables.map { ($0, "customer_id") } + [("customers", "id")]).map { table, column in
            """
            SELECT '\(table): ' || coalesce(string_agg(t::text, ';' ORDER BY t::text), '') FROM \(table) t
            WHERE \(column) IN (\(ids))
            """
        }
        return try await site.pool.query("\(unsafe: texts.joined(separator: " UNION ALL "))").map {
            try $0.decode(0, as: String.self)
        }.sorted()
    }

    func mint(_ person: Person, _ site: TestSite) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: person.name, isAnonymous: false),
            of: person.app,
            caller: .commandLine
        ).accessToken.revealed
    }

    /// Returns a server key with every scope.
    func key(of person: Person, _ site: TestSite) async throws -> String {
        let issued = try await site.backOffice.issueAppKey(
            named: person.name,
            scopes: Set(AppKeyScope.allCases),
            of: person.app,
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }

    func run(_ body: @Sendable (TestSite, [Person]) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.pool.withConnection { try await $0.execute(script: Self.catalogues) }
            let kombin = try #require(App.ID("00000000-0000-7000-8000-000000000002"))
            var people: [Person] = []
            for (app, slug, name, plan) in [
                (TestSite.readmigoID, "readmigo", "heron-4417", "ALDERWOOD"),
                (TestSite.readmigoID, "readmigo", "plover-9023", "BIRCHWOOD"),
                (kombin, "kombin", "curlew-6650", "CEDARWOOD"), (kombin, "kombin", "dunlin-1386", "DOGWOOD"),
            ] {
                var person = Person(app: app, slug: slug, name: name, plan: plan)
                person.token = try await mint(person, site)
                let session = try #require(try await site.backOffice.customerSession(person.token))
                person.id = session.customer.description
                _ = try await site.pool.query(
                    "UPDATE customers SET email = \(person.email) WHERE id = \(session.customer)"
                )
                _ = try await site.pool.query(
                    """
                    INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
                    SELECT gen_random_uuid(), app_id, \(session.customer), id, 'complimentary', '2026-11-01T00:00:00Z',
                        '2027-01-01T00:00:00Z', now(), now()
                    FROM plans
                    WHERE code = \(plan)
                    """
                )
                person.session = try #require(
                    try await site.pool.query(
                        "SELECT id::text FROM customer_sessions WHERE customer_id = \(session.customer)"
                    ).first
                ).decode(0, as: String.self)
                let reserve = Attempt(path: "/usage/ai/reservations", body: Self.reservation)
                let held = try await ask(.post, reserve, person.token, site, key: person.key)
                #expect(held.status == .created, "\(held.text)")
                let object = try JSONSerialization.jsonObject(with: Data(held.text.utf8)) as? [String: Any]
                person.reservation = try #require(object?["id"] as? String)
                people.append(person)
            }
            try await body(site, people)
        }
    }

    /// Adds to each app a plan that everybody has, with all features, so that no refusal names another plan; and one for each
    /// customer.
    private static let catalogues = """
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), a.id, p.code, p.code, p.rank
        FROM (VALUES ('readmigo', 'FREE', 0), ('readmigo', 'ALDERWOOD', 1), ('readmigo', 'BIRCHWOOD', 2),
            ('kombin', 'FREE', 0), ('kombin', 'CEDARWOOD', 1), ('kombin', 'DOGWOOD', 2)) AS p (app, code, rank)
        JOIN apps a ON a.slug = p.app;
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, 'ai', 'ai', '{}', 0 FROM apps;
        INSERT INTO plan_features (plan_id, feature_id, per_day)
        SELECT p.id, f.id, 1000 FROM plans p JOIN features f ON f.app_id = p.app_id;
        """
}
