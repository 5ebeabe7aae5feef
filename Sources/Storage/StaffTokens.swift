package import Billing
package import Foundation
import Postgres

/// A program's key to the admin API, and whose it is.
package struct StaffToken: Sendable {
    package typealias ID = Identifier<StaffToken>

    package var id: ID
    package var staff: Staff.ID
    package var email: String
    package var role: StaffRole
    package var name: String
    /// The app that the call is for; nil when it names none that exists.
    package var app: App.ID?
}

extension Reader {
    package var tokens: StaffTokenReads { StaffTokenReads(reader: self) }
}

package struct StaffTokenReads: Sendable {
    let reader: Reader

    /// The live token of this hash; nil when it was revoked, has expired, never was, or its account is disabled.
    ///
    /// - Parameter app: the slug of the app the call is for; nil means the only one there is.
    package func find(tokenHash: [UInt8], app: String?) async throws -> StaffToken? {
        let rows = try await reader.pool.query(
            """
            SELECT t.id, s.id, s.email, s.role, t.name, a.id
            FROM staff_tokens t
            JOIN staff s ON s.id = t.staff_id
            LEFT JOIN apps a
                ON CASE WHEN \(app)::text IS NULL THEN (SELECT count(*) FROM apps) = 1 ELSE a.slug = \(app) END
            WHERE t.token_hash = \(tokenHash) AND t.revoked_at IS NULL
                AND (t.expires_at IS NULL OR t.expires_at > \(reader.now)) AND s.disabled_at IS NULL
            """,
            timeout: Reader.doorTimeout
        )
        guard let row = rows.first else { return nil }
        let (id, staff, email, role, name, found) = try row.decode(
            StaffToken.ID.self,
            Staff.ID.self,
            String.self,
            StaffRole.self,
            String.self,
            App.ID?.self
        )
        return StaffToken(id: id, staff: staff, email: email, role: role, name: name, app: found)
    }
}

extension WriteTransaction {
    package var tokens: StaffTokenWrites { StaffTokenWrites(transaction: self) }
}

package struct StaffTokenWrites: Sendable {
    let transaction: WriteTransaction

    package func insert(
        _ id: StaffToken.ID,
        of staff: Staff.ID,
        name: String,
        tokenHash: [UInt8],
        expiresAt: Date?
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO staff_tokens (id, staff_id, name, token_hash, created_at, expires_at)
            VALUES (\(id), \(staff), \(name), \(tokenHash), \(transaction.now), \(expiresAt))
            """
        )
    }

    /// False when there is no such token or it was revoked already.
    package func revoke(_ id: StaffToken.ID) async throws -> Bool {
        try await transaction.query(
            "UPDATE staff_tokens SET revoked_at = \(transaction.now) WHERE id = \(id) AND revoked_at IS NULL"
        ).affectedRows == 1
    }

    package func revokeAll(of staff: Staff.ID) async throws {
        try await transaction.query(
            """
            UPDATE staff_tokens
            SET revoked_at = \(transaction.now)
            WHERE staff_id = \(staff) AND revoked_at IS NULL
            """
        )
    }
}
