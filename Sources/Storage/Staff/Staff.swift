package import Billing
package import Foundation
import Postgres

/// A person who works in the back office.
package struct Staff: Sendable, Hashable {
    package typealias ID = Identifier<Staff>

    package var id: ID
    /// In lower case; names the account.
    package var email: String
    package var name: String
    package var role: StaffRole
    /// `$scrypt$ln=…,r=…,p=…$salt$hash`
    package var passwordHash: String
    package var theme: StaffTheme
    /// From then on nobody signs in with this account.
    package var disabledAt: Date?
    /// Also those still to come; otherwise `staff_apps` lists them.
    package var seesAllApps: Bool

    /// The password hash of an account that is invited and not yet taken.
    package static let noPassword = "!"

    /// Invited, and the person has not set a password yet.
    package var isInvited: Bool { passwordHash == Self.noPassword }

    package init(
        id: ID,
        email: String,
        name: String,
        role: StaffRole,
        passwordHash: String,
        theme: StaffTheme = .system,
        disabledAt: Date? = nil,
        seesAllApps: Bool = true
    ) {
        self.id = id
        self.email = email
        self.name = name
        self.role = role
        self.passwordHash = passwordHash
        self.theme = theme
        self.disabledAt = disabledAt
        self.seesAllApps = seesAllApps
    }
}

/// The role of a person (product.md, roles). The database keeps the raw values.
package enum StaffRole: String, Sendable, Codable, CaseIterable, PostgresEncodable, PostgresDecodable {
    /// Looks, and helps customers.
    case support
    /// Everything.
    case admin
    /// Numbers; no customer's personal data.
    case analyst
}

/// The dashboard's colours that a person chose.
package enum StaffTheme: String, Sendable, CaseIterable, PostgresEncodable, PostgresDecodable {
    case system
    case light
    case dark
}

extension Reader {
    package var staff: StaffReads { StaffReads(reader: self) }
}

package struct StaffReads: Sendable {
    let reader: Reader

    /// The account of this address, disabled or not.
    package func find(email: String) async throws -> Staff? {
        try await reader.query(Self.selection(where: "email = \(email)")).first.map(Self.staff)
    }

    package func find(_ id: Staff.ID) async throws -> Staff? {
        try await reader.query(Self.selection(where: "id = \(id)")).first.map(Self.staff)
    }

    package func all() async throws -> [Staff] {
        try await reader.query(Self.selection(where: "true ORDER BY email")).map(Self.staff)
    }

    fileprivate static func selection(where condition: Query) -> Query {
        """
        SELECT id, email, name, role, password_hash, theme, disabled_at, sees_all_apps
        FROM staff
        WHERE \(condition)
        """
    }

    fileprivate static func staff(of row: Row) throws -> Staff {
        let (id, email, name, role, hash, theme, disabledAt, seesAllApps) = try row.decode(
            Staff.ID.self,
            String.self,
            String.self,
            StaffRole.self,
            String.self,
            StaffTheme.self,
            Date?.self,
            Bool.self
        )
        return Staff(
            id: id,
            email: email,
            name: name,
            role: role,
            passwordHash: hash,
            theme: theme,
            disabledAt: disabledAt,
            seesAllApps: seesAllApps
        )
    }
}

extension WriteTransaction {
    package var staff: StaffWrites { StaffWrites(transaction: self) }
}

package struct StaffWrites: Sendable {
    let transaction: WriteTransaction

    /// The account of this address, locked until the transaction ends.
    package func lock(email: String) async throws -> Staff? {
        try await transaction.lock(StaffReads.selection(where: "email = \(email) FOR UPDATE"))
            .first.map(StaffReads.staff)
    }

    /// The account, locked until the transaction ends.
    package func lock(_ id: Staff.ID) async throws -> Staff? {
        try await transaction.lock(StaffReads.selection(where: "id = \(id) FOR UPDATE")).first.map(StaffReads.staff)
    }

    /// False when the address has an account already; then nothing is written.
    package func insert(_ staff: Staff) async throws -> Bool {
        let rows = try await transaction.query(
            """
            INSERT INTO staff
                (id, email, name, role, password_hash, theme, disabled_at, sees_all_apps, created_at, updated_at)
            VALUES (\(staff.id), \(staff.email), \(staff.name), \(staff.role), \(staff.passwordHash), \(staff.theme),
                \(staff.disabledAt), \(staff.seesAllApps), \(transaction.now), \(transaction.now))
            ON CONFLICT (email) DO NOTHING
            """
        )
        return rows.affectedRows == 1
    }

    package func setPassword(of id: Staff.ID, to hash: String) async throws {
        try await transaction.query(
            "UPDATE staff SET password_hash = \(hash), updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }

    package func setTheme(of id: Staff.ID, to theme: StaffTheme) async throws {
        try await transaction.query(
            "UPDATE staff SET theme = \(theme), updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }

    /// - Throws: `LastAdmin` for the only admin who can sign in.
    package func setRole(of id: Staff.ID, to role: StaffRole) async throws {
        try await keepingAnAdmin(
            "UPDATE staff SET role = \(role), updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }

    /// - Parameter language: nil for what the browser asks.
    package func setLanguage(of id: Staff.ID, to language: Language?) async throws {
        try await transaction.query(
            "UPDATE staff SET language = \(language), updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }

    package func setShortcuts(of id: Staff.ID, to areOn: Bool) async throws {
        try await transaction.query(
            "UPDATE staff SET shortcuts = \(areOn), updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }

    /// - Throws: `LastAdmin` for the only admin who can sign in.
    package func disable(_ id: Staff.ID) async throws {
        try await keepingAnAdmin(
            """
            UPDATE staff
            SET disabled_at = coalesce(disabled_at, \(transaction.now)), updated_at = \(transaction.now)
            WHERE id = \(id)
            """
        )
    }

    package func enable(_ id: Staff.ID) async throws {
        try await transaction.query(
            "UPDATE staff SET disabled_at = NULL, updated_at = \(transaction.now) WHERE id = \(id)"
        )
    }
    private func keepingAnAdmin(_ query: Query) async throws {
        do {
            try await transaction.query(query)
        } catch let error as PostgresError where error.constraint == "one_admin_remains" {
            throw LastAdmin()
        }
    }
}

/// The change would leave nobody who can sign in as admin; the database refused it.
package struct LastAdmin: Error {}
