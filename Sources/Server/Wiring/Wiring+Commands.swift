import Billing
import Foundation
import Operations
import Postgres
import Storage

/// The commands of the command line; each answers in its own words.
extension Wiring {
    /// Applies a catalogue file and says what changed. A new app is known on every server by then.
    ///
    /// - Parameter simulator: the DER roots of a test authority that the app then trusts instead of Apple.
    package func applyCatalog(_ path: String, simulator: [[UInt8]] = []) async throws -> [String] {
        let catalog = try CatalogFile.read(path, simulator: simulator)
        return try await withBackOffice { backOffice in
            let changes = try await backOffice.applyCatalog(catalog, caller: .systemUser).changes
            if changes.contains("added app \(catalog.app)") { try await Task.sleep(for: AppDirectory.longestIgnorance) }
            return changes
        }
    }

    /// Says what applying a catalogue file would do, and changes nothing.
    ///
    /// - Parameter simulator: as for `applyCatalog`.
    /// - Returns: for people or as JSON, and whether applying it would be refused.
    package func previewCatalog(
        _ path: String,
        simulator: [[UInt8]] = [],
        asJSON: Bool
    ) async throws -> (text: String, isRefused: Bool) {
        let catalog = try CatalogFile.read(path, simulator: simulator)
        let preview = try await withBackOffice { try await $0.previewCatalog(catalog) }
        guard asJSON else { return (preview.lines.joined(separator: "\n"), preview.rejectionReason != nil) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (String(decoding: try encoder.encode(preview), as: UTF8.self), preview.rejectionReason != nil)
    }

    /// - Parameter role: support, admin or analyst.
    package func addStaff(_ email: String, name: String, role: String, password: String) async throws {
        let known = try Self.role(role)
        _ = try await withBackOffice {
            try await $0.addStaff(email: email, name: name, role: known, password: password, caller: .systemUser)
        }
    }

    /// - Parameter revokesKeys: asked for how many API keys the account has, where it has any.
    /// - Returns: the number of keys that were revoked.
    package func setPassword(
        of email: String,
        to password: String,
        revokesKeys: @Sendable (Int) -> Bool
    ) async throws -> Int {
        try await withBackOffice { backOffice in
            let live = try await backOffice.liveTokens(of: try await backOffice.staff(email).id)
            let tokens = live == 0 || revokesKeys(live) ? TokensAtReset.revoked : .kept
            return try await backOffice.setPassword(of: email, to: password, tokens: tokens, caller: .systemUser)
        }
    }

    /// Makes an account and returns the link with which the person sets a password.
    ///
    /// - Parameter slugs: empty for all apps, also those to come.
    package func inviteStaff(
        _ email: String,
        name: String,
        role: String,
        apps slugs: [String],
        reason: String
    ) async throws -> String {
        let (role, reason) = (try Self.role(role), try Self.reason(reason))
        return try await withBackOffice { backOffice in
            let invitation = try await backOffice.inviteStaff(
                email: email,
                name: name,
                role: role,
                apps: slugs.isEmpty ? nil : slugs,
                reason: reason,
                caller: .systemUser
            )
            return link(invitation)
        }
    }

    /// Returns the link with which somebody sets a new password.
    package func sendPasswordReset(_ email: String, reason: String) async throws -> String {
        let reason = try Self.reason(reason)
        return try await withBackOffice { backOffice in
            let staff = try await backOffice.staff(email)
            return link(try await backOffice.sendPasswordReset(staff.id, reason: reason, caller: .systemUser))
        }
    }

    /// - Parameter role: support, admin or analyst.
    package func setRole(of email: String, to role: String, reason: String) async throws {
        try await change(email, .role(try Self.role(role)), reason)
    }

    /// - Parameter slugs: empty for all apps, also those to come.
    package func setApps(of email: String, to slugs: [String], reason: String) async throws {
        try await change(email, .apps(slugs.isEmpty ? nil : slugs), reason)
    }

    package func disableStaff(_ email: String, reason: String) async throws {
        try await change(email, .disable, reason)
    }

    package func enableStaff(_ email: String, reason: String) async throws {
        try await change(email, .enable, reason)
    }

    package func endSessions(of email: String, reason: String) async throws {
        try await change(email, .endSessions, reason)
    }

    package func removeTwoFactor(of email: String, reason: String) async throws {
        try await change(email, .removeTwoFactor, reason)
    }

    private func change(_ email: String, _ change: StaffChange, _ reason: String) async throws {
        let reason = try Self.reason(reason)
        try await withBackOffice { backOffice in
            let staff = try await backOffice.staff(email)
            try await backOffice.change(staff.id, change, reason: reason, caller: .systemUser)
        }
    }

    /// - Throws: `OperationsError` with `.invalid` for a role that there is not.
    private static func role(_ text: String) throws -> StaffRole {
        guard let known = StaffRole(rawValue: text) else {
            let roles = StaffRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw OperationsError(.invalid, "A role is one of \(roles), not \(text).", field: "role")
        }
        return known
    }

    private static func reason(_ text: String) throws -> Reason {
        try Reason(category: Reason.Category.other.rawValue, text: text)
    }

    private func link(_ invitation: StaffInvitation?) -> String {
        let origin = configuration.publicURL ?? "http://\(configuration.host):\(configuration.port)"
        return invitation.map { "\(origin)/dashboard/welcome/\($0.token)" } ?? ""
    }

    package func listSessions(of email: String) async throws -> [String] {
        try await withBackOffice { backOffice in
            let staff = try await backOffice.staff(email)
            return try await backOffice.sessions(of: staff.id).map { session in
                let seen = session.lastSeenAt.formatted(.iso8601)
                let (address, device) = (
                    session.address?.shown(to: Caller.systemUser), session.userAgent?.shown(to: Caller.systemUser)
                )
                return "\(session.id)\t\(seen)\t\(address ?? "-")\t\(device ?? "-")"
            }
        }
    }

    /// A new key to the admin API; its text is not kept anywhere.
    ///
    /// - Parameter scopes: the part of its owner's permissions that it has; empty is all of them.
    package func issueToken(named name: String, of email: String, scopes: [String], days: Int?) async throws -> String {
        let expiresAt = days.map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
        let known = try scopes.map { text in
            guard let scope = TokenScope(text) else {
                let all = TokenScope.all.map(\.description).joined(separator: ", ")
                throw OperationsError(.invalid, "A scope is one of \(all), not \(text).", field: "scope")
            }
            return scope
        }
        return try await withBackOffice {
            try await $0.issueToken(
                named: name,
                of: email,
                scopes: known.isEmpty ? nil : known,
                expiresAt: expiresAt,
                caller: .systemUser
            ).text
        }
    }

    /// One line per key: id, owner, name, what it may do, whether it is good, and when it was used last.
    ///
    /// - Parameter email: nil for everybody's.
    package func tokenLines(of email: String?) async throws -> [String] {
        try await withBackOffice { backOffice in
            var owner: Staff.ID?
            if let email { owner = try await backOffice.staff(email).id }
            let now = backOffice.database.now
            return try await backOffice.tokens(of: owner).map { token in
                let state =
                    if let revokedAt = token.revokedAt {
                        "revoked \(revokedAt.formatted(.iso8601))"
                    } else if !token.isLive(at: now) {
                        token.isOwnerShut ? "account shut" : "expired"
                    } else {
                        token.expiresAt.map { "good until \($0.formatted(.iso8601))" } ?? "good"
                    }
                let used = token.lastUsedAt.map { "used \($0.formatted(.iso8601))" } ?? "never used"
                let scopes = token.scopes?.joined(separator: " ") ?? "everything"
                return [token.id.description, token.email, token.name, scopes, state, used].joined(separator: "\t")
            }
        }
    }

    /// Revokes one key and says which it was.
    package func revokeToken(_ text: String, reason: String) async throws -> String {
        let reason = try Self.reason(reason)
        return try await withBackOffice { backOffice in
            guard let id = StaffToken.ID(text), let token = try await backOffice.listedToken(id) else {
                throw OperationsError(.notFound, "There is no key \(text): `perennial staff token list` has the ids.")
            }
            try await backOffice.revokeToken(id, reason: reason, caller: .systemUser)
            return "The key \(token.name) of \(token.email) is revoked."
        }
    }

    /// The newest entries of the audit log, the newest first, one a line: time, actor, action, object, app, before, after and reason.
    ///
    /// - Parameters:
    ///   - actor: nil for everybody's.
    ///   - action: `catalog.apply`, or `catalog` for every action on catalogues; nil for all.
    ///   - slug: an app's; nil for all entries.
    package func auditLines(limit: Int, actor: String?, action: String?, app slug: String?) async throws -> [String] {
        var filter = AuditFilter()
        (filter.actor, filter.action, filter.app) = (actor ?? "", action ?? "", slug ?? "")
        let rows = try await withBackOffice { [filter] backOffice in
            // The operator sees everything: no account is theirs.
            let scope = AuditScope(
                viewer: Staff.ID(backOffice.database.newUUID()),
                apps: .all,
                seesAccounts: true,
                seesOwn: false
            )
            return try await backOffice.database.readPrimary { reader in
                try await reader.screens.auditEntries(filter, scope: scope, zone: .gmt, after: nil, limit: limit)
            }
        }
        return rows.map { row in
            let object = [row.objectType, row.objectID].compactMap { $0 }.joined(separator: " ")
            let texts = [row.before, row.after, row.reason].map { $0?.shown(to: Caller.systemUser) }
            return
                ([row.at.formatted(.iso8601), row.actor, row.action, object, row.app ?? ""] + texts.map { $0 ?? "" })
                .map { $0.isEmpty ? "-" : $0.replacing(/[\t\r\n]+/, with: " ") }
                .joined(separator: "\t")
        }
    }

    /// Checks the audit log against its chain.
    ///
    /// - Parameter remembered: a mark that an earlier check printed.
    /// - Returns: the mark of the chain's end.
    /// - Throws: `OperationsError` with `.conflict` that names the first broken entry.
    package func verifyAudit(remembered text: String?) async throws -> String {
        let remembered = try text.map { text in
            guard let mark = AuditMark(text) else {
                throw OperationsError(.invalid, "A mark is a number, a colon and 64 hexadecimal digits.", field: "mark")
            }
            return mark
        }
        switch try await withBackOffice({ try await $0.verifyAuditChain(remembered: remembered) }) {
        case .intact(let mark): return mark.description
        case .broken(let found): throw OperationsError(.conflict, "The audit log is broken. \(found.text).")
        }
    }

    /// Forgets a lost secret with what it sealed, and returns whose second factor went.
    package func forgetSecret(reason: String) async throws -> [String] {
        let reason = try Self.reason(reason)
        return try await withBackOffice { try await $0.forgetSecret(reason: reason, caller: .systemUser) }
    }

    /// Brings the private cluster to the newest PostgreSQL that is installed, and says what became of it.
    package func upgradeCluster() async throws -> String {
        guard configuration.databaseURL == nil else {
            throw ConfigurationProblem(
                "PERENNIAL_DATABASE_URL is set: that database is upgraded where it runs, not by this program"
            )
        }
        guard let done = try await cluster(makesMissing: false).upgrade() else {
            return "The data is of the newest PostgreSQL that is installed."
        }
        try await withDatabaseServer { connectionString in
            try await record(.clusterUpgrade(from: done.from, to: done.to), in: connectionString)
        }
        return
            "The data is of PostgreSQL \(done.to) now. That of \(done.from) is in \(done.kept); remove it when all is well."
    }

    /// One line per account: address, role, name, and whether it is shut.
    package func staffLines() async throws -> [String] {
        try await withBackOffice { backOffice in
            try await backOffice.database.read { try await $0.staff.all() }.map { staff in
                "\(staff.email)\t\(staff.role.rawValue)\t\(staff.name)\(staff.disabledAt == nil ? "" : "\tshut")"
            }
        }
    }
}
