import APITypes
import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

/// A customer, what they hold, and what everybody says of them.
private struct Standing: Sendable, CustomTestStringConvertible {
    var name: String
    /// Statements about the customer `:c`, with the ids `:s` and `:g` for what they hold.
    var holds: [String]
    var plan: String
    /// As files have it.
    var state: String
    /// As the API has it.
    var status: String
    /// The word of the desk.
    var word: String
    var end: String?

    var testDescription: String { name }

    init(
        _ name: String,
        _ holds: [String],
        _ plan: String,
        _ state: String,
        _ status: String,
        _ word: String,
        until end: String? = nil
    ) {
        (self.name, self.holds, self.plan, self.state, self.status, self.word) = (
            name, holds, plan, state, status, word
        )
        self.end = end
    }

    private static func subscription(
        _ state: String,
        until end: String?,
        ended: String? = nil,
        grace: String? = nil
    ) -> String {
        func text(_ moment: String?) -> String { moment.map { "'\($0)'" } ?? "NULL" }
        return """
            INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                product_id, started_at, period_starts_at, period_ends_at, ended_at, grace_period_ends_at, is_family_shared,
                created_at, updated_at)
            VALUES (':s', '\(TestSite.readmigo)', ':c', 'apple', 'production', ':s', '\(state)',
                '00000000-0000-7000-8000-0000000000c1', '2026-10-01', '2026-10-01', \(text(end)), \(text(ended)),
                \(text(grace)), \(state == "active" && end == "2026-12-06Z"), now(), now())
            """
    }

    private static func grant(
        _ kind: String,
        _ plan: String,
        from start: String,
        until end: String?,
        ended: String? = nil
    ) -> String {
        func text(_ moment: String?) -> String { moment.map { "'\($0)'" } ?? "NULL" }
        return """
            INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, ended_at, created_at, updated_at)
            SELECT gen_random_uuid(), app_id, ':c', id, '\(kind)', '\(start)', \(text(end)), \(text(ended)), now(), now()
            FROM plans WHERE code = '\(plan)' AND app_id = '\(TestSite.readmigo)'
            """
    }

    private static let suspension = """
        INSERT INTO suspensions (id, subscription_id, suspended_at) VALUES (gen_random_uuid(), ':s', '2026-11-10Z')
        """

    static let all: [Standing] = [
        Standing("free", [], "FREE", "active", "ACTIVE", "Active"),
        Standing(
            "store trial",
            [subscription("trial", until: "2026-12-01Z")],
            "PRO",
            "trial",
            "TRIAL",
            "Trial",
            until: "2026-12-01"
        ),
        Standing(
            "active",
            [subscription("active", until: "2026-12-01Z")],
            "PRO",
            "active",
            "ACTIVE",
            "Active",
            until: "2026-12-01"
        ),
        Standing(
            "grace",
            [subscription("grace_period", until: "2026-11-20Z", grace: "2026-11-30Z")],
            "PRO",
            "grace_period",
            "GRACE_PERIOD",
            "Grace period",
            until: "2026-11-30"
        ),
        Standing(
            "retry",
            [subscription("billing_retry", until: "2026-11-15Z")],
            "FREE",
            "billing_retry",
            "EXPIRED",
            "Billing retry",
            until: "2026-11-15"
        ),
        Standing(
            "paused",
            [subscription("paused", until: "2026-11-15Z")],
            "FREE",
            "paused",
            "PAUSED",
            "Paused",
            until: "2026-11-15"
        ),
        Standing(
            "renewal off",
            [subscription("cancelled", until: "2026-12-02Z")],
            "PRO",
            "cancelled",
            "CANCELLED",
            "Cancelled",
            until: "2026-12-02"
        ),
        Standing(
            "expired",
            [subscription("expired", until: "2026-11-01Z", ended: "2026-11-01Z")],
            "FREE",
            "expired",
            "EXPIRED",
            "Expired",
            until: "2026-11-01"
        ),
        Standing(
            "expired before the sweep",
            [subscription("active", until: "2026-11-20Z")],
            "FREE",
            "expired",
            "EXPIRED",
            "Expired",
            until: "2026-11-20"
        ),
        Standing(
            "refunded",
            [subscription("revoked", until: "2026-12-01Z", ended: "2026-11-05Z")],
            "FREE",
            "revoked",
            "EXPIRED",
            "Revoked",
            until: "2026-11-05"
        ),
        Standing(
            "revoked by staff",
            [subscription("active", until: "2026-12-01Z"), suspension],
            "FREE",
            "revoked",
            "EXPIRED",
            "Revoked",
            until: "2026-11-10"
        ),
        Standing("lifetime", [subscription("active", until: nil)], "PRO", "active", "ACTIVE", "Active"),
        Standing(
            "family",
            [subscription("active", until: "2026-12-06Z")],
            "PRO",
            "active",
            "ACTIVE",
            "Active",
            until: "2026-12-06"
        ),
        Standing(
            "granted",
            [grant("complimentary", "PREMIUM", from: "2026-11-01Z", until: "2026-12-09Z")],
            "PREMIUM",
            "active",
            "ACTIVE",
            "Active",
            until: "2026-12-09"
        ),
        Standing(
            "granted for good",
            [grant("complimentary", "PRO", from: "2026-11-01Z", until: nil)],
            "PRO",
            "active",
            "ACTIVE",
            "Active"
        ),
        Standing(
            "grant over",
            [grant("complimentary", "PRO", from: "2026-10-01Z", until: "2026-11-02Z")],
            "FREE",
            "expired",
            "EXPIRED",
            "Expired",
            until: "2026-11-02"
        ),
        Standing(
            "bought and extended",
            [
                subscription("active", until: "2026-12-01Z"),
                grant("extension", "PRO", from: "2026-12-01Z", until: "2026-12-20Z"),
            ],
            "PRO",
            "active",
            "ACTIVE",
            "Active",
            until: "2026-12-20"
        ),
        Standing(
            "app trial",
            [grant("trial", "PRO", from: "2026-11-18Z", until: "2026-11-25Z")],
            "PRO",
            "trial",
            "TRIAL",
            "Trial",
            until: "2026-11-25"
        ),
        Standing(
            "app trial over",
            [grant("trial", "PRO", from: "2026-11-01Z", until: "2026-11-08Z")],
            "FREE",
            "trial_expired",
            "TRIAL_EXPIRED",
            "Trial expired",
            until: "2026-11-08"
        ),
        Standing(
            "store trial over",
            [subscription("trial_expired", until: "2026-11-08Z", ended: "2026-11-08Z")],
            "FREE",
            "trial_expired",
            "TRIAL_EXPIRED",
            "Trial expired",
            until: "2026-11-08"
        ),
    ]
}

@Suite("What a customer has is said alike everywhere") struct CustomerStandingTests {
    @Test("the desk, the API and the file say the same plan, state and end of a customer in each state, a free one too")
    func alike() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.pool.withConnection { connection in
                try await connection.execute(script: AccessPagesTests.rows)
                for (index, standing) in Standing.all.enumerated() {
                    try await connection.execute(script: Self.script(standing, index))
                }
            }
            let token = try await site.token(of: .admin).text
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let programs = Programs(tokens: [.admin: token], client: client)
                let file = try await browser.get("/dashboard/exports/customers").text
                let list = try await browser.get("/dashboard/customers").text
                for (index, standing) in Standing.all.enumerated() {
                    let what = Comment(rawValue: standing.name)
                    let id = Self.id("c", index)
                    // The file.
                    let row = try #require(Self.rows(of: file).first { $0["customer_id"] == id }, what)
                    #expect(row["plan_now"] == standing.plan && row["state_now"] == standing.state, what)
                    #expect(row["access_ends_at"]?.prefix(10) ?? "" == standing.end ?? "", what)
                    // The API, of one customer and of their access.
                    let access = try Programs.decode(
                        CustomerAccess.self,
                        try await programs.get("/admin/subscriptions/\(id)")
                    )
                    #expect(access.planType == standing.plan && access.status == standing.status, what)
                    #expect(access.expiresAt.map { Self.day($0) } == standing.end, what)
                    let summary = try await programs.get("/admin/customers/\(id)").text
                    #expect(summary.contains(#""planType":"\#(standing.plan)""#), what)
                    #expect(summary.contains(#""status":"\#(standing.status)""#), what)
                    // The app's API, in each document's words.
                    try await Self.expect(standing, of: index, site)
                    // A list that is filtered by the plan as it is shown has them, on the desk, in the API and in the file.
                    let filter = "plan=\(standing.plan)"
                    let filtered = [
                        try await browser.get("/dashboard/customers?\(filter)").text,
                        try await browser.get("/dashboard/exports/customers?\(filter)").text,
                        try await programs.get("/admin/customers?planType=\(standing.plan)").text,
                    ]
                    #expect(filtered.allSatisfy { $0.contains(id) }, what)
                    let other = standing.plan == "FREE" ? "PRO" : "FREE"
                    #expect(
                        try await !programs.get("/admin/customers?planType=\(other)").text.contains(id),
                        what
                    )
                    // The desk's list and page.
                    let listed = try #require(
                        Self.part(of: list, from: "/dashboard/customers/\(id)", to: "</tr>"),
                        what
                    )
                    #expect(
                        listed.contains(">\(standing.word)</span>") && listed.contains(">\(standing.plan)</span>"),
                        what
                    )
                    let page = try await browser.get("/dashboard/customers/\(id)").text
                    let head = try #require(Self.part(of: page, from: "<h1>", to: "</h1>"), what)
                    #expect(
                        head.contains(">\(standing.word)</span>") && head.contains(">\(standing.plan)</span>"),
                        what
                    )
                }
            }
        }
    }

    @Test("why access was lost stands on the card, with a link to the event")
    func loss() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.support)
            try await site.pool.withConnection { connection in
                try await connection.execute(script: AccessPagesTests.rows)
                try await connection.execute(
                    script: """
                        UPDATE subscriptions SET state = 'expired', ended_at = '2026-11-20', period_starts_at = '2026-11-01',
                            period_ends_at = '2026-11-20';
                        INSERT INTO subscription_events (id, subscription_id, event_id, kind, signed_at, event, state_before,
                            state_after, recorded_at, source)
                        SELECT gen_random_uuid(), s.id, e.kind, e.kind, e.at::timestamptz, '{}', 'active', 'active', now(),
                            'verification'
                        FROM subscriptions s, (VALUES ('subscribed', '2026-11-01 12:00Z'),
                            ('autoRenewDisabled', '2026-11-06 12:00Z'), ('expired', '2026-11-20Z')) e (kind, at);
                        """
                )
            }
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("support@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let page = try await browser.get("/dashboard/customers/\(AccessPagesTests.customer)").text
                let reason = try #require(Self.part(of: page, from: "<dt>Reason</dt>", to: "</dd>"))
                #expect(reason.contains("Renewal turned off on 6 Nov 2026"))
                #expect(reason.contains("href=\"/dashboard/subscriptions/00000000-0000-7000-8000-0000000000e1"))
            }
        }
    }

    /// Asks as the customer's own app does: readmigo, llm-proxy, lightgallery, and the entitlements.
    private static func expect(_ standing: Standing, of index: Int, _ site: TestSite) async throws {
        let what = Comment(rawValue: standing.name)
        let token = try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: "standing-\(index)", isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        ).accessToken.revealed
        func ask(_ path: String) async throws -> [String: Any]? {
            let answer = try await CustomerCalls(site: site).ask(.get, path, token: token)
            return try JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed) as? [String: Any]
        }
        func day(_ answer: [String: Any], _ name: String) -> String? {
            (answer[name] as? String).map { String($0.prefix(10)) }
        }
        let status = try #require(try await ask("/subscriptions/status"), what)
        #expect(status["planType"] as? String == standing.plan, what)
        #expect(status["status"] as? String == standing.status, what)
        #expect(day(status, "expiresAt") == standing.end, what)
        let ios = try #require(try await ask("/ios/status")?["data"] as? [String: Any], what)
        #expect(ios["plan"] as? String == standing.plan, what)
        // Its document has a word for each state, as files do.
        #expect(ios["status"] as? String == standing.state, what)
        #expect(day(ios, "expiresDate") == standing.end, what)
        let gives = standing.plan != "FREE"
        // Without a subscription, and without access, lightgallery's client is told of none.
        let payment = try await ask("/api/v1/subscription/status")
        if let payment {
            #expect(payment["tier"] as? String == standing.plan, what)
            #expect(day(payment, "expiryDate") == standing.end, what)
            #expect(["active", "cancelled"].contains(payment["status"] as? String) == gives, what)
        } else {
            #expect(!gives, what)
        }
        // The plan that may be used now: everybody's, where a subscription is over.
        let entitlements = try #require(try await ask("/entitlements"), what)
        #expect(entitlements["planType"] as? String == standing.plan, what)
        #expect(entitlements["status"] as? String == (gives ? standing.status : "ACTIVE"), what)
        #expect(day(entitlements, "expiresAt") == (gives ? standing.end : nil), what)
    }

    private static func script(_ standing: Standing, _ index: Int) -> String {
        let customer = """
            INSERT INTO customers (id, app_id, key, external_id, name, created_at)
            VALUES (':c', '\(TestSite.readmigo)', '\(standing.name)', 'standing-\(index)', '\(standing.name)', now())
            """
        return ([customer] + standing.holds).joined(separator: ";\n")
            .replacing(":c", with: id("c", index)).replacing(":s", with: id("d", index))
    }

    private static func id(_ kind: String, _ index: Int) -> String {
        "00000000-0000-7000-8000-00000000\(kind)\(String(format: "%03d", index + 500))"
    }

    private static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }

    private static func part(of text: String, from start: String, to end: String) -> Substring? {
        guard let first = text.range(of: start),
            let last = text.range(of: end, range: first.upperBound..<text.endIndex)
        else { return nil }
        return text[first.lowerBound..<last.lowerBound]
    }

    /// The rows of a file without quoted commas.
    private static func rows(of file: String) -> [[String: String]] {
        let lines = file.drop { $0 == "\u{FEFF}" }.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: ["\""]) }
        }
        guard let names = lines.first else { return [] }
        return lines.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
    }
}
