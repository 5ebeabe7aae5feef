import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// A private PostgreSQL, owned by this program: made on first start, reachable by a Unix socket only, stopped with us.
///
/// `start()` gets it going again whatever was killed before: the server, PostgreSQL, or both. When another process of ours
/// already runs the cluster, this one uses it, and takes it over when that one ends first.
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
    let patience: Duration
    let settings: [String: String]
    let logger: Logger
    let state = Mutex(State())

    /// - Parameters:
    ///   - database: is made with what is missing.
    ///   - makesMissing: true if a first start makes the cluster and its database. A command that only reads or changes one must
    ///     not: in a wrong directory it would find an empty one and call it whole.
    ///   - patience: the longest that the server may take to end in order; then it has to end at once.
    ///   - settings: go to the server's command line.
    package init(
        directory: String,
        database: String = "postgres",
        makesMissing: Bool = true,
        patience: Duration = .seconds(30),
        settings: [String: String] = [:],
        logger: Logger
    ) {
        self.directory = directory
        self.database = database
        self.makesMissing = makesMissing
        self.patience = patience
        self.settings = settings
        self.logger = logger
    }

    /// The connection string of the database; valid once `start()` has returned.
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

    /// Makes the cluster and its database if there is none and it may, and returns once it answers.
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
        do {
            try await whileHandedOver { try await findDatabase(in: place) }
        } catch {
            try? await stop()
            throw error
        }
    }

    /// Asks again while the cluster, which another process ran a moment ago, gets its next one.
    func whileHandedOver<Value>(_ ask: () async throws -> Value) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await ask()
            } catch let error as PostgresError where error.isOfServerThatEnds && ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Makes the database if there is none and it may.
    private func findDatabase(in place: ClusterPlace) async throws {
        guard database != "postgres", try await !exists(database: database) else { return }
        guard makesMissing else { throw nothing(in: place) }
        do {
            try await createDatabase(named: database)
        } catch {
            // Another process of ours may have started in the same moment and made it.
            guard try await exists(database: database) else { throw error }
        }
    }

    /// Returns true if there is a cluster, running or not.
    ///
    /// - Throws: `PostgresError` with `.cluster` when its data is torn, or there under the name that an upgrade gave
    ///   it.
    package func hasData() throws -> Bool {
        let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
        if !place.hasData { try place.checkThatNothingIsLost() }
        return place.hasData
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
        if let lock { try release(lock) }
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
            try place.checkThatNothingIsLost()
            throw nothing(in: place)
        }
        return place
    }

    private func nothing(in place: ClusterPlace) -> PostgresError {
        PostgresError(
            .cluster,
            "there is no database in \(place.root): is PERENNIAL_STATE right? `perennial serve` makes one on its first start"
        )
    }

    /// Makes a database; from a template it is a copy of its files, which nobody may be connected to meanwhile.
    package func createDatabase(named name: String, template: String? = nil) async throws {
        let from = template.map { " TEMPLATE \(identifier($0)) STRATEGY FILE_COPY" } ?? ""
        try await execute(
            "CREATE DATABASE \(identifier(name))\(from)",
            database: "postgres",
            within: Self.longestCopy
        )
    }

    /// Drops a database and ends its connections.
    package func dropDatabase(named name: String) async throws {
        try await execute(
            "DROP DATABASE IF EXISTS \(identifier(name)) WITH (FORCE)",
            database: "postgres",
            within: Self.longestCopy
        )
    }

    func exists(database: String) async throws -> Bool {
        do {
            try await ask(database: database)
            return true
        } catch let error as PostgresError where error.message.contains("does not exist") {
            return false
        }
    }

    /// Returns once the server answers for a database; throws when it does not do so within ten seconds.
    func ask(database: String) async throws {
        try await execute("SELECT 1", database: database, within: .seconds(10))
    }

    /// - Parameter limit: for the answer; nil for what takes as long as it takes.
    func execute(_ script: String, database: String, within limit: Duration?) async throws {
        let parameters = [("dbname", connectionString(database: database)), ("connect_timeout", "10")]
        try await onThread {
            let connection = try PGConnection.open(parameters) { _ in }
            try connection.executeBlocking(script, within: limit)
        }
    }

    /// For the files of a database, and for a checkpoint that may come before.
    private static let longestCopy = Duration.seconds(600)

    private func identifier(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    private func quoted(_ value: String) -> String {
        "'" + value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }
}

extension PostgresError {
    /// Nobody answers at the socket, or a server that ends or only starts does: there may be another in a moment.
    fileprivate var isOfServerThatEnds: Bool {
        code == .connectionFailed && (sqlState == nil || sqlState?.sqlClass == .operatorIntervention)
    }
}
