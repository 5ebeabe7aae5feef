import Foundation
import Operations
import Postgres
import Storage

extension Wiring {
    /// Copies the database to a new directory, while servers go on, and restores it once to see that it is whole.
    ///
    /// The schema stays as it is, so that the program that is about to bring it forward can make the backup before.
    ///
    /// - Parameters:
    ///   - withSecret: whether the secret is copied beside the dump, and not its fingerprint alone.
    ///   - checks: whether the copy is restored to a cluster that is thrown away, and compared.
    /// - Throws: `ConfigurationProblem` when the copy is not the same as what was copied; then there is no backup.
    package func backUp(to directory: String, withSecret: Bool, checks: Bool) async throws -> BackupManifest {
        let folder = try BackupFolder.begin(directory)
        do {
            let manifest = try await withDatabaseServer { connectionString in
                try await withPool(to: connectionString) {
                    try await dump($0, connectionString, to: folder, isChecked: checks)
                }
            }
            if checks { try await check(folder, manifest) }
            if withSecret { try folder.write(Data(try InstallationSecret.toCopy(configuration)), to: folder.secret) }
            try folder.write(try manifest.encoded(), to: folder.manifest)
            try folder.finish()
            return manifest
        } catch {
            folder.abandon()
            throw error
        }
    }

    /// Fills an empty database from a backup.
    ///
    /// - Returns: what to know before the next start, a line each.
    /// - Throws: `ConfigurationProblem` when the backup or the database is not what it has to be; then nothing was changed.
    package func restore(from directory: String) async throws -> [String] {
        let folder = BackupFolder(path: URL(fileURLWithPath: directory).standardizedFileURL.path)
        let manifest = try folder.checkedManifest()
        let known = Set(Schema.migrator.migrations.map(\.name))
        if let later = manifest.facts.migrations.first(where: { !known.contains($0) }) {
            throw ConfigurationProblem(
                "the backup has the migration \(later), which this program does not know: restore it with the version that made it"
            )
        }
        try await withDatabaseServer(makesMissing: true) { connectionString in
            try await withPool(to: connectionString) { pool in
                let before = try await DatabaseFacts.current(on: pool)
                guard before.rows.isEmpty else {
                    throw ConfigurationProblem(
                        "the database is not empty: restore to a PERENNIAL_STATE without one, or to an empty PERENNIAL_DATABASE_URL"
                    )
                }
                try await fill(pool, connectionString, from: folder, manifest)
            }
        }
        return try InstallationSecret.restore(from: folder, manifest, configuration)
    }

    private func dump(
        _ pool: Pool,
        _ connectionString: String,
        to folder: BackupFolder,
        isChecked: Bool
    ) async throws -> BackupManifest {
        try await DatabaseSnapshot.hold(on: pool) { snapshot in
            guard !snapshot.facts.migrations.isEmpty else {
                throw ConfigurationProblem("there is nothing of this program in the database")
            }
            try await DatabaseDump.write(
                connectionString,
                snapshot: snapshot.name,
                serverVersion: snapshot.serverVersion,
                to: folder.dump
            )
            let (size, hash) = try folder.measuredDump()
            return BackupManifest(
                madeAt: Date(),
                postgresVersion: snapshot.serverVersion,
                dumpSize: size,
                dumpSHA256: hash,
                isChecked: isChecked,
                facts: snapshot.facts
            )
        }
    }

    /// Restores a backup to a cluster of its own, which is thrown away.
    private func check(_ folder: BackupFolder, _ manifest: BackupManifest) async throws {
        // Where the private cluster is, PostgreSQL's user gets; with a database of yours nothing needs to be there.
        let parent = configuration.databaseURL == nil ? configuration.stateDirectory.path : "/var/tmp"
        let place = "\(parent)/perennial-backup-check-\(UUID().uuidString.prefix(8))"
        let cluster = Cluster(
            directory: place,
            database: "perennial",
            settings: ["fsync": "off", "full_page_writes": "off", "autovacuum": "off"],
            logger: logger
        )
        defer { try? FileManager.default.removeItem(atPath: place) }
        do {
            try await cluster.start()
            try await withPool(to: cluster.connectionString) {
                try await fill($0, cluster.connectionString, from: folder, manifest)
            }
        } catch {
            try? await cluster.stop()
            throw error
        }
        try await cluster.stop()
    }

    /// Restores and compares; the audit log is computed anew when its form is this program's.
    private func fill(
        _ pool: Pool,
        _ connectionString: String,
        from folder: BackupFolder,
        _ manifest: BackupManifest
    ) async throws {
        try await DatabaseDump.read(folder.dump, into: connectionString, serverVersion: manifest.postgresVersion)
        let restored = try await DatabaseFacts.current(on: pool)
        let differences = restored.differences(from: manifest.facts)
        guard differences.isEmpty else {
            throw ConfigurationProblem(
                "what was restored differs from what was copied: \(differences.joined(separator: ", "))"
            )
        }
        _ = try await pool.query("ANALYZE")
        guard manifest.facts.migrations == Schema.migrator.migrations.map(\.name) else { return }
        let parts = Parts(
            configuration,
            connectionString: connectionString,
            secret: nil,
            timelines: nil,
            logger: logger,
            isCommand: true
        )
        let verdict = try await withRunning([parts.writing, parts.reading]) {
            try await parts.backOffice.verifyAuditChain()
        }
        if case .broken(let found) = verdict { throw ConfigurationProblem("the audit log is broken. \(found.text)") }
    }

    private func withPool<R: Sendable>(to connectionString: String, _ body: (Pool) async throws -> R) async throws -> R
    {
        var configuration = PoolConfiguration(connectionString: connectionString)
        configuration.name = "backup"
        // A copy takes as long as it takes.
        configuration.transactionTimeout = nil
        configuration.answerTimeout = nil
        let pool = Pool(configuration, logger: logger)
        return try await withRunning([pool]) { try await body(pool) }
    }
}
