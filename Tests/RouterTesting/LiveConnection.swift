import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix

/// A connection of HTTP/1.1, kept for all requests of a test. A request that is sent before an answer is here waits at the server.
struct LiveConnection: Sendable {
    private let channel: any Channel

    init(port: Int) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandlers(HTTP1ToHTTPClientCodec(), Exchanges())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ request: HTTPRequest, _ body: ByteBuffer?) async throws -> TestResponse {
        let answer = channel.eventLoop.makePromise(of: TestResponse.self)
        let exchange = Exchange(request: request, body: body, answer: answer)
        channel.writeAndFlush(exchange).whenFailure { answer.fail($0) }
        return try await answer.futureResult.get()
    }

    func close() async {
        // The server may have hung up by itself.
        try? await channel.close().get()
    }
}

/// A request, and the promise of its answer.
private struct Exchange: Sendable {
    let request: HTTPRequest
    let body: ByteBuffer?
    let answer: EventLoopPromise<TestResponse>
}

/// Matches the answers of a connection to its requests, in their order.
private final class Exchanges: ChannelDuplexHandler {
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPRequestPart
    typealias InboundIn = HTTPResponsePart

    /// The longest that a request waits for its answer.
    private static let patience = TimeAmount.minutes(1)

    private var open: CircularBuffer<(answer: EventLoopPromise<TestResponse>, deadline: Scheduled<Void>)> = []
    private var head: HTTPResponse?
    private var body = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        let channel = context.channel
        let deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        open.append((exchange.answer, deadline))
        context.write(wrapOutboundOut(.head(exchange.request)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var part): body.writeBuffer(&part)
        case .end:
            guard let head, let asked = open.popFirst() else { return }
            asked.deadline.cancel()
            asked.answer.succeed(TestResponse(head, body: body))
            (self.head, body) = (nil, ByteBuffer())
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(with: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(with: ChannelError.eof)
        context.fireChannelInactive()
    }

    private func end(with error: any Error) {
        while let asked = open.popFirst() {
            asked.deadline.cancel()
            asked.answer.fail(error)
        }
    }
}
