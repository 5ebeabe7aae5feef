import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Seats of groups on the desk") struct SeatPagesTests {
    private func run(
        as role: StaffRole,
        _ body: @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support, .analyst)
            try await site.addOrders(1)
            try await site.addSeat()
            try await site.app.test(.live) { client in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test(
        "stand on the purchaser's and on the member's page with who claimed them; support ends one with a reason, once, and it is in the log"
    )
    func ended() async throws {
        try await run(as: .support) { site, browser in
            let group = try await browser.get("/dashboard/subscriptions/\(TestSite.group)").text
            for text in ["4 seats, 1 used", "readmigo (key Till)", "has the seat", "stranger-1", "End seat…"] {
                #expect(group.contains(text), "\(text)")
            }
            let member = try await browser.get("/dashboard/customers/\(TestSite.groupMember)").text
            for text in ["Seats in groups", "Zeynep Yılmaz", "readmigo (key Till)", "Member of a group"] {
                #expect(member.contains(text), "\(text)")
            }
            let page = "/dashboard/seats/\(TestSite.seat)/end"
            let form = try await browser.get(page)
            #expect(form.text.contains("End ben’s seat?"))
            #expect(form.text.contains("loses access at once"))
            let key = String(try #require(form.text.firstMatch(of: /name="key" value="([^"]+)"/)).output.1)
            #expect(try await browser.submit(page, [("key", key)]).status == .unprocessableContent)
            let sent = [("key", key), ("category", "goodwill"), ("reason", "The member asked to leave.")]
            for _ in 0..<2 {
                #expect(try await browser.submit(page, sent).location == "/dashboard/subscriptions/\(TestSite.group)")
            }
            #expect(try await site.audit().filter { $0.contains("seat") } == ["seat.end"])
            let after = try await browser.get("/dashboard/subscriptions/\(TestSite.group)").text
            #expect(after.contains("removed") && after.contains("4 seats, 0 used") && !after.contains("End seat…"))
            let left = try await browser.get("/dashboard/customers/\(TestSite.groupMember)").text
            #expect(!left.contains("Member of a group"))
        }
    }

    @Test(
        "seats that only the store knows, those that it does not answer about, and all others stand in lists over all groups"
    )
    func listed() async throws {
        try await run(as: .support) { site, browser in
            _ = try await site.pool.query(
                """
                INSERT INTO unknown_seats (subscription_id, store_claim_id, app_id, first_seen_at)
                SELECT subscription_id, 'other-' || i, app_id, first_seen_at - i * interval '1 minute'
                FROM unknown_seats, generate_series(1, 30) i
                """
            )
            let first = try await browser.get("/dashboard/seats").text
            #expect(first.contains("stranger-1") && first.contains("other-24") && !first.contains("other-25"))
            #expect(first.contains("Zeynep Yılmaz") && first.contains("the store has it, and nobody here claimed it"))
            let next = try #require(first.firstMatch(of: /href="(\/dashboard\/seats\?after=[^"]+)"/)).output.1
            let second = try await browser.get(String(next)).text
            #expect(second.contains("other-25") && second.contains("other-30") && !second.contains("stranger-1"))
            let none = try await browser.get("/dashboard/seats?show=waiting").text
            #expect(none.contains("No seat of a group is in this list."))
            _ = try await site.pool.query(
                """
                UPDATE seat_claims
                SET unanswered_since = '2000-01-01Z', unanswered_times = 3, ask_again_at = now(), answered_as = 'Try <later>.'
                """
            )
            let waiting = try await browser.get("/dashboard/seats?show=waiting").text
            for text in ["not answered since 1 Jan 2000", "Try &lt;later&gt;.", "End seat…"] {
                #expect(waiting.contains(text), "\(text)")
            }
            let page = try await browser.get("/dashboard/subscriptions/\(TestSite.group)").text
            #expect(page.contains("Try &lt;later&gt;."))
            let group = "/dashboard/seats?show=claimed&group=\(TestSite.group)"
            #expect(try await browser.get(group).text.contains("readmigo (key Till)"))
            let other = "/dashboard/seats?show=claimed&group=\(TestSite.seat)"
            #expect(try await !browser.get(other).text.contains("readmigo (key Till)"))
            for query in ["after=x", "show=9223372036854775808", "group=1.5", "group=%00", "show="] {
                let status = try await browser.get("/dashboard/seats?\(query)").status.code
                #expect([200, 303, 400, 404, 410].contains(status), "\(query): \(status)")
            }
        }
    }

    @Test("analysts see neither names nor a way to end one")
    func analysts() async throws {
        try await run(as: .analyst) { _, browser in
            let group = try await browser.get("/dashboard/subscriptions/\(TestSite.group)").text
            #expect(group.contains("has the seat") && !group.contains("End seat…"))
            let member = try await browser.get("/dashboard/customers/\(TestSite.groupMember)").text
            #expect(!member.contains("Zeynep"))
            #expect(try await browser.get("/dashboard/seats/\(TestSite.seat)/end").status == .forbidden)
        }
    }
}
