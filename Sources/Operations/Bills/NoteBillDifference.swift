package import Billing
package import Storage

extension BackOffice {
    /// Keeps a person's note on a difference between a bill and the books, or closes it with one.
    ///
    /// - Parameter closes: nothing is left to be done about it.
    /// - Throws: `OperationsError` with `.notFound`; `.conflict` where it is closed already.
    package func noteBillDifference(
        _ id: ListedBillDifference.ID,
        of app: App.ID,
        closes: Bool,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let found = try await transaction.bills.lock(difference: id, of: app) else {
                throw OperationsError(.notFound, "There is no such difference.")
            }
            guard found.isOpen else { throw OperationsError(.conflict, "The difference is closed already.") }
            try await transaction.bills.note(reason.forAudit, by: caller.actor, on: id, closes: closes)
            let facts: [(String, String?)] = [
                ("store", found.store.rawValue), ("day", found.day.description),
                ("kind", found.difference.kind.rawValue),
                ("transactionId", found.difference.transactionID),
            ]
            let entry = caller.entry(
                closes ? .closeBillDifference : .noteBillDifference,
                on: "bill_difference",
                id.description,
                app: app,
                before: AuditJSON(facts + [("state", "open")]).text,
                after: AuditJSON(facts + [("state", closes ? "closed" : "open")]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }
}
