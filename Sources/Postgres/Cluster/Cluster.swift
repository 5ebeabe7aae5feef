import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// A private PostgreSQL, owned by this program: made on first start, reachable by a Unix socket only, stopped with us.
///
/// Whatever was killed before (the server, PostgreSQL, both), `start()` gets it going again. When another process of
/// ours runs the cluster already, this one uses it and leaves its end to the other.
package final class Cluster: Service {
    struct State {
        var place: ClusterPlace?
        var postmaster: Postmaster?
        var lock: FileHandle?
    }

    private let directory: String
    private let database: String
    let settings: [String: String]
    let logger: Logger
    let state = Mutex(State())

    /// `database` is made if it does not exist; `settings` go to the server's command line.
    package init(
        directory: String,
        database: String = "postgres",
        settings: [String: String] = [:],
        logger: Logger
    ) {
        self.directory = directory
        self.database = database
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

    /// Makes the cluster if there is none, and returns once it answers.
    package func start() async throws {
        let account = try ClusterAccount.needed()
        let place = ClusterPlace.choose(directory, account: account)
        try place.prepare(account: account)
        if !place.root.hasSuffix("/" + (directory as NSString).lastPathComponent) {
            logger.notice(
                "the user postgres cannot reach the state directory; the database cluster is kept elsewhere",
                metadata: ["state": "\(directory)", "cluster": "\(place.root)"]
            )
        }
        state.withLock { $0.place = place }
        if let lock = try takeLock(place) {
            state.withLock { $0.lock = lock }
            try await startOwn(place, account: account)
        } else {
            logger.info("using the database cluster that another process runs", metadata: ["cluster": "\(place.root)"])
            try await waitUntilReady(nil)
        }
        guard database != "postgres", try await !exists(database: database) else { return }
        try await createDatabase(named: database)
    }

    /// Stops the server, if it is ours: sessions are cut, nothing is lost.
    package func stop() async throws {
        let (postmaster, place, lock) = state.withLock { state in
            defer { state = State() }
            return (state.postmaster, state.place, state.lock)
        }
        guard let postmaster else { return }
        logger.info("stopping the database cluster")
        try await postmaster.stop()
        place?.removeSocketDirectory()
        try lock?.close()
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
