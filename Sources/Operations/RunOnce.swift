import Crypto
package import Foundation
package import Storage

/// The outcome of an action.
package struct ActionOutcome: Sendable, Hashable {
    package var auditEntry: UUID
    /// The id or number of the object that the action changed or created.
    package var result: String
    /// The key had been used before: nothing was done this time.
    package var isRepeated: Bool
}

extension IdempotencyKey {
    /// - Parameters:
    ///   - text: the key as the form or program brings it.
    ///   - request: everything that is asked, so that the same key cannot ask for something else.
    /// - Throws: `OperationsError` with `.invalid` and the field `key` unless it has 1 to 255 characters.
    package init(_ text: String, of owner: UUID, for request: [String]) throws(OperationsError) {
        guard (1...255).contains(text.unicodeScalars.count) else {
            throw OperationsError(.invalid, "The key has 1 to 255 characters.", field: "key")
        }
        var hash = SHA256()
        for part in request {
            hash.update(data: Data("\(part.utf8.count):\(part)".utf8))
        }
        self.init(owner: owner, text: text, fingerprint: Array(hash.finalize()))
    }
}

extension BackOffice {
    /// Runs a command in one transaction, and once per idempotency key: a repeated key returns the first result.
    ///
    /// - Parameters:
    ///   - key: nil for who cannot repeat, as the command line.
    ///   - body: returns the audit entry it appended and what it made or changed.
    /// - Throws: `OperationsError` with `.conflict` when the key was used for something else; what `body` throws, and
    ///   then the key is as unused as before.
    package func runOnce(
        _ key: IdempotencyKey?,
        _ body: (WriteTransaction) async throws -> (auditEntry: UUID, result: String)
    ) async throws -> ActionOutcome {
        try await database.write { transaction in
            if let key, let earlier = try await transaction.idempotencyKeys.take(key) {
                guard earlier.fingerprint == key.fingerprint else {
                    throw OperationsError(.conflict, "This key was used for another request.", field: "key")
                }
                return ActionOutcome(auditEntry: earlier.auditEntry, result: earlier.result, isRepeated: true)
            }
            let (auditEntry, result) = try await body(transaction)
            if let key {
                try await transaction.idempotencyKeys.finish(key, auditEntry: auditEntry, result: result)
            }
            return ActionOutcome(auditEntry: auditEntry, result: result, isRepeated: false)
        }
    }

    /// Deletes keys that are older than a week: after that a repeated key runs the command again.
    ///
    /// - Returns: the number of deleted keys.
    package func forgetUsedKeys() async throws -> Int {
        var forgotten = 0
        while true {
            let some = try await database.forgetIdempotencyKeys(
                usedBefore: database.now.addingTimeInterval(-7 * 86_400)
            )
            forgotten += some
            guard some > 0 else { return forgotten }
        }
    }
}
