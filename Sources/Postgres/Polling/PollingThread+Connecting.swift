import Foundation
import Logging

// Connections are opened on threads of their own: libpq looks up names, tries host after host and computes SCRAM there.
extension PollingThread {
    func connect(_ id: WireID) {
        let parameters = configuration.connectionParameters
        let script = configuration.sessionScript(for: machine.slots[id.slot].role)
        let connectionString = configuration.connectionString
        let inbox = inbox
        let opening = Opening(
            parameters: parameters,
            script: script,
            limit: configuration.connectTimeout,
            admission: admission,
            logger: logger,
            asksWhy: !machine.hasConnected
        )
        let isStarted = help {
            inbox.post(.opened(id, opening.connection(toAnyOf: connectionString)))
        }
        guard !isStarted else { return }
        inbox.post(
            .opened(id, .failure(PostgresError(.connectionFailed, "the system has no thread left to connect on")))
        )
    }

    /// Drops the connections to a primary that another one has taken over from since they were opened.
    func leaveOutdatedServers() {
        guard let history = admission?.history, history.newest != newestTimeline else { return }
        newestTimeline = history.newest
        for case let wire? in wires where wire.connection.server.map(history.isOutdated) ?? false {
            wire.lose(PostgresError(.connectionLost, "the server is the old primary of a failover"))
            collect(wire)
        }
    }

    /// Runs what blocks on a thread of its own, which is joined later; false when there is none left.
    func help(_ work: @escaping @Sendable () -> Void) -> Bool {
        helpers = helpers.filter { helper in
            guard helper.isOver else { return true }
            helper.join(within: .seconds(1))
            return false
        }
        guard let helper = HelperThread(work) else { return false }
        helpers.append(helper)
        return true
    }

    /// At the end: nobody may be inside libpq when the program ends. One that waits for a server that does not answer
    /// is left.
    func joinHelpers() {
        let end = ContinuousClock.now + Self.joinTime
        for helper in helpers where !helper.join(within: max(.milliseconds(1), ContinuousClock.now.duration(to: end))) {
            logger.info("a thread that connects to the database was left behind")
        }
        helpers = []
    }

    func opened(_ id: WireID, _ result: Result<PGConnection, PostgresError>) {
        guard machine.isCurrent(id) else { return }
        switch result {
        case .success(let connection):
            statistics.connectionsOpened += 1
            // Another connection may have found a newer primary meanwhile.
            newestTimeline = nil
            wires[id.slot] = PooledConnection(
                id: id,
                role: machine.slots[id.slot].role,
                connection: connection,
                statementLimit: configuration.preparedStatements
            )
            perform(machine.connected(id, at: now))
        case .failure(let error):
            if machine.lastConnectError?.message != error.message {
                logger.warning("cannot connect to the database", metadata: ["reason": "\(error.message)"])
            }
            metrics.failed(error)
            perform(machine.connectFailed(id, error, at: now, random: Double.random(in: 0..<1)))
        }
    }
}

/// Opens a connection; blocks.
private struct Opening {
    let parameters: [(keyword: String, value: String)]
    let script: String
    /// One for each command that a new connection runs.
    let limit: Duration
    let admission: ServerAdmission?
    let logger: Logger
    /// True to find out, by asking once more, if trying again can help.
    let asksWhy: Bool

    /// libpq takes the first host that answers. When that one is not let in, the others are tried.
    func connection(toAnyOf connectionString: String) -> Result<PGConnection, PostgresError> {
        do throws(PostgresError) {
            _ = try ConnectionParameters.parse(connectionString)
            return .success(try connection(to: []))
        } catch {
            guard error.code == .wrongServer else {
                guard asksWhy else { return .failure(error) }
                var error = error
                error.sqlState = error.sqlState ?? PGConnection.refusal(parameters)
                return .failure(error)
            }
            for host in ConnectionParameters.hosts(of: connectionString) {
                if let connection = try? connection(to: host) { return .success(connection) }
            }
            return .failure(error)
        }
    }

    private func connection(to host: [(keyword: String, value: String)]) throws(PostgresError) -> PGConnection {
        let connection = try PGConnection.open(parameters + host) { [logger] notice in
            logger.log(level: notice.logLevel, "\(notice.shownText)", metadata: notice.metadata)
        }
        try connection.executeBlocking(script, within: limit)
        if let admission, let server = try ServerPosition.blocking(connection, within: limit) {
            try admission.admit(server)
            connection.server = server
        }
        guard connection.stopBlocking() else {
            throw PostgresError(.connectionFailed, connection.errorMessage)
        }
        return connection
    }
}

extension ServerMessage {
    var logLevel: Logger.Level {
        switch severity {
        case "WARNING": .warning
        case "NOTICE", "INFO", "LOG": .info
        case "DEBUG": .debug
        default: .error
        }
    }

    /// For the log: without values.
    var shownText: String { sqlState?.withoutValues(primary) ?? primary }

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["severity": "\(severity)"]
        if let sqlState { metadata["sqlstate"] = "\(sqlState)" }
        if let detail, sqlState?.quotesValues != true { metadata["detail"] = "\(detail)" }
        return metadata
    }
}
