import APITypes
package import NIOCore
package import NIOHTTP1

/// Guards one connection: its deadlines, its requests that are not HTTP, and its end.
///
/// It sets deadlines for headers, body and reading; answers what is not HTTP, or names no host or two; closes the connection after
/// a client's last request, the only one for HTTP/1.0, or after an answer that says `Connection: close`; and sends `100 Continue`
/// to clients that wait for it. It stands next to the parser: what it answers itself passes no other handler.
package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private enum Inbound {
        /// Before the first byte of a request, or inside its headers.
        case waiting
        case body
        /// The last request is here; what follows it is dropped.
        case ended
        /// The last answer is written; what still comes or goes is dropped.
        case closing
    }

    private let deadlines: ConnectionDeadlines
    /// nil for who finds no room, or has left.
    private var place: ConnectionPlace?
    /// As it was last reported.
    private var activity = ConnectionTable.Activity.idle
    private var inbound = Inbound.waiting
    /// Requests whose answers have not ended.
    private var unanswered = 0
    private var isAnswering = false
    /// The last answer has left.
    private var isSent = false
    private var sawPart = false
    private var closesAfterAnswer = false
    /// Nothing that comes after the newest request is answered.
    private var isLastRequest = false
    /// The newest request is of HTTP/1.0, and is answered in it.
    private var isOldVersion = false
    private var inboundDeadline: Scheduled<Void>?
    /// Runs while what is written piles up.
    private var readingDeadline: Scheduled<Void>?
    /// It has piled up for a while.
    private var isStalled = false

    package init(deadlines: ConnectionDeadlines, place: ConnectionPlace?) {
        self.deadlines = deadlines
        self.place = place
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startInboundDeadline(deadlines.headers, context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        startInboundDeadline(deadlines.headers, context)
        context.fireChannelActive()
        if place == nil {
            answer(.unavailable, "The server has as many connections as it takes.", retryAfter: 5, context)
            context.close(mode: .all, promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        stopInboundDeadline()
        readingDeadline?.cancel()
        place = nil
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard inbound != .closing, inbound != .ended else { return }
        sawPart = true
        switch unwrapInboundIn(data) {
        case .head(let head):
            stopInboundDeadline()
            if let problem = HostField.problem(of: head) { return refuse(head, problem, context) }
            unanswered += 1
            inbound = .body
            isOldVersion = head.version != .http1_1
            isLastRequest = isOldVersion || Self.saysLast(head)
            continueIfExpected(head, context)
        case .body: break
        case .end:
            stopInboundDeadline()
            inbound = isLastRequest ? .ended : .waiting
            reportActivity()
        }
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        switch inbound {
        case .waiting where !sawPart: startInboundDeadline(deadlines.headers, context)
        case .body:
            startInboundDeadline(deadlines.body, context)
            reportActivity()
        case .waiting, .ended, .closing: break
        }
        sawPart = false
        context.fireChannelReadComplete()
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        readingDeadline?.cancel()
        isStalled = false
        readingDeadline = context.channel.isWritable ? nil : stalling(context)
        reportActivity()
        context.fireChannelWritabilityChanged()
    }

    /// Makes room: at once, or after the answers that it owes if its client has asked for something meanwhile. A
    /// newcomer has the place already. The reader of a body that breaks off gets an error.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is MakeRoom else { return context.fireUserInboundEventTriggered(event) }
        guard currentActivity != .working else { return endAfterAnswers(context) }
        let isInsideBody = inbound == .body && unanswered > 0
        inbound = .closing
        if isInsideBody { context.fireErrorCaught(HTTPParserError.invalidEOFState) }
        context.close(mode: .all, promise: nil)
    }

    private func endAfterAnswers(_ context: ChannelHandlerContext) {
        // Nothing is owed, but what was written has yet to leave.
        guard unanswered > 0 else {
            return finish(context, with: wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), nil)
        }
        isLastRequest = true
        if inbound == .waiting { inbound = .ended }
        if isAnswering, unanswered == 1 { closesAfterAnswer = true }
    }

    /// Answers a request that is not HTTP, and ends the connection. The handlers behind this one hear nothing of it, except where
    /// the body of a request breaks off: its reader must not wait for more.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        // Behind the last request there may be anything.
        guard inbound != .ended else { return }
        let isInsideBody = inbound == .body
        guard inbound != .closing, !isAnswering, unanswered == (isInsideBody ? 1 : 0) else {
            return context.close(mode: .all, promise: nil)
        }
        switch error {
        case .headerOverflow: answer(.headersTooLarge, "The headers are more than the server takes.", context)
        default: answer(.badRequest, "The request is not HTTP/1.1 as it should be, or breaks off.", context)
        }
        if isInsideBody { context.fireErrorCaught(error) }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard inbound != .closing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isAnswering = true
            if head.headers.first(name: "Connection") == "close" { closesAfterAnswer = true }
            guard isLastRequest, unanswered == 1 else { break }
            closesAfterAnswer = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            if isOldVersion { head.version = .http1_0 }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            isAnswering = false
            unanswered -= 1
            if closesAfterAnswer { return finish(context, with: data, promise) }
            reportActivity()
        }
        context.write(data, promise: promise)
    }

    /// The writer of the last answer says that nothing follows; it is said here once all of it has left.
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, inbound == .closing, !isSent else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
    }

    /// Answers what no other handler hears of, with a problem like every other error (RFC 9457), and ends the
    /// connection.
    private func answer(
        _ code: WebError.Code,
        _ detail: String,
        to request: HTTPRequestHead? = nil,
        retryAfter seconds: Int? = nil,
        _ context: ChannelHandlerContext
    ) {
        // Nothing is logged of it, so there is no id to ask by.
        let problem = Problem(
            code,
            detail: detail,
            at: request.map { String($0.uri.prefix { $0 != "?" }) } ?? "",
            requestID: ""
        )
        var json = JSONWriter()
        problem.write(to: &json)
        let body = ByteBuffer(bytes: json.bytes)
        var fields: HTTPHeaders = [
            "Connection": "close", "Content-Length": "\(body.readableBytes)",
            "Content-Type": "application/problem+json",
        ]
        if let seconds { fields.add(name: "Retry-After", value: "\(seconds)") }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: problem.status),
            headers: fields
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request?.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        finish(context, with: wrapOutboundOut(.end(nil)), nil)
    }

    /// Answers a request that says nothing clear of whom it is for.
    private func refuse(_ head: HTTPRequestHead, _ problem: String, _ context: ChannelHandlerContext) {
        guard unanswered == 0 else { return context.close(mode: .all, promise: nil) }
        answer(.badRequest, problem, to: head, context)
    }

    private static func saysLast(_ head: HTTPRequestHead) -> Bool {
        head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
    }

    private func reportActivity() {
        let current = currentActivity
        guard current != activity else { return }
        activity = current
        place?.change(to: current)
    }

    private var currentActivity: ConnectionTable.Activity {
        guard readingDeadline == nil else { return isStalled ? .stalled : .working }
        return switch inbound {
        case .waiting: unanswered == 0 ? .idle : .working
        // Answers keep the order of their requests: a single one that is owed is of the request whose body is owed.
        case .body: unanswered <= 1 ? .stalled : .working
        case .ended: .working
        case .closing: isSent ? .idle : .stalled
        }
    }

    /// Sends the end, says then that nothing more will come, and hangs up a little later, so that the client can still
    /// read the answer while it is sending.
    private func finish(_ context: ChannelHandlerContext, with end: NIOAny, _ promise: EventLoopPromise<Void>?) {
        inbound = .closing
        stopInboundDeadline()
        let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
        // Until then a slow reader has the time that it had before.
        inboundDeadline = closing(in: deadlines.reading, context)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in
            isSent = true
            reportActivity()
            stopInboundDeadline()
            context.close(mode: .output, promise: nil)
            inboundDeadline = closing(in: deadlines.lingering, context)
        }
        context.writeAndFlush(end, promise: sent)
        reportActivity()
    }

    private func continueIfExpected(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard unanswered == 1, !isOldVersion, head.headers.first(name: "Expect")?.lowercased() == "100-continue" else {
            return
        }
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

    /// A client that takes nothing may have to make room after a while, and is hung up on in the end.
    private func stalling(_ context: ChannelHandlerContext) -> Scheduled<Void> {
        let patience = min(deadlines.stalling, deadlines.reading)
        return context.eventLoop.assumeIsolated().scheduleTask(in: patience) { [self] in
            isStalled = true
            reportActivity()
            readingDeadline = closing(in: deadlines.reading - patience, context)
        }
    }

    private func closing(in time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(mode: .all, promise: nil) }
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
