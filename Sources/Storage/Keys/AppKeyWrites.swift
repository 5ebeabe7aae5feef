package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var appKeys: AppKeyWrites { AppKeyWrites(transaction: self) }
}

package struct AppKeyWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a new key in the first free slot of its app. A simultaneous call for the same app waits.
    ///
    /// - Parameters:
    ///   - staff: the creator; nil for the command line.
    ///   - actor: the creator's name.
    /// - Returns: false when the app has its maximum of live keys.
    package func insert(
        _ id: AppKey.ID,
        of app: App.ID,
        name: String,
        scopes: Set<AppKeyScope>,
        tokenHash: [UInt8],
        by staff: Staff.ID?,
        as actor: String
    ) async throws -> Bool {
        try await transaction.lock("SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE")
        return try await transaction.query(
            """
            INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_by, created_as, created_at)
            SELECT \(id), \(app), free.slot, \(name), \(scopes.inOrder.map(\.rawValue)), \(tokenHash), \(staff), \(actor),
                \(transaction.now)
            FROM (
                SELECT s.slot
                FROM (VALUES (1), (2)) AS s (slot)
                WHERE NOT EXISTS (
                    SELECT FROM app_keys k WHERE k.app_id = \(app) AND k.slot = s.slot AND k.revoked_at IS NULL)
                ORDER BY s.slot
                LIMIT 1
            ) AS free
            """
        ).affectedRows == 1
    }

    /// - Parameter actor: the name of the person who revokes it.
    /// - Returns: false when the app has no such live key.
    package func revoke(_ id: AppKey.ID, of app: App.ID, as actor: String) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE app_keys
            SET revoked_at = \(transaction.now), revoked_as = \(actor)
            WHERE id = \(id) AND app_id = \(app) AND revoked_at IS NULL
            """
        ).affectedRows == 1
    }
}

extension Database {
    /// Notes that a key is in use, unless that was noted within `AppKey.useGrain`: of many uses at once one is written.
    package func touchAppKey(_ id: AppKey.ID) async throws {
        let moment = now
        _ = try await writeAlone(
            """
            UPDATE app_keys
            SET last_used_at = \(moment)
            WHERE id = \(id)
                AND (last_used_at IS NULL OR last_used_at <= \(moment.addingTimeInterval(-AppKey.useGrain)))
            """
        )
    }
}
