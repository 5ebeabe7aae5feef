import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// A private PostgreSQL, owned by this program: made on first start, reachable by a Unix socket only, stopped with us.
///
/// Whatever was killed before (the server, PostgreSQL, both), `start()` gets it going again. When another process of
/// ours runs the cluster already, this one uses it, and runs it on when the other ends first.
package final class Cluster: Service {
    struct State {
        var place: ClusterPlace?
        var postmaster: Postmaster?
        var lock: FileHandle?
        /// Waits to take over from another process; nil when it runs here.
        var heir: Task<Void, Never>?
    }

    private let directory: String
    let database: String
    private let makesMissing: Bool
    let settings: [String: String]
    let logger: Logger
    let state = Mutex(State())

    /// - Parameters:
    ///   - database: is made if it does not exist.
    ///   - makesMissing: whether a first start makes the cluster. What only wants to read or change one must not: in a
    ///     wrong directory it would find an empty one and call it whole.
    ///   - settings: go to the server's command line.
    package init(
        directory: String,
        database: String = "postgres",
        makesMissing: Bool = true,
        settings: [String: String] = [:],
        logger: Logger
    ) {
        self.directory = directory
        self.database = database
        self.makesMissing = makesMissing
        self.settings = settings
        self.logger = logger
    }

    /// How to reach the database; good once `start()` has returned.
    package var connectionString: String { connectionString(database: database) }

    package func connectionString(database: String) -> String {
        let socket = state.withLock { $0.place?.socketDirectory ?? "" }
        return "host=\(quoted(socket)) user=postgres dbname=\(quoted(database))"
    }

    /// The process id of the server, when it is ours.
    package var processID: Int32? { state.withLock(\.postmaster)?.processID }

    /// Starts (if nobody has), waits for the shutdown, stops.
    package func run() async throws {
        if state.withLock({ $0.place == nil }) { try await start() }
        try? await gracefulShutdown()
        try await stop()
    }

    /// Makes the cluster if there is none and it may, and returns once it answers.
    ///
    /// - Throws: `PostgresError` with `.cluster` that says what is in the way and what mends it.
    package func start() async throws {
        let account = try ClusterAccount.needed()
        let place = makesMissing ? try ClusterPlace.choose(directory, account: account) : try existingPlace(account)
        try place.prepare(account: account)
        state.withLock { $0.place = place }
        if try await !runOrShare(place, account: account) {
            let heir = Task { await succeed(place, account: account) }
            state.withLock { $0.heir = heir }
        }
        guard database != "postgres", try await !exists(database: database) else { return }
        do {
            try await createDatabase(named: database)
        } catch {
            // Another process of ours may have started in the same moment and made it.
            guard try await exists(database: database) else { throw error }
        }
    }

    /// Whether there is a cluster, running or not.
    package func hasData() throws -> Bool {
        try ClusterPlace.choose(directory, account: try ClusterAccount.needed()).hasData
    }

    /// Stops the server, if it is ours: sessions are cut, nothing is lost.
    package func stop() async throws {
        if let heir = state.withLock(\.heir) {
            heir.cancel()
            await heir.value
        }
        let wasOurs = try await endOwn()
        let (place, lock) = state.withLock { state in
            defer { state = State() }
            return (state.place, state.lock)
        }
        if wasOurs { place?.removeSocketDirectory() }
        try lock?.close()
    }

    /// Stops the server; false when it is not ours.
    @discardableResult
    func endOwn() async throws -> Bool {
        guard let postmaster = state.withLock(\.postmaster) else { return false }
        logger.info("stopping the database cluster")
        try await postmaster.stop()
        state.withLock { $0.postmaster = nil }
        return true
    }

    /// The place of a cluster that there is.
    ///
    /// - Throws: `PostgresError` with `.cluster` when there is none.
    func existingPlace(_ account: ClusterAccount?) throws -> ClusterPlace {
        let place = try ClusterPlace.choose(directory, account: account)
        guard place.hasData else {
            throw PostgresError(
                .cluster,
                "there is no database in \(place.root): is PERENNIAL_STATE right? `perennial serve` makes one on its first start"
            )
        }
        return place
    }

    /// Makes a database; from a template it is a copy of its files, which nobody may be connected to meanwhile.
    package func createDatabase(named name: String, template: String? = nil) async throws {
        let from = template.map { " TEMPLATE \(identifier($0)) STRATEGY FILE_COPY" } ?? ""
        try await execute("CREATE DATABASE \(identifier(name))\(from)", database: "postgres")
    }

    /// Drops a database with whoever is connected to it.
    package func dropDatabase(named name: String) async throws {
        try await execute("DROP DATABASE IF EXISTS \(identifier(name)) WITH (FORCE)", database: "postgres")
    }

    private func exists(database: String) async throws -> Bool {
        do {
            try await execute("SELECT 1", database: database)
            return true
        } catch let error as PostgresError where error.message.contains("does not exist") {
            return false
        }
    }

    func execute(_ script: String, database: String) async throws {
        let parameters = [("dbname", connectionString(database: database)), ("connect_timeout", "10")]
        try await onThread {
            let connection = try PGConnection.open(parameters) { _ in }
            try connection.executeBlocking(script)
        }
    }

    private func identifier(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    private func quoted(_ value: String) -> String {
        "'" + value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }
}
