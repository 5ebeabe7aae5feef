package import Hummingbird
import Logging
import NIOCore
package import Operations
import Synchronization

/// The context of one request that the layers share.
package struct WebRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The caller's `X-Request-ID` where it is sane, else our own; in every answer and log line.
    package var requestID: String
    /// The other end of the connection; a proxy's, where there is one.
    package let peer: String?
    package let channel: any Channel
    package let notes: RequestNotes

    /// `http://127.0.0.1:8080`: where this machine itself reaches the server, by the connection that the request came over and not by what
    /// it says.
    package var listening: String {
        let (address, port) = (channel.localAddress?.ipAddress ?? "127.0.0.1", channel.localAddress?.port)
        let host = address.contains(":") ? "[\(address)]" : address
        return "http://\(host)\(port.map { ":\($0)" } ?? "")"
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? ""
        peer = source.channel.remoteAddress?.ipAddress
        channel = source.channel
        notes = RequestNotes()
    }
}

/// The findings of inner layers that outer ones use: the signed-in person, for error pages and the log.
package final class RequestNotes: Sendable {
    private let storage = Mutex<(viewer: Viewer?, actor: String?)>((nil, nil))
    private let limits = Mutex<[RateLimitState]>([])
    private let slug = Mutex<String?>(nil)
    private let waiting = Mutex<Duration>(.zero)

    package var viewer: Viewer? { storage.withLock { $0.viewer } }
    /// The id of the person or token that asks.
    package var actor: String? { storage.withLock { $0.actor } }

    /// The caller's state under the rate limits that the call was counted against.
    package var rateLimits: [RateLimitState] { limits.withLock { $0 } }

    package func note(viewer: Viewer?, actor: String) {
        storage.withLock { $0 = (viewer, actor) }
    }

    /// The app of the customer whose token the call has.
    package var app: String? { slug.withLock { $0 } }

    package func note(app: String) {
        slug.withLock { $0 = app }
    }

    /// The time that the call asked to wait for something to happen: no work of ours, and not counted as such.
    package var waited: Duration { waiting.withLock { $0 } }

    package func note(waited time: Duration) {
        waiting.withLock { $0 += time }
    }

    package func note(_ states: [RateLimitState]) {
        limits.withLock { $0 += states }
    }
}
