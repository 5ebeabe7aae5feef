import HTTPTypes
import NIOCore
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("Bad input") struct BadInputTests {
    static let long = String(repeating: "x", count: 7_500)
    static let manyFields = String(repeating: "a&b=", count: 200)

    private static let paths: [(path: String, status: HTTPResponse.Status)] = [
        ("/dashboard/orders?q=%00", .badRequest),
        ("/dashboard/orders?q=a%00b", .badRequest),
        ("/dashboard/orders?q=%ff%fe", .badRequest),
        ("/dashboard/orders?q=%zz", .badRequest),
        ("/dashboard/orders?q=%", .badRequest),
        ("/dashboard/orders?q=%c3%28", .badRequest),
        ("/dashboard/orders?%00=1", .badRequest),
        ("/dashboard/orders?after=%00", .badRequest),
        ("/dashboard/orders/%00", .badRequest),
        ("/dashboard/orders/%ff", .badRequest),
        ("/dashboard/orders/" + long, .notFound),
        ("/dashboard/notifications/%00", .badRequest),
        ("/dashboard/notifications/not-a-uuid", .notFound),
        ("/dashboard/queues/%00", .badRequest),
        ("/dashboard/queues/nonsense", .notFound),
        ("/dashboard/queues/reports?state=nonsense", .ok),
        ("/dashboard/queues/reports/retries/new?id=nonsense", .unprocessableContent),
        ("/dashboard/queues/reports/retries/new?id=", .unprocessableContent),
        ("/dashboard/orders?status=nonsense&sort=nonsense&dir=nonsense&customer=nonsense", .ok),
        ("/dashboard/orders?q=" + long, .ok),
        ("/dashboard/orders?q=%25%25__%5C'%22;--", .ok),
        ("/dashboard/orders?q=" + manyFields, .badRequest),
        ("/dashboard/orders?q=" + long + long, .uriTooLong),
        ("/dashboard/nowhere", .notFound),
        ("/dashboard/sign-in?next=%00", .badRequest),
    ]

    @Test("in a page's query or path it is a clear rejectionReason", arguments: paths)
    func pages(_ path: String, _ status: HTTPResponse.Status) async throws {
        try await DashboardTests.signedIn(.admin) { site, browser async throws in
            let before = try await site.rowCounts()
            let answer = try await browser.get(path)
            #expect(answer.status == status)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.text.contains("PostgresError") == false)
            #expect(try await site.rowCounts() == before)
        }
    }

    @Test(
        "as the marker of a page it leads to the first one",
        arguments: [
            "/dashboard/orders?after=nowhere", "/dashboard/orders?before=AAAA",
            "/dashboard/notifications?after=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "/dashboard/queues/reports?after=AAAA", "/dashboard/bulk?after=AAAA",
        ]
    )
    func markers(_ path: String) async throws {
        try await DashboardTests.signedIn(.admin) { site, browser async throws in
            let before = try await site.rowCounts()
            let answer = try await browser.get(path)
            #expect(answer.status == .seeOther && answer.location == String(path.prefix { $0 != "?" }))
            #expect(try await site.rowCounts() == before)
        }
    }

    @Test("in a form it is a clear rejectionReason, and nothing is stored")
    func forms() async throws {
        try await DashboardTests.signedIn(.admin) { site, browser async throws in
            let before = try await site.rowCounts()
            let token = try #require(try await browser.get("/dashboard/orders").formToken)
            func post(_ body: String, _ type: String = "application/x-www-form-urlencoded") async throws -> Int {
                let answer = try await browser.send(
                    .post,
                    "/dashboard/app",
                    headers: [.contentType: type],
                    body: ByteBuffer(string: body)
                )
                return answer.status.code
            }
            #expect(try await post("csrf=\(token)&app=%00") == 400)
            #expect(try await post("csrf=\(token)&app=%ff") == 400)
            #expect(try await post("csrf=\(token)&app=a&app=b") == 400)
            #expect(try await post("csrf=\(token)&csrf=\(token)&app=kombin") == 400)
            #expect(try await post("csrf=\(token)") == 422)
            #expect(try await post("csrf=\(token)&app=\(Self.long)") == 404)
            #expect(try await post("csrf=\(token)&app=\(String(repeating: "x", count: 100_000))") == 413)
            #expect(try await post(String(repeating: "a=b&", count: 101)) == 400)
            #expect(try await post("{\"csrf\":1}", "application/json") == 415)
            #expect(try await post("", "") == 415)
            #expect(try await site.rowCounts() == before)
        }
    }

    @Test("each value of each header may be anything at all")
    func headers() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let long = String(repeating: "x", count: 20_000)
                for value in [
                    "", " ", "\u{FF}", "'; DROP TABLE staff; --", long, "perennial", "perennial=", "a=b;;;=;",
                ] {
                    for name in [HTTPField.Name.cookie, .authorization, .requestID, .accept, .origin, .contentType] {
                        for path in ["/dashboard/orders", "/admin/orders", "/dashboard/sign-in", "/healthz"] {
                            let answer = try await client.executeRequest(
                                uri: path,
                                method: .get,
                                headers: [name: value],
                                body: nil
                            )
                            #expect(answer.status.code < 500, "\(name): \(value.prefix(20)) at \(path)")
                        }
                    }
                }
                let large: HTTPFields = [.cookie: long, .userAgent: long]
                let answer = try await client.executeRequest(uri: "/healthz", method: .get, headers: large, body: nil)
                #expect(answer.status == .requestHeaderFieldsTooLarge)
            }
        }
    }

    @Test("a request id that is not sane is replaced")
    func requestID() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                for id in ["", "a b", "a\"b", "é", String(repeating: "x", count: 65), "../..", "<script>"] {
                    let answer = try await client.executeRequest(
                        uri: "/healthz",
                        method: .get,
                        headers: [.requestID: id],
                        body: nil
                    )
                    let given = try #require(answer.headers[.requestID])
                    #expect(given != id)
                    #expect(!given.isEmpty)
                }
            }
        }
    }
}
