import Billing
import Foundation
import HTTPTypes
import Jobs
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("many customers at once, as pages") struct BulkPagesTests {
    private func run(_ role: StaffRole, body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.pool.withConnection { try await $0.execute(script: Self.rows) }
            try await site.app.test(.live) { client in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    /// Sends the form with a file, as a browser does.
    private func send(_ browser: Browser, _ fields: [(String, String)], file: String) async throws -> TestResponse {
        let page = try await browser.get("/dashboard/bulk/new")
        let token = page.formToken ?? ""
        let key = page.text.firstMatch(of: /name="key" value="([^"]+)"/).map { String($0.output.1) } ?? ""
        let boundary = "----boundary"
        var body = ""
        for (name, value) in [("csrf", token), ("key", key)] + fields {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"list.csv\"\r\n"
        body += "Content-Type: text/csv\r\n\r\n\(file)\r\n--\(boundary)--\r\n"
        return try await browser.send(
            .post,
            "/dashboard/bulk",
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
            body: .init(string: body)
        )
    }

    /// Runs the jobs as the workers do.
    private func work(_ site: TestSite) async throws {
        _ = try await JobWorker(backOffice: site.backOffice).drain()
    }

    private func follow(_ browser: Browser, _ action: String, of job: String) async throws -> TestResponse {
        let page = try await browser.get("\(job)/\(action)/new")
        let values = page.text.matches(of: /name="(version|key)" value="([^"]*)"/)
            .map { (String($0.output.1), String($0.output.2)) }
        return try await browser.submit("\(job)/\(action)", values, from: "\(job)/\(action)/new")
    }

    private static let fields = [
        ("kind", "grant"), ("plan", "PRO"), ("days", "7"), ("lines", ""), ("category", "goodwill"),
        ("reason", "A week for everybody who was here."),
    ]

    @Test("a file becomes a dry run, a job, a result file, and is undone")
    func whole() async throws {
        try await run(.admin) { site, browser in
            let sent = try await send(browser, Self.fields, file: "customer\r\nk1\r\nk2\r\nnobody\r\n")
            #expect(sent.status == .seeOther)
            let job = sent.location ?? ""
            let waiting = try await browser.get(job)
            #expect(waiting.headers.contains { $0.name.canonicalName == "refresh" })
            try await work(site)
            let dry = try await browser.get(job)
            #expect(!dry.headers.contains { $0.name.canonicalName == "refresh" })
            #expect(dry.text.contains("Not found"))
            #expect(dry.text.contains("list.csv"))
            #expect(try await site.count("grants") == 0)
            // A form without the version that was seen cannot be checked for staleness.
            let unseen = try await browser.submit("\(job)/starts", [("key", "k")], from: "\(job)/starts/new")
            #expect(unseen.status == .unprocessableContent)
            #expect(try await follow(browser, "starts", of: job).status == .seeOther)
            try await work(site)
            #expect(try await site.count("grants") == 2)
            let result = try await browser.get(job + "/result.csv")
            #expect(result.text.split(separator: "\r\n").count == 4)
            #expect(result.text.contains("\"nobody\",,not_found"))
            let taken = try await site.pool.query(
                "SELECT object_id, after::text FROM audit_entries WHERE action = 'bulk.export'"
            ).map { try $0.decode(String.self, String.self) }
            #expect(taken.count == 1 && job.hasSuffix(taken[0].0))
            // A job's own result names the customers, never its line numbers.
            let again = BulkLines(result.text)
            #expect(again.problem == nil && again.customers.count == 3 && again.customers.last == "nobody")
            #expect(!again.customers.contains("1") && UUID(uuidString: again.customers[0]) != nil)
            #expect(taken.first?.1 == #"{"rows": 3, "complete": true}"#)
            #expect(try await follow(browser, "undoings", of: job).status == .seeOther)
            try await work(site)
            let left = try await site.pool.query("SELECT count(*) FROM grants WHERE ended_at IS NULL")
            #expect(try left.first?.decode(0, as: Int.self) == 0)
            #expect(try await browser.get("/dashboard/bulk").text.contains(job))
        }
    }

    @Test("what is missing is said, and what was typed stays")
    func invalid() async throws {
        try await run(.admin) { site, browser in
            let fields = Self.fields.map { $0.0 == "plan" ? ("plan", "") : $0 }
            let answer = try await send(browser, fields, file: "")
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("value=\"7\""))
            #expect(answer.text.contains("A week for everybody who was here."))
            #expect(try await site.count("bulk_jobs") == 0)
        }
    }

    @Test("the customers of a saved view are taken when the job is made, and the job names the view")
    func fromView() async throws {
        try await run(.admin) { site, browser in
            try await site.pool.withConnection { try await $0.execute(script: Self.views) }
            let form = try await browser.get("/dashboard/bulk/new?view=00000000-0000-7000-8000-0000000000a1")
            #expect(form.text.contains("selected>Everybody (Customers)</option>"))
            #expect(!form.text.contains("Big orders") && !form.text.contains("Somebody else"))
            let fields = Self.fields + [("view", "00000000-0000-7000-8000-0000000000a1")]
            let job = try await send(browser, fields, file: "")
            #expect(job.status == .seeOther)
            try await work(site)
            let page = try await browser.get(job.location ?? "")
            #expect(page.text.contains("view “Everybody” of Customers"))
            #expect(try await browser.get("/dashboard/bulk").text.contains("view “Everybody” of Customers"))
            #expect(try await site.count("bulk_job_items") == 3)
            let wrong = [
                (fields, "k1\r\n", "Fill in only one of these."),
                (Self.fields + [("view", "00000000-0000-7000-8000-0000000000a2")], "", "There are no customers in it."),
                (Self.fields + [("view", "00000000-0000-7000-8000-0000000000a3")], "", "Choose one of the options."),
                (Self.fields + [("view", "00000000-0000-7000-8000-0000000000a4")], "", "Choose one of the options."),
            ]
            for (fields, file, sentence) in wrong {
                let answer = try await send(browser, fields, file: file)
                #expect(answer.status == .unprocessableContent && answer.text.contains(sentence), "\(sentence)")
            }
            #expect(try await site.count("bulk_jobs") == 1)
        }
    }

    @Test("it is for admins")
    func roles() async throws {
        try await run(.support) { _, browser async throws in
            #expect(try await browser.get("/dashboard/bulk").status == .forbidden)
            #expect(try await browser.get("/dashboard/bulk/new").status == .forbidden)
        }
    }

    /// Inserts two own views, one of another list, and one that somebody else keeps private.
    private static let views = """
        INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000b1', 'eve@example.com', 'Eve', 'support', '-', now(), now());
        INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
        SELECT v.id::uuid, '00000000-0000-7000-8000-000000000001', s.id, list, v.name, query, 'all', false, now(), now()
        FROM (VALUES
            ('00000000-0000-7000-8000-0000000000a1', 'admin@example.com', 'customers', 'Everybody', ''),
            ('00000000-0000-7000-8000-0000000000a2', 'admin@example.com', 'subscriptions', 'Nobody', '?plan=NONE'),
            ('00000000-0000-7000-8000-0000000000a3', 'admin@example.com', 'orders', 'Big orders', ''),
            ('00000000-0000-7000-8000-0000000000a4', 'eve@example.com', 'customers', 'Somebody else', '')
        ) AS v(id, email, list, name, query)
        JOIN staff s ON s.email = v.email;
        """

    private static let rows = """
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), '00000000-0000-7000-8000-000000000001', code, code, rank
        FROM (VALUES ('FREE', 0), ('PRO', 1)) p(code, rank);
        INSERT INTO customers (id, app_id, key, created_at)
        SELECT gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'k' || i, now() FROM generate_series(1, 3) i;
        """
}
