import Billing
package import Foundation
package import Storage

/// The state of a person's second factor, for the page that shows it.
package enum TwoFactorSetting: Sendable {
    case off
    /// Setup has begun: the authenticator app has to read this, and its first code is expected.
    case begun(TOTP)
    case on(since: Date, recoveryCodesLeft: Int)
}

extension BackOffice {
    package func twoFactor(of staff: Staff.ID) async throws -> TwoFactorSetting {
        let factor = try await database.readPrimary { try await $0.staff.twoFactor(of: staff) }
        guard let factor else { return .off }
        if let since = factor.confirmedAt {
            return .on(since: since, recoveryCodesLeft: factor.recoveryCodesLeft)
        }
        return .begun(TOTP(secret: try await sealed(factor, of: staff)))
    }

    /// Makes a secret and waits for the first code; nothing changes at sign-in yet.
    ///
    /// - Throws: `OperationsError` with `.conflict` when it is on already, `.misconfigured` without a key to seal with.
    package func beginTwoFactor(of staff: Staff.ID, caller: Caller) async throws {
        let secret = Array(SecretToken.random().bytes.prefix(TOTP.secretLength))
        let sealed = try requireCipher().seal(secret, for: staff.uuid)
        try await database.write { transaction in
            guard try await transaction.twoFactor.lock(staff)?.isOn != true else {
                throw OperationsError(.conflict, "Two-factor sign-in is on already.")
            }
            try await transaction.twoFactor.begin(staff, sealedSecret: sealed)
            try await transaction.audit.append(caller.entry(.beginTwoFactor, on: "staff", staff.description))
        }
    }

    /// Turns it on with the first code of the app. Whoever is signed in elsewhere has given one factor, and is signed out; so are browsers
    /// that were known by one.
    ///
    /// - Parameters:
    ///   - session: the one that asks, and stays.
    ///   - device: the token of its browser.
    /// - Returns: the recovery codes, this once.
    /// - Throws: `OperationsError` with `.invalid` and the field `code`, `.conflict` when it was not begun or is on.
    package func confirmTwoFactor(
        of staff: Staff.ID,
        code: String,
        in session: StaffSession.ID? = nil,
        on device: SecretToken? = nil,
        caller: Caller
    ) async throws -> [RecoveryCode] {
        try await counting(staff, caller, field: "code") { transaction in
            guard let factor = try await transaction.twoFactor.lock(staff), !factor.isOn else {
                throw OperationsError(.conflict, "Nothing is being set up, or it is on already.")
            }
            let totp = TOTP(secret: try await sealed(factor, of: staff))
            guard let step = totp.step(of: code, at: transaction.now, after: factor.lastStep) else { return nil }
            try await transaction.twoFactor.turnOn(staff, lastStep: step)
            let codes = try await newRecoveryCodes(of: staff, in: transaction)
            try await transaction.sessions.deleteAll(of: staff, but: session, on: device?.hash)
            try await transaction.audit.append(caller.entry(.turnOnTwoFactor, on: "staff", staff.description))
            return codes
        }
    }

    /// New recovery codes in the place of the old ones, shown this once.
    ///
    /// - Throws: `OperationsError` with `.conflict` where it is not on.
    package func renewRecoveryCodes(of staff: Staff.ID, caller: Caller) async throws -> [RecoveryCode] {
        try await database.write { transaction in
            guard try await transaction.twoFactor.lock(staff)?.isOn == true else {
                throw OperationsError(.conflict, "Two-factor sign-in is not on.")
            }
            let codes = try await newRecoveryCodes(of: staff, in: transaction)
            try await transaction.audit.append(caller.entry(.renewRecoveryCodes, on: "staff", staff.description))
            return codes
        }
    }

    /// Turns one's own second factor off; takes both factors.
    ///
    /// - Returns: the audit entry.
    /// - Throws: `OperationsError` with `.invalid` and the field `code` (which one was wrong it does not say), or
    ///   `.overloaded` after too many tries.
    @discardableResult
    package func removeTwoFactor(
        of staff: Staff.ID,
        password: String,
        code: String,
        caller: Caller
    ) async throws -> UUID {
        let account = try await database.readPrimary { try await $0.staff.find(staff) }
        let matches = try await isPassword(password, of: account)
        return try await counting(staff, caller, field: "code") { transaction in
            guard matches, try await take(code, of: staff, in: transaction) != nil else { return nil as UUID? }
            _ = try await transaction.twoFactor.remove(staff)
            return try await transaction.audit.append(caller.entry(.turnOffTwoFactor, on: "staff", staff.description))
        }
    }

    /// True if the password is the one of the signed-in person.
    func isPassword(_ password: String, of account: Staff?) async throws -> Bool {
        let stored = account.flatMap { PasswordHash($0.passwordHash) } ?? .ofNobody
        return try await passwords.known.run { try stored.matches(password) } && account != nil
    }

    /// Runs a try at a secret that counts as failed when it answers nil.
    @discardableResult
    func counting<Answer: Sendable>(
        _ staff: Staff.ID,
        _ caller: Caller,
        field: String,
        _ body: (WriteTransaction) async throws -> Answer?
    ) async throws -> Answer {
        let subjects = SignInSubjects(proofsOf: staff)
        let tried: CountedTry
        switch try await admit(subjects, caller) {
        case .admitted(let counted): tried = counted
        case .refused(let until):
            let seconds = max(1, Int(bounding: until.timeIntervalSince(database.now).rounded(.up)))
            throw OperationsError(.blocked, "Too many wrong tries. Wait \(seconds) seconds.", retryAfter: seconds)
        }
        let answer = try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(subjects.names)
            guard let answer = try await body(transaction) else {
                try await refuse(tried, because: .wrong(field), in: transaction)
                return nil as Answer?
            }
            try await takeBack(tried, known, in: transaction)
            return answer
        }
        guard let answer else { throw OperationsError(.invalid, "This is not right.", field: field) }
        return answer
    }

    private func newRecoveryCodes(of staff: Staff.ID, in transaction: WriteTransaction) async throws -> [RecoveryCode] {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode.random() }
        try await transaction.twoFactor.setRecoveryCodes(of: staff, to: codes.map(\.hash))
        return codes
    }
}
