import Foundation
import Logging

// Connections are opened on threads of their own: libpq looks up names, tries host after host and computes SCRAM there.
extension PollingThread {
    func connect(_ id: WireID) {
        let parameters = configuration.connectionParameters
        let script = configuration.sessionScript(for: machine.slots[id.slot].role)
        let (inbox, logger) = (inbox, logger)
        Thread.detachNewThread {
            inbox.post(.opened(id, Self.open(parameters, script: script, logger: logger)))
        }
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
        logger: Logger
    ) -> Result<PGConnection, PostgresError> {
        do throws(PostgresError) {
            let connection = try PGConnection.open(parameters) { notice in
                logger.log(level: notice.logLevel, "\(notice.primary)", metadata: notice.metadata)
            }
            try connection.executeBlocking(script)
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
