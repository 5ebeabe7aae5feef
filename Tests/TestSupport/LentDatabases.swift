import Postgres

/// Databases with tables that tests borrow one after the other: making one, and connecting to it anew, costs more than
/// most tests do in it.
actor LentDatabases {
    static let shared = LentDatabases()

    private struct Kind: Hashable {
        let template: DatabaseTemplate
        /// Without the address.
        let configuration: PoolConfiguration
    }

    private var idle: [Kind: [LentDatabase]] = [:]

    /// A database as the template is, and a pool for it that is set up like this one, whatever address it names.
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

    /// Takes back what the next test may have; what a test changed for good is dropped.
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
