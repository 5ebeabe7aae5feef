import Foundation
import Storage

/// A try to sign in, or to prove who one is, that was let in; it counts as failed until it succeeds.
struct CountedTry: Sendable {
    let subjects: SignInSubjects
    let caller: Caller
    /// Should it fail, the next ones have to wait.
    let reachesLimit: Bool
}

/// The admission of a sign-in attempt.
enum SignInAdmission: Sendable {
    case admitted(CountedTry)
    case refused(until: Date)
}

extension BackOffice {
    /// Counts the try, or refuses it. Who is refused already costs one statement, and leaves no trace.
    func admit(_ subjects: SignInSubjects, _ attempt: Caller) async throws -> SignInAdmission {
        if let until = try await lockout(of: subjects) { return .refused(until: until) }
        return try await count(subjects, attempt)
    }

    /// Until when tries are refused, as far as they are counted; nil when the next is let in.
    func lockout(of subjects: SignInSubjects) async throws -> Date? {
        try await database.readPrimary { reader in
            subjects.lockout(after: try await reader.signInFailures.find(subjects.names), at: reader.now)
        }
    }

    /// Counts the try, unless others have reached the limit since it was read.
    func count(_ subjects: SignInSubjects, _ attempt: Caller) async throws -> SignInAdmission {
        try await database.write { transaction in
            let known = try await transaction.signInFailures.lock(subjects.names)
            if let until = subjects.lockout(after: known, at: transaction.now) { return .refused(until: until) }
            var reachesLimit = false
            for (name, throttle) in subjects.throttles {
                guard case .admitted(let counted) = throttle.verdict(on: known[name], at: transaction.now) else {
                    continue
                }
                if counted.blockedUntil != nil { reachesLimit = true }
                try await transaction.signInFailures.save(name, counted)
            }
            return .admitted(CountedTry(subjects: subjects, caller: attempt, reachesLimit: reachesLimit))
        }
    }

    /// Writes down that the try failed, and once that the next ones have to wait.
    func refuse(_ tried: CountedTry, because cause: AuditCause, in transaction: WriteTransaction) async throws {
        try await transaction.audit.append(tried.caller.entry(.refuseSession, reason: cause.rawValue))
        guard tried.reachesLimit else { return }
        try await transaction.audit.append(
            tried.caller.entry(.throttleSession, reason: AuditCause.tooManyFailures.rawValue)
        )
    }

    /// The try was none of a stranger: its own subject starts anew, the address gets this one back.
    func takeBack(
        _ tried: CountedTry,
        _ known: [String: SignInFailures],
        in transaction: WriteTransaction
    ) async throws {
        for (name, throttle) in tried.subjects.throttles {
            let left = name == tried.subjects.account ? nil : throttle.takingBack(known[name])
            try await transaction.signInFailures.save(name, left)
        }
    }
}
