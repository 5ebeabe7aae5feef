package import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
package import Operations

/// Gives each request its id, counts it, and logs one line. The line has ids and the client's address, never what was sent.
package struct RequestLogMiddleware: RouterMiddleware {
    package typealias Context = WebRequestContext

    package let metrics: RequestMetrics
    package let health: HealthCounters
    package let proxies: ProxyWatch

    package init(metrics: RequestMetrics, health: HealthCounters, proxies: ProxyWatch) {
        self.metrics = metrics
        self.health = health
        self.proxies = proxies
    }

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        if let given = request.headers[.requestID], Self.isSane(given) { context.requestID = given }
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: "request_id"] = "\(context.requestID)"
        proxies.look(at: request, context)
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        if request.method == .head {
            Compressible.unmark(&response)
            response = response.createHeadResponse()
        }
        let route = context.endpointPath ?? SitePath.nowhere
        let elapsed = max(.zero, ContinuousClock.now - start - context.notes.waited)
        metrics.record(method: request.method, route: route, status: response.status, elapsed: elapsed)
        if SitePath.isWork(route) {
            health.answered(
                method: request.method.rawValue,
                path: route,
                isFault: response.status.code >= 500,
                elapsed: elapsed
            )
        }
        log(request, response, route, elapsed, context)
        return response
    }

    private func log(
        _ request: Request,
        _ response: Response,
        _ route: String,
        _ elapsed: Duration,
        _ context: WebRequestContext
    ) {
        context.logger.log(
            level: level(of: request, response, elapsed),
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(route)",
                "status": "\(response.status.code)", "ms": "\(elapsed.milliseconds)",
                "actor": "\(context.notes.actor ?? "-")",
                "client": "\(proxies.addresses.of(request, peer: context.peer) ?? "-")",
            ]
        )
    }

    /// A quick read that went well is logged at debug level; the counters have it in any case.
    private func level(of request: Request, _ response: Response, _ elapsed: Duration) -> Logger.Level {
        let isReading = request.method == .get || request.method == .head
        return isReading && response.status.code < 400 && elapsed < .seconds(1) ? .debug : .info
    }

    /// Returns true if an id may go into log lines and back to the client: 1 to 64 ASCII letters, digits, hyphens, underscores
    /// and points.
    private static func isSane(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension Duration {
    /// With two digits behind the point.
    fileprivate var milliseconds: Double {
        let hundredths = components.seconds * 100_000 + components.attoseconds / 10_000_000_000_000
        return Double(hundredths) / 100
    }

    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
