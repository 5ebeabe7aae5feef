/// A five-character error code of PostgreSQL; the first two characters are its class.
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ code: String) {
        self.init(rawValue: code)
    }

    package var sqlClass: Class { Class(rawValue: String(rawValue.prefix(2))) }
    package var description: String { rawValue }

    /// True if the detail of such a message quotes what is stored or was sent: the row that breaks a rule, the value of a key, a
    /// piece of JSON.
    var quotesValues: Bool { [Class.dataException, .integrityConstraintViolation].contains(sqlClass) }

    /// The first line of such a message without the value that it quotes, if it does: `invalid input syntax for type
    /// uuid: "…"`.
    func withoutValues(_ message: String) -> String {
        guard sqlClass == .dataException, let start = message.firstIndex(of: "\""),
            let end = message.lastIndex(of: "\""), start < end
        else { return message }
        return "\(message[...start])…\(message[end...])"
    }

    /// The family a code belongs to.
    package struct Class: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let connectionException = Self(rawValue: "08")
        package static let dataException = Self(rawValue: "22")
        package static let integrityConstraintViolation = Self(rawValue: "23")
        package static let invalidTransactionState = Self(rawValue: "25")
        package static let invalidAuthorization = Self(rawValue: "28")
        package static let transactionRollback = Self(rawValue: "40")
        package static let syntaxErrorOrAccessRuleViolation = Self(rawValue: "42")
        package static let insufficientResources = Self(rawValue: "53")
        package static let operatorIntervention = Self(rawValue: "57")
    }
}

// Class 08: connection
extension SQLState {
    /// The client's own: its connection settings are invalid, whatever the server would say.
    package static let clientUnableToConnect = Self("08001")
    package static let connectionFailure = Self("08006")
    package static let protocolViolation = Self("08P01")
}

// Class 0A: not supported; also "cached plan must not change result type"
extension SQLState {
    package static let featureNotSupported = Self("0A000")
}

// Class 22: data
extension SQLState {
    package static let stringDataRightTruncation = Self("22001")
    package static let numericValueOutOfRange = Self("22003")
    package static let characterNotInRepertoire = Self("22021")
    package static let invalidTextRepresentation = Self("22P02")
    package static let untranslatableCharacter = Self("22P05")
}

// Class 23: integrity
extension SQLState {
    package static let notNullViolation = Self("23502")
    package static let foreignKeyViolation = Self("23503")
    package static let uniqueViolation = Self("23505")
    package static let checkViolation = Self("23514")
    package static let exclusionViolation = Self("23P01")
}

// Class 25: transaction state
extension SQLState {
    package static let activeSQLTransaction = Self("25001")
    package static let readOnlySQLTransaction = Self("25006")
    package static let inFailedSQLTransaction = Self("25P02")
    package static let idleInTransactionSessionTimeout = Self("25P03")
}

// Class 28: who may connect
extension SQLState {
    package static let invalidAuthorizationSpecification = Self("28000")
    package static let invalidPassword = Self("28P01")
}

// Class 26: prepared statements
extension SQLState {
    package static let invalidSQLStatementName = Self("26000")
}

// Class 3D: no such database
extension SQLState {
    package static let invalidCatalogName = Self("3D000")
}

// Class 40: rollback
extension SQLState {
    package static let serializationFailure = Self("40001")
    package static let deadlockDetected = Self("40P01")
}

// Class 42: names and access
extension SQLState {
    package static let insufficientPrivilege = Self("42501")
    package static let syntaxError = Self("42601")
    package static let undefinedColumn = Self("42703")
    package static let undefinedTable = Self("42P01")
    package static let duplicateTable = Self("42P07")
    package static let duplicateObject = Self("42710")
    package static let duplicateDatabase = Self("42P04")
}

// Class 53: resources
extension SQLState {
    package static let diskFull = Self("53100")
    package static let tooManyConnections = Self("53300")
}

// Class 55 and 57: locks and operators
extension SQLState {
    package static let objectInUse = Self("55006")
    package static let lockNotAvailable = Self("55P03")
    package static let queryCanceled = Self("57014")
    package static let adminShutdown = Self("57P01")
    package static let crashShutdown = Self("57P02")
    package static let cannotConnectNow = Self("57P03")
}
