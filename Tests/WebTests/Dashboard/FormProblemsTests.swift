import Foundation
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Everything that is wrong with a form is said at once") struct FormProblemsTests {
    private static let customer = "/dashboard/customers/\(TestSite.customer)"

    @Test("a refund request: the amount, the category and the reason, each in words that say what to type")
    func refund() async throws {
        try await Self.run { _, browser in
            let path = "/dashboard/orders/ORD-20260101-0001/refund"
            let negative = try await Self.send(
                browser,
                path,
                [("kind", "partial"), ("amount", "-1"), ("reason", "short")]
            )
            #expect(negative.status == .unprocessableContent)
            #expect(
                Self.problems(negative.text) == [
                    "amount": "Enter an amount above 0.", "category": "Choose a category.",
                    "reason": "Enter at least 10 characters.",
                ]
            )
            let much = try await Self.send(
                browser,
                path,
                [("kind", "partial"), ("amount", "999"), ("note", String(repeating: "x", count: 2_001))]
            )
            #expect(
                Self.problems(much.text) == [
                    "amount": "Enter an amount of 128.00 CNY or less.", "note": "Enter at most 2,000 characters.",
                    "category": "Choose a category.", "reason": "Enter a reason.",
                ]
            )
            let empty = try await Self.send(browser, path, [])
            #expect(Set(Self.problems(empty.text).keys) == ["kind", "category", "reason"])
            let word = try await Self.send(browser, path, [("kind", "partial"), ("amount", "a lot")])
            #expect(Self.problems(word.text)["amount"] == "Enter the amount in figures, such as 31.20.")
        }
    }

    @Test("a payment: the reference and the reason")
    func payment() async throws {
        try await Self.run { site, browser in
            let path = "/dashboard/orders/ORD-20260101-0001/refund"
            let reason = [("category", "goodwill"), ("reason", "The reader crashed.")]
            _ = try await Self.send(browser, path, [("kind", "partial"), ("amount", "1")] + reason)
            try await site.addStaff(.admin)
            let admin = Browser(browser.client)
            _ = try await admin.signIn("admin@example.com")
            _ = try await admin.submit("/dashboard/app", [("app", "readmigo")])
            let refund = "/dashboard/refunds/RF-000001"
            // The amount that the store pays back for the unused part of the year has to be typed.
            let approval = reason + [("confirmation", "1-0001")]
            #expect(try await Self.send(admin, "\(refund)/approval", approval).status == .seeOther)
            let answer = try await Self.send(admin, "\(refund)/payment", [("payer", "store"), ("reference", "")])
            #expect(
                Self.problems(answer.text) == [
                    "reference": "Enter the reference of the payment.", "category": "Choose a category.",
                    "reason": "Enter a reason.",
                ]
            )
        }
    }

    @Test("an empty invitation names all its fields")
    func invitation() async throws {
        try await Self.run(.admin) { _, browser in
            let path = "/dashboard/staff/invitation"
            let answer = try await Self.send(browser, path, [])
            #expect(answer.status == .unprocessableContent)
            #expect(Set(Self.problems(answer.text).keys) == ["email", "name", "role", "app", "category", "reason"])
        }
    }

    @Test("a grant: the plan and the days; an extension in Turkish")
    func access() async throws {
        try await Self.run { _, browser in
            let grant = try await browser.get("\(Self.customer)/grants/new?step=2&term=days&days=-1")
            #expect(grant.status == .unprocessableContent)
            let problems = Self.problems(grant.text)
            #expect(problems["plan"] == "Choose a plan." && problems["days"] != nil)
            let days = try await browser.get("\(Self.customer)/grants/new?step=2&term=days&days=many")
            #expect(Self.problems(days.text)["days"] == "Enter the days as a whole number, such as 30.")
            let until = try await browser.get("\(Self.customer)/grants/new?step=2&term=until&until=")
            #expect(Self.problems(until.text) == ["plan": "Choose a plan.", "until": "Enter a date."])
            let turkish = try await browser.get(
                "\(Self.customer)/extensions/new?step=2&days=",
                headers: [.acceptLanguage: "tr"]
            )
            #expect(Self.problems(turkish.text)["days"] == "Gün sayısını girin.")
        }
    }

    @Test("a bulk job: plan, days, customers and reason")
    func bulk() async throws {
        try await Self.run(.admin) { _, browser in
            let answer = try await Self.send(
                browser,
                "/dashboard/bulk",
                [("kind", "grant"), ("days", "x")],
                from: "/dashboard/bulk/new"
            )
            #expect(answer.status == .unprocessableContent)
            #expect(Set(Self.problems(answer.text).keys) == ["plan", "days", "lines", "category", "reason"])
        }
    }

    @Test("an empty code is no try, and the page says to enter one")
    func code() async throws {
        try await Self.run(.admin) { site, browser in
            let path = "/dashboard/account/two-factor/removal"
            let answer = try await Self.send(browser, path, [("password", ""), ("code", "")])
            #expect(Self.problems(answer.text) == ["password": "Enter your password.", "code": "Enter the code."])
            #expect(!(try await site.audit().contains("session.refuse")))
        }
    }

    private static func run(
        _ role: StaffRole = .support,
        _ body: @escaping @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.addOrders(3)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    /// Opens the form's page and sends the form with its hidden fields.
    private static func send(
        _ browser: Browser,
        _ path: String,
        _ fields: [(String, String)],
        from page: String? = nil
    ) async throws -> TestResponse {
        let text = try await browser.get(page ?? path).text
        let main = text.range(of: "<main").map { text[$0.lowerBound...] } ?? text[...]
        let hidden = main.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map {
            (String($0.1), String($0.2))
        }
        return try await browser.post(path, hidden + fields)
    }

    /// Returns the problem at each field.
    private static func problems(_ page: String) -> [String: String] {
        let found = page.matches(of: /<p class="field-error" id="field-([a-z-]+)-problem">([^<]*)</)
        return Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
    }
}
