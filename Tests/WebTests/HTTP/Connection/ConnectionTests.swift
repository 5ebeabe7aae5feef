import APITypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Storage
import Testing

@testable import Web

/// What only shows on a real socket.
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
                let second = try await RawClient.exchange(port: port, whole, thenDrip: "GET /healthz HTTP/1.1\r\nX: ")
                #expect(second.hasPrefix("HTTP/1.1 200 OK"))
                #expect(second.components(separatedBy: "HTTP/1.1").count == 2)
                let body = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                #expect(try await RawClient.exchange(port: port, body, thenDrip: "          ") == "")
                #expect(try await RawClient.exchange(port: port, whole).hasPrefix("HTTP/1.1 200 OK"))
            }
        }
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
                #expect(ContinuousClock.now - start < .seconds(8), "nobody waits for the deadline of idle connections")
            }
        }
    }

    @Test(
        "an address that has all its connections gets another for the one it has left idle longest, and no more than that"
    )
    func perAddress() async throws {
        let limits = ConnectionLimits(inTotal: 100, perAddress: 2, isShared: { _ in false })
        try await TestSite.run(limits: limits) { site in
            try await site.app.test(.live) { client async throws in
                let port = try #require(client.port)
                let whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try await withThrowingTaskGroup(of: String.self) { group in
                    // Each hangs until it has to make room: the deadline of idle connections is longer than a client here waits.
                    for _ in 0..<6 { group.addTask { try await RawClient.exchange(port: port, whole) } }
                    var answers: [String] = []
                    while answers.count < 4, let answer = try await group.next() { answers.append(answer) }
                    // Who comes while both are still being answered finds no room.
                    let expected = ["HTTP/1.1 200 OK", "HTTP/1.1 503 "]
                    for answer in answers where !answer.isEmpty {
                        #expect(expected.contains { answer.hasPrefix($0) }, "\(answer)")
                    }
                    var last = ""
                    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    while !last.hasPrefix("HTTP/1.1 200 OK") {
                        last = try await RawClient.exchange(port: port, request)
                        try #require(last.isEmpty || expected.contains { last.hasPrefix($0) }, "\(last)")
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test("who finds no room is told so, and when to come back")
    func noRoom() throws {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(ConnectionGuard(deadlines: ConnectionDeadlines(), place: nil))
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 4711), promise: nil)
        var answer = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) { answer += String(buffer: part) }
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 5\r\n"), "\(answer)")
        #expect(!channel.isActive)
    }

    /// One connection on a server that has a single place, and a newcomer.
    private struct FullHouse {
        let connections = Connections(ConnectionLimits(inTotal: 1))
        let channel = EmbeddedChannel()
        let newcomer = EmbeddedChannel()

        /// Runs a test after one request has come, or a part of it.
        static func run(_ request: String, _ body: (FullHouse) throws -> Void) throws {
            let house = FullHouse()
            defer { for one in [house.channel, house.newcomer] { _ = try? one.finish(acceptAlreadyClosed: true) } }
            let pipeline = house.channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
            let place = try #require(house.connections.admit(house.channel))
            try pipeline.addHandler(ConnectionGuard(deadlines: ConnectionDeadlines(), place: place))
            house.channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 4711), promise: nil)
            try house.channel.writeInbound(ByteBuffer(string: request))
            try body(house)
        }

        func answer() throws {
            let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }

        func setWritable(_ isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }

        var takesNewcomer: Bool { connections.admit(newcomer) != nil && !channel.isActive }
    }

    private static let headOfBody = "POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"

    @Test("who owes the rest of a body makes room for a newcomer, and whoever reads it hears that it breaks off")
    func owedBody() throws {
        try FullHouse.run(Self.headOfBody + "{") { house in
            #expect(house.takesNewcomer)
            #expect(throws: HTTPParserError.invalidEOFState) { try house.channel.throwIfErrorCaught() }
        }
    }

    @Test("who has an answer and owes the body of the request makes room")
    func owedBodyOfAnswered() throws {
        try FullHouse.run(Self.headOfBody) { house in
            try house.answer()
            #expect(house.takesNewcomer)
        }
    }

    @Test("who has asked, and whose body is here, is not sent away before there is an answer")
    func wholeRequest() throws {
        try FullHouse.run(Self.headOfBody + String(repeating: " ", count: 100)) { house in
            #expect(!house.takesNewcomer && house.channel.isActive)
            try house.answer()
            #expect(house.takesNewcomer)
        }
    }

    @Test("who has asked before it hears that it is to make room gets its answer, and the connection ends with it")
    func askedMeanwhile() throws {
        try FullHouse.run("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { house in
            house.channel.pipeline.fireUserInboundEventTriggered(MakeRoom())
            #expect(house.channel.isActive)
            // What follows belongs to another connection.
            try house.channel.writeInbound(ByteBuffer(string: "GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            try house.answer()
            var answer = ""
            while let part = try house.channel.readOutbound(as: ByteBuffer.self) { answer += String(buffer: part) }
            #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains("Connection: close\r\n"), "\(answer)")
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!house.channel.isActive)
        }
    }

    @Test(
        "who is in the middle of an answer when it hears that it is to make room gets the rest, and the connection ends"
    )
    func answeredMeanwhile() throws {
        try FullHouse.run("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { house in
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "2"])
            try house.channel.writeOutbound(HTTPServerResponsePart.head(head))
            house.channel.pipeline.fireUserInboundEventTriggered(MakeRoom())
            try house.channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ok"))))
            try house.channel.writeOutbound(HTTPServerResponsePart.end(nil))
            var answer = ""
            while let part = try house.channel.readOutbound(as: ByteBuffer.self) { answer += String(buffer: part) }
            #expect(answer.hasSuffix("\r\n\r\nok"), "\(answer)")
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!house.channel.isActive)
        }
    }

    @Test("a connection whose answer has yet to leave when it hears that it is to make room ends as well")
    func sentMeanwhile() throws {
        try FullHouse.run("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { house in
            house.setWritable(false)
            try house.answer()
            house.channel.pipeline.fireUserInboundEventTriggered(MakeRoom())
            house.setWritable(true)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!house.channel.isActive)
        }
    }

    @Test("who takes nothing of an answer for five seconds makes room, and who takes some in that time does not")
    func takesNothing() throws {
        try FullHouse.run("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { house in
            house.setWritable(false)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(4))
            #expect(!house.takesNewcomer)
            house.setWritable(true)
            house.setWritable(false)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(4))
            #expect(!house.takesNewcomer)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(house.takesNewcomer)
        }
    }

    @Test("who takes nothing is hung up on in the end, though nobody needs the place")
    func takesNothingForLong() throws {
        try FullHouse.run("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { house in
            house.setWritable(false)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            #expect(house.channel.isActive)
            house.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!house.channel.isActive)
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
