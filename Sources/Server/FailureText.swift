import Operations
import Postgres
import Web

/// What the person at the terminal is told of an error: one line, without codes and places in the source.
package enum FailureText {
    /// nil for an error that explains itself.
    package static func text(of error: any Error) -> String? {
        switch error {
        case let error as OperationsError: line(error.message)
        case let error as WebError: line(error.message)
        case let error as PostgresError: line(text(of: error))
        default: nil
        }
    }

    private static func text(of error: PostgresError) -> String {
        switch error.code {
        case .connectionFailed, .poolExhausted:
            "The database cannot be reached: \(firstLine(of: error.message)). Is PERENNIAL_DATABASE_URL right?"
        case .connectionLost, .poolClosed, .timeout:
            "The database went away: \(firstLine(of: error.message))."
        case .server(let state):
            "The database refused (SQLSTATE \(state)): \(firstLine(of: error.message))."
        case .wrongServer: "The database is the wrong one: \(firstLine(of: error.message))."
        case .migration, .cluster: "\(error.message)."
        case .cancelled, .encoding, .decoding, .protocolViolation: error.message
        }
    }

    /// libpq adds advice on further lines.
    private static func firstLine(of message: String) -> Substring {
        message.split(separator: "\n").first ?? ""
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
    }
}
