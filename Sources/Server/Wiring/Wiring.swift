import Foundation
import HTTP
import Jobs
package import Logging
import Metrics
import NIOCore
package import Operations
import Postgres
import ServiceLifecycle
import Storage

/// Puts the program together; the only place that knows every part.
package struct Wiring: Sendable {
    /// The roles of a process.
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

    /// Tells the old primary of a failover; nil for the private cluster, which has no standby.
    func timelines(makesDirectory: Bool) -> TimelineHistory? {
        guard configuration.databaseURL != nil else { return nil }
        return TimelineHistory(
            file: configuration.stateDirectory.appending(path: "timeline").path,
            makesDirectory: makesDirectory,
            logger: logger
        )
    }

    /// Runs until it is told to stop (SIGTERM or SIGINT), then finishes what is under way.
    ///
    package func serve(_ roles: Roles) async throws {
        try await serve(roles) { _, _ in [] }
    }

    /// - Parameter companions: services that run with it and stop before it. The second they are made of tells the port once
    ///   pages are served.
    func serve(
        _ roles: Roles,
        companions: @escaping @Sendable (Parts, AsyncStream<Int>) -> [any Service]
    ) async throws {
        _ = Self.metrics
        let web = roles.contains(.web) ? try webConfiguration() : nil
        let deadline = ShutdownDeadline(configuration.shutdownLimit, logger: logger)
        try await deadline.run {
            try await serve(roles, web, companions: companions, until: deadline)
        }
    }

    private func serve(
        _ roles: Roles,
        _ web: WebConfiguration?,
        companions: @Sendable (Parts, AsyncStream<Int>) -> [any Service],
        until deadline: ShutdownDeadline
    ) async throws {
        if roles.contains(.web) { try refuseSecretWithoutDatabase() }
        // A server may be the first to come; a worker with an empty directory or database is at the wrong one.
        let mayBegin = roles.contains(.web)
        try await withDatabaseServer(makesMissing: mayBegin) { connectionString in
            let timelines = timelines(makesDirectory: true)
            let secret = try await prepare(connectionString, timelines, mayBegin: mayBegin) {
                roles.contains(.web)
                    ? try await InstallationSecret.forServer(configuration, of: $0)
                    : try await InstallationSecret.forCommand(configuration, of: $0)
            }
            let parts = Parts(
                configuration,
                connectionString: connectionString,
                secret: secret,
                timelines: timelines,
                logger: logger,
            )
            let samplesInbox = roles.contains(.worker)
            var services: [(name: String, service: any Service)] =
                parts.pools + [
                    ("inbox", parts.inbox), ("health worker", healthWorker(parts, samplesInbox: samplesInbox)),
                ]
            if let replica = parts.database.replica {
                services.append(
                    ("replica watch", ReplicaWatch(database: parts.database, replica: replica, logger: logger))
                )
            }
            if roles.contains(.worker) {
                services += [
                    ("notification worker", parts.worker),
                    ("job worker", parts.jobWorker),
                    ("rollup worker", RollupWorker(backOffice: parts.backOffice)),
                    ("expiry worker", ExpiryWorker(backOffice: parts.backOffice)),
                    ("maintenance", Maintenance(backOffice: parts.backOffice)),
                ]
            }
            let (ports, listening) = AsyncStream<Int>.makeStream()
            if let web {
                services.append(("staff watch", StaffWatch(backOffice: parts.backOffice)))
                services.append(("web server", webServer(parts, web, isWorker: samplesInbox) { listening.yield($0) }))
                if let address = configuration.metricsAddress {
                    let listener = MetricsListener(address: address, metrics: Self.metrics, logger: logger)
                    services.append(("metrics listener", listener))
                }
            }
            services += companions(parts, ports).map { ("companion", $0) }
            var group = ServiceGroupConfiguration(
                services: services.map {
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: deadline.watching($0.service, as: $0.name),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    )
                },
                logger: logger
            )
            // A service that has not ended by then is cancelled; the rest of the time is for what cancelling does not end.
            group.maximumGracefulShutdownDuration = configuration.shutdownLimit * 0.75
            do {
                try await deadline.runServices(of: ServiceGroup(configuration: group))
            } catch let error as IOError {
                throw ConfigurationProblem(listeningFailed: error, at: configuration)
            } catch let error as SocketAddressError.UnknownHost {
                throw ConfigurationProblem(unknownHost: error.host)
            }
        }
    }

    /// Lends the back office to one command, on a migrated database; begins no installation.
    package func withBackOffice<R: Sendable>(_ body: (BackOffice) async throws -> R) async throws -> R {
        try await withDatabaseServer { connectionString in
            let parts = try await commandParts(connectionString, isPatient: true)
            return try await withRunning(parts.pools.map(\.service) + [parts.inbox]) {
                try await body(parts.backOffice)
            }
        }
    }

    /// Brings the schema forward, also that of an empty database, and says which migrations it took.
    ///
    /// It may have to wait for another program, and then says for which, whatever else of a command is not logged.
    package func migrate() async throws -> [String] {
        var progress = logger
        progress.logLevel = min(progress.logLevel, .notice)
        return try await withDatabaseServer { [progress] connectionString in
            try await withMigrations(connectionString, timelines(makesDirectory: false)) {
                try await bringForward($0, logger: progress)
            }
        }
    }

    /// Works off what is due, and returns how many notifications that were.
    package func drain(retryingFailed: Bool) async throws -> Int {
        try await withDatabaseServer { connectionString in
            let parts = try await commandParts(connectionString)
            return try await withRunning(parts.pools.map(\.service)) {
                if retryingFailed { _ = try await parts.backOffice.retryFailedNotifications(caller: .systemUser) }
                _ = try await parts.backOffice.queue(.notifications).rescue()
                return try await parts.worker.drain()
            }
        }
    }

    /// Lends the back office to one command that also applies notifications, on a migrated database; begins no installation.
    func withWorker<R: Sendable>(_ body: (BackOffice, NotificationWorker) async throws -> R) async throws -> R {
        try await withDatabaseServer { connectionString in
            let parts = try await commandParts(connectionString)
            return try await withRunning(parts.pools.map(\.service) + [parts.inbox]) {
                try await body(parts.backOffice, parts.worker)
            }
        }
    }

    /// Lends the command what it works with, on a migrated database.
    ///
    /// - Parameter isPatient: true if it may take its time over one statement; a command that works off a queue may not.
    private func commandParts(_ connectionString: String, isPatient: Bool = false) async throws -> Parts {
        let timelines = timelines(makesDirectory: false)
        let secret = try await prepare(connectionString, timelines) {
            try await InstallationSecret.forCommand(configuration, of: $0)
        }
        return Parts(
            configuration,
            connectionString: connectionString,
            secret: secret,
            timelines: timelines,
            logger: logger,
            isCommand: isPatient
        )
    }

    /// Brings the schema forward, then asks the database for more.
    ///
    /// - Parameter mayBegin: true if an empty database is where an installation begins, and not a mistake.
    private func prepare<R: Sendable>(
        _ connectionString: String,
        _ timelines: TimelineHistory?,
        mayBegin: Bool = false,
        _ ask: (Database) async throws -> R
    ) async throws -> R {
        if !mayBegin { try await refuseEmptyDatabase(connectionString) }
        return try await withMigrations(connectionString, timelines) { pool in
            _ = try await bringForward(pool, logger: logger)
            let database = Database(writing: pool, reading: pool)
            if timelines != nil { try await database.rememberTimeline() }
            return try await ask(database)
        }
    }

    /// Applies the migrations that are missing, which the audit log tells of, whichever command it was, and returns their names.
    private func bringForward(_ pool: Pool, logger: Logger) async throws -> [String] {
        let applied = try await Schema.migrator.run(on: pool, logger: logger)
        guard !applied.isEmpty else { return [] }
        let before = Schema.migrator.migrations.map(\.name).last { !applied.contains($0) }
        try await Database(writing: pool, reading: pool).record(
            .migration(before: before, applied: applied),
            by: .systemUser
        )
        return applied
    }

    /// Refuses a database without an installation: a command that only reads or changes one would begin another in a wrong
    /// database, and call it whole.
    ///
    /// It looks without the timelines: a wrong database must not be remembered as the newest primary.
    private func refuseEmptyDatabase(_ connectionString: String) async throws {
        let hasBegun = try await withMigrations(connectionString, nil) { try await Schema.migrator.hasBegun(on: $0) }
        guard hasBegun else { throw nothingInDatabase }
    }

    /// The refusal of a command that finds a database without an installation.
    var nothingInDatabase: ConfigurationProblem {
        guard configuration.databaseURL == nil else {
            return ConfigurationProblem(
                "there is no Perennial in this database: is PERENNIAL_DATABASE_URL right? "
                    + "`perennial migrate` or `perennial serve` makes one"
            )
        }
        return ConfigurationProblem(
            "there is no Perennial in the database of \(configuration.stateDirectory.path): is PERENNIAL_STATE right? "
                + "`perennial migrate` or `perennial serve` makes one"
        )
    }

    private func withMigrations<R: Sendable>(
        _ connectionString: String,
        _ timelines: TimelineHistory?,
        _ body: (Pool) async throws -> R
    ) async throws -> R {
        var configuration = PoolConfiguration(connectionString: connectionString)
        configuration.name = "migrations"
        configuration.sharedConnections = 1
        // A migration that waits for a table keeps everybody else waiting behind it; one that has its tables may take
        // its time.
        configuration.lockTimeout = .seconds(30)
        configuration.transactionTimeout = nil
        // Long enough for any of them; a server that hangs holds nobody for longer.
        configuration.answerTimeout = .seconds(3_600)
        let pool = Pool(configuration, logger: logger, admission: timelines.map(ServerAdmission.primary))
        return try await withRunning([pool]) { try await body(pool) }
    }

    /// The metrics registry of this process; set up once, before anything is counted.
    static let metrics: PrometheusRegistry = {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private func healthWorker(_ parts: Parts, samplesInbox: Bool) -> HealthWorker {
        let stalled = Gauge(label: "perennial_work_stalled_seconds")
        return HealthWorker(backOffice: parts.backOffice, samplesInbox: samplesInbox) { stalledFor in
            stalled.record((stalledFor ?? .zero) / .seconds(1))
        }
    }

    /// Runs services for as long as `body` takes.
    func withRunning<R: Sendable>(
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
    func withDatabaseServer<R: Sendable>(
        makesMissing: Bool = false,
        _ body: (String) async throws -> R
    ) async throws -> R {
        if let databaseURL = configuration.databaseURL { return try await body(databaseURL) }
        let cluster = cluster(makesMissing: makesMissing)
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

    /// A state directory with a secret is that of an installation: an empty database with it is a mistake.
    private func refuseSecretWithoutDatabase() throws {
        guard configuration.databaseURL == nil, InstallationSecret.isKept(in: configuration),
            try !cluster(makesMissing: false).hasData()
        else { return }
        let state = configuration.stateDirectory.path
        throw ConfigurationProblem(
            "\(state) holds the secret of an installation, but not its database: is PERENNIAL_DATABASE_URL or PERENNIAL_STATE "
                + "not set as before? To begin anew, remove \(state)/secret"
        )
    }

    func cluster(makesMissing: Bool) -> Cluster {
        Cluster(
            directory: configuration.stateDirectory.appending(path: "postgres").path,
            database: "perennial",
            makesMissing: makesMissing,
            patience: min(.seconds(30), configuration.shutdownLimit / 2),
            logger: logger
        )
    }
}
