package import Billing
package import Foundation
import Postgres

/// A signed-in browser, with everything the frame of a page shows.
package struct StaffSession: Sendable {
    package typealias ID = Identifier<StaffSession>

    package var id: ID
    package var staff: Staff.ID
    package var email: String
    package var name: String
    package var role: StaffRole
    package var theme: StaffTheme
    /// nil: as the browser asks.
    package var language: Language?
    package var shortcuts: Bool
    package var lastSeenAt: Date
    /// The time at which the person last authenticated, with password or code.
    package var authenticatedAt: Date
    /// True where they sign in with a second factor.
    package var hasTwoFactor: Bool
    /// The app the person looks at; nil only while there is none that they may see.
    package var app: ChosenApp?
    /// Every app that the person may see, by name. What belongs to others is not there for them.
    package var apps: [AppName]
    /// True if the person also sees future apps and entries of no app.
    package var seesAllApps: Bool
    /// Failed notifications of the app; counted up to 100.
    package var failedNotifications: Int
    /// Its refund requests that wait for a decision; counted up to 100.
    package var waitingRefunds: Int

    package struct ChosenApp: Sendable {
        package var id: App.ID
        package var slug: String
        package var name: String
        package var timeZone: String
    }

    package struct AppName: Sendable, Hashable {
        package var id: App.ID
        package var slug: String
        package var name: String
    }
}

/// The limits of a session's life, in seconds.
package struct SessionLimits: Sendable {
    /// Ends a session that nobody uses.
    package var idle: TimeInterval
    /// Ends any session.
    package var absolute: TimeInterval

    package init(idle: TimeInterval = 12 * 3600, absolute: TimeInterval = 14 * 86_400) {
        self.idle = idle
        self.absolute = absolute
    }
}

extension Reader {
    package var sessions: StaffSessionReads { StaffSessionReads(reader: self) }
}

package struct StaffSessionReads: Sendable {
    let reader: Reader

    /// The live session of a token, in one statement; nil when it ended, never was, or its account is disabled.
    package func find(tokenHash: [UInt8], limits: SessionLimits) async throws -> StaffSession? {
        let rows = try await reader.pool.query(
            """
            SELECT s.id, t.id, t.email, t.name, t.role, t.theme, t.language, t.shortcuts, s.last_seen_at,
                s.authenticated_at, a.id, a.slug, a.name, a.time_zone, t.sees_all_apps, visible.ids, visible.slugs,
                visible.names,
                (SELECT count(*) FROM (
                    SELECT FROM store_notifications n WHERE n.app_id = a.id AND n.state = 'failed' LIMIT 100
                ) AS failed),
                (SELECT count(*) FROM (
                    SELECT FROM refund_requests r WHERE r.app_id = a.id AND r.status = 'pending' LIMIT 100
                ) AS waiting),
                EXISTS (SELECT FROM staff_two_factor f WHERE f.staff_id = t.id AND f.confirmed_at IS NOT NULL)
            FROM staff_sessions s
            JOIN staff t ON t.id = s.staff_id
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(p.id ORDER BY p.name, p.slug), '{}') AS ids,
                    coalesce(array_agg(p.slug ORDER BY p.name, p.slug), '{}') AS slugs,
                    coalesce(array_agg(p.name ORDER BY p.name, p.slug), '{}') AS names
                FROM apps p
                WHERE \(StaffApps.isVisible("p.id"))
            ) AS visible
            LEFT JOIN apps a ON a.id = CASE WHEN s.app_id = ANY(visible.ids) THEN s.app_id ELSE visible.ids[1] END
            WHERE s.token_hash = \(tokenHash) AND s.expires_at > \(reader.now)
                AND s.last_seen_at > \(reader.now.addingTimeInterval(-limits.idle)) AND t.disabled_at IS NULL
            """,
            timeout: reader.doorTimeout
        )
        return try rows.first.map(Self.session)
    }

    private static func session(of row: Row) throws -> StaffSession {
        let (
            session, staff, email, name, role, theme, language, shortcuts, seenAt, authenticatedAt, app, slug, appName,
            zone, seesAll, ids, slugs, names, failed, waiting, hasTwoFactor
        ) = try row.decode(
            StaffSession.ID.self,
            Staff.ID.self,
            String.self,
            String.self,
            StaffRole.self,
            StaffTheme.self,
            Language?.self,
            Bool.self,
            Date.self,
            Date.self,
            App.ID?.self,
            String?.self,
            String?.self,
            String?.self,
            Bool.self,
            [UUID].self,
            [String].self,
            [String].self,
            Int.self,
            Int.self,
            Bool.self
        )
        var chosen: StaffSession.ChosenApp?
        if let app, let slug, let appName, let zone {
            chosen = StaffSession.ChosenApp(id: app, slug: slug, name: appName, timeZone: zone)
        }
        return StaffSession(
            id: session,
            staff: staff,
            email: email,
            name: name,
            role: role,
            theme: theme,
            language: language,
            shortcuts: shortcuts,
            lastSeenAt: seenAt,
            authenticatedAt: authenticatedAt,
            hasTwoFactor: hasTwoFactor,
            app: chosen,
            apps: ids.indices.map { StaffSession.AppName(id: App.ID(ids[$0]), slug: slugs[$0], name: names[$0]) },
            seesAllApps: seesAll,
            failedNotifications: failed,
            waitingRefunds: waiting
        )
    }
}

/// One session as its owner sees it in a list.
package struct ListedSession: Sendable, Hashable {
    package var id: StaffSession.ID
    package var createdAt: Date
    package var lastSeenAt: Date
    package var address: Personal<String>?
    package var userAgent: Personal<String>?

    package init(
        id: StaffSession.ID,
        createdAt: Date,
        lastSeenAt: Date,
        address: Personal<String>?,
        userAgent: Personal<String>?
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.address = address
        self.userAgent = userAgent
    }
}

extension StaffSessionReads {
    /// The live sessions of an account, the one used last first.
    package func list(of staff: Staff.ID, limits: SessionLimits) async throws -> [ListedSession] {
        try await reader.query(
            """
            SELECT id, created_at, last_seen_at, address, user_agent
            FROM staff_sessions
            WHERE staff_id = \(staff) AND expires_at > \(reader.now)
                AND last_seen_at > \(reader.now.addingTimeInterval(-limits.idle))
            ORDER BY last_seen_at DESC, id
            """
        ).map { row in
            let (id, createdAt, seenAt, address, agent) = try row.decode(
                StaffSession.ID.self,
                Date.self,
                Date.self,
                Personal<String>?.self,
                Personal<String>?.self
            )
            return ListedSession(
                id: id,
                createdAt: createdAt,
                lastSeenAt: seenAt,
                address: address,
                userAgent: agent
            )
        }
    }
}

extension WriteTransaction {
    package var sessions: StaffSessionWrites { StaffSessionWrites(transaction: self) }
}

package struct StaffSessionWrites: Sendable {
    let transaction: WriteTransaction

    /// Opens a session that looks at the app that was set up first, of those that its owner may see.
    package func insert(
        tokenHash: [UInt8],
        staff: Staff.ID,
        limits: SessionLimits,
        address: String?,
        userAgent: String?
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO staff_sessions
                (token_hash, id, staff_id, app_id, created_at, last_seen_at, authenticated_at, expires_at, address,
                 user_agent)
            SELECT \(tokenHash), \(transaction.newUUID()), t.id,
                (SELECT a.id FROM apps a WHERE \(StaffApps.isVisible("a.id")) ORDER BY a.created_at, a.name, a.slug LIMIT 1),
                \(transaction.now), \(transaction.now), \(transaction.now),
                \(transaction.now.addingTimeInterval(limits.absolute)), \(address), \(userAgent)
            FROM staff t
            WHERE t.id = \(staff)
            """
        )
    }

    /// The person of the session; nil when there was none.
    package func delete(tokenHash: [UInt8]) async throws -> Staff.ID? {
        try await transaction.query("DELETE FROM staff_sessions WHERE token_hash = \(tokenHash) RETURNING staff_id")
            .first?.decode(0, as: Staff.ID.self)
    }

    /// Ends every session of an account, also those that are half open, and forgets every browser; returns how many
    /// were open.
    ///
    /// - Parameters:
    ///   - kept: the one that stays.
    ///   - device: the hash of the token of the browser that stays known.
    @discardableResult
    package func deleteAll(
        of staff: Staff.ID,
        but kept: StaffSession.ID? = nil,
        on device: [UInt8]? = nil
    ) async throws -> Int {
        try await transaction.devices.forgetAll(of: staff, but: device)
        try await transaction.query("DELETE FROM mfa_challenges WHERE staff_id = \(staff)")
        return try await transaction.query(
            "DELETE FROM staff_sessions WHERE staff_id = \(staff) AND id IS DISTINCT FROM \(kept)"
        ).affectedRows
    }

    /// False when the account has no such session.
    package func delete(_ id: StaffSession.ID, of staff: Staff.ID) async throws -> Bool {
        try await transaction.query("DELETE FROM staff_sessions WHERE id = \(id) AND staff_id = \(staff)")
            .affectedRows == 1
    }

    /// Gives a session a new token after a reauthentication (ASVS 7.2.4).
    ///
    /// - Returns: false when there is no such session.
    package func renew(tokenHash old: [UInt8], as new: [UInt8]) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE staff_sessions
            SET token_hash = \(new), authenticated_at = \(transaction.now)
            WHERE token_hash = \(old)
            """
        ).affectedRows == 1
    }

    /// False when there is no such app, or none that the person may see.
    package func chooseApp(_ slug: String, tokenHash: [UInt8]) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE staff_sessions s
            SET app_id = a.id
            FROM apps a, staff t
            WHERE s.token_hash = \(tokenHash) AND a.slug = \(slug) AND t.id = s.staff_id
                AND \(StaffApps.isVisible("a.id"))
            """
        ).affectedRows == 1
    }
}

extension Database {
    /// Notes that a session is in use; a later moment is never replaced by an earlier one.
    package func touchSession(tokenHash: [UInt8]) async throws {
        let moment = now
        _ = try await writeAlone(
            """
            UPDATE staff_sessions
            SET last_seen_at = \(moment)
            WHERE token_hash = \(tokenHash) AND last_seen_at < \(moment)
            """
        )
    }

    /// Removes sessions that ended; returns how many.
    package func removeEndedSessions(limits: SessionLimits) async throws -> Int {
        try await writeAlone(
            """
            DELETE FROM staff_sessions
            WHERE expires_at <= \(now) OR last_seen_at <= \(now.addingTimeInterval(-limits.idle))
            """
        ).affectedRows
    }
}
