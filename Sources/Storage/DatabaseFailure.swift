import Postgres

/// The meaning of a database error for the code that answers a request.
package enum DatabaseFailure: Sendable {
    /// It is away, busy or changing hands; the same request may succeed soon.
    case away
    /// Another transaction holds the lock; nothing was done, and the same request succeeds once it ends.
    case busy
    /// The input cannot be stored: a NUL in a text, a number or a date that does not fit.
    case unusableInput

    /// True if the same request may succeed later without anybody fixing anything.
    package var isPassing: Bool { self != .unusableInput }

    /// nil for any other error, which is a mistake of ours.
    package init?(_ error: any Error) {
        guard let error = error as? PostgresError else { return nil }
        switch error.code {
        case .connectionLost, .connectionFailed, .poolExhausted, .poolClosed, .timeout, .cancelled, .wrongServer:
            self = .away
        case .encoding: self = .unusableInput
        case .server(.characterNotInRepertoire), .server(.untranslatableCharacter): self = .unusableInput
        case .server(.lockNotAvailable): self = .busy
        case .server(let state):
            let passing: [SQLState.Class] = [
                .connectionException, .insufficientResources, .operatorIntervention, .transactionRollback,
            ]
            guard passing.contains(state.sqlClass) || state == .readOnlySQLTransaction else { return nil }
            self = .away
        case .decoding, .protocolViolation, .migration, .cluster: return nil
        }
    }
}
