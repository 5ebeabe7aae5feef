import Foundation
import Synchronization

/// The result of a private cluster's upgrade.
package struct ClusterUpgrade: Sendable, Equatable {
    /// Major versions of PostgreSQL, such as 15 and 17.
    package let from: Int
    package let to: Int
    /// The directory where the old data is kept until somebody removes it.
    package let kept: String
}

extension Cluster {
    /// Brings the data to the newest PostgreSQL that is installed (or that `PERENNIAL_PG_BINDIR` names), by pg_upgrade(1)
    /// in its copying mode: what was there before stays as it was, and is what runs if anything fails.
    ///
    /// - Returns: nil when the data is of that version already.
    /// - Throws: `PostgresError` with `.cluster` when there is no data, when somebody uses it, when programs are missing,
    ///   or with what pg_upgrade said.
    package func upgrade() async throws -> ClusterUpgrade? {
        let account = try ClusterAccount.needed()
        let place = try existingPlace(account)
        guard let lock = try takeLock(place) else {
            throw PostgresError(
                .cluster,
                "another process runs the cluster in \(place.root): end it first, then upgrade"
            )
        }
        defer { try? release(lock) }
        guard let version = place.version else {
            throw PostgresError(.cluster, "\(place.data)/PG_VERSION names no version of PostgreSQL")
        }
        let (old, new) = try await onThread { try Self.tools(from: version) }
        guard new.version > version else { return nil }
        return try await upgrade(place, from: old, to: new, account)
    }

    /// The upgrade itself, between any two sets of programs; for who holds the cluster's lock.
    func upgrade(
        _ place: ClusterPlace,
        from old: ClusterTools,
        to new: ClusterTools,
        _ account: ClusterAccount?
    ) async throws -> ClusterUpgrade {
        let kept = place.data + ".postgresql-\(old.version)"
        guard !FileManager.default.fileExists(atPath: kept) else {
            throw PostgresError(.cluster, "\(kept) is there already, from an upgrade before: move it away first")
        }
        state.withLock { $0.place = place }
        defer { state.withLock { $0 = State() } }
        try await shutDownCleanly(place, old, account)
        place.removeUnfinished()
        let unfinished = place.newUnfinished()
        try await initialize(unfinished, new, account)
        do {
            // pg_upgrade leaves a script where it works that would delete what is by then the new data.
            try await place.withWorkingDirectory(account: account) { directory in
                let command = Command(
                    path: new.path(of: "pg_upgrade"),
                    arguments: [
                        "--old-datadir", place.data, "--new-datadir", unfinished, "--old-bindir", old.directory,
                        "--new-bindir", new.directory, "--username", "postgres", "--socketdir", place.socketDirectory,
                    ],
                    account: account,
                    directory: directory
                )
                _ = try await command.run()
            }
        } catch let error as PostgresError {
            throw PostgresError(.cluster, "\(error.message) (the old data is untouched)", underlying: error)
        }
        try place.move(place.data, to: kept)
        try place.move(unfinished, to: place.data)
        // Before PostgreSQL 18, pg_upgrade does not carry over the planner's statistics.
        try await run(place, new, account)
        try await execute("ANALYZE", database: database, within: nil)
        try await endOwn()
        return ClusterUpgrade(from: old.version, to: new.version, kept: kept)
    }

    /// pg_upgrade takes data only of a server that ended in order.
    private func shutDownCleanly(_ place: ClusterPlace, _ tools: ClusterTools, _ account: ClusterAccount?) async throws
    {
        try await endPredecessor(place)
        try await run(place, tools, account)
        try await endOwn()
    }

    private static func tools(from version: Int) throws -> (old: ClusterTools, new: ClusterTools) {
        // Named programs are the new ones; the old ones are looked for where they usually are.
        var usual = ProcessInfo.processInfo.environment
        usual["PERENNIAL_PG_BINDIR"] = nil
        let candidates = try ClusterTools.all()
        let new = candidates.max { $0.version < $1.version } ?? candidates[0]
        guard new.version > version else { return (new, new) }
        return (try ClusterTools.find(version: version, environment: usual), new)
    }
}
