import Postgres

/// Databases with tables, which tests borrow one after another. Making one and connecting to it costs more than most tests do in
/// it.
actor LentDatabases {
    static let shared = LentDatabases()

    private struct Kind: Hashable {
        let template: DatabaseTemplate
        /// The configuration without the address.
        let configuration: PoolConfiguration
    }

    private var idle: [Kind: [LentDatabase]] = [:]

    /// Lends a database like the template, with a pool of this configuration apart from its address.
    func borrow(_ template: DatabaseTemplate, like configuration: PoolConfiguration) async throws -> LentDatabase {
        while let lent = idle[kind(template, configuration), default: []].popLast() {
            if try await lent.isAsNew() { return lent }
            try await lent.drop()
        }
        let rows = try await TestCluster.shared.template(template).rows
        let (name, connectionString) = try await TestDatabase.makeNamed(template: template)
        var configuration = configuration
        configuration.connectionString = connectionString
        return try await LentDatabase(name: name, template: template, rows: rows, configuration: configuration)
    }

    /// Takes back a database for the next test; drops one that a test changed for good.
    func giveBack(_ lent: LentDatabase) async throws {
        guard try await lent.restore() else { return try await lent.drop() }
        idle[kind(lent.template, lent.pool.configuration), default: []].append(lent)
    }

    private func kind(_ template: DatabaseTemplate, _ configuration: PoolConfiguration) -> Kind {
        var configuration = configuration
        configuration.connectionString = ""
        return Kind(template: template, configuration: configuration)
    }
}
