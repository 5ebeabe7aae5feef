import Billing
package import Foundation
import Storage

/// The outcome of the second step of signing in.
package enum SecondStepOutcome: Sendable {
    case signedIn(SecretToken)
    case wrong
    case blocked(until: Date)
    /// The first step is too long ago, or never happened: the password is asked for again.
    case expired
}

/// The proof of a person's second factor.
package enum SecondProof: String, Sendable {
    case code
    case recoveryCode = "recovery code"
}

extension BackOffice {
    /// True if this browser has a pending MFA challenge and nothing else.
    package func mfaRequired(_ half: SecretToken) async throws -> Bool {
        try await database.readPrimary { try await $0.sessions.mfaChallenge(tokenHash: half.hash) != nil }
    }

    /// Opens the session of a browser that gave the right password before and now a code of the app, or a recovery
    /// code.
    ///
    /// - Parameters:
    ///   - half: the token that signing in answered.
    ///   - old: the browser's session so far; it ends when the new one begins.
    ///   - device: the browser; it is known to the account from then on.
    package func finishSignIn(
        _ half: SecretToken,
        code: String,
        replacing old: SecretToken? = nil,
        device: SignInDevice? = nil,
        caller: Caller
    ) async throws -> SecondStepOutcome {
        do {
            let outcome = try await tryCode(code, half: half, replacing: old, device: device, caller: caller)
            switch outcome {
            case .signedIn: health.triedToSignIn(isLetIn: true)
            case .wrong, .blocked: health.triedToSignIn(isLetIn: false)
            case .expired: break
            }
            return outcome
        } catch {
            health.triedToSignIn(isLetIn: false)
            throw error
        }
    }

    private func tryCode(
        _ code: String,
        half: SecretToken,
        replacing old: SecretToken?,
        device: SignInDevice?,
        caller: Caller
    ) async throws -> SecondStepOutcome {
        let found = try await database.readPrimary { reader in
            guard let id = try await reader.sessions.mfaChallenge(tokenHash: half.hash) else { return nil as Staff? }
            return try await reader.staff.find(id)
        }
        guard let account = found else { return .expired }
        let attempt = caller.attempting(account)
        let subjects =
            if let known = try await knownDevice(device, of: account.id) {
                SignInSubjects(codesOf: account.id, on: known)
            } else {
                SignInSubjects(codesOf: account.id, address: attempt.address)
            }
        let tried: CountedTry
        switch try await admit(subjects, attempt) {
        case .admitted(let counted): tried = counted
        case .refused(let until): return .blocked(until: until)
        }
        let token = SecretToken.random()
        return try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(subjects.names)
            let current = try await transaction.staff.lock(account.id)
            guard let current, current.disabledAt == nil else { return .expired }
            guard let proof = try await take(code, of: current.id, in: transaction) else {
                try await refuse(tried, because: .wrongCode, in: transaction)
                return .wrong
            }
            guard try await transaction.sessions.takeMFAChallenge(tokenHash: half.hash) == current.id else {
                return .expired
            }
            try await open(token, for: current.id, replacing: old, device, attempt, in: transaction)
            try await takeBack(tried, known, in: transaction)
            try await transaction.audit.append(
                attempt.entry(.openSession, after: AuditJSON([("second factor", proof.rawValue)]).text)
            )
            return .signedIn(token)
        }
    }

    /// Takes a code, so that it is good no more; nil when it is not good.
    func take(
        _ code: String,
        of staff: Staff.ID,
        in transaction: WriteTransaction
    ) async throws -> SecondProof? {
        guard let factor = try await transaction.twoFactor.lock(staff), factor.isOn else { return nil }
        let totp = TOTP(secret: try await sealed(factor, of: staff))
        if let step = totp.step(of: code, at: transaction.now, after: factor.lastStep) {
            try await transaction.twoFactor.noteStep(step, of: staff)
            return .code
        }
        let hash = RecoveryCode.hash(of: code)
        return try await transaction.twoFactor.useRecoveryCode(hash, of: staff) ? .recoveryCode : nil
    }

    func sealed(_ factor: TwoFactor, of staff: Staff.ID) async throws -> [UInt8] {
        try requireCipher().open(factor.sealedSecret, for: staff.uuid)
    }

    func requireCipher() throws -> FieldCipher {
        guard let cipher else {
            throw OperationsError(.misconfigured, "There is no key to seal secrets with. Set PERENNIAL_SECRET.")
        }
        return cipher
    }
}
