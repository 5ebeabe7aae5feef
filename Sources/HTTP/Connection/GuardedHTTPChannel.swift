import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPCompression
package import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// HTTP/1.1 with our limits, deadlines and compression around each connection.
package struct GuardedHTTPChannel: HTTPChannelHandler {
    package typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    package let responder: HTTPChannelHandler.Responder
    package let deadlines: ConnectionDeadlines
    package let connections: Connections

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Self.largestHeaderField
            limits.maxHeaderListSize = Self.largestHeaderList
            limits.maxHeaderFieldCount = RequestLimits.mostHeaders
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits
            )
            try pipeline.addHandler(ConnectionGuard(deadlines: deadlines, place: connections.admit(channel)))
            try pipeline.addHandler(HTTPResponseCompressor(responseCompressionPredicate: Compressible.decide))
            try pipeline.addHandler(ResponseGuard())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: .init(deadlines.idle), logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    package func handle(value channel: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: channel, logger: logger)
    }

    /// Above our own limit for URLs and headers, so that what is a little too long gets a proper answer.
    private static let largestHeaderField = 128 * 1024
    private static let largestHeaderList = 192 * 1024
}

extension HTTPServerBuilder {
    package static func guarded(
        deadlines: ConnectionDeadlines,
        limits: ConnectionLimits = ConnectionLimits()
    ) -> HTTPServerBuilder {
        let connections = Connections(limits)
        return HTTPServerBuilder { responder in
            GuardedHTTPChannel(responder: responder, deadlines: deadlines, connections: connections)
        }
    }
}
