import Foundation
import Operations
import Postgres
import Storage

extension Wiring {
    /// Copies the database to a new directory, while servers go on, and restores it once to see that it is whole.
    ///
    /// The schema stays as it is, so that the program that is about to bring it forward can make the backup before.
    /// SIGTERM and SIGINT end it, and nothing of it stays.
    ///
    /// - Parameters:
    ///   - withSecret: true to copy the secret next to the dump, and not its fingerprint alone.
    ///   - checks: true to restore the copy to a cluster that is thrown away, and compare them.
    /// - Throws: `ConfigurationProblem` when the copy is not the same as what was copied; then there is no backup.
    package func backUp(to directory: String, withSecret: Bool, checks: Bool) async throws -> BackupManifest {
        try await Interruption.cancelling("the backup was told to stop, and what it had written is removed") {
            try await makeBackup(in: directory, withSecret: withSecret, checks: checks)
        }
    }

    /// Returns the doctor's findings on copies of the database that a killed backup could not remove.
    func leftoversOfBackups() -> [Finding] {
        checkDirectories.flatMap { Cluster.leftovers(Self.checkPrefix, in: $0) }.map { path in
            .ill(
                "\(path) holds a copy of the database, left by a backup that was killed",
                mend: "the next `perennial backup` removes it; or remove the directory"
            )
        }
    }

    private func makeBackup(in directory: String, withSecret: Bool, checks: Bool) async throws -> BackupManifest {
        for place in checkDirectories { Cluster.removeLeftovers(Self.checkPrefix, in: place) }
        let folder = try BackupFolder.begin(directory)
        do {
            return try await withDatabaseServer { connectionString in
                var manifest = try await dump(connectionString, to: folder)
                if withSecret {
                    let secret = try InstallationSecret.toCopy(configuration, of: manifest.facts)
                    try folder.write(Data(secret), to: folder.secret)
                }
                if checks {
                    manifest.isAuditChecked = try await check(folder, manifest)
                    manifest.isChecked = true
                }
                try folder.write(try manifest.encoded(), to: folder.manifest)
                // Before the copy is called a backup: none is made that the log does not tell of.
                try await record(
                    .backup(directory: directory, hasSecret: withSecret, isChecked: checks),
                    in: connectionString
                )
                try folder.finish()
                return manifest
            }
        } catch {
            folder.abandon()
            throw error
        }
    }

    private func dump(_ connectionString: String, to folder: BackupFolder) async throws -> BackupManifest {
        // It looks without the timelines: a wrong database must not be remembered as the newest primary.
        let isThere = try await withPool(to: connectionString) { try await DatabaseFacts.areThere(on: $0) }
        guard isThere else { throw nothingInDatabase }
        let admission = timelines(makesDirectory: false).map(ServerAdmission.primary)
        return try await withPool(to: connectionString, admission) { pool in
            try await DatabaseSnapshot.hold(on: pool) { snapshot in
                try await DatabaseDump.write(
                    connectionString,
                    admission: admission,
                    schema: snapshot.facts.schema,
                    snapshot: snapshot.name,
                    serverVersion: snapshot.serverVersion,
                    emptied: DatabaseFacts.ofOneLog,
                    to: folder.dump
                )
                let (size, hash) = try folder.measuredDump()
                return BackupManifest(
                    madeAt: Date(),
                    postgresVersion: snapshot.serverVersion,
                    dumpSize: size,
                    dumpSHA256: hash,
                    isChecked: false,
                    isAuditChecked: false,
                    facts: snapshot.facts
                )
            }
        }
    }

    /// Restores a backup to a cluster of its own, which is thrown away.
    ///
    /// - Returns: true if the audit log was computed anew.
    private func check(_ folder: BackupFolder, _ manifest: BackupManifest) async throws -> Bool {
        // PostgreSQL's user can reach the directory of the private cluster; with an external database that may not exist.
        let parent = configuration.databaseURL == nil ? configuration.stateDirectory.path : Self.temporaryDirectory
        let place = "\(parent)/\(Self.checkPrefix)\(UUID().uuidString.prefix(8))"
        let cluster = Cluster(
            directory: place,
            database: "perennial",
            patience: .seconds(3),
            settings: ["fsync": "off", "full_page_writes": "off", "autovacuum": "off"],
            logger: logger
        )
        defer { try? FileManager.default.removeItem(atPath: place) }
        try await cluster.start()
        let isAuditChecked: Bool
        do {
            isAuditChecked = try await fill(
                cluster.connectionString,
                isOurs: true,
                from: folder,
                manifest,
                afterwards: "There is no backup"
            )
        } catch {
            try? await cluster.stop()
            throw error
        }
        try await cluster.stop()
        return isAuditChecked
    }

    /// The directories in which checks make their clusters, under these settings or others.
    private var checkDirectories: [String] { [configuration.stateDirectory.path, Self.temporaryDirectory] }

    private static let temporaryDirectory = "/var/tmp"
    private static let checkPrefix = "perennial-backup-check-"
}
