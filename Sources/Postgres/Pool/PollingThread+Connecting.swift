import Foundation
import Logging

// Connections are opened on threads of their own: libpq looks up names, tries host after host and computes SCRAM there.
extension PollingThread {
    func connect(_ id: WireID) {
        let parameters = configuration.connectionParameters
        let script = configuration.sessionScript(for: machine.slots[id.slot].role)
        let (inbox, logger, limit) = (inbox, logger, configuration.connectTimeout)
        let isStarted = help {
            inbox.post(.opened(id, Self.open(parameters, script: script, within: limit, logger: logger)))
        }
        guard !isStarted else { return }
        inbox.post(
            .opened(id, .failure(PostgresError(.connectionFailed, "the system has no thread left to connect on")))
        )
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

    /// At the end: nobody may be inside libpq when the program ends. One that waits for a server that does not answer is left.
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
            wires[id.slot] = Wire(
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

    private static func open(
        _ parameters: [(keyword: String, value: String)],
        script: String,
        within limit: Duration,
        logger: Logger
    ) -> Result<PGConnection, PostgresError> {
        do throws(PostgresError) {
            let connection = try PGConnection.open(parameters) { notice in
                logger.log(level: notice.logLevel, "\(notice.primary)", metadata: notice.metadata)
            }
            try connection.executeBlocking(script, within: limit)
            guard connection.stopBlocking() else {
                throw PostgresError(.connectionFailed, connection.errorMessage)
            }
            return .success(connection)
        } catch {
            return .failure(error)
        }
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

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["severity": "\(severity)"]
        if let sqlState { metadata["sqlstate"] = "\(sqlState)" }
        if let detail { metadata["detail"] = "\(detail)" }
        return metadata
    }
}
