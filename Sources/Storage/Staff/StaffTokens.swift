package import Billing
package import Foundation
import Postgres

/// A program's key to the admin API, and whose it is.
package struct StaffToken: Sendable {
    package typealias ID = Identifier<StaffToken>

    package var id: ID
    package var staff: Staff.ID
    package var email: String
    /// The name of its owner.
    package var ownerName: String
    package var role: StaffRole
    package var name: String
    /// The scopes to which its owner's rights are limited; nil for all rights.
    package var scopes: [TokenScope]?
    /// The app of the call; nil when it names none that exists, or none that its owner may see.
    package var app: App.ID?
    /// That app's business time zone.
    package var timeZone: String?
    /// True if its owner signs in with a second factor.
    package var hasTwoFactor: Bool
    /// To within `StaffToken.useGrain`; nil for never.
    package var lastUsedAt: Date?

    /// The interval, in seconds, within which further uses are not recorded, so that a read is not always a write.
    package static let useGrain: TimeInterval = 600

    package func has(_ scope: TokenScope) -> Bool {
        scopes?.contains { $0.covers(scope) } ?? true
    }
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
            SELECT k.id, t.id, t.email, t.name, t.role, k.name, k.scopes, a.id, a.time_zone,
                EXISTS (SELECT FROM staff_two_factor f WHERE f.staff_id = t.id AND f.confirmed_at IS NOT NULL), k.last_used_at
            FROM staff_tokens k
            JOIN staff t ON t.id = k.staff_id
            LEFT JOIN apps a
                ON \(StaffApps.isVisible("a.id"))
                AND CASE
                    WHEN \(app)::text IS NULL
                        THEN (SELECT count(*) FROM apps o WHERE \(StaffApps.isVisible("o.id"))) = 1
                    ELSE a.slug = \(app)
                END
            WHERE k.token_hash = \(tokenHash) AND k.revoked_at IS NULL
                AND (k.expires_at IS NULL OR k.expires_at > \(reader.now)) AND t.disabled_at IS NULL
            """,
            timeout: reader.doorTimeout
        )
        guard let row = rows.first else { return nil }
        let (id, staff, email, ownerName, role, name, scopes, found, timeZone, hasTwoFactor, usedAt) = try row.decode(
            StaffToken.ID.self,
            Staff.ID.self,
            String.self,
            String.self,
            StaffRole.self,
            String.self,
            [String]?.self,
            App.ID?.self,
            String?.self,
            Bool.self,
            Date?.self
        )
        return StaffToken(
            id: id,
            staff: staff,
            email: email,
            ownerName: ownerName,
            role: role,
            name: name,
            scopes: scopes?.compactMap { TokenScope($0) },
            app: found,
            timeZone: timeZone,
            hasTwoFactor: hasTwoFactor,
            lastUsedAt: usedAt
        )
    }
}

extension WriteTransaction {
    package var tokens: StaffTokenWrites { StaffTokenWrites(transaction: self) }
}

package struct StaffTokenWrites: Sendable {
    let transaction: WriteTransaction

    /// - Parameter scopes: nil for everything that its owner may do.
    package func insert(
        _ id: StaffToken.ID,
        of staff: Staff.ID,
        name: String,
        tokenHash: [UInt8],
        scopes: [TokenScope]?,
        expiresAt: Date?
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO staff_tokens (id, staff_id, name, token_hash, scopes, created_at, expires_at)
            VALUES (\(id), \(staff), \(name), \(tokenHash), \(scopes?.map(\.description)), \(transaction.now),
                \(expiresAt))
            """
        )
    }

    /// False when there is no such token or it was revoked already.
    package func revoke(_ id: StaffToken.ID) async throws -> Bool {
        try await transaction.query(
            "UPDATE staff_tokens SET revoked_at = \(transaction.now) WHERE id = \(id) AND revoked_at IS NULL"
        ).affectedRows == 1
    }

    /// Returns those that were live until now.
    package func revokeAll(of staff: Staff.ID) async throws -> [StaffToken.ID] {
        let rows = try await transaction.query(
            """
            UPDATE staff_tokens
            SET revoked_at = \(transaction.now)
            WHERE staff_id = \(staff) AND revoked_at IS NULL
            RETURNING id, expires_at IS NULL OR expires_at > \(transaction.now)
            """
        ).map { try $0.decode(StaffToken.ID.self, Bool.self) }
        return rows.filter(\.1).map(\.0)
    }
}

extension Database {
    /// Notes that a token is in use; a later moment is never replaced by an earlier one.
    package func touchToken(_ id: StaffToken.ID) async throws {
        let moment = now
        _ = try await writeAlone(
            """
            UPDATE staff_tokens
            SET last_used_at = \(moment)
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at < \(moment))
            """
        )
    }
}
