package import Foundation
import Postgres

/// A key under which an action is done once (dashboard.md, rule 35; `Idempotency-Key` of the admin API).
package struct IdempotencyKey: Sendable, Hashable {
    /// The person or token that owns the key.
    package var owner: UUID
    /// 1 to 255 characters.
    package var text: String
    /// SHA-256 of what is asked.
    package var fingerprint: [UInt8]

    package init(owner: UUID, text: String, fingerprint: [UInt8]) {
        self.owner = owner
        self.text = text
        self.fingerprint = fingerprint
    }
}

/// The earlier action under an idempotency key.
package struct ActionRecord: Sendable, Hashable {
    package var fingerprint: [UInt8]
    package var auditEntry: UUID
    /// The id or number of the object that the action changed or created.
    package var result: String
}

extension WriteTransaction {
    package var idempotencyKeys: IdempotencyKeys { IdempotencyKeys(transaction: self) }
}

package struct IdempotencyKeys: Sendable {
    let transaction: WriteTransaction

    /// Takes a key for this transaction. When another transaction is using it, waits until that ends.
    ///
    /// - Returns: nil when the key is now ours; what was done under it when it had been used.
    package func take(_ key: IdempotencyKey) async throws -> ActionRecord? {
        guard try await !insert(key) else { return nil }
        let rows = try await transaction.query(
            """
            SELECT fingerprint, audit_entry_id, result
            FROM idempotency_keys
            WHERE owner_id = \(key.owner) AND key = \(key.text)
            """
        )
        guard let row = rows.first else { return nil }
        let (fingerprint, entry, result) = try row.decode([UInt8].self, UUID.self, String.self)
        return ActionRecord(fingerprint: fingerprint, auditEntry: entry, result: result)
    }

    /// The same for a call that leaves no audit entry.
    ///
    /// - Returns: nil when the key is now ours; what was asked and answered under it when it had been used.
    package func takeAnswered(_ key: IdempotencyKey) async throws -> (fingerprint: [UInt8], answer: String)? {
        guard try await !insert(key) else { return nil }
        let rows = try await transaction.query(
            """
            SELECT fingerprint, result
            FROM idempotency_keys
            WHERE owner_id = \(key.owner) AND key = \(key.text)
            """
        )
        guard let row = rows.first else { return nil }
        let (fingerprint, answer) = try row.decode([UInt8].self, String.self)
        return (fingerprint: fingerprint, answer: answer)
    }

    /// Keeps the result of the action, for a repetition of the key.
    package func finish(_ key: IdempotencyKey, auditEntry: UUID, result: String) async throws {
        try await transaction.query(
            """
            UPDATE idempotency_keys
            SET audit_entry_id = \(auditEntry), result = \(result)
            WHERE owner_id = \(key.owner) AND key = \(key.text)
            """
        )
    }

    /// Keeps the answer of a call that leaves no audit entry.
    package func finish(_ key: IdempotencyKey, answer: String) async throws {
        try await transaction.query(
            """
            UPDATE idempotency_keys
            SET result = \(answer)
            WHERE owner_id = \(key.owner) AND key = \(key.text)
            """
        )
    }

    /// - Returns: false when it had been used.
    private func insert(_ key: IdempotencyKey) async throws -> Bool {
        try await !transaction.lock(
            """
            INSERT INTO idempotency_keys (owner_id, key, fingerprint, created_at)
            VALUES (\(key.owner), \(key.text), \(key.fingerprint), \(transaction.now))
            ON CONFLICT (owner_id, key) DO NOTHING
            RETURNING true
            """
        ).isEmpty
    }
}

extension Database {
    /// Forgets keys that were used before a moment, a thousand at a time.
    ///
    /// - Returns: how many are gone.
    package func forgetIdempotencyKeys(usedBefore moment: Date) async throws -> Int {
        try await writeAlone(
            """
            DELETE FROM idempotency_keys
            WHERE (owner_id, key) IN (
                SELECT owner_id, key FROM idempotency_keys WHERE created_at < \(moment) ORDER BY created_at LIMIT 1000
            )
            RETURNING true
            """
        ).count
    }
}
