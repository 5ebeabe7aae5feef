import Foundation

/// How a pool connects and how much it takes on.
package struct PoolConfiguration: Sendable, Hashable {
    /// Anything libpq understands: `host=/run/postgresql dbname=app` or `postgresql://…`, with several hosts if need be.
    package var connectionString: String
    /// Connections that all queries share; more than twice the cores only costs.
    package var sharedConnections: Int
    /// Queries under way on one shared connection at a time.
    package var pipelineDepth = 2
    /// At most so many connections for transactions, COPY and streams; opened when they are needed.
    package var exclusiveConnections = 8
    /// The server refuses writes on every connection of the pool (SQLSTATE 25006); lost queries are tried again once.
    package var isReadOnly = false
    /// After how long the server cancels a query of the shared connections; nil is never.
    package var statementTimeout: Duration? = .seconds(5)
    /// How long a host may take to answer, for each host of the connection string.
    package var connectTimeout = Duration.seconds(5)
    /// How long a query or a transaction waits for a connection.
    package var acquireTimeout = Duration.seconds(5)
    /// How long an exclusive connection that nobody wants is kept.
    package var idleTimeout = Duration.seconds(60)
    /// How many may wait at a time, of each kind.
    package var queueLimit = 20_000
    /// How long a stopping pool waits for what is under way.
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

    /// Later entries override earlier ones: the first are defaults for what the connection string leaves open.
    var connectionParameters: [(keyword: String, value: String)] {
        [
            ("connect_timeout", "\(max(2, connectTimeout.components.seconds))"),
            // A server that vanished without a word is noticed within a minute.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"), ("fallback_application_name", applicationName),
            ("dbname", connectionString), ("client_encoding", "UTF8"),
        ]
    }

    /// What a new connection is told before anything else.
    func sessionScript(for role: WireRole) -> String {
        var settings = ["TimeZone = 'UTC'", "DateStyle = 'ISO, MDY'", "standard_conforming_strings = on"]
        // Compiling a statement takes half a second; where tables are new, PostgreSQL believes that it pays.
        settings.append("jit = off")
        if isReadOnly { settings.append("default_transaction_read_only = on") }
        if role == .shared, let statementTimeout {
            settings.append("statement_timeout = \(Int(statementTimeout / .milliseconds(1)))")
        }
        return settings.map { "SET \($0);" }.joined()
    }
}
