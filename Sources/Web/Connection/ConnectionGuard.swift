import NIOCore
import NIOHTTP1

/// Keeps one connection in order: deadlines for headers, body and reading; an answer of its own to what is not HTTP; an
/// end to the connection after an answer that says `Connection: close`; and `100 Continue` for those who wait for it.
///
/// It stands next to the parser: what it answers itself passes no other handler.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Inbound {
        /// Before the first byte of a request, or inside its headers.
        case waiting
        case body
        /// The last answer is written; what still comes or goes is dropped.
        case closing
    }

    private let deadlines: ConnectionDeadlines
    private var inbound = Inbound.waiting
    /// Requests whose answers have not ended.
    private var unanswered = 0
    private var isAnswering = false
    private var sawPart = false
    private var closesAfterAnswer = false
    private var inboundDeadline: Scheduled<Void>?
    private var readingDeadline: Scheduled<Void>?

    init(deadlines: ConnectionDeadlines) {
        self.deadlines = deadlines
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startInboundDeadline(deadlines.headers, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startInboundDeadline(deadlines.headers, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopInboundDeadline()
        readingDeadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard inbound != .closing else { return }
        sawPart = true
        switch unwrapInboundIn(data) {
        case .head(let head):
            stopInboundDeadline()
            unanswered += 1
            inbound = .body
            continueIfExpected(head, context)
        case .body: break
        case .end:
            stopInboundDeadline()
            inbound = .waiting
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch inbound {
        case .waiting where !sawPart: startInboundDeadline(deadlines.headers, context)
        case .body: startInboundDeadline(deadlines.body, context)
        case .waiting, .closing: break
        }
        sawPart = false
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readingDeadline?.cancel()
        readingDeadline = context.channel.isWritable ? nil : closing(in: deadlines.reading, context)
        context.fireChannelWritabilityChanged()
    }

    /// What is not HTTP is answered here and ends the connection. Nothing behind this handler hears of it, but where the
    /// body of a request breaks off: its reader must not wait for more.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let isInsideBody = inbound == .body
        guard inbound != .closing, !isAnswering, unanswered == (isInsideBody ? 1 : 0) else {
            return context.close(mode: .all, promise: nil)
        }
        let status: HTTPResponseStatus = error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
        let fields: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        finish(context, with: wrapOutboundOut(.end(nil)), nil)
        if isInsideBody { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard inbound != .closing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isAnswering = true
            if head.headers.first(name: "Connection") == "close" { closesAfterAnswer = true }
        case .body: break
        case .end:
            isAnswering = false
            unanswered -= 1
            if closesAfterAnswer { return finish(context, with: data, promise) }
        }
        context.write(data, promise: promise)
    }

    /// Sends the end, says that nothing more will come, and hangs up a little later, so that the client can still read
    /// the answer while it is sending.
    private func finish(_ context: ChannelHandlerContext, with end: NIOAny, _ promise: EventLoopPromise<Void>?) {
        inbound = .closing
        stopInboundDeadline()
        context.writeAndFlush(end, promise: promise)
        context.close(mode: .output, promise: nil)
        inboundDeadline = closing(in: deadlines.lingering, context)
    }

    private func continueIfExpected(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard unanswered == 1, head.headers.first(name: "Expect")?.lowercased() == "100-continue" else { return }
        let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard announced <= BodyLimit.notification else { return }
        let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
    }

    private func startInboundDeadline(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        guard inboundDeadline == nil else { return }
        inboundDeadline = closing(in: time, context)
    }

    private func stopInboundDeadline() {
        inboundDeadline?.cancel()
        inboundDeadline = nil
    }

    private func closing(in time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(mode: .all, promise: nil) }
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
