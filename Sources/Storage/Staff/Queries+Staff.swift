package import Foundation
import Postgres

/// One account as the list and its page show it.
package struct StaffRow: Sendable {
    package var id: Staff.ID
    package var email: String
    package var name: String
    package var role: StaffRole
    package var disabledAt: Date?
    /// Has not set a password yet.
    package var isInvited: Bool
    /// The time until which the link to set a password is valid; nil without one.
    package var linkEndsAt: Date?
    package var seesAllApps: Bool
    /// Slugs; they count for a person who does not see all apps.
    package var apps: [String]
    package var hasTwoFactor: Bool
    package var sessions: Int
    package var lastSeenAt: Date?
    package var tokens: Int
    package var createdAt: Date

    package init(
        id: Staff.ID,
        email: String,
        name: String,
        role: StaffRole,
        disabledAt: Date? = nil,
        isInvited: Bool = false,
        linkEndsAt: Date? = nil,
        seesAllApps: Bool = true,
        apps: [String] = [],
        hasTwoFactor: Bool = false,
        sessions: Int = 0,
        lastSeenAt: Date? = nil,
        tokens: Int = 0,
        createdAt: Date
    ) {
        self.id = id
        self.email = email
        self.name = name
        self.role = role
        self.disabledAt = disabledAt
        self.isInvited = isInvited
        self.linkEndsAt = linkEndsAt
        self.seesAllApps = seesAllApps
        self.apps = apps
        self.hasTwoFactor = hasTwoFactor
        self.sessions = sessions
        self.lastSeenAt = lastSeenAt
        self.tokens = tokens
        self.createdAt = createdAt
    }
}

extension Queries {
    /// Every account, those that are open first.
    package func staff(limits: SessionLimits) async throws -> [StaffRow] {
        try await rows("true", limits)
    }

    package func staffMember(_ id: Staff.ID, limits: SessionLimits) async throws -> StaffRow? {
        try await rows("t.id = \(id)", limits).first
    }

    private func rows(_ condition: Query, _ limits: SessionLimits) async throws -> [StaffRow] {
        try await reader.query(
            """
            SELECT t.id, t.email, t.name, t.role, t.disabled_at, t.password_hash = \(Staff.noPassword),
                (SELECT l.expires_at FROM password_setup_tokens l WHERE l.staff_id = t.id AND l.expires_at > \(reader.now)),
                t.sees_all_apps,
                ARRAY(SELECT a.slug FROM staff_apps x JOIN apps a ON a.id = x.app_id WHERE x.staff_id = t.id
                      ORDER BY a.slug),
                EXISTS (SELECT FROM staff_two_factor f WHERE f.staff_id = t.id AND f.confirmed_at IS NOT NULL),
                s.live, s.seen,
                (SELECT count(*) FROM staff_tokens k
                 WHERE k.staff_id = t.id AND k.revoked_at IS NULL
                    AND (k.expires_at IS NULL OR k.expires_at > \(reader.now))),
                t.created_at
            FROM staff t
            CROSS JOIN LATERAL (
                SELECT max(last_seen_at) AS seen,
                    count(*) FILTER (WHERE expires_at > \(reader.now)
                        AND last_seen_at > \(reader.now.addingTimeInterval(-limits.idle))) AS live
                FROM staff_sessions
                WHERE staff_id = t.id
            ) AS s
            WHERE \(condition)
            ORDER BY t.disabled_at IS NOT NULL, t.email
            """
        ).map(StaffRow.init(row:))
    }
}

extension StaffRow {
    fileprivate init(row: Postgres.Row) throws {
        (
            id, email, name, role, disabledAt, isInvited, linkEndsAt, seesAllApps, apps, hasTwoFactor, sessions,
            lastSeenAt, tokens, createdAt
        ) = try row.decode(
            Staff.ID.self,
            String.self,
            String.self,
            StaffRole.self,
            Date?.self,
            Bool.self,
            Date?.self,
            Bool.self,
            [String].self,
            Bool.self,
            Int.self,
            Date?.self,
            Int.self,
            Date.self
        )
    }
}
