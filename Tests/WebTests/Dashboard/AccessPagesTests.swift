import Billing
import Foundation
import HTTPTypes
import NIOCore
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("what staff do for a customer, as pages") struct AccessPagesTests {
    static let customer = "00000000-0000-7000-8000-0000000000d1"
    static let path = "/dashboard/customers/\(customer)"
    static let reason = [("category", "goodwill"), ("reason", "The reader crashed all day.")]

    private func run(_ roles: StaffRole..., body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            for role in roles { try await site.addStaff(role) }
            try await site.pool.withConnection { try await $0.execute(script: Self.rows) }
            try await site.app.test(.live) { client in
                let browser = Browser(client)
                _ = try await browser.signIn("\(roles[0].rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    /// Returns the fields of the confirm page's form, filled in.
    private func fields(of page: TestResponse, _ more: [(String, String)] = Self.reason) -> [(String, String)] {
        page.text.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)">/)
            .map { (String($0.output.1), String($0.output.2)) }
            .reduce(into: []) { fields, field in
                // The frame's own forms come first; the last field of a name is the action's.
                fields.removeAll { $0.0 == field.0 }
                fields.append(field)
            }
            .filter {
                ["csrf", "of", "plan", "term", "days", "until", "receiver", "version", "step", "key"].contains($0.0)
            } + more
    }

    @Test("a plan is given in three steps, once, and the page says so and leads to the audit entry")
    func grant() async throws {
        try await run(.admin) { site, browser in
            let form = try await browser.get(Self.path + "/grants/new")
            #expect(form.status == .ok)
            #expect(form.text.contains("value=\"PRO\""))
            #expect(!form.text.contains("value=\"FREE\""))
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PRO&term=days&days=7")
            #expect(confirm.text.contains("Grant PRO to Ada?"))
            #expect(try await site.count("grants") == 0)
            let fields = fields(of: confirm)
            for _ in 0..<2 {
                let done = try await browser.post(Self.path + "/grants", fields)
                #expect(done.status == .seeOther)
                #expect(done.location == Self.path)
            }
            #expect(try await site.count("grants") == 1)
            let after = try await browser.get(Self.path)
            #expect(after.text.contains("Access granted."))
            #expect(after.text.contains("/dashboard/audit/"))
            #expect(after.text.contains("Undo last action"))
            #expect(!(try await browser.get(Self.path).text.contains("Access granted.")))
        }
    }

    @Test("what the confirm page shows is what the audit entry keeps")
    func auditDiff() async throws {
        try await run(.admin) { site, browser in
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PRO&days=7")
            let rows = confirm.text.matches(of: /<tr><th scope="row">/).count
            _ = try await browser.post(Self.path + "/grants", fields(of: confirm))
            let kept = try await site.pool.query(
                "SELECT count(*) FROM audit_entries, jsonb_object_keys(after) WHERE action = 'access.grant'"
            )
            #expect(try kept.first?.decode(0, as: Int.self) == rows)
        }
    }

    @Test("what is not right is said at its field, and what was typed stays")
    func invalid() async throws {
        try await run(.admin) { site, browser in
            let form = try await browser.get(Self.path + "/grants/new?step=2&plan=PRO&days=soon")
            #expect(form.status == .unprocessableContent)
            #expect(form.text.contains("value=\"soon\""))
            #expect(form.text.contains("aria-invalid"))
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PRO&days=7")
            let refused = try await browser.post(
                Self.path + "/grants",
                fields(of: confirm, [("category", ""), ("reason", "short")])
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("<title>Error: "))
            #expect(refused.text.contains(">short</textarea>"))
            #expect(try await site.count("grants") == 0)
        }
    }

    @Test("who was slower is shown what would change now, and nothing is done")
    func stale() async throws {
        try await run(.admin) { site, browser in
            let first = try await browser.get(Self.path + "/grants/new?step=2&plan=PRO&days=7")
            let second = try await browser.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=9")
            _ = try await browser.post(Self.path + "/grants", fields(of: first))
            let answer = try await browser.post(Self.path + "/grants", fields(of: second))
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("This changed after you opened it"))
            #expect(try await site.count("grants") == 1)
            let again = try await browser.post(Self.path + "/grants", fields(of: answer))
            #expect(again.status == .seeOther)
            #expect(try await site.count("grants") == 2)
        }
    }

    @Test("something paid is only revoked with what was to be typed")
    func typed() async throws {
        try await run(.admin) { site, browser in
            let confirm = try await browser.get(
                Self.path + "/revocations/new?of=subscription:00000000-0000-7000-8000-0000000000e1"
            )
            #expect(confirm.text.contains("Type 0000d1 to confirm"))
            let wrong = try await browser.post(Self.path + "/revocations", fields(of: confirm))
            #expect(wrong.status == .unprocessableContent)
            #expect(try await site.count("suspensions") == 0)
            let right = try await browser.post(
                Self.path + "/revocations",
                fields(of: confirm, Self.reason + [("confirmation", "0000d1")])
            )
            #expect(right.status == .seeOther)
            #expect(try await site.count("suspensions") == 1)
            #expect(try await browser.get(Self.path).text.contains("/restorations/new"))
        }
    }

    @Test("support gives up to the limit and nothing else; analysts nothing")
    func roles() async throws {
        try await run(.support, .analyst) { site, browser in
            #expect(try await browser.get(Self.path + "/revocations/new").status == .forbidden)
            let above = try await browser.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=31")
            #expect(above.status == .unprocessableContent)
            #expect(above.text.contains("up to 30 days"))
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("/grants/new"))
            #expect(!page.text.contains("/revocations/new"))
            #expect(page.text.contains("Only admins can revoke access"))
            browser.cookies = [:]
            _ = try await browser.signIn("analyst@example.com")
            _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
            #expect(try await browser.get(Self.path + "/grants/new").status == .forbidden)
            #expect(!(try await browser.get(Self.path).text.contains("/grants/new")))
        }
    }

    @Test("what only the customer can cancel says where, on the link and on a page without a button")
    func cancelAtTheStore() async throws {
        try await run(.admin) { site, browser in
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("How to cancel at Apple") && !page.text.contains("Cancel at period end"))
            let subscription = "subscription:00000000-0000-7000-8000-0000000000e1"
            for query in ["", "?step=2&of=\(subscription)"] {
                let how = try await browser.get(Self.path + "/cancellations/new" + query)
                #expect(how.status == .ok && how.text.contains("<h1>How Ada cancels at Apple</h1>"), "\(query)")
                #expect(how.text.contains("Settings &gt; [name] &gt; Subscriptions"))
                let after = how.text.components(separatedBy: "<h1>").last ?? ""
                let main = after.components(separatedBy: "</main>").first ?? ""
                #expect(!main.contains("<button"), "\(query)")
                #expect(main.contains("Back to Ada"))
            }
            let sent = try await browser.submit(
                Self.path + "/cancellations",
                [("of", subscription), ("version", "1"), ("key", "k")] + Self.reason,
                from: Self.path
            )
            #expect(sent.status == .conflict && sent.text.contains("How Ada cancels at Apple"))
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test("a form that does not say what was seen changes nothing")
    func unseen() async throws {
        try await run(.admin) { site, browser in
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=7")
            let sent = try await browser.post(
                Self.path + "/grants",
                fields(of: confirm).filter { $0.0 != "version" }
            )
            #expect(sent.status == .unprocessableContent)
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test("a grant beside a subscription can be cancelled here, and the subscription is no choice")
    func cancelBeside() async throws {
        try await run(.admin) { _, browser in
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=7")
            _ = try await browser.post(Self.path + "/grants", fields(of: confirm))
            #expect(try await browser.get(Self.path).text.contains("Cancel at period end"))
            let form = try await browser.get(Self.path + "/cancellations/new")
            #expect(form.text.contains("value=\"grant:") && !form.text.contains("value=\"subscription:"))
        }
    }

    @Test("support takes its own grant back, also after somebody else did something")
    func undoOfSupport() async throws {
        try await run(.support, .admin) { site, browser in
            let confirm = try await browser.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=7")
            #expect(confirm.text.contains("Yes, from the customer page, until it changes again"))
            _ = try await browser.post(Self.path + "/grants", fields(of: confirm))
            site.clock.advance(by: 60)
            let admin = Browser(browser.client)
            _ = try await admin.signIn("admin@example.com")
            _ = try await admin.submit("/dashboard/app", [("app", "readmigo")])
            let more = try await admin.get(Self.path + "/grants/new?step=2&plan=PREMIUM&days=30")
            _ = try await admin.post(Self.path + "/grants", fields(of: more))
            #expect(try await admin.get(Self.path).text.contains("Undo last action"))
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("Undo “Grant access”"))
            let link = try #require(page.text.firstMatch(of: /href="([^"]+undoings[^"]+)"/)?.1)
            let ask = try await browser.get(String(link).replacing("&amp;", with: "&"))
            #expect(ask.status == .ok && ask.text.contains("No, but the action can be done again"))
            let undone = try await browser.post(Self.path + "/undoings", fields(of: ask))
            #expect(undone.status == .seeOther, "\(undone.text)")
            #expect(!(try await browser.get(Self.path).text.contains("/undoings/new")))
        }
    }

    @Test("the way back keeps the list that one came from, through every step")
    func wayBack() async throws {
        try await run(.admin) { _, browser in
            let list = "/dashboard/customers?q=ada&after=x"
            let here = DashboardPath.customer(try #require(.init(Self.customer)), from: list)
            let page = try await browser.get(here)
            let link = try #require(page.text.firstMatch(of: /href="([^"]+grants\/new[^"]*)"/)?.1)
            let form = try await browser.get(String(link).replacing("&amp;", with: "&"))
            let from = "<input type=\"hidden\" name=\"from\" value=\"/dashboard/customers?q=ada&amp;after=x\">"
            #expect(form.text.contains(from))
            let question = Self.path + "/grants/new?step=2&plan=PREMIUM&days=7"
            let confirm = try await browser.get("\(question)&from=\(DashboardPath.encoded(list))")
            #expect(
                confirm.text.contains(from) && confirm.text.contains("href=\"\(here.replacing("&", with: "&amp;"))\"")
            )
            let done = try await browser.post(Self.path + "/grants", fields(of: confirm) + [("from", list)])
            #expect(done.location == here)
            #expect(try await browser.get(here).text.contains("href=\"/dashboard/customers?q=ada&amp;after=x\""))
        }
    }

    @Test("the questions are asked in the reader's language")
    func languages() async throws {
        try await run(.admin) { _, browser in
            let question = Self.path + "/grants/new?step=2&plan=PRO&days=7"
            let chinese = try await browser.get(question, headers: [.acceptLanguage: "zh-CN"])
            #expect(chinese.text.contains("授予 Ada PRO？"))
            let turkish = try await browser.get(question, headers: [.acceptLanguage: "tr"])
            #expect(turkish.text.contains("Ada müşterisine PRO verilsin mi?"))
        }
    }

    static let rows = """
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), '00000000-0000-7000-8000-000000000001', code, code, rank
        FROM (VALUES ('FREE', 0), ('PRO', 1), ('PREMIUM', 2)) p(code, rank);
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
        SELECT '00000000-0000-7000-8000-0000000000c1', app_id, id, 'apple', 'pro', 'Pro', now(), now()
        FROM plans WHERE code = 'PRO';
        INSERT INTO customers (id, app_id, key, name, created_at)
        VALUES ('\(customer)', '00000000-0000-7000-8000-000000000001', 'ada', 'Ada', now());
        INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
            product_id, started_at, period_starts_at, period_ends_at, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000e1', '00000000-0000-7000-8000-000000000001', '\(customer)', 'apple',
            'production', 't1', 'active', '00000000-0000-7000-8000-0000000000c1', '2026-11-20', '2026-11-20',
            '2026-11-24', now(), now());
        """
}
