import NIOCore
import NIOHTTP1
import NIOPosix
import StoreSimulator
import Synchronization

/// A server on loopback that answers each POST as a test says, and keeps the requests.
final class StubStoreClient: Sendable {
    typealias Answer = @Sendable (_ body: String, _ number: Int) -> UInt

    let port: KeptPort
    var url: String { "http://127.0.0.1:\(port.number)/webhooks" }
    var bodies: [String] { received.withLock { $0 } }

    private let channel: any Channel
    private let received: Received

    private init(channel: any Channel, port: KeptPort, received: Received) {
        self.channel = channel
        self.port = port
        self.received = received
    }

    static func start(at port: KeptPort? = nil, answer: @escaping Answer) async throws -> StubStoreClient {
        let port = try port ?? KeptPort()
        let received = Received([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(received: received, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: port.number).get()
        return StubStoreClient(channel: channel, port: port, received: received)
    }

    func stop() async throws {
        try await channel.close()
    }
}

private final class Received: Sendable {
    private let bodies: Mutex<[String]>

    init(_ bodies: [String]) {
        self.bodies = Mutex(bodies)
    }

    func withLock<Result>(_ body: (inout sending [String]) -> sending Result) -> sending Result {
        bodies.withLock(body)
    }
}

private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let received: Received
    private let answer: StubStoreClient.Answer
    private var body = ""

    init(received: Received, answer: @escaping StubStoreClient.Answer) {
        self.received = received
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body = ""
        case .body(let part): body += String(buffer: part)
        case .end:
            let body = body
            let number = received.withLock { bodies in
                bodies.append(body)
                return bodies.count - 1
            }
            let status = HTTPResponseStatus(statusCode: Int(answer(body, number)))
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["content-length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
