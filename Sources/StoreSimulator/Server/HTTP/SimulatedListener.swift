import Foundation
import Gateways
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A listener on loopback that can be stopped, and started again on the same port, which nobody else gets meanwhile.
final class SimulatedListener: Sendable {
    typealias Answer = @Sendable (SimulatedRequest) async -> SimulatedReply

    private let answer: Answer
    private let state = Mutex(State())

    init(answer: @escaping Answer) {
        self.answer = answer
    }

    /// 0 before the first start.
    var port: Int { state.withLock { $0.port } }

    /// - Parameter port: 0 for any; after a stop, the one of before.
    func start(port: Int = 0) async throws {
        let wanted = try state.withLock { state in
            if state.port == 0 && port == 0 { state.kept = try KeptPort() }
            return state.kept?.number ?? (state.port == 0 ? port : state.port)
        }
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { [answer] child in
                self.remember(child)
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.configureHTTPServerPipeline()
                    try child.pipeline.syncOperations.addHandler(AnsweringHandler(answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: wanted).get()
        state.withLock { state in
            state.channel = channel
            state.port = channel.localAddress?.port ?? wanted
        }
    }

    /// Connections that are open are closed; new ones are refused.
    func stop() async {
        let (channel, children) = state.withLock { state in
            defer {
                state.channel = nil
                state.children = [:]
            }
            return (state.channel, Array(state.children.values))
        }
        try? await channel?.close()
        for child in children { try? await child.close() }
    }

    private func remember(_ child: any Channel) {
        let id = ObjectIdentifier(child)
        state.withLock { $0.children[id] = child }
        child.closeFuture.whenComplete { _ in
            self.state.withLock { $0.children[id] = nil }
        }
    }

    private struct State {
        var channel: (any Channel)?
        var kept: KeptPort?
        var port = 0
        var children: [ObjectIdentifier: any Channel] = [:]
    }
}

/// Gathers one request after the other and writes what they end with.
private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: SimulatedListener.Answer
    private var head: HTTPRequestHead?
    private var body = Data()

    init(answer: @escaping SimulatedListener.Answer) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = Data()
        case .body(let part):
            guard body.count + part.readableBytes <= Self.longestBody else { return context.close(promise: nil) }
            body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return }
            let request = SimulatedRequest(
                method: head.method.rawValue,
                target: head.uri,
                headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
                body: body
            )
            let (answer, channel, isKept) = (answer, context.channel, head.isKeepAlive)
            channel.eventLoop.makeFutureWithTask { await answer(request) }.whenSuccess { reply in
                Self.write(reply, to: channel, keepingIt: isKept)
            }
        }
    }

    private static func write(_ reply: SimulatedReply, to channel: any Channel, keepingIt isKept: Bool) {
        switch reply {
        case .silence: return
        case .hangUp: channel.close(promise: nil)
        case .response(let response):
            write(response, upTo: response.body.count, to: channel)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
                if !isKept { channel.close(promise: nil) }
            }
        case .cut(let response):
            write(response, upTo: response.body.count / 2, to: channel)
            channel.flush()
            channel.close(promise: nil)
        }
    }

    private static func write(_ response: StoreResponse, upTo count: Int, to channel: any Channel) {
        var headers = HTTPHeaders(response.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        headers.replaceOrAdd(name: "content-length", value: String(response.body.count))
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: response.status),
            headers: headers
        )
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        let body = channel.allocator.buffer(bytes: response.body.prefix(count))
        channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
    }

    private static let longestBody = 4 << 20
}
