package import HTTPTypes
import Synchronization

/// Counts requests by route and status, and how long they took by route.
package final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let route: String
        let status: Int
    }

    private struct Instruments {
        let count: PrometheusCounter
        let duration: PrometheusHistogram
    }

    private let registry: PrometheusRegistry
    private let instruments = Mutex<[Key: Instruments]>([:])

    package init(registry: PrometheusRegistry) {
        self.registry = registry
    }

    /// - Parameter route: the pattern, not the path, so that the number of labels stays small.
    package func record(method: HTTPRequest.Method, route: String, status: HTTPResponse.Status, elapsed: Duration) {
        let key = Key(method: Self.known(method), route: route, status: status.code)
        let instruments = instruments.withLock { known in
            if let found = known[key] { return found }
            let made = make(key)
            known[key] = made
            return made
        }
        instruments.count.increment(by: 1.0)
        instruments.duration.record(elapsed.inSeconds)
    }

    private func make(_ key: Key) -> Instruments {
        let (method, route) = (("method", key.method.rawValue), ("route", key.route))
        return Instruments(
            count: registry.counter("perennial_http_requests", [method, route, ("status", String(key.status))]),
            duration: registry.timer("perennial_http_request_duration", [method, route])
        )
    }

    /// Clients may invent methods; labels may not grow with them.
    private static func known(_ method: HTTPRequest.Method) -> HTTPRequest.Method {
        knownMethods.contains(method) ? method : HTTPRequest.Method("OTHER") ?? .options
    }

    private static let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
}
