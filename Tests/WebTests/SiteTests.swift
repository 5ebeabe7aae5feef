import APITypes
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("The site") struct SiteTests {
    @Test("every answer carries the headers that hold browsers back")
    func securityHeaders() async throws {
        try await TestSite.run(publicURL: "https://office.example.com") { site in
            try await site.app.test(.router) { client async throws in
                let paths = ["/", "/dashboard/sign-in", "/dashboard/orders", "/admin/orders", "/healthz", "/nowhere"]
                for path in paths {
                    let headers = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                        .headers
                    #expect(
                        headers[.contentSecurityPolicy]
                            == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                            + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
                    )
                    #expect(headers[.xContentTypeOptions] == "nosniff")
                    #expect(headers[.referrerPolicy] == "same-origin")
                    #expect(headers[.openerPolicy] == "same-origin")
                    #expect(headers[.strictTransportSecurity] == "max-age=31536000; includeSubDomains")
                    #expect(headers[.cacheControl] == "no-store")
                    #expect(headers[.requestID]?.isEmpty == false)
                    #expect(headers[values: .contentSecurityPolicy].count == 1)
                }
            }
        }
    }

    @Test("plain HTTP on the machine itself promises no TLS")
    func noTransportSecurity() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let answer = try await client.executeRequest(uri: "/healthz", method: .get, headers: [:], body: nil)
                #expect(answer.headers[.strictTransportSecurity] == nil)
            }
        }
    }

    @Test("a method that a path does not have is 405 with those it has; an unknown path is 404")
    func methods() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                func send(_ method: HTTPRequest.Method, _ path: String) async throws -> (Int, String?) {
                    let answer = try await client.executeRequest(uri: path, method: method, headers: [:], body: nil)
                    return (answer.status.code, answer.headers[.allow])
                }
                #expect(try await send(.get, "/webhooks/apple") == (405, "POST"))
                #expect(try await send(.post, "/admin/orders") == (405, "GET, HEAD"))
                #expect(try await send(.delete, "/admin/orders/1") == (405, "GET, HEAD"))
                #expect(try await send(.put, "/dashboard/sign-in") == (405, "GET, HEAD, POST"))
                #expect(try await send(.options, "/dashboard/orders") == (405, "GET, HEAD"))
                #expect(try await send(.get, "/dashboard/sign-out") == (405, "POST"))
                #expect(try await send(.post, "/assets/x/y.css") == (405, "GET, HEAD"))
                #expect(try await send(.trace, "/healthz") == (405, "GET, HEAD, POST"))
                #expect(try await send(.trace, "/nowhere") == (405, "GET, HEAD, POST"))
                #expect(try await send(.get, "/nowhere") == (404, nil))
                #expect(try await send(.get, "/admin") == (404, nil))
                #expect(try await send(.get, "/dashboard/orders/1/2") == (404, nil))
                #expect(try await send(.get, "/assets/nothing.css") == (404, nil))
            }
        }
    }

    @Test("HEAD is GET without the body")
    func head() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                for path in ["/healthz", "/dashboard/sign-in", "/nowhere", "/dashboard/orders"] {
                    let get = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                    let head = try await client.executeRequest(uri: path, method: .head, headers: [:], body: nil)
                    #expect(head.status == get.status)
                    #expect(head.body.readableBytes == 0)
                    #expect(head.headers[.contentLength] == get.headers[.contentLength])
                }
            }
        }
    }

    @Test("people get pages, programs get problems")
    func audiences() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                func type(_ path: String, _ accept: String) async throws -> String? {
                    try await client.executeRequest(uri: path, method: .get, headers: [.accept: accept], body: nil)
                        .headers[.contentType]
                }
                let browser = "text/html,application/xhtml+xml,*/*;q=0.8"
                #expect(try await type("/dashboard/nowhere", "*/*") == "text/html; charset=utf-8")
                #expect(try await type("/nowhere", browser) == "text/html; charset=utf-8")
                #expect(try await type("/nowhere", "*/*") == "application/problem+json")
                #expect(try await type("/admin/orders", browser) == "application/problem+json")
            }
        }
    }

    @Test("ready is what the check says; healthy is whoever answers")
    func readiness() async throws {
        let away: @Sendable () async -> Readiness = { .notReady("The database is away.") }
        try await TestSite.run(readiness: away) { site in
            try await site.app.test(.router) { client async throws in
                let ready = try await client.executeRequest(uri: "/readyz", method: .get, headers: [:], body: nil)
                #expect(ready.status == .serviceUnavailable)
                #expect(ready.headers[.retryAfter] == "1")
                let problem = try JSONDecoder().decode(Problem.self, from: Data(ready.text.utf8))
                #expect(problem.detail == "The database is away.")
                let health = try await client.executeRequest(uri: "/healthz", method: .get, headers: [:], body: nil)
                #expect(health.status == .ok)
                #expect(health.text == "ok\n")
            }
        }
    }

    @Test("what is not as it should be, though work is done, is said to who asks, and is no reason to go elsewhere")
    func readyThough() async throws {
        let problem = "pages are read from the primary: it is too far behind"
        let behind: @Sendable () async -> Readiness = { .readyThough(problem) }
        try await TestSite.run(readiness: behind) { site in
            try await site.app.test(.router) { client async throws in
                let ready = try await client.executeRequest(uri: "/readyz", method: .get, headers: [:], body: nil)
                #expect(ready.status == .ok)
                #expect(ready.text == "ready; \(problem)\n")
            }
        }
    }

    @Test("a check that hangs is answered for after a second")
    func hangingCheck() async throws {
        let hang: @Sendable () async -> Readiness = {
            try? await Task.sleep(for: .seconds(60))
            return .ready
        }
        try await TestSite.run(readiness: hang) { site in
            try await site.app.test(.router) { client async throws in
                let start = ContinuousClock.now
                let answer = try await client.executeRequest(uri: "/readyz", method: .get, headers: [:], body: nil)
                #expect(answer.status == .serviceUnavailable)
                #expect(ContinuousClock.now - start < .seconds(30))
            }
        }
    }

    @Test("a database that is away is 503 with Retry-After; what needs none goes on")
    func databaseAway() async throws {
        try await TestSite.run(acquireTimeout: .seconds(4)) { site in
            try await site.addStaff(.admin)
            let token = try await site.token(of: .admin).text
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                try await site.breakDatabase()
                let page = try await browser.get("/dashboard/orders")
                #expect(page.status == .serviceUnavailable)
                #expect(page.headers[.retryAfter] == "5")
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                let call = try await client.executeRequest(
                    uri: "/admin/orders?app=kombin",
                    method: .get,
                    headers: [.authorization: "Bearer \(token)"],
                    body: nil
                )
                #expect(call.status == .serviceUnavailable)
                let signIn = try await Browser(client).signIn("admin@example.com")
                #expect(signIn.status == .serviceUnavailable)
                let body = ByteBuffer(string: #"{"signedPayload":"a.eyJkYXRhIjp7ImJ1bmRsZUlkIjoieCJ9fQ.c"}"#)
                let notification = try await client.executeRequest(
                    uri: "/webhooks/apple",
                    method: .post,
                    headers: [:],
                    body: body
                )
                #expect([401, 503].contains(notification.status.code))
                #expect(try await browser.get("/healthz").status == .ok)
            }
        }
    }

    @Test("what goes wrong in the database is told to the log, not to the outside")
    func databaseError() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await site.pool.query("ALTER TABLE staff_sessions RENAME TO gone")
                let broken = try await browser.get("/dashboard/orders")
                #expect(broken.status == .internalServerError)
                #expect(!broken.text.contains("staff_sessions"))
            }
        }
    }

    @Test("files have an address for their content and stay with the browser")
    func assets() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let page = try await client.executeRequest(
                    uri: "/dashboard/sign-in",
                    method: .get,
                    headers: [:],
                    body: nil
                )
                let path = AssetFolder().paths.stylesheet
                #expect(page.text.contains("href=\"\(path)\""))
                let file = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                #expect(file.status == .ok)
                #expect(file.headers[.contentType] == "text/css; charset=utf-8")
                #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable")
                let tag = try #require(file.headers[.eTag])
                for known in [tag, "W/\(tag)", "\"x\", \(tag)"] {
                    let again = try await client.executeRequest(
                        uri: path,
                        method: .get,
                        headers: [.ifNoneMatch: known],
                        body: nil
                    )
                    #expect(again.status == .notModified)
                    #expect(again.body.readableBytes == 0)
                }
                let icon = try await client.executeRequest(uri: "/favicon.ico", method: .get, headers: [:], body: nil)
                #expect(icon.headers[.contentType] == "image/svg+xml")
            }
        }
    }

    @Test("plain HTTP on a network, or a host of a network without a public URL, cannot be set up")
    func configuration() throws {
        #expect(throws: WebError.self) { try WebConfiguration(host: "0.0.0.0") }
        #expect(throws: WebError.self) { try WebConfiguration(host: "0.0.0.0", publicURL: "http://office.example.com") }
        for url in ["office.example.com", "https://", "https://a/b", "https://a@b", "ftp://a", "https://a b"] {
            #expect(throws: WebError.self, "\(url)") { try WebConfiguration(publicURL: url) }
        }
        #expect(try WebConfiguration(host: "0.0.0.0", publicURL: "https://Office.example.com/").isSecure)
        #expect(try WebConfiguration(host: "0.0.0.0", publicURL: "http://localhost:8080").isSecure == false)
        #expect(try WebConfiguration().isSecure == false)
    }
}
