import Foundation
import Jobs
package import Logging
import Metrics
import NIOCore
package import Operations
import Postgres
package import ServiceLifecycle
import Storage
import UnixSignals
import Web

/// Puts the program together; the only place that knows every part.
package struct Wiring: Sendable {
    /// What a process does.
    package struct Roles: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Pages, APIs and the stores' webhooks.
        package static let web = Roles(rawValue: 1)
        /// Applying what the stores said.
        package static let worker = Roles(rawValue: 2)
    }

    package let configuration: ServerConfiguration
    package let logger: Logger

    package init(_ configuration: ServerConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs until it is told to stop (SIGTERM or SIGINT), then finishes what is under way.
    ///
    /// - Parameter companions: services that run beside it and stop before it.
    package func serve(
        _ roles: Roles,
        hearing: Hearing = .whenApplied,
        companions: @Sendable (BackOffice) -> [any Service] = { _ in [] }
    ) async throws {
        _ = Self.metrics
        let web = roles.contains(.web) ? try webConfiguration() : nil
        try await withDatabaseServer { connectionString in
            let parts = try Parts(
                configuration,
                connectionString: connectionString,
                logger: logger,
                hearing: hearing
            )
            try await migrate(connectionString)
            var services: [any Service] = [parts.writing, parts.reading, parts.inbox]
            services.append(HealthWorker(backOffice: parts.backOffice, samplesInbox: roles.contains(.worker)))
            if roles.contains(.worker) {
                services += [
                    parts.worker, BulkWorker(backOffice: parts.backOffice), RollupWorker(backOffice: parts.backOffice),
                    ReportWorker(backOffice: parts.backOffice), Upkeep(backOffice: parts.backOffice),
                ]
            }
            if let web {
                services.append(webServer(parts, web))
                if let address = configuration.metricsAddress {
                    services.append(MetricsListener(address: address, metrics: Self.metrics, logger: logger))
                }
            }
            services += companions(parts.backOffice)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: services.map {
                        ServiceGroupConfiguration.ServiceConfiguration(
                            service: $0,
                            successTerminationBehavior: .gracefullyShutdownGroup,
                            failureTerminationBehavior: .gracefullyShutdownGroup
                        )
                    },
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: logger
                )
            )
            do {
                try await group.run()
            } catch let error as IOError {
                throw ConfigurationProblem(listeningFailed: error, at: configuration)
            }
        }
    }

    /// Lends the back office to one command, on a migrated database.
    package func withBackOffice<R: Sendable>(_ body: (BackOffice) async throws -> R) async throws -> R {
        try await withDatabaseServer { connectionString in
            try await migrate(connectionString)
            let parts = try Parts(configuration, connectionString: connectionString, logger: logger)
            return try await withRunning([parts.writing, parts.reading, parts.inbox]) {
                try await body(parts.backOffice)
            }
        }
    }

    /// Brings the schema forward and says which migrations it took.
    package func migrate() async throws -> [String] {
        try await withDatabaseServer { try await migrate($0) }
    }

    /// Works off what is due, and returns how many notifications that were.
    package func drain(retryingFailed: Bool) async throws -> Int {
        try await withDatabaseServer { connectionString in
            try await migrate(connectionString)
            let parts = try Parts(configuration, connectionString: connectionString, logger: logger)
            return try await withRunning([parts.writing, parts.reading]) {
                if retryingFailed { _ = try await parts.database.retryFailedNotifications() }
                _ = try await parts.database.rescueNotifications(lastAttempt: RetryPolicy().attempts)
                return try await parts.worker.drain()
            }
        }
    }

    @discardableResult
    private func migrate(_ connectionString: String) async throws -> [String] {
        var configuration = PoolConfiguration(connectionString: connectionString)
        configuration.name = "migrations"
        configuration.sharedConnections = 1
        let pool = Pool(configuration, logger: logger)
        return try await withRunning([pool]) {
            try await Schema.migrator.run(on: pool, logger: logger)
        }
    }

    /// Where this process counts; set up once, before anything is counted.
    private static let metrics: PrometheusRegistry = {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private func webConfiguration() throws -> WebConfiguration {
        guard configuration.trustedProxies.isEmpty || configuration.publicURL != nil else {
            throw ConfigurationProblem(
                "PERENNIAL_TRUSTED_PROXIES needs PERENNIAL_PUBLIC_URL, the https://… that browsers see: "
                    + "cookies, forms and links are made for it, not for what a proxy says"
            )
        }
        return try WebConfiguration(
            host: configuration.host,
            port: configuration.port,
            publicURL: configuration.publicURL,
            metricsToken: configuration.metricsToken,
            trustedProxies: configuration.trustedProxies,
            allowsPlainHTTP: configuration.allowsPlainHTTP
        )
    }

    private func webServer(_ parts: Parts, _ web: WebConfiguration) -> any Service {
        let database = parts.database
        return webApplication(
            backOffice: parts.backOffice,
            configuration: web,
            metrics: Self.metrics,
            readiness: { await Readiness(of: database) },
            logger: logger
        )
    }

    /// Runs services for as long as `body` takes.
    private func withRunning<R: Sendable>(
        _ services: [any Service],
        _ body: () async throws -> R
    ) async throws -> R {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Lends a database server: the configured one, or a private cluster that lives as long as `body`.
    private func withDatabaseServer<R: Sendable>(_ body: (String) async throws -> R) async throws -> R {
        if let databaseURL = configuration.databaseURL { return try await body(databaseURL) }
        let cluster = Cluster(
            directory: configuration.stateDirectory.appending(path: "postgres").path,
            database: "perennial",
            logger: logger
        )
        try await cluster.start()
        let result: R
        do {
            result = try await body(cluster.connectionString)
        } catch {
            try? await cluster.stop()
            throw error
        }
        try await cluster.stop()
        return result
    }
}
