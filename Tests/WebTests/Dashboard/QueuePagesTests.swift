import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Queues, as pages") struct QueuePagesTests {
    private static let path = "/dashboard/queues"
    private static let reports = "/dashboard/queues/reports"
    private static let newRetry = "\(reports)/retries/new?id=\(TestSite.deadReport)"
    private static let reason = [("category", "service_failure"), ("reason", "The directory is there again.")]

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addOrders(1)
            try await site.addJobs()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("every queue says how many of its jobs stand where, and what failed says why")
    func index() async throws {
        try await run(.admin) { _, browser in
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok)
            for queue in [
                "notifications", "bulk_jobs", "reports", "reconciliations", "purchase_verifications",
                "consumption_answers", "extension_requests", "account_tokens",
                "sign_in_revocations", "order_joinings", "seat_groups", "checkouts",
                "acknowledgements", "daily_bills", "refund_payouts",
            ] {
                #expect(page.text.contains("<th scope=\"row\"><a href=\"\(Self.path)/\(queue)\">"), "\(queue)")
                let own = try await browser.get("\(Self.path)/\(queue)")
                #expect(own.status == .ok, "\(queue)")
            }
            for (state, word) in [
                ("?state=available", "due"), ("?state=scheduled", "scheduled"), ("?state=retryable", "retrying"),
                ("?state=running", "running"),
            ] {
                let link = "<a href=\"\(Self.reports)\(state)\">1<span class=\"visually-hidden\"> \(word)</span></a>"
                #expect(page.text.contains(link), "\(state)")
            }
            let failed = "<a href=\"\(Self.reports)\">2<span class=\"visually-hidden\"> failed</span></a>"
            #expect(page.text.contains(failed))
            #expect(page.text.contains("no such directory") && page.text.contains("the plan is &lt;gone&gt;"))
            #expect(page.text.contains("60 of 60"))
            // Snoozes do not count.
            #expect(page.text.contains("10 of 10"))
            #expect(page.text.contains("<a href=\"/dashboard/bulk/\(TestSite.bulkJobID)\">Extend access</a>"))
            #expect(page.text.contains("/dashboard/notifications/\(TestSite.notificationID)?from="))
            #expect(page.text.contains("href=\"\(Self.newRetry)&amp;from=%2Fdashboard%2Fqueues\""))
            #expect(page.text.contains("href=\"\(Self.reports)/retries/new\""))
            // A notification that nobody can read cannot be tried again.
            #expect(page.text.contains("it broke") && !page.text.contains("/queues/notifications/retries"))
        }
    }

    @Test("a queue lists its jobs by where they stand, each with the moment that matters there")
    func show() async throws {
        try await run(.admin) { _, browser in
            let failed = try await browser.get(Self.reports)
            #expect(failed.text.contains("<title>Reports, failed (1–2 of 2) – Readmigo – Perennial</title>"))
            #expect(failed.text.contains("no such directory") && !failed.text.contains("the disk was away"))
            let retried = try await browser.get("\(Self.reports)?state=retryable")
            #expect(retried.text.contains("the disk was away") && retried.text.contains("Next attempt"))
            #expect(!retried.text.contains("/retries/new"))
            #expect(try await browser.get("\(Self.reports)?state=running").text.contains("Held until"))
            #expect(try await browser.get("\(Self.reports)?state=available").text.contains("Due since"))
            let none = try await browser.get("\(Self.path)/bulk_jobs?state=running")
            #expect(none.status == .ok && none.text.contains("No jobs are running"))
            let odd = try await browser.get("\(Self.reports)?state=odd")
            #expect(odd.text.contains("<title>Reports, failed (1–2 of 2)"))
            #expect(try await browser.get("\(Self.path)/letters").status == .notFound)
            #expect(try await browser.get("\(Self.reports)?after=nowhere").location == Self.reports)
        }
    }

    @Test("what failed is paged, no job lost or shown twice")
    func pages() async throws {
        try await run(.admin) { site, browser in
            try await site.addDeadReports(30)
            let first = try await browser.get(Self.reports)
            #expect(first.text.contains("1–25 of 32"))
            let next = try #require(first.text.firstMatch(of: /rel="next" href="([^"]+)"/).map { String($0.output.1) })
            let second = try await browser.get(next)
            #expect(second.text.contains("26–32 of 32") && !second.text.contains("rel=\"next\""))
            let ids = [first, second].flatMap { page in
                page.text.matches(of: /retries\/new\?id=([0-9a-f-]{36})/).map { String($0.output.1) }
            }
            #expect(ids.count == 32 && Set(ids).count == 32)
            let index = try await browser.get(Self.path)
            #expect(index.text.contains("Show all"))
        }
    }

    @Test("one is tried again: it asks first, becomes due once however often it is sent, and is written down")
    func retryOne() async throws {
        try await run(.admin) { site, browser in
            let question = try await browser.get(Self.newRetry)
            #expect(question.status == .ok && question.text.contains("again?"))
            #expect(question.text.contains("60 of 61"))
            #expect(try await site.state(ofJob: TestSite.deadReport) == "discarded 60 of 60")
            let form = [("key", "one"), ("id", TestSite.deadReport)] + Self.reason
            for _ in 1...2 {
                let answer = try await browser.submit("\(Self.reports)/retries", form)
                #expect(answer.location == Self.path)
            }
            #expect(try await site.state(ofJob: TestSite.deadReport) == "available 60 of 61")
            #expect(try await site.state(ofJob: TestSite.otherDeadReport) == "discarded 60 of 60")
            #expect(try await site.audit().filter { $0 == "queue.retry" }.count == 1)
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("Queued to be tried again."))
            #expect(!page.text.contains(Self.newRetry))
            // The queue has no failed job any more: its page says so.
            #expect(try await browser.get(Self.newRetry).location == Self.reports)
        }
    }

    @Test("all of a queue are tried again, and those of the others are left")
    func retryAll() async throws {
        try await run(.admin) { site, browser in
            let question = try await browser.get("\(Self.reports)/retries/new")
            #expect(question.text.contains("Try all failed reports again?"))
            let answer = try await browser.submit("\(Self.reports)/retries", [("key", "all")] + Self.reason)
            #expect(answer.location == Self.path)
            #expect(try await site.state(ofJob: TestSite.deadReport) == "available 60 of 61")
            #expect(try await site.state(ofJob: TestSite.otherDeadReport) == "available 60 of 61")
            #expect(try await site.state(ofJob: TestSite.deadBulkJob) == "discarded 12 of 10")
            let entry = try await site.pool.query(
                "SELECT object_id || ' ' || (after ->> 'count') FROM audit_entries WHERE action = 'queue.retry'"
            )
            #expect(try entry.first?.decode(0, as: String.self) == "reports 2")
        }
    }

    @Test("without a reason, with no id, or after somebody was faster, nothing happens and the page says so")
    func refused() async throws {
        try await run(.admin) { site, browser in
            let retries = "\(Self.reports)/retries"
            let bare = try await browser.submit(retries, [("key", "one"), ("id", TestSite.deadReport)])
            #expect(bare.status == .unprocessableContent && bare.text.contains("Enter a reason."))
            #expect(bare.text.contains("name=\"id\" value=\"\(TestSite.deadReport)\""))
            for id in ["", "7", "no-uuid"] {
                let odd = try await browser.submit(retries, [("key", "two"), ("id", id)] + Self.reason)
                #expect(odd.status == .unprocessableContent && odd.text.contains("id: This is no UUID."), "\(id)")
            }
            #expect(try await browser.submit("\(Self.path)/letters/retries", Self.reason).status == .notFound)
            // A job of another queue.
            let other = [("key", "three"), ("id", TestSite.deadBulkJob)] + Self.reason
            let late = try await browser.submit(retries, other)
            #expect(late.status == .conflict)
            #expect(late.text.contains("Someone may have been faster."))
            #expect(late.text.contains("The directory is there again."))
            let unreadable = [("key", "four"), ("id", TestSite.notificationID)] + Self.reason
            #expect(try await browser.submit("\(Self.path)/notifications/retries", unreadable).status == .conflict)
            #expect(try await site.state(ofJob: TestSite.deadReport) == "discarded 60 of 60")
            #expect(try await site.state(ofJob: TestSite.deadBulkJob) == "discarded 12 of 10")
            #expect(try await site.audit().filter { $0 == "queue.retry" }.isEmpty)
        }
    }

    @Test("another app's jobs are not there")
    func otherApp() async throws {
        try await run(.admin) { site, browser in
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("No jobs failed") && !page.text.contains("no such directory"))
            #expect(try await browser.get(Self.newRetry).location == Self.reports)
            let form = [("key", "one"), ("id", TestSite.deadReport)] + Self.reason
            #expect(try await browser.submit("\(Self.reports)/retries", form).status == .conflict)
            #expect(try await site.state(ofJob: TestSite.deadReport) == "discarded 60 of 60")
        }
    }

    @Test(
        "support and analysts see what failed and are told who can try it again",
        arguments: [StaffRole.support, .analyst]
    )
    func others(_ role: StaffRole) async throws {
        try await run(role) { site, browser in
            for path in [Self.path, Self.reports] {
                let page = try await browser.get(path)
                #expect(page.text.contains("no such directory"))
                #expect(page.text.contains("Only admins can try failed jobs again."))
                #expect(!page.text.contains("/retries/new"))
                #expect(!page.text.contains("/dashboard/bulk/"))
            }
            #expect(try await browser.get(Self.newRetry).status == .forbidden)
            let form = [("key", "one"), ("id", TestSite.deadReport)] + Self.reason
            #expect(try await browser.submit("\(Self.reports)/retries", form).status == .forbidden)
            #expect(try await site.state(ofJob: TestSite.deadReport) == "discarded 60 of 60")
        }
    }
}
