import Postgres

/// Databases with tables that tests borrow one after the other: making one, and connecting to it anew, costs more than
/// most tests do in it.
actor LentDatabases {
    static let shared = LentDatabases()

    private struct Kind: Hashable {
        let migrations: [Migrator.Migration]
        /// Without the address.
        let configuration: PoolConfiguration
    }

    private var idle: [Kind: [LentDatabase]] = [:]

    /// An empty database, and a pool for it that is set up like this one, whatever address it names.
    func borrow(_ migrations: [Migrator.Migration], like configuration: PoolConfiguration) async throws -> LentDatabase
    {
        while let lent = idle[kind(migrations, configuration), default: []].popLast() {
            if try await lent.isAsNew() { return lent }
            try await lent.drop()
        }
        let (name, connectionString) = try await TestDatabase.makeNamed(template: migrations)
        var configuration = configuration
        configuration.connectionString = connectionString
        return try await LentDatabase(name: name, migrations: migrations, configuration: configuration)
    }

    /// Takes back what the next test may have; what a test changed for good is dropped.
    func giveBack(_ lent: LentDatabase) async throws {
        guard try await lent.empty() else { return try await lent.drop() }
        idle[kind(lent.migrations, lent.pool.configuration), default: []].append(lent)
    }

    private func kind(_ migrations: [Migrator.Migration], _ configuration: PoolConfiguration) -> Kind {
        var configuration = configuration
        configuration.connectionString = ""
        return Kind(migrations: migrations, configuration: configuration)
    }
}
