import Foundation
package import Storage

extension BackOffice {
    /// The lifetimes of sessions.
    package var sessionLimits: SessionLimits { SessionLimits() }

    /// The live session of a browser's token, from the primary or remembered; nil when there is none.
    package func session(of token: SecretToken) async throws -> StaffSession? {
        let hash = token.hash
        return try await remembered.session(hash, at: database.now) {
            try await database.readPrimary { try await $0.sessions.find(tokenHash: hash, limits: sessionLimits) }
        }
    }

    /// Lets this server cache the signed-in staff, for as long as it receives changes.
    ///
    /// - Throws: if it no longer does, or is cancelled; then nothing is cached.
    package func rememberStaff() async throws {
        defer { remembered.hear(.deaf) }
        let signals = try await database.staffSignals()
        remembered.hear(.changed)
        for try await signal in signals { remembered.hear(signal) }
    }

    /// Keeps a session from ending as unused; writes at most once a minute.
    package func keepAlive(_ session: StaffSession, _ token: SecretToken) async throws {
        guard database.now.timeIntervalSince(session.lastSeenAt) > 60 else { return }
        defer { remembered.forget() }
        try await database.touchSession(tokenHash: token.hash)
    }

    /// Ends a browser's session. Ending one that has ended already changes nothing.
    package func signOut(_ token: SecretToken, caller: Caller) async throws {
        try await database.write { transaction in
            guard try await transaction.sessions.delete(tokenHash: token.hash) != nil else { return }
            try await transaction.audit.append(caller.entry(.closeSession))
        }
    }

    /// Has a session look at another app.
    ///
    /// - Throws: `OperationsError` with `.notFound` when there is no such app.
    package func chooseApp(_ slug: String, for token: SecretToken) async throws {
        try await database.write { transaction in
            guard try await transaction.sessions.chooseApp(slug, tokenHash: token.hash) else {
                throw OperationsError(.notFound, "There is no such app.", field: "app")
            }
        }
    }

    package func chooseTheme(_ theme: StaffTheme, for staff: Staff.ID) async throws {
        try await database.write { try await $0.staff.setTheme(of: staff, to: theme) }
    }

    /// - Parameter language: nil for what the browser asks.
    package func chooseLanguage(_ language: Language?, for staff: Staff.ID) async throws {
        try await database.write { try await $0.staff.setLanguage(of: staff, to: language) }
    }

    package func chooseShortcuts(areOn: Bool, for staff: Staff.ID) async throws {
        try await database.write { try await $0.staff.setShortcuts(of: staff, to: areOn) }
    }

    /// Writes down that somebody asked for what their role does not allow.
    package func recordDenial(of permission: Permission, at path: String, caller: Caller) async throws {
        try await database.appendToAuditLog(
            caller.entry(.denyAccess, on: "path", String(path.prefix(500)), reason: "needs \(permission.rawValue)")
        )
    }

    /// Removes sessions that ended and failures that no longer count; returns how many of each.
    package func sweepSignIns() async throws -> (sessions: Int, failures: Int) {
        let old = database.now.addingTimeInterval(-SignInThrottle.memory)
        try await database.removeEndedMFAChallenges()
        try await database.removeEndedDevices()
        return (
            try await database.removeEndedSessions(limits: sessionLimits),
            try await database.forgetSignInFailures(before: old)
        )
    }
}
