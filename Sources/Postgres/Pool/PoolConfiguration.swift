import Foundation

/// The settings of a pool: how it connects and how much it takes on.
package struct PoolConfiguration: Sendable, Hashable {
    /// Anything libpq understands: `host=/run/postgresql dbname=app` or `postgresql://…`, with several hosts if need
    /// be.
    package var connectionString: String
    /// Connections that all queries share; more than twice the cores only costs.
    package var sharedConnections: Int
    /// Queries under way on one shared connection at a time.
    package var pipelineDepth = 2
    /// The most connections for transactions, COPY and streams; opened when they are needed.
    package var exclusiveConnections = 8
    /// True if the server refuses writes on every connection of the pool (SQLSTATE 25006); lost queries are tried again once.
    package var isReadOnly = false
    /// The time after which the server cancels a query of the shared connections; nil is never.
    package var statementTimeout: Duration? = .seconds(5)
    /// The longest that a statement waits for another session's lock (SQLSTATE 55P03); nil waits without end.
    package var lockTimeout: Duration? = .seconds(3)
    /// The least that a transaction with a limit of its own waits for a lock; nil takes each limit as it is. For machines on which a
    /// second is too short to tell who holds a lock for long from who is only slow.
    package var shortestLockTimeout: Duration?
    /// The time after which the server ends a session that keeps a transaction open and asks nothing, so that the locks of a
    /// program
    /// that vanished do not outlive it for long; nil is never.
    package var idleInTransactionTimeout: Duration? = .seconds(15)
    /// The time after which the server ends a transaction, whatever it does; servers before 17 do not know how. nil is never.
    package var transactionTimeout: Duration? = .seconds(600)
    /// The time after which the server gives up a TCP peer that takes nothing of what it has sent: it has vanished, or only pauses.
    /// nil leaves it to the system, which waits for a peer that pauses, and a quarter of an hour for one that has vanished.
    package var takingTimeout: Duration? = .seconds(20)
    /// The time after which statements and scripts on an exclusive connection that name no deadline are cancelled; nil is never. It
    /// does not apply to COPY and streams, which may well take long.
    package var answerTimeout: Duration? = .seconds(30)
    /// The longest that the server may take to the first row of a stream or a COPY, for it may have to sort everything before. A
    /// COPY in may take as long at its end.
    package var firstRowTimeout = Duration.seconds(600)
    /// The longest that the server may be silent between two rows that somebody waits for, or take nothing of a COPY in.
    package var nextRowTimeout = Duration.seconds(300)
    /// The longest that a cancelled query, or one past the statement timeout, may stay unanswered before its connection counts as
    /// lost: the server hangs, or is gone and could not say so. The same holds for the pool's own commands, such as the ROLLBACK
    /// of a transaction that was left open.
    package var patience = Duration.seconds(5)
    /// The longest that a host may take to answer, for each host of the connection string.
    package var connectTimeout = Duration.seconds(5)
    /// The longest that a query or a transaction waits for a connection.
    package var acquireTimeout = Duration.seconds(5)
    /// The time for which an exclusive connection that nobody wants is kept open.
    package var idleTimeout = Duration.seconds(60)
    /// The most queries that may wait at a time, and the most tasks that may wait for a connection of their own.
    package var queueLimit = 20_000
    /// The longest that a stopping pool waits for the work that is under way.
    package var drainTimeout = Duration.seconds(10)
    /// The name under which the connections show in `pg_stat_activity`.
    package var applicationName = "perennial"
    /// Statements a connection keeps prepared.
    package var preparedStatements = 256
    /// The pool's name in logs and metrics.
    package var name = "main"

    package init(connectionString: String) {
        self.connectionString = connectionString
        sharedConnections = 2 * max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Waits so many times longer wherever a caller would be told that the database is away: for machines that are slow for a while.
    package mutating func wait(times: Int) {
        guard times > 1 else { return }
        for limit in [\PoolConfiguration.statementTimeout, \.lockTimeout, \.answerTimeout] {
            self[keyPath: limit] = self[keyPath: limit].map { $0 * times }
        }
        for limit in [\PoolConfiguration.patience, \.connectTimeout, \.acquireTimeout] {
            self[keyPath: limit] = self[keyPath: limit] * times
        }
    }

    var limits: PoolLimits {
        // A name may stand for two addresses of a host.
        let tries = 2 * (connectionString.utf8.count { $0 == UInt8(ascii: ",") } + 1)
        return PoolLimits(
            sharedConnections: max(1, sharedConnections),
            exclusiveConnections: max(1, exclusiveConnections),
            pipelineDepth: max(1, pipelineDepth),
            queueLimit: queueLimit,
            acquireTimeout: acquireTimeout,
            connectTimeout: connectTimeout * (tries + 1),
            idleTimeout: idleTimeout
        )
    }

    var progressLimits: SoloProgress.Limits { .init(firstRow: firstRowTimeout, nextRow: nextRowTimeout) }

    /// Later entries override earlier ones: the first are defaults for what the connection string leaves open.
    var connectionParameters: [(keyword: String, value: String)] {
        [
            ("connect_timeout", "\(max(2, connectTimeout.components.seconds))"),
            // A server that vanished without a word is noticed within half a minute.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "20000"), ("fallback_application_name", applicationName),
            ("dbname", connectionString), ("client_encoding", "UTF8"),
        ]
    }

    /// The first commands of a new connection.
    func sessionScript(for role: WireRole) -> String {
        var settings = ["TimeZone = 'UTC'", "DateStyle = 'ISO, MDY'", "standard_conforming_strings = on"]
        // Compiling a statement takes half a second; where tables are new, PostgreSQL believes that it pays.
        settings.append("jit = off")
        if isReadOnly { settings.append("default_transaction_read_only = on") }
        // The same the other way round: of a program that vanished the server hears nothing either. Without TCP they do
        // nothing.
        settings += ["tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3"]
        func limit(_ setting: String, _ time: Duration?) {
            if let time { settings.append("\(setting) = \(Self.milliseconds(time))") }
        }
        if role == .shared { limit("statement_timeout", statementTimeout) }
        limit("lock_timeout", lockTimeout)
        limit("idle_in_transaction_session_timeout", idleInTransactionTimeout)
        limit("tcp_user_timeout", takingTimeout)
        var script = settings.map { "SET \($0);" }.joined()
        if let transactionTimeout {
            script += """
                SELECT set_config(name, '\(Self.milliseconds(transactionTimeout))', false) FROM pg_settings
                WHERE name = 'transaction_timeout';
                """
        }
        return script
    }

    /// As the server's settings take it; 0 would be no limit.
    private static func milliseconds(_ time: Duration) -> Int {
        max(1, Int(clamping: Int64(time / .milliseconds(1))))  // safe: a limit of seconds or hours
    }
}
