package import Logging
package import Postgres

/// Makes databases for tests; each test has its own.
package enum TestDatabase {
    /// Makes a database, empty or like the template; returns its connection string.
    package static func make(template: DatabaseTemplate? = nil) async throws -> String {
        try await makeNamed(template: template).connectionString
    }

    static func makeNamed(template: DatabaseTemplate?) async throws -> (name: String, connectionString: String) {
        let cluster = try await TestCluster.shared.cluster()
        let original: String? =
            if let template { try await TestCluster.shared.template(template).name } else { nil }
        let name = await TestCluster.shared.freshName()
        try await cluster.createDatabase(named: name, template: original)
        return (name, cluster.connectionString(database: name))
    }
}

/// Runs a test on a pool over a database that nobody else uses meanwhile; `configure` may change how the pool connects. A test that
/// measures runs `alone`. With a template, the database may have been another test's before; its rows are the template's.
package func withDatabase<Value>(
    template: DatabaseTemplate? = nil,
    alone: Bool = false,
    configure: (inout PoolConfiguration) -> Void = { _ in },
    _ body: (Pool) async throws -> Value
) async throws -> Value {
    try await TestGate.shared.pass(alone: alone) {
        var configuration = PoolConfiguration.patient("")
        configure(&configuration)
        if let template { return try await withLentDatabase(template, like: configuration, body) }
        let (name, connectionString) = try await TestDatabase.makeNamed(template: nil)
        configuration.connectionString = connectionString
        let value = try await withPool(configuration, body)
        try await TestCluster.shared.cluster().dropDatabase(named: name)
        return value
    }
}

private func withLentDatabase<Value>(
    _ template: DatabaseTemplate,
    like configuration: PoolConfiguration,
    _ body: (Pool) async throws -> Value
) async throws -> Value {
    let lent = try await LentDatabases.shared.borrow(template, like: configuration)
    let value: Value
    do {
        value = try await body(lent.pool)
    } catch {
        // The test's own failure is the one to report.
        try? await lent.drop()
        throw error
    }
    try await LentDatabases.shared.giveBack(lent)
    return value
}

extension PoolConfiguration {
    /// Returns a configuration for tests, which must not fail because the machine is busy.
    package static func patient(_ connectionString: String) -> Self {
        var configuration = Self(connectionString: connectionString)
        configuration.connectTimeout = .seconds(60)
        configuration.acquireTimeout = .seconds(300)
        configuration.statementTimeout = .seconds(300)
        configuration.lockTimeout = nil
        configuration.shortestLockTimeout = .patient
        configuration.idleInTransactionTimeout = nil
        configuration.transactionTimeout = nil
        configuration.answerTimeout = nil
        configuration.patience = .seconds(60)
        return configuration
    }
}

extension Duration {
    /// A limit for what the product gives up after a second or two: a test fails at it because something hangs, never because the
    /// machine is busy.
    package static let patient = Duration.seconds(60)
}

/// Runs a pool while the body runs.
package func withPool<Value>(
    _ configuration: PoolConfiguration,
    logger: Logger = .quiet,
    _ body: (Pool) async throws -> Value
) async throws -> Value {
    let pool = Pool(configuration, logger: logger)
    let running = Task { try await pool.run() }
    do {
        let value = try await body(pool)
        running.cancel()
        _ = await running.result
        return value
    } catch {
        running.cancel()
        _ = await running.result
        throw error
    }
}
