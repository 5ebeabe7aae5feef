package import Foundation
import Postgres

/// The account whose password a one-time link sets.
package struct PasswordSetupToken: Sendable {
    package var staff: Staff.ID
    package var email: String
    package var name: String
    /// The account has no password yet.
    package var isInvitation: Bool
}

extension StaffReads {
    /// The live link of this token; nil when it was used, replaced, is too old or its account is shut.
    package func link(tokenHash: [UInt8]) async throws -> PasswordSetupToken? {
        try await reader.query(PasswordSetupToken.selection(of: tokenHash, at: reader.now)).first.map(
            PasswordSetupToken.init(row:)
        )
    }
}

extension StaffWrites {
    /// Makes a link; one that the account had before opens nothing any more.
    package func setLink(of id: Staff.ID, tokenHash: [UInt8], expiresAt: Date) async throws {
        try await transaction.query(
            """
            INSERT INTO password_setup_tokens (staff_id, token_hash, created_at, expires_at)
            VALUES (\(id), \(tokenHash), \(transaction.now), \(expiresAt))
            ON CONFLICT (staff_id) DO UPDATE
            SET token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
            """
        )
    }

    /// Takes a link, so that it opens nothing any more; nil when there is none that is good.
    package func takeLink(tokenHash: [UInt8]) async throws -> PasswordSetupToken? {
        let rows = try await transaction.lock(
            "\(PasswordSetupToken.selection(of: tokenHash, at: transaction.now)) FOR UPDATE OF l"
        )
        guard let link = try rows.first.map(PasswordSetupToken.init(row:)) else { return nil }
        try await removeLink(of: link.staff)
        return link
    }

    package func removeLink(of id: Staff.ID) async throws {
        try await transaction.query("DELETE FROM password_setup_tokens WHERE staff_id = \(id)")
    }
}

extension PasswordSetupToken {
    fileprivate static func selection(of tokenHash: [UInt8], at now: Date) -> Query {
        """
        SELECT t.id, t.email, t.name, t.password_hash = \(Staff.noPassword)
        FROM password_setup_tokens l
        JOIN staff t ON t.id = l.staff_id
        WHERE l.token_hash = \(tokenHash) AND l.expires_at > \(now) AND t.disabled_at IS NULL
        """
    }

    fileprivate init(row: Row) throws {
        (staff, email, name, isInvitation) = try row.decode(Staff.ID.self, String.self, String.self, Bool.self)
    }
}
