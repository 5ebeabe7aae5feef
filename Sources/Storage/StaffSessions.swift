package import Billing
package import Foundation
import Postgres

/// A signed-in browser, with everything the frame of a page shows.
package struct StaffSession: Sendable {
    package var staff: Staff.ID
    package var email: String
    package var name: String
    package var role: StaffRole
    package var theme: StaffTheme
    package var lastSeenAt: Date
    /// The app the person looks at; nil only while there is no app at all.
    package var app: ChosenApp?
    /// Every app, by name.
    package var apps: [AppName]
    /// Failed notifications of the app; counted up to 100.
    package var failedNotifications: Int

    package struct ChosenApp: Sendable {
        package var id: App.ID
        package var slug: String
        package var name: String
        package var timeZone: String
    }

    package struct AppName: Sendable, Hashable {
        package var slug: String
        package var name: String
    }
}

/// How long a session lives.
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

    /// How long a request waits to learn who asks; a database that does not answer by then is away.
    static let doorTimeout = Duration.seconds(2)
}

package struct StaffSessionReads: Sendable {
    let reader: Reader

    /// The live session of a token, in one statement; nil when it ended, never was, or its account is disabled.
    package func find(tokenHash: [UInt8], limits: SessionLimits) async throws -> StaffSession? {
        let rows = try await reader.pool.query(
            """
            SELECT t.id, t.email, t.name, t.role, t.theme, s.last_seen_at, a.id, a.slug, a.name, a.time_zone,
                ARRAY(SELECT slug FROM apps ORDER BY name, slug), ARRAY(SELECT name FROM apps ORDER BY name, slug),
                (SELECT count(*) FROM (
                    SELECT FROM store_notifications n WHERE n.app_id = a.id AND n.state = 'failed' LIMIT 100
                ) AS failed)
            FROM staff_sessions s
            JOIN staff t ON t.id = s.staff_id
            LEFT JOIN apps a ON a.id = coalesce(s.app_id, (SELECT id FROM apps ORDER BY name, slug LIMIT 1))
            WHERE s.token_hash = \(tokenHash) AND s.expires_at > \(reader.now)
                AND s.last_seen_at > \(reader.now.addingTimeInterval(-limits.idle)) AND t.disabled_at IS NULL
            """,
            timeout: Reader.doorTimeout
        )
        guard let row = rows.first else { return nil }
        let (staff, email, name, role, theme, seenAt, app, slug, appName, zone, slugs, names, failed) = try row.decode(
            Staff.ID.self,
            String.self,
            String.self,
            StaffRole.self,
            StaffTheme.self,
            Date.self,
            App.ID?.self,
            String?.self,
            String?.self,
            String?.self,
            [String].self,
            [String].self,
            Int.self
        )
        var chosen: StaffSession.ChosenApp?
        if let app, let slug, let appName, let zone {
            chosen = StaffSession.ChosenApp(id: app, slug: slug, name: appName, timeZone: zone)
        }
        return StaffSession(
            staff: staff,
            email: email,
            name: name,
            role: role,
            theme: theme,
            lastSeenAt: seenAt,
            app: chosen,
            apps: zip(slugs, names).map { StaffSession.AppName(slug: $0, name: $1) },
            failedNotifications: failed
        )
    }
}

extension WriteTransaction {
    package var sessions: StaffSessionWrites { StaffSessionWrites(transaction: self) }
}

package struct StaffSessionWrites: Sendable {
    let transaction: WriteTransaction

    /// Opens a session that looks at the first app by name.
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
                (token_hash, staff_id, app_id, created_at, last_seen_at, expires_at, address, user_agent)
            VALUES (\(tokenHash), \(staff), (SELECT id FROM apps ORDER BY name, slug LIMIT 1), \(transaction.now),
                \(transaction.now), \(transaction.now.addingTimeInterval(limits.absolute)), \(address), \(userAgent))
            """
        )
    }

    /// Whose session it was; nil when there was none.
    package func delete(tokenHash: [UInt8]) async throws -> Staff.ID? {
        try await transaction.query("DELETE FROM staff_sessions WHERE token_hash = \(tokenHash) RETURNING staff_id")
            .first?.decode(0, as: Staff.ID.self)
    }

    package func deleteAll(of staff: Staff.ID) async throws {
        try await transaction.query("DELETE FROM staff_sessions WHERE staff_id = \(staff)")
    }

    /// False when there is no such app.
    package func chooseApp(_ slug: String, tokenHash: [UInt8]) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE staff_sessions s
            SET app_id = a.id
            FROM apps a
            WHERE s.token_hash = \(tokenHash) AND a.slug = \(slug)
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
