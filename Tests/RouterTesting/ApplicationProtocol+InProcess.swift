import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

extension ApplicationProtocol {
    /// Returns a client whose requests go straight to the responder. The application's other services do not run.
    func inProcessClient() async throws -> TestClient {
        let (responder, logger) = (try await responder, logger)
        return TestClient { request, body in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
            let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
            let answer: Response
            do {
                let request = Request(head: request, body: RequestBody(asyncSequence: parts(of: body)))
                answer = try await responder.respond(to: request, context: Context(source: source))
            } catch {
                // As a server answers an error that no middleware caught.
                answer = Response(status: .internalServerError)
            }
            let written = WrittenBody()
            try await answer.body.write(written)
            return TestResponse(answer.head, body: written.bytes)
        }
    }
}

/// Returns the body as a socket would bring it: in more than one part where it is large.
private func parts(of body: ByteBuffer?) -> AsyncStream<ByteBuffer> {
    let (parts, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
    var rest = body ?? ByteBuffer()
    while rest.readableBytes > 0, let part = rest.readSlice(length: min(rest.readableBytes, 32 << 10)) {
        feed.yield(part)
    }
    feed.finish()
    return parts
}

private final class WrittenBody: ResponseBodyWriter, Sendable {
    private let written = Mutex(ByteBuffer())

    var bytes: ByteBuffer { written.withLock { $0 } }

    func write(_ buffer: ByteBuffer) {
        _ = written.withLock { $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailers: HTTPFields?) {}
}
