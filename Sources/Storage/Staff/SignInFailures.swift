package import Foundation
import Postgres

/// Failed sign-ins of one subject: an account or an address.
package struct SignInFailures: Sendable, Hashable {
    package var failures: Int
    package var countedSince: Date
    package var blockedUntil: Date?

    package init(failures: Int, countedSince: Date, blockedUntil: Date?) {
        self.failures = failures
        self.countedSince = countedSince
        self.blockedUntil = blockedUntil
    }
}

extension Reader {
    package var signInFailures: SignInFailureReads { SignInFailureReads(reader: self) }
}

package struct SignInFailureReads: Sendable {
    let reader: Reader

    /// The failures counted against these subjects; without a lock, so that others may count on meanwhile.
    package func find(_ subjects: [String]) async throws -> [String: SignInFailures] {
        try SignInFailures.bySubject(try await reader.query(SignInFailures.selection(of: subjects)))
    }
}

extension WriteTransaction {
    package var signInFailures: SignInFailureWrites { SignInFailureWrites(transaction: self) }
}

package struct SignInFailureWrites: Sendable {
    let transaction: WriteTransaction

    /// The failures counted against these subjects, locked until the transaction ends.
    ///
    /// A subject without a row has nothing to lock, so the names themselves are locked, in one order for everybody.
    package func lock(_ subjects: [String]) async throws -> [String: SignInFailures] {
        let subjects = subjects.sorted()
        for subject in subjects {
            try await transaction.lock("SELECT pg_advisory_xact_lock(hashtextextended(\(subject), 5))")
        }
        return try SignInFailures.bySubject(try await transaction.query(SignInFailures.selection(of: subjects)))
    }

    /// nil forgets the subject.
    package func save(_ subject: String, _ failures: SignInFailures?) async throws {
        guard let failures else {
            try await transaction.query("DELETE FROM sign_in_failures WHERE subject = \(subject)")
            return
        }
        try await transaction.query(
            """
            INSERT INTO sign_in_failures (subject, failures, counted_since, blocked_until)
            VALUES (\(subject), \(Int32(clamping: failures.failures)), \(failures.countedSince),
                \(failures.blockedUntil))
            ON CONFLICT (subject) DO UPDATE
            SET failures = excluded.failures, counted_since = excluded.counted_since,
                blocked_until = excluded.blocked_until
            """
        )
    }
}

extension SignInFailures {
    fileprivate static func selection(of subjects: [String]) -> Query {
        """
        SELECT subject, failures, counted_since, blocked_until
        FROM sign_in_failures
        WHERE subject = ANY(\(subjects))
        """
    }

    fileprivate static func bySubject(_ rows: Rows) throws -> [String: SignInFailures] {
        try rows.reduce(into: [:]) { found, row in
            let (subject, failures, since, until) = try row.decode(String.self, Int.self, Date.self, Date?.self)
            found[subject] = SignInFailures(failures: failures, countedSince: since, blockedUntil: until)
        }
    }
}

extension Database {
    /// Forgets failures that no longer count; returns how many subjects.
    package func forgetSignInFailures(before moment: Date) async throws -> Int {
        try await writeAlone(
            """
            DELETE FROM sign_in_failures
            WHERE counted_since < \(moment) AND coalesce(blocked_until, counted_since) < \(now)
            """
        ).affectedRows
    }
}
