import Billing
package import Foundation
import Postgres

extension StaffSessionReads {
    /// The person of a pending MFA challenge: the password was right, the second factor is still missing.
    package func mfaChallenge(tokenHash: [UInt8]) async throws -> Staff.ID? {
        try await reader.query(
            """
            SELECT h.staff_id
            FROM mfa_challenges h
            JOIN staff t ON t.id = h.staff_id
            WHERE h.token_hash = \(tokenHash) AND h.expires_at > \(reader.now) AND t.disabled_at IS NULL
            """
        ).first?.decode(0, as: Staff.ID.self)
    }
}

extension StaffSessionWrites {
    package func insertMFAChallenge(tokenHash: [UInt8], staff: Staff.ID, expiresAt: Date) async throws {
        try await transaction.query(
            """
            INSERT INTO mfa_challenges (token_hash, staff_id, created_at, expires_at)
            VALUES (\(tokenHash), \(staff), \(transaction.now), \(expiresAt))
            """
        )
    }

    /// The person of the challenge; nil when there was none that still counts. Only one caller can take it.
    package func takeMFAChallenge(tokenHash: [UInt8]) async throws -> Staff.ID? {
        try await transaction.query(
            """
            DELETE FROM mfa_challenges
            WHERE token_hash = \(tokenHash) AND expires_at > \(transaction.now)
            RETURNING staff_id
            """
        ).first?.decode(0, as: Staff.ID.self)
    }
}

extension Database {
    package func removeEndedMFAChallenges() async throws {
        _ = try await writeAlone("DELETE FROM mfa_challenges WHERE expires_at <= \(now)")
    }
}
