import APITypes
import Foundation
import HTTPTypes
import NIOCore
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

/// Checks behaviour that shows only on a real socket.
@Suite("Connections") struct ConnectionTests {
    private static let takeAnything: @Sendable (String) async throws -> Void = { _ in }

    @Test("headers or an address that are too large are 431 or 414, and the connection ends")
    func tooLarge() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let long = String(repeating: "x", count: 100_000)
                let cases = [
                    ("GET /dashboard/orders?q=\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 414 "),
                    ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)\r\n\r\n", "HTTP/1.1 431 "),
                    (
                        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)\(long)\(long)\r\n\r\n",
                        "HTTP/1.1 431 "
                    ),
                    ("GET /\(long)\(long)\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 431 "),
                ]
                for (request, status) in cases {
                    let answer = try await RawClient.exchange(port: port, request)
                    #expect(answer.hasPrefix(status), "\(answer.prefix(60))")
                }
            }
        }
    }

    @Test("what is not quite HTTP is 400, with the reason as a problem, and the end of the connection")
    func smuggling() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let start = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                let next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let cases = [
                    start + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + next,
                    start + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde" + next,
                    start + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + next,
                    start + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n" + next,
                    start + "Content-Length: -1\r\n\r\n" + next,
                    start + "Content-Length: 99999999999999999999999\r\n\r\n" + next,
                    "GET /healthz\0 HTTP/1.1\r\nHost: localhost\r\n\r\n" + next,
                    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n" + next,
                    "GET /healthz HTTP/1.1\r\n X: folded\r\n\r\n" + next, "nonsense\r\n\r\n" + next,
                ]
                for request in cases {
                    let answer = try await RawClient.exchange(port: port, request)
                    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request.prefix(200)) -> \(answer.prefix(60))")
                    #expect(!answer.contains("200 OK"), "\(request.prefix(200))")
                    #expect(answer.contains("Content-Type: application/problem+json\r\n"))
                    let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
                    let problem = try JSONDecoder().decode(Problem.self, from: Data(body.utf8))
                    #expect(problem.status == 400 && problem.type == "/problems/bad-request" && !problem.detail.isEmpty)
                }
            }
        }
    }

    @Test("a body that is too large is refused before it is sent, and one that lies about its length too")
    func largeBody() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let start = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                for length in ["9000000", "9223372036854775807", "9223372036854775808", "18446744073709551615"] {
                    let head = start + "Content-Length: \(length)\r\n\r\n"
                    #expect(try await RawClient.exchange(port: port, head).hasPrefix("HTTP/1.1 413 "), "\(length)")
                }
                let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
                let endless = start + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 40)
                #expect(try await RawClient.exchange(port: port, endless).hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test("who expects 100 Continue gets it")
    func continues() async throws {
        try await TestSite.run(receive: Self.takeAnything) { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let body = #"{"signedPayload":"a"}"#
                let answer = try await RawClient.exchange(
                    port: port,
                    "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
            }
        }
    }

    @Test("slow headers, a slow body and an idle connection are hung up on")
    func deadlines() async throws {
        let deadlines = ConnectionDeadlines(
            headers: .seconds(1),
            body: .seconds(1),
            idle: .seconds(2),
            lingering: .milliseconds(100)
        )
        try await TestSite.run(deadlines: deadlines, receive: Self.takeAnything) { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                #expect(try await RawClient.exchange(port: port, "") == "")
                #expect(try await RawClient.exchange(port: port, "GET /healthz HT") == "")
                let whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let second = try await Self.answered {
                    try await RawClient.exchange(port: port, whole, thenDrip: "GET /healthz HTTP/1.1\r\nX: ")
                }
                #expect(second.hasPrefix("HTTP/1.1 200 OK"))
                #expect(second.components(separatedBy: "HTTP/1.1").count == 2)
                let body = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                #expect(try await RawClient.exchange(port: port, body, thenDrip: "          ") == "")
                let again = try await Self.answered { try await RawClient.exchange(port: port, whole) }
                #expect(again.hasPrefix("HTTP/1.1 200 OK"))
            }
        }
    }

    /// Exchanges again what was hung up on without an answer: where the machine is busy, the client itself may be too slow for a deadline
    /// of a second.
    private static func answered(_ exchange: () async throws -> String) async throws -> String {
        for _ in 0..<9 {
            let answer = try await exchange()
            if !answer.isEmpty { return answer }
        }
        return try await exchange()
    }

    @Test("a request without a Host, with two, or with one that is none is 400, and the connection ends")
    func hosts() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let cases = [
                    ("", "no Host"), ("Host: localhost\r\nHost: localhost\r\n", "more than one"),
                    ("Host: localhost\r\nX: 1\r\nhost: evil.example\r\n", "more than one"),
                    ("Host:\r\n", "not a host"), ("Host: a, b\r\n", "not a host"), ("Host: a/b\r\n", "not a host"),
                    ("Host: ada@localhost\r\n", "not a host"), ("Host: :\r\n", "not a host"),
                    ("Host: %zz\r\n", "not a host"), ("Host: localhost:99999999\r\n", "not a host"),
                    ("Host: [localhost]\r\n", "not a host"), ("Host: ::1\r\n", "not a host"),
                ]
                for (fields, reason) in cases {
                    let answer = try await RawClient.exchange(
                        port: port,
                        "GET /healthz HTTP/1.1\r\n\(fields)\r\n\(next)"
                    )
                    #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(reason), "\(fields) -> \(answer)")
                    #expect(answer.components(separatedBy: "HTTP/1.1").count == 2, "one answer, and no more")
                }
                let old = "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"
                #expect(try await RawClient.exchange(port: port, old).hasPrefix("HTTP/1.1 400 "))
                let other = "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\(next)"
                #expect(try await RawClient.exchange(port: port, other).hasPrefix("HTTP/1.1 400 "))
                let valid = [
                    "localhost", "localhost:8080", "[::1]:8080", "office.example.com.", "\tlocalhost\t", "a%20b:",
                ]
                for host in valid {
                    let request = "GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                    #expect(try await RawClient.exchange(port: port, request).hasPrefix("HTTP/1.1 200 "))
                }
            }
        }
    }

    @Test(
        "a connection of HTTP/1.0, or one whose client says so, ends after its answer, and what follows is not answered",
        arguments: [
            ("HTTP/1.0", ""), ("HTTP/1.0", "Host: localhost\r\n"), ("HTTP/1.0", "Connection: keep-alive\r\n"),
            ("HTTP/1.1", "Host: localhost\r\nConnection: close\r\n"),
            ("HTTP/1.1", "Host: localhost\r\nConnection: Close, TE\r\n"),
        ]
    )
    func lastRequests(_ version: String, _ fields: String) async throws {
        let deadlines = ConnectionDeadlines(lingering: .milliseconds(100))
        try await TestSite.run(deadlines: deadlines) { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let next = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n nonsense"
                let start = ContinuousClock.now
                let answer = try await RawClient.exchange(port: port, "GET /healthz \(version)\r\n\(fields)\r\n\(next)")
                #expect(
                    answer.hasPrefix("\(version) 200 ") && answer.lowercased().contains("connection: close"),
                    "\(answer)"
                )
                #expect(answer.components(separatedBy: "HTTP/1.").count == 2, "one answer, and no more")
                #expect(ContinuousClock.now - start < .seconds(50), "nobody waits for the deadline of idle connections")
            }
        }
    }

    @Test("pages are compressed for who asks, with another token each time; HEAD stays whole")
    func compression() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                func send(_ method: HTTPRequest.Method, _ encoding: String?) async throws -> TestResponse {
                    let headers: HTTPFields = encoding.map { [.acceptEncoding: $0] } ?? [:]
                    return try await client.executeRequest(
                        uri: "/dashboard/sign-in",
                        method: method,
                        headers: headers,
                        body: nil
                    )
                }
                let plain = try await send(.get, nil)
                #expect(plain.headers[.contentEncoding] == nil)
                #expect(plain.headers[.vary] == "Accept-Encoding, Accept-Language, Cookie")
                #expect(plain.text.hasPrefix("<!doctype html>"))
                let zipped = try await send(.get, "gzip")
                #expect(zipped.headers[.contentEncoding] == "gzip")
                #expect(zipped.body.readableBytes < plain.body.readableBytes)
                let head = try await send(.head, "gzip")
                #expect(head.body.readableBytes == 0)
                #expect(try await send(.get, nil).formToken != plain.formToken)
                for answer in [plain, zipped, head] {
                    #expect(answer.headers.allSatisfy { !$0.name.rawName.hasPrefix("perennial") })
                }
            }
        }
    }
}
