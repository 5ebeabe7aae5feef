import NIOCore
import NIOEmbedded
import NIOHTTP1
import RouterTesting
import Testing

@testable import Desk
@testable import HTTP

extension ConnectionTests {
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
                    // A client that comes while both are still being answered finds no room.
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
            // The next request belongs to another connection.
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

    /// A connection on a server that has a single place, and a newcomer.
    private struct FullHouse {
        let connections = Connections(ConnectionLimits(inTotal: 1))
        let channel = EmbeddedChannel()
        let newcomer = EmbeddedChannel()

        /// Runs a test after a request has come, or a part of one.
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
}
