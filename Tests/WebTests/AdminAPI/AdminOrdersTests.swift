import APITypes
import Foundation
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The admin API: orders") struct AdminOrdersTests {
    @Test("an order has the document's fields, decimal amounts and its ledger")
    func order() async throws {
        try await Self.withOrders { site, call async throws in
            let answer = try await call("/admin/orders/ORD-20260101-0030", nil)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.text.contains(#""amount":128.00,"currency":"CNY","status":"PARTIALLY_REFUNDED""#))
            #expect(answer.text.contains(#""createdAt":"2026-01-01T00:30:00Z""#))
            let order = try Self.decoder.decode(Order.self, from: Data(answer.text.utf8))
            #expect(order.orderNumber == "ORD-20260101-0030")
            #expect(order.userId == UUID(uuidString: TestSite.customer))
            #expect(order.productId == "com.readmigo.pro.monthly")
            #expect(order.planType == "PRO")
            #expect(order.source == "APPLE_IAP")
            #expect(order.amount == Amount("128.00"))
            #expect(order.refundedAmount == Amount("40.00"))
            #expect(order.appleTransactionId == "T30")
            #expect(order.appleOriginalTransactionId == "T1")
            #expect(order.appleEnvironment == "PRODUCTION")
            #expect(order.transactions?.map(\.type) == ["INITIAL_PURCHASE", "REFUND"])
            #expect(order.transactions?.map(\.amount.text) == ["128", "-40"])
            #expect(order.transactions?.allSatisfy { $0.status == "SUCCESS" } == true)
            let byID = try await call("/admin/orders/\(order.id.uuidString.lowercased())", nil)
            #expect(byID.text == answer.text)
        }
    }

    @Test(
        "an address with an empty part leads nowhere",
        arguments: ["//admin/orders", "/admin//orders", "/admin/orders//"]
    )
    func emptyPart(path: String) async throws {
        try await Self.withOrders { _, call async throws in
            #expect(try await call("/admin/orders", nil).status == .ok)
            #expect(try await call(path, nil).status == .notFound)
        }
    }

    @Test("walking the pages by cursor shows each order once, newest first, in every sort order")
    func pages() async throws {
        try await Self.withOrders { site, call async throws in
            for sort in ["", "&sort=amount", "&dir=asc", "&sort=amount&dir=asc"] {
                var (seen, after) = ([String](), "")
                for _ in 0..<10 {
                    let answer = try await call("/admin/orders?limit=7\(sort)\(after)", nil)
                    let page = try Self.decoder.decode(OrderPage.self, from: Data(answer.text.utf8))
                    seen += page.orders.map(\.orderNumber)
                    guard let next = page.next else { break }
                    after = "&after=\(next)"
                }
                #expect(seen.count == 30)
                #expect(Set(seen).count == 30)
                #expect(seen.first == (sort.contains("asc") ? "ORD-20260101-0001" : "ORD-20260101-0030"))
            }
        }
    }

    @Test("filters narrow the list")
    func filters() async throws {
        try await Self.withOrders { site, call async throws in
            func numbers(_ query: String) async throws -> [String] {
                let answer = try await call("/admin/orders?\(query)", nil)
                return try Self.decoder.decode(OrderPage.self, from: Data(answer.text.utf8)).orders.map(\.orderNumber)
            }
            #expect(try await numbers("status=PARTIALLY_REFUNDED") == ["ORD-20260101-0030"])
            #expect(try await numbers("q=0101-0012") == ["ORD-20260101-0012"])
            #expect(try await numbers("customer=\(TestSite.customer)&limit=100").count == 30)
            #expect(try await numbers("customer=00000000-0000-7000-8000-0000000000c9").isEmpty)
            #expect(try await numbers("q=zeynep&limit=1").count == 1)
        }
    }

    @Test(
        "each parameter that is wrong is named in a problem",
        arguments: [
            ("status=DONE", "status"), ("sort=price", "sort"), ("dir=up", "dir"), ("limit=0", "limit"),
            ("limit=101", "limit"), ("limit=ten", "limit"), ("limit=99999999999999999999", "limit"),
            ("customer=me", "customer"), ("after=nowhere", "after"), ("page=2", "page"),
            ("q=" + String(repeating: "x", count: 201), "q"), ("role=admin", "role"),
        ]
    )
    func mistakes(_ query: String, _ field: String) async throws {
        try await Self.withOrders { site, call async throws in
            let answer = try await call("/admin/orders?\(query)", nil)
            #expect(answer.status == .unprocessableContent)
            let problem = try Self.problem(answer)
            #expect(problem.errors.map(\.field) == [field])
            #expect(problem.status == 422)
            #expect(problem.instance == "/admin/orders")
        }
    }

    @Test("NUL, broken escapes, doubled parameters and endless values are refused, never an internal error")
    func badInput() async throws {
        try await Self.withOrders { site, call async throws in
            let long = String(repeating: "x", count: 7_000)
            let cases = [
                ("/admin/orders?q=%00", 400), ("/admin/orders?q=%ff", 400), ("/admin/orders?q=%z", 400),
                ("/admin/orders?limit=1&limit=2", 400), ("/admin/orders/%00", 400), ("/admin/orders/%ff", 400),
                ("/admin/orders/\(long)", 404), ("/admin/orders?q=\(long)\(long)", 414), ("/admin/orders/ORD-1", 404),
                ("/admin/orders?app=%00", 400), ("/admin/orders?app=\(long)", 400), ("/admin/nothing", 404),
            ]
            for (path, status) in cases {
                let answer = try await call(path, nil)
                #expect([status, 422].contains(answer.status.code), "\(path.prefix(40)): \(answer.status)")
                #expect(answer.headers[.contentType] == "application/problem+json")
            }
        }
    }

    @Test("a problem has type, title, status, detail, instance, request id and errors")
    func problemShape() async throws {
        try await Self.withOrders { site, call async throws in
            let answer = try await call("/admin/orders/ORD-1", nil)
            let problem = try Self.problem(answer)
            #expect(problem.type == "/problems/not-found")
            #expect(problem.title == "Not found")
            #expect(problem.status == 404)
            #expect(problem.detail == "There is no such order.")
            #expect(problem.instance == "/admin/orders/ORD-1")
            #expect(problem.requestId == answer.headers[.requestID])
            #expect(problem.errors.isEmpty)
        }
    }

    @Test("a call without a good token is refused: none, another scheme, wrong, revoked, expired, disabled owner")
    func authentication() async throws {
        try await Self.withOrders { site, call async throws in
            let path = "/admin/orders?app=readmigo"
            func status(_ authorization: String?) async throws -> Int {
                try await call(path, authorization ?? "").status.code
            }
            #expect(try await status("") == 401)
            #expect(try await status("Basic YTpi") == 401)
            #expect(try await status("Bearer") == 401)
            #expect(try await status("Bearer ") == 401)
            #expect(try await status("Bearer pst_") == 401)
            #expect(try await status("Bearer \(SecretToken.random())") == 401)
            #expect(try await status("Bearer pst_\(SecretToken.random())") == 401)
            let revoked = try await site.token(of: .admin)
            #expect(try await status("bearer \(revoked.text)") == 200)
            try await site.backOffice.revokeToken(revoked.id, caller: .commandLine)
            #expect(try await status("Bearer \(revoked.text)") == 401)
            let short = try await site.token(of: .admin, expiresAt: site.clock.read().addingTimeInterval(60))
            #expect(try await status("Bearer \(short.text)") == 200)
            site.clock.advance(by: 61)
            #expect(try await status("Bearer \(short.text)") == 401)
            let owner = try await site.addPerson(.support, apps: ["readmigo"])
            let orphan = try await site.backOffice.issueToken(named: "test", of: owner, caller: .commandLine)
            #expect(try await status("Bearer \(orphan.text)") == 200)
            try await site.backOffice.change(owner, .disable)
            #expect(try await status("Bearer \(orphan.text)") == 401)
            let refused = try await call(path, "")
            #expect(refused.headers[.wwwAuthenticate] == "Bearer realm=\"perennial\"")
        }
    }

    @Test("a session cookie opens nothing here, and a token opens no page")
    func noMixing() async throws {
        try await DashboardTests.signedIn(.admin) { site, browser async throws in
            #expect(try await browser.get("/admin/orders?app=readmigo").status == .unauthorized)
            let token = try await site.token(of: .admin)
            browser.cookies = ["perennial": token.text]
            #expect(try await browser.get("/dashboard/orders").status == .seeOther)
        }
    }

    @Test("with several apps a call says which, in the query or a header; no order of another app shows")
    func apps() async throws {
        try await Self.withOrders { site, call async throws in
            let token = "Bearer \(try await site.token(of: .admin).text)"
            try await site.app.test(.router) { client async throws in
                func send(_ path: String, _ headers: HTTPFields) async throws -> TestResponse {
                    try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
                }
                let unnamed = try await send("/admin/orders", [.authorization: token])
                #expect(unnamed.status == .unprocessableContent)
                #expect(try Self.problem(unnamed).errors.map(\.field) == ["app"])
                let unknown = try await send("/admin/orders?app=nope", [.authorization: token])
                #expect(unknown.status == .unprocessableContent)
                let byHeader = try await send("/admin/orders", [.authorization: token, .app: "kombin"])
                #expect(byHeader.text == #"{"orders":[],"next":null}"#)
                let foreign = try await send("/admin/orders/ORD-20260101-0001?app=kombin", [.authorization: token])
                #expect(foreign.status == .notFound)
            }
        }
    }

    @Test("an analyst's token cannot search by what it may not see")
    func analystSearch() async throws {
        try await Self.withOrders { site, call async throws in
            try await site.addStaff(.analyst)
            let token = "Bearer \(try await site.token(of: .analyst).text)"
            #expect(try await call("/admin/orders?q=zeynep", token).text == #"{"orders":[],"next":null}"#)
            #expect(try await call("/admin/orders?q=0101-0012", token).text.contains("ORD-20260101-0012"))
        }
    }

    private typealias Call = @Sendable (_ path: String, _ authorization: String?) async throws -> TestResponse

    /// Runs a test with thirty orders and a way to call as an admin's program.
    private static func withOrders(_ body: @escaping @Sendable (TestSite, Call) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(30)
            let token = "Bearer \(try await site.token(of: .admin).text)"
            try await site.app.test(.router) { client async throws in
                try await body(site) { path, authorization in
                    let named = path.contains("app=") ? path : path + (path.contains("?") ? "&" : "?") + "app=readmigo"
                    return try await client.executeRequest(
                        uri: named,
                        method: .get,
                        headers: [.authorization: authorization ?? token],
                        body: nil
                    )
                }
            }
        }
    }

    private static func problem(_ answer: TestResponse) throws -> Problem {
        #expect(answer.headers[.contentType] == "application/problem+json")
        return try decoder.decode(Problem.self, from: Data(answer.text.utf8))
    }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}
