package import NIOCore
package import NIOHTTP1

/// Lets one answer through for each request and drops any other. The compressor behind it stops the whole process when it sees an
/// answer without a request.
package final class ResponseGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private var open = 0
    private var isDropping = false

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { open += 1 }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            isDropping = open == 0
            open = max(0, open - 1)
        }
        guard !isDropping else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return context.close(mode: .all, promise: nil)
        }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension ResponseGuard: Sendable {}
