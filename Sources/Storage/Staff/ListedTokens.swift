import Billing
package import Foundation
import Postgres

/// A key to the admin API as lists show it: everything but the key.
package struct ListedToken: Sendable, Hashable {
    package var id: StaffToken.ID
    package var staff: Staff.ID
    package var email: String
    package var name: String
    /// The scopes to which its owner's rights are limited, as it was issued; nil for all rights.
    package var scopes: [String]?
    package var createdAt: Date
    /// To within `StaffToken.useGrain`; nil for never.
    package var lastUsedAt: Date?
    package var expiresAt: Date?
    package var revokedAt: Date?
    /// The account is shut: nothing of it opens anything.
    package var isOwnerShut: Bool

    package init(
        id: StaffToken.ID,
        staff: Staff.ID,
        email: String,
        name: String,
        scopes: [String]? = nil,
        createdAt: Date,
        lastUsedAt: Date? = nil,
        expiresAt: Date? = nil,
        revokedAt: Date? = nil,
        isOwnerShut: Bool = false
    ) {
        self.id = id
        self.staff = staff
        self.email = email
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.isOwnerShut = isOwnerShut
    }

    package func isLive(at moment: Date) -> Bool {
        revokedAt == nil && !isOwnerShut && (expiresAt.map { $0 > moment } ?? true)
    }
}

extension StaffTokenReads {
    /// More are not listed; an account has a few.
    private static let most: Int32 = 1_000

    /// The keys of an account, or of everybody, the good ones first, then the newest: however many there were, the ones
    /// that open something are seen.
    ///
    /// - Parameter staff: nil for everybody's.
    package func list(of staff: Staff.ID?) async throws -> [ListedToken] {
        let condition: Query = if let staff { "k.staff_id = \(staff)" } else { "true" }
        return try await reader.query(
            """
            \(Self.selection(where: condition))
            ORDER BY
                (k.revoked_at IS NULL AND t.disabled_at IS NULL
                    AND (k.expires_at IS NULL OR k.expires_at > \(reader.now))) DESC,
                k.created_at DESC, k.id DESC
            LIMIT \(Self.most)
            """
        ).map(ListedToken.init(row:))
    }

    package func listed(_ id: StaffToken.ID) async throws -> ListedToken? {
        try await reader.query(Self.selection(where: "k.id = \(id)")).first.map(ListedToken.init(row:))
    }

    /// The number of an account's valid keys.
    package func countLive(of staff: Staff.ID) async throws -> Int {
        try await reader.query(
            """
            SELECT count(*) FROM staff_tokens
            WHERE staff_id = \(staff) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \(reader.now))
            """
        ).first?.decode(0, as: Int.self) ?? 0
    }

    private static func selection(where condition: Query) -> Query {
        """
        SELECT k.id, t.id, t.email, k.name, k.scopes, k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
            t.disabled_at IS NOT NULL
        FROM staff_tokens k
        JOIN staff t ON t.id = k.staff_id
        WHERE \(condition)
        """
    }
}

extension ListedToken {
    fileprivate init(row: Row) throws {
        (id, staff, email, name, scopes, createdAt, lastUsedAt, expiresAt, revokedAt, isOwnerShut) = try row.decode(
            StaffToken.ID.self,
            Staff.ID.self,
            String.self,
            String.self,
            [String]?.self,
            Date.self,
            Date?.self,
            Date?.self,
            Date?.self,
            Bool.self
        )
    }
}
