package import Foundation
import Storage

/// The outcome of a sign-in attempt.
package enum SignInOutcome: Sendable {
    case signedIn(SecretToken)
    /// The password was right and the account has a second factor: the token opens nothing but the MFA challenge.
    case mfaRequired(SecretToken)
    /// No such account, another password, or a disabled account: the response does not say which.
    case wrong
    case blocked(until: Date)
}

extension BackOffice {
    /// Opens a session for the browser that knows an account's password.
    ///
    /// Each try that is let in makes one audit entry, and one more where it has the next ones wait. An unknown address
    /// costs the same work as a known one.
    /// - Parameters:
    ///   - old: the browser's session so far; it ends when the new one begins.
    ///   - device: the browser; it is known to the account from then on. nil is a stranger that stays one.
    /// - Throws: `OperationsError` with `.overloaded` when too many sign in at once, or the database's error.
    package func signIn(
        email typed: String,
        password: String,
        replacing old: SecretToken? = nil,
        device: SignInDevice? = nil,
        caller: Caller
    ) async throws -> SignInOutcome {
        do {
            let outcome = try await trySignIn(
                email: typed,
                password: password,
                replacing: old,
                device: device,
                caller: caller
            )
            switch outcome {
            case .signedIn: health.triedToSignIn(isLetIn: true)
            case .mfaRequired: break
            case .wrong, .blocked: health.triedToSignIn(isLetIn: false)
            }
            return outcome
        } catch {
            health.triedToSignIn(isLetIn: false)
            throw error
        }
    }

    private func trySignIn(
        email typed: String,
        password: String,
        replacing old: SecretToken?,
        device: SignInDevice?,
        caller: Caller
    ) async throws -> SignInOutcome {
        let email = StaffEmail.normalized(typed)
        let account = try await database.readPrimary { reader in
            guard let email else { return nil as Staff? }
            return try await reader.staff.find(email: email)
        }
        let attempt = caller.attempting(account)
        let known = try await knownDevice(device, of: account?.id)
        let subjects =
            if let account, let known {
                SignInSubjects(passwordOf: account.id, on: known)
            } else {
                SignInSubjects(email: email, address: caller.address)
            }
        if let until = try await lockout(of: subjects) { return .blocked(until: until) }
        let stored = account.flatMap { PasswordHash($0.passwordHash) } ?? .ofNobody
        let queue = known == nil ? passwords.strangers : passwords.known
        // An attempt for which there is no room gets an error and is not counted.
        let (admission, matches) = try await queue.withPlace {
            let counted = try await count(subjects, attempt)
            guard case .admitted = counted else { return (counted, false) }
            return (counted, try await queue.runInPlace { try stored.matches(password) })
        }
        switch admission {
        case .refused(let until): return .blocked(until: until)
        case .admitted(let tried):
            guard let account, matches, account.disabledAt == nil else {
                try await database.write { try await refuse(tried, because: .wrongPassword, in: $0) }
                return .wrong
            }
            return try await open(for: account, replacing: old, device, tried)
        }
    }

    private func open(
        for account: Staff,
        replacing old: SecretToken?,
        _ device: SignInDevice?,
        _ tried: CountedTry
    ) async throws -> SignInOutcome {
        let (token, attempt) = (SecretToken.random(), tried.caller)
        return try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(tried.subjects.names)
            let current = try await transaction.staff.lock(email: account.email)
            guard let current, current.disabledAt == nil, current.passwordHash == account.passwordHash else {
                try await refuse(tried, because: .accountChanged, in: transaction)
                return .wrong
            }
            try await takeBack(tried, known, in: transaction)
            if try await transaction.twoFactor.lock(current.id)?.isOn ?? false {
                let end = transaction.now.addingTimeInterval(Self.secondStepTime)
                try await transaction.sessions.insertMFAChallenge(
                    tokenHash: token.hash,
                    staff: current.id,
                    expiresAt: end
                )
                try await transaction.audit.append(attempt.entry(.askSession, reason: AuditCause.codeIsOwed.rawValue))
                return .mfaRequired(token)
            }
            try await open(token, for: current.id, replacing: old, device, attempt, in: transaction)
            try await transaction.audit.append(attempt.entry(.openSession))
            return .signedIn(token)
        }
    }

    /// The time limit, in seconds, for the second step of signing in.
    static let secondStepTime: TimeInterval = 600

    func open(
        _ token: SecretToken,
        for staff: Staff.ID,
        replacing old: SecretToken?,
        _ device: SignInDevice?,
        _ attempt: Caller,
        in transaction: WriteTransaction
    ) async throws {
        try await remember(device, of: staff, in: transaction)
        if let old { _ = try await transaction.sessions.delete(tokenHash: old.hash) }
        try await transaction.sessions.insert(
            tokenHash: token.hash,
            staff: staff,
            limits: sessionLimits,
            address: attempt.address,
            userAgent: attempt.userAgent
        )
    }
}

extension Caller {
    /// The caller, named by the account that they try; an address without an account is not written down.
    func attempting(_ account: Staff?) -> Caller {
        var attempt = self
        attempt.kind = .stranger(claiming: account?.id)
        attempt.actor = account?.email ?? "unknown account"
        attempt.role = account?.role
        return attempt
    }
}
