import Storage

extension BackOffice {
    /// Forgets a secret that is lost, with what it sealed: everybody's second factor. The next server makes a new one.
    ///
    /// - Returns: the accounts that have no second factor any more.
    package func forgetSecret(reason: Reason, caller: Caller) async throws -> [String] {
        try await database.write { transaction in
            let emails = try await transaction.forgetSecret()
            try await transaction.audit.append(
                caller.entry(
                    .forgetSecret,
                    before: AuditJSON([("second_factors", String(emails.count))]).text,
                    after: AuditJSON([("second_factors", "0")]).text,
                    reason: reason.forAudit
                )
            )
            return emails
        }
    }
}
