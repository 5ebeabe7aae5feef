import APITypes
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("The admin API: refunds") struct AdminRefundsTests {
    private static let command = """
        {"type":"PARTIAL","amount":28.5,"category":"goodwill","reason":"The reader crashed all day."}
        """
    private static let reason = #""category":"correction","reason":"Seen and decided at the desk.""#

    @Test("a refund is asked for once per key, decided by another person, and paid")
    func life() async throws {
        try await Self.withOrders { site, call in
            let first = try await call(.support, .post, "/admin/orders/ORD-20260101-0001/refunds", Self.command, "k1")
            #expect(first.status == .created)
            let refund = try Self.decoder.decode(Refund.self, from: Data(first.text.utf8))
            #expect(first.headers[.location] == "/admin/refunds/\(refund.number)")
            #expect(refund.type == "PARTIAL" && refund.status == "PENDING")
            #expect(refund.requestedAmount == Amount("28.50") && refund.currency == "CNY")
            #expect(refund.orderNumber == "ORD-20260101-0001")
            let again = try await call(.support, .post, "/admin/orders/ORD-20260101-0001/refunds", Self.command, "k1")
            #expect(again.text == first.text)
            #expect(try await site.count("refund_requests") == 1)

            let approve = "/admin/refunds/\(refund.number)/approve"
            let step = "{\(Self.reason),\"version\":\(refund.version)}"
            #expect(try await call(.support, .post, approve, step, "k2").status == .forbidden)
            // Apple pays back what it likes: the whole charge is weighed, and typed.
            let typed = "{\(Self.reason),\"version\":\(refund.version),\"confirmation\":\"1-0001\"}"
            let approved = try await call(.admin, .post, approve, typed, "k2")
            #expect(approved.status == .ok, "\(approved.text)")
            #expect(approved.text.contains(#""status":"APPROVED""#))
            let stale = try await call(.admin, .post, "/admin/refunds/\(refund.number)/cancel", step, "k3")
            #expect(stale.status == .conflict)
            let payment = "{\(Self.reason),\"paidBy\":\"STORE\",\"reference\":\"Apple 4711\"}"
            let paid = try await call(.admin, .post, "/admin/refunds/\(refund.number)/process", payment, "k4")
            #expect(paid.text.contains(#""status":"PROCESSED""#), "\(paid.text)")
            #expect(paid.text.contains(#""processedAmount":28.50"#))
            let order = try await call(.analyst, .get, "/admin/orders/ORD-20260101-0001", nil, nil)
            #expect(order.text.contains(#""status":"PARTIALLY_REFUNDED""#))
        }
    }

    @Test("requests are listed, filtered and paged")
    func list() async throws {
        try await Self.withOrders { site, call in
            for number in 1...3 {
                let path = "/admin/orders/ORD-20260101-000\(number)/refunds"
                #expect(try await call(.support, .post, path, Self.command, "k\(number)").status == .created)
                site.clock.advance(by: 60)
            }
            let answer = try await call(.analyst, .get, "/admin/refunds?status=PENDING", nil, nil)
            let page = try Self.decoder.decode(RefundPage.self, from: Data(answer.text.utf8))
            #expect(page.refunds.map(\.orderNumber) == [3, 2, 1].map { "ORD-20260101-000\($0)" })
            #expect(page.next == nil)
            let rejected = try await call(.analyst, .get, "/admin/refunds?status=REJECTED", nil, nil)
            #expect(rejected.text == #"{"refunds":[],"next":null}"#)
            for query in ["status=happy", "sort=colour", "dir=up", "after=x", "limit=3"] {
                #expect(
                    try await call(.analyst, .get, "/admin/refunds?\(query)", nil, nil).status == .unprocessableContent
                )
            }
            #expect(try await call(.analyst, .get, "/admin/refunds/RF-999999", nil, nil).status == .notFound)
        }
    }

    @Test(
        "what is wrong is named, and nothing is done",
        arguments: [
            ("{", HTTPResponse.Status.badRequest, ""), ("[]", .unprocessableContent, ""),
            (#"{"type":"HALF","category":"goodwill","reason":"Long enough to count."}"#, .unprocessableContent, "type"),
            (#"{"type":7}"#, .unprocessableContent, "type"),
            (#"{"type":"FULL","category":"goodwill","reason":"short"}"#, .unprocessableContent, "reason"),
            (#"{"type":"FULL","reason":"Long enough to count."}"#, .unprocessableContent, "category"),
            (
                #"{"type":"PARTIAL","amount":1.005,"category":"goodwill","reason":"Long enough to count."}"#,
                .unprocessableContent, "amount"
            ),
            (
                #"{"type":"PARTIAL","amount":999,"category":"goodwill","reason":"Long enough to count."}"#,
                .unprocessableContent, "amount"
            ),
        ] as [(String, HTTPResponse.Status, String)]
    )
    func mistakes(body: String, status: HTTPResponse.Status, field: String) async throws {
        try await Self.withOrders { site, call in
            let answer = try await call(.support, .post, "/admin/orders/ORD-20260101-0001/refunds", body, "k")
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(field.isEmpty || answer.text.contains("\"field\":\"\(field)\""), "\(answer.text)")
            #expect(try await site.count("refund_requests") == 0)
        }
    }

    @Test(
        "everything that is wrong is named at once",
        arguments: [
            (#"{"type":"HALF","amount":1.005}"#, ["type", "amount", "category", "reason"]),
            (#"{"type":7,"amount":"x","category":1}"#, ["type", "amount", "category"]),
            (#"{"type":"PARTIAL","amount":-1,"category":"goodwill","reason":"short"}"#, ["reason", "amount"]),
            (#"{"type":"PARTIAL","amount":999,"category":"mood","reason":"Long enough."}"#, ["category", "amount"]),
        ]
    )
    func everyMistake(body: String, fields: [String]) async throws {
        try await Self.withOrders { site, call in
            let path = "/admin/orders/ORD-20260101-0001/refunds"
            let answer = try await call(.support, .post, path, body, "k")
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields() == fields, "\(answer.text)")
            #expect(try await site.count("refund_requests") == 0)
            #expect(try await call(.support, .post, path, Self.command, "k2").status == .created)
            let typed = "{\(Self.reason),\"confirmation\":\"1-0001\"}"
            let approved = try await call(.admin, .post, "/admin/refunds/RF-000001/approve", typed, "k3")
            #expect(approved.status == .ok, "\(approved.text)")
            let process = "/admin/refunds/RF-000001/process"
            let paid = try await call(.admin, .post, process, #"{"reference":"7","reason":"short"}"#, "k4")
            #expect(try paid.fields() == ["paidBy", "reference", "category", "reason"], "\(paid.text)")
        }
    }

    @Test("a change needs a key of its own")
    func keys() async throws {
        try await Self.withOrders { site, call in
            let path = "/admin/orders/ORD-20260101-0001/refunds"
            let without = try await call(.support, .post, path, Self.command, nil)
            #expect(without.status == .unprocessableContent)
            #expect(without.text.contains(#""field":"Idempotency-Key""#))
            #expect(try await call(.support, .post, path, Self.command, "k").status == .created)
            let other = Self.command.replacing("28.5", with: "28.6")
            #expect(try await call(.support, .post, path, other, "k").status == .conflict)
        }
    }

    @Test("two requests of one's own that are below the limit each are refused together, and why is said")
    func ownLimit() async throws {
        try await Programs.run(
            { try await $0.addOrders(5) },
            { site, programs in
                try await Self.payAsApproved(site)
                _ = try await site.pool.query(
                    "UPDATE apps SET refund_self_approval_limit = 2000 WHERE slug = 'readmigo'"
                )
                let numbers = try await Self.askTwice(.admin, programs)
                let first = try await programs.post("/admin/refunds/\(numbers[0])/approve", "{\(Self.reason)}", "a1")
                #expect(first.status == .ok, "\(first.text)")
                let second = try await programs.post("/admin/refunds/\(numbers[1])/approve", "{\(Self.reason)}", "a2")
                #expect(second.status == .forbidden)
                #expect(second.text.contains("of this order approved before by whoever asked"), "\(second.text)")
                #expect(second.text.contains("for an order: another admin has to approve it."))
                #expect(try await programs.get("/admin/refunds/\(numbers[1])").text.contains(#""status":"PENDING""#))
                #expect(try await site.audit().filter { $0 == "access.deny" }.count == 1)
                let email = try await site.addPerson(.admin, apps: nil)
                let other = try await site.backOffice.issueToken(named: "other", of: email, caller: .commandLine).text
                let path = "/admin/refunds/\(numbers[1])/approve"
                #expect(try await programs.send(other, .post, path, "{\(Self.reason)}", "a3").status == .ok)
            }
        )
    }

    @Test("what is to be typed from a sum on is asked for when two requests of one order come to it together")
    func typedSum() async throws {
        try await Programs.run(
            { try await $0.addOrders(5) },
            { site, programs in
                try await Self.payAsApproved(site)
                _ = try await site.pool.query("UPDATE apps SET typed_confirmation_from = 3000 WHERE slug = 'readmigo'")
                let numbers = try await Self.askTwice(.support, programs)
                let first = try await programs.post("/admin/refunds/\(numbers[0])/approve", "{\(Self.reason)}", "a1")
                #expect(first.status == .ok, "\(first.text)")
                let path = "/admin/refunds/\(numbers[1])/approve"
                let silent = try await programs.post(path, "{\(Self.reason)}", "a2")
                #expect(silent.status == .unprocessableContent)
                #expect(try silent.fields() == ["confirmation"])
                let typed = try await programs.post(path, "{\(Self.reason),\"confirmation\":\"1-0001\"}", "a3")
                #expect(typed.status == .ok, "\(typed.text)")
                #expect(typed.text.contains(#""status":"APPROVED""#))
            }
        )
    }

    /// Has the orders be of a store that leaves refunds to us: what is approved is what is paid back.
    private static func payAsApproved(_ site: TestSite) async throws {
        _ = try await site.pool.query("UPDATE orders SET store = 'google'")
    }

    /// Makes two requests of 19.00 each on the first order; returns their numbers.
    private static func askTwice(_ role: StaffRole, _ programs: Programs) async throws -> [String] {
        var numbers: [String] = []
        for key in ["first", "second"] {
            let asked = try await programs.post(
                "/admin/orders/ORD-20260101-0001/refunds",
                command.replacing("28.5", with: "19"),
                key,
                as: role
            )
            numbers.append(try decoder.decode(Refund.self, from: Data(asked.text.utf8)).number)
        }
        return numbers
    }

    private typealias Call =
        @Sendable (StaffRole, HTTPRequest.Method, String, String?, String?) async throws -> TestResponse

    private static func withOrders(
        _ body: @escaping @Sendable (TestSite, @escaping Call) async throws -> Void
    ) async throws {
        try await Programs.run(
            { try await $0.addOrders(5) },
            { site, programs in
                try await body(site) { role, method, path, text, key in
                    try await programs.send(programs.tokens[role] ?? "", method, path, text, key)
                }
            }
        )
    }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}
