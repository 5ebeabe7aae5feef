import Foundation
import HTTP
import Operations
import Postgres

/// An error as the person at the terminal reads it: one line, without codes and places in the source.
package enum FailureText {
    /// nil for an error that explains itself.
    package static func text(of error: any Error) -> String? {
        switch error {
        case let error as OperationsError: line(error.message)
        case let error as WebError: line(error.message)
        case let error as PostgresError: line(text(of: error))
        case let error as CocoaError: line(text(of: error))
        case let error as NSError: line("\(error.localizedDescription)")
        default: nil
        }
    }

    private static func text(of error: PostgresError) -> String {
        switch error.code {
        case .connectionFailed where error.isFinalRefusal: refusal(error)
        case .connectionFailed where cause(of: error).sqlState == .tooManyConnections:
            "The database has no connection left: \(lastLine(of: error.message)). Raise max_connections or the role's connection limit, "
                + "or stop what holds the connections."
        case .connectionFailed, .poolExhausted:
            "The database cannot be reached: \(firstLine(of: error.message)). Is PERENNIAL_DATABASE_URL right?"
        case .connectionLost, .poolClosed, .timeout:
            "The database went away: \(firstLine(of: error.message))."
        case .server(let state):
            "The database refused (SQLSTATE \(state)): \(firstLine(of: error.shownMessage)).\(mend(state))"
        case .wrongServer: "The database is the wrong one: \(firstLine(of: error.message))."
        case .migration, .cluster: "\(error.message)."
        case .cancelled, .encoding, .decoding, .protocolViolation: error.message
        }
    }

    /// A pool that has waited in vain wraps what the server said last.
    private static func cause(of error: PostgresError) -> PostgresError {
        error.underlying as? PostgresError ?? error
    }

    /// Returns the remedy for a statement that the server refused, where the code decides that.
    private static func mend(_ state: SQLState) -> String {
        switch state {
        case .insufficientPrivilege: " Make the role of the connection string the owner of the schema and its tables."
        case .readOnlySQLTransaction:
            " Name the primary in the connection string, and let the role and the database write "
                + "(default_transaction_read_only = off)."
        case .diskFull: " Make room on the database's disk."
        case .lockNotAvailable, .queryCanceled, .deadlockDetected:
            " Another session holds what this needs (pg_stat_activity). Try again, or end that session."
        case .undefinedTable, .undefinedColumn:
            " The schema was changed by hand, or the search path leads to another one."
        default: ""
        }
    }

    /// An operator has to change a setting, here or at the database.
    private static func refusal(_ error: PostgresError) -> String {
        let line = lastLine(of: error.message)
        let reason = "The database refuses the connection: \(line)."
        return switch error.sqlState {
        case SQLState.clientUnableToConnect:
            "The connection string cannot be used: \(line). Correct PERENNIAL_DATABASE_URL; sslmode and certificates have to fit the server."
        case SQLState.insufficientPrivilege:
            "\(reason) Let the role in: GRANT CONNECT ON DATABASE name TO role."
        case SQLState.invalidPassword: "\(reason) Set the role's password in the connection string."
        case SQLState.invalidCatalogName:
            "\(reason) Create it (createdb), or name the right one in the connection string."
        default:
            "\(reason) Let the role in from this address in the server's pg_hba.conf and reload it, or correct the connection string."
        }
    }

    /// Names the file, and the file system's reason to refuse it.
    private static func text(of error: CocoaError) -> String {
        let path = error.filePath ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        let reason =
            switch error.code {
            case .fileReadNoPermission, .fileWriteNoPermission: "the permission is missing"
            case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
            case .fileWriteOutOfSpace: "the disk is full"
            case .fileWriteVolumeReadOnly: "the disk is read-only"
            case .fileWriteFileExists: "there is a file where a directory is needed"
            default: underlying(error) ?? error.localizedDescription
            }
        return "\(path ?? "A file") cannot be used: \(reason). Is PERENNIAL_STATE a directory that you may write to?"
    }

    private static func underlying(_ error: CocoaError) -> String? {
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain else {
            return nil
        }
        return String(cString: strerror(Int32(clamping: cause.code))).lowercased()
    }

    /// With several hosts libpq tells of each; the last one decided.
    private static func lastLine(of message: String) -> Substring {
        let isOfHost = { (line: Substring) in line.contains("FATAL") || line.hasPrefix("connection to server") }
        return message.split(separator: "\n").last(where: isOfHost) ?? firstLine(of: message)
    }

    /// libpq adds advice on further lines.
    private static func firstLine(of message: String) -> Substring {
        message.split(separator: "\n").first ?? ""
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
    }
}
