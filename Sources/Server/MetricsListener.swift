import HTTP
import Logging
import NIOCore
import ServiceLifecycle
import Web

/// Answers `/metrics` without a token, at an address that only this machine itself reaches.
struct MetricsListener: Service {
    let address: ListenAddress
    let metrics: PrometheusRegistry
    let logger: Logger

    /// - Throws: `ConfigurationProblem` when nothing can listen there.
    func run() async throws {
        let server: any Service = metricsApplication(at: address, metrics: metrics, logger: logger)
        do {
            try await server.run()
        } catch let error as IOError {
            throw ConfigurationProblem(listeningFailed: error, atMetrics: address)
        }
    }
}
