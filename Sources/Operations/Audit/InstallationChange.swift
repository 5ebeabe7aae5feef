package import Foundation
package import Storage

/// A command of the operator's on the database as a whole.
package enum InstallationChange: Hashable, Sendable {
    /// The schema was brought forward.
    ///
    /// - Parameters:
    ///   - before: the newest migration of before; nil where the installation began.
    ///   - applied: the migrations, oldest first.
    case migration(before: String?, applied: [String])
    /// A copy was made.
    case backup(directory: String, hasSecret: Bool, isChecked: Bool)
    /// The database was filled from a copy of this time.
    case restoration(madeAt: Date)
    /// The private cluster was brought to another major version of PostgreSQL.
    case clusterUpgrade(from: Int, to: Int)

    var action: AuditAction {
        switch self {
        case .migration: .migrateSchema
        case .backup: .makeBackup
        case .restoration: .restoreBackup
        case .clusterUpgrade: .upgradeCluster
        }
    }

    var before: AuditJSON? {
        switch self {
        case .migration(let before, _): before.map { AuditJSON([("schema", $0)]) }
        case .clusterUpgrade(let from, _): AuditJSON([("postgresql", String(from))])
        case .backup, .restoration: nil
        }
    }

    var after: AuditJSON {
        switch self {
        case .migration(_, let applied):
            AuditJSON([("schema", applied.last), ("migrations", String(applied.count))])
        case .backup(let directory, let hasSecret, let isChecked):
            AuditJSON([
                ("directory", directory), ("secret", hasSecret ? "yes" : "no"), ("restored", isChecked ? "yes" : "no"),
            ])
        case .restoration(let madeAt): AuditJSON([("backup", madeAt.formatted(.iso8601))])
        case .clusterUpgrade(_, let to): AuditJSON([("postgresql", String(to))])
        }
    }
}

extension Database {
    /// Writes down what a command did to the database as a whole; the database may be of an earlier version of the program.
    ///
    /// A schema of a version without the present form of the log takes no entry.
    package func record(_ change: InstallationChange, by caller: Caller) async throws {
        guard try await takesAuditEntries() else { return }
        try await appendToAuditLog(
            caller.entry(change.action, before: change.before?.text, after: change.after.text)
        )
    }
}
