import HTTPTypes
package import Hummingbird
import Operations

/// The server's readiness to do its work, and the reason where it is not.
package enum Readiness: Sendable {
    case ready
    /// Work is done, and something is not as it should be: a sentence for the operator.
    case readyThough(String)
    /// A sentence for the operator.
    case notReady(String)
}

/// Answers monitoring: health, readiness and metrics.
package struct HealthController: Sendable {
    /// Must come back when its task is cancelled.
    package let check: @Sendable () async -> Readiness
    package let registry: PrometheusRegistry
    /// nil answers nobody here: the client may be a proxy that says nothing of the world behind it.
    package let metricsToken: String?

    package init(
        check: @escaping @Sendable () async -> Readiness,
        registry: PrometheusRegistry,
        metricsToken: String?
    ) {
        self.check = check
        self.registry = registry
        self.metricsToken = metricsToken
    }

    /// `GET /readyz`
    @Sendable package func readiness(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        switch await answer(within: .seconds(1)) {
        case .ready: return .text("ready\n")
        case .readyThough(let problem): return .text("ready; \(problem)\n")
        case .notReady(let reason): throw WebError(.unavailable, reason, retryAfter: 1)
        }
    }

    /// `GET /metrics`
    @Sendable package func metrics(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let metricsToken else {
            throw WebError(
                .notFound,
                "Metrics are not answered here: set PERENNIAL_METRICS_TOKEN or PERENNIAL_METRICS_ADDRESS."
            )
        }
        guard let token = request.bearerToken,
            SecretComparison.areEqual(Array(token.utf8), Array(metricsToken.utf8))
        else {
            throw WebError(.unauthenticated, "Send the metrics token: Authorization: Bearer …")
        }
        return registry.response
    }

    /// The result of the check; its caller does not want to wait for a database that hangs.
    private func answer(within limit: Duration) async -> Readiness {
        await withTaskGroup(of: Readiness.self) { group in
            group.addTask { await check() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .notReady("The database does not answer.")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .notReady("The check did not answer.")
        }
    }
}

extension PrometheusRegistry {
    package var response: Response { .text(text(), type: "text/plain; version=0.0.4") }
}
