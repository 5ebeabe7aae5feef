package import Foundation
import Storage

/// What a try to sign in came to.
package enum SignInOutcome: Sendable {
    case signedIn(SecretToken)
    /// The password was right and the account has a second factor: the token opens nothing but the question for it.
    case owesCode(SecretToken)
    /// No such account, another password, or a disabled account: the answer does not say which.
    case wrong
    case blocked(until: Date)
}

extension BackOffice {
    /// Opens a session for the browser that knows an account's password.
    ///
    /// Each try makes one audit entry. An unknown address costs the same work as a known one.
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
            case .owesCode: break
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
        if let until = try await admit(subjects, attempt) { return .blocked(until: until) }
        let stored = account.flatMap { PasswordHash($0.passwordHash) } ?? .ofNobody
        let matches = try await PasswordThreads.shared.run { try stored.matches(password) }
        guard let account, matches, account.disabledAt == nil else {
            try await database.appendToAuditLog(attempt.entry("session.refuse", reason: "wrong e-mail or password"))
            return .wrong
        }
        return try await open(for: account, replacing: old, device, subjects, attempt)
    }

    /// Counts the try; returns until when it is refused, if it is.
    func admit(_ subjects: SignInSubjects, _ attempt: Caller) async throws -> Date? {
        try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(subjects.names)
            let verdicts = subjects.throttles.map {
                ($0.name, $0.throttle.verdict(on: known[$0.name], at: transaction.now))
            }
            let refusals = verdicts.compactMap { _, verdict in
                if case .refused(let until) = verdict { until } else { nil }
            }
            if let until = refusals.max() {
                try await transaction.audit.append(attempt.entry("session.throttle", reason: "too many failures"))
                return until
            }
            for case (let name, .admitted(let counted)) in verdicts {
                try await transaction.signInFailures.save(name, counted)
            }
            return nil
        }
    }

    private func open(
        for account: Staff,
        replacing old: SecretToken?,
        _ device: SignInDevice?,
        _ subjects: SignInSubjects,
        _ attempt: Caller
    ) async throws -> SignInOutcome {
        let token = SecretToken.random()
        return try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(subjects.names)
            let current = try await transaction.staff.lock(email: account.email)
            guard let current, current.disabledAt == nil, current.passwordHash == account.passwordHash else {
                try await transaction.audit.append(attempt.entry("session.refuse", reason: "the account changed"))
                return .wrong
            }
            try await takeBack(subjects, known, in: transaction)
            if try await transaction.twoFactor.lock(current.id)?.isOn ?? false {
                let end = transaction.now.addingTimeInterval(Self.secondStepTime)
                try await transaction.sessions.insertHalf(tokenHash: token.hash, staff: current.id, expiresAt: end)
                try await transaction.audit.append(attempt.entry("session.ask", reason: "the second factor is owed"))
                return .owesCode(token)
            }
            try await open(token, for: current.id, replacing: old, device, attempt, in: transaction)
            try await transaction.audit.append(attempt.entry("session.open"))
            return .signedIn(token)
        }
    }

    /// How long the second step of signing in may take.
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

    /// The try was none of a stranger: its own subject starts anew, the address gets this one back.
    func takeBack(
        _ subjects: SignInSubjects,
        _ known: [String: SignInFailures],
        in transaction: WriteTransaction
    ) async throws {
        for (name, throttle) in subjects.throttles {
            let left = name == subjects.account ? nil : throttle.takingBack(known[name])
            try await transaction.signInFailures.save(name, left)
        }
    }
}

extension Caller {
    /// The caller as whoever they try to be; an address without an account is not written down.
    func attempting(_ account: Staff?) -> Caller {
        var attempt = self
        attempt.staff = account?.id
        attempt.actor = account?.email ?? "unknown account"
        attempt.role = account?.role
        return attempt
    }
}
