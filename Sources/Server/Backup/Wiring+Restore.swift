import Foundation
import Operations
import Postgres
import Storage

extension Wiring {
    /// Fills an empty database from a backup.
    ///
    /// A backup or a database that does not fit is found before anything is changed, and a restore that breaks off leaves the
    /// database empty. A difference is found in the filled database; the error says so.
    ///
    /// - Returns: the notes for the next start, a line each.
    /// - Throws: `ConfigurationProblem` when the backup or the database is not what it has to be.
    package func restore(from directory: String) async throws -> [String] {
        try await Interruption.cancelling(
            "the restore was told to stop: a next one is refused if the database was filled by then"
        ) {
            try await restored(from: directory)
        }
    }

    private func restored(from directory: String) async throws -> [String] {
        let folder = BackupFolder(path: URL(fileURLWithPath: directory).standardizedFileURL.path)
        let manifest = try folder.checkedManifest()
        let known = Set(Schema.migrator.migrations.map(\.name))
        if let later = manifest.facts.migrations.first(where: { !known.contains($0) }) {
            throw ConfigurationProblem(
                "the backup has the migration \(later), which this program does not know: restore it with the version that made it"
            )
        }
        let secret = try InstallationSecret.restoration(from: folder, manifest.facts, configuration)
        let admission = timelines(makesDirectory: false).map(ServerAdmission.primary)
        let isAuditChecked = try await withDatabaseServer(makesMissing: true) { connectionString in
            // It looks without the timelines: a wrong database must not be remembered as the newest primary.
            try await withPool(to: connectionString) { pool in
                try await asking(manifest.facts) { try await RestoreTarget.look(at: manifest.facts.schema, on: pool) }
            }
            let isAuditChecked = try await fill(
                connectionString,
                isOurs: configuration.databaseURL == nil,
                admission,
                from: folder,
                manifest,
                afterwards: "The database was filled all the same: start no server on it, and empty it for the next try"
            )
            try await record(.restoration(madeAt: manifest.madeAt), in: connectionString)
            return isAuditChecked
        }
        let lines = [InstallationSecret.apply(secret, configuration)].compactMap(\.self)
        return isAuditChecked ? lines : lines + [Self.auditLogUnchecked, Self.auditLogCheckedLater]
    }

    /// Restores and compares; computes the audit log anew when its form is this program's.
    ///
    /// - Parameters:
    ///   - isOurs: true if the database is of a private cluster, and is set up as the backup wants it.
    ///   - afterwards: a sentence on the state of the database when it is not the same.
    /// - Returns: true if the audit log was computed.
    func fill(
        _ connectionString: String,
        isOurs: Bool,
        _ admission: ServerAdmission? = nil,
        from folder: BackupFolder,
        _ manifest: BackupManifest,
        afterwards: String
    ) async throws -> Bool {
        let facts = manifest.facts
        if isOurs {
            try await withPool(to: connectionString) { pool in
                try await asking(facts) { try await RestoreTarget.lead(pool, to: facts.schema) }
            }
        }
        try await withPool(to: connectionString, admission) { pool in
            try await asking(facts) { try await RestoreTarget.prepare(for: facts, on: pool) }
            try await DatabaseDump.read(
                folder.dump,
                into: connectionString,
                admission: admission,
                schema: facts.schema,
                serverVersion: manifest.postgresVersion
            )
            let differences = try await DatabaseFacts.current(on: pool).differences(from: facts)
            guard differences.isEmpty else {
                throw ConfigurationProblem(
                    "what was restored differs from what was copied: \(differences.joined(separator: ", ")). \(afterwards)"
                )
            }
            _ = try await pool.query("ANALYZE")
        }
        guard facts.migrations == Schema.migrator.migrations.map(\.name) else { return false }
        if let found = try await breakInAuditLog(connectionString, admission) {
            throw ConfigurationProblem("the audit log of the copy is broken: \(found.text). \(afterwards)")
        }
        return true
    }

    private func breakInAuditLog(
        _ connectionString: String,
        _ admission: ServerAdmission?
    ) async throws -> AuditBreak? {
        var configuration = configuration
        // A replica has what was there before.
        configuration.readDatabaseURL = nil
        let parts = Parts(
            configuration,
            connectionString: connectionString,
            secret: nil,
            timelines: admission?.history,
            logger: logger,
            isCommand: true
        )
        let verdict = try await withRunning([parts.writing, parts.reading]) {
            try await parts.backOffice.verifyAuditChain()
        }
        return if case .broken(let found) = verdict { found } else { nil }
    }

    /// Says in words for the operator why a database is not one to restore to.
    private func asking(_ facts: DatabaseFacts, _ step: () async throws -> Void) async throws {
        do {
            try await step()
        } catch RestoreTarget.Unfit.notEmpty {
            throw ConfigurationProblem(
                "the database is not empty: restore to a PERENNIAL_STATE without one, or to an empty PERENNIAL_DATABASE_URL"
            )
        } catch RestoreTarget.Unfit.elsewhere(let schema) {
            throw ConfigurationProblem(
                "the backup is of the schema \(facts.schema), and the search path of the connection leads to "
                    + "\(schema ?? "no schema"): ALTER DATABASE … SET search_path = \(facts.schema), and restore again"
            )
        }
    }

    /// Writes a command of the operator's into the audit log of a database.
    func record(_ change: InstallationChange, in connectionString: String) async throws {
        let admission = timelines(makesDirectory: false).map(ServerAdmission.primary)
        try await withPool(to: connectionString, admission) { pool in
            try await Database(writing: pool, reading: pool).record(change, by: .systemUser)
        }
    }

    func withPool<Value: Sendable>(
        to connectionString: String,
        _ admission: ServerAdmission? = nil,
        _ body: (Pool) async throws -> Value
    ) async throws -> Value {
        var configuration = PoolConfiguration(connectionString: connectionString)
        configuration.name = "backup"
        // A copy takes as long as it takes.
        configuration.transactionTimeout = nil
        configuration.answerTimeout = nil
        let pool = Pool(configuration, logger: logger, admission: admission)
        return try await withRunning([pool]) { try await body(pool) }
    }

    /// The sentence of `backup` and `restore` about a schema that is another version's.
    package static let auditLogUnchecked =
        "The audit log was compared by its end, not computed anew: the schema is that of another version of this program."
    private static let auditLogCheckedLater =
        "`perennial audit verify` computes it, once a server has brought the schema forward."
}
