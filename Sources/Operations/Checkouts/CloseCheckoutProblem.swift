package import Billing
package import Storage

extension BackOffice {
    /// Keeps that a person has seen to a payment that waited for people.
    ///
    /// - Throws: `OperationsError` with `.notFound`; `.conflict` where somebody has done so already.
    package func closeCheckoutProblem(
        of id: Checkout.ID,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let found = try await transaction.checkouts.problem(of: id, app: app) else {
                throw OperationsError(.notFound, "There is no such payment.")
            }
            guard !found.isSeenTo else { throw OperationsError(.conflict, "Somebody has seen to it already.") }
            try await transaction.checkouts.seeToProblem(of: id)
            let facts: [(String, String?)] = [
                ("store", found.store.rawValue), ("number", found.number), ("problem", found.problem),
            ]
            let entry = caller.entry(
                .closeCheckoutProblem,
                on: "checkout",
                id.description,
                app: app,
                before: AuditJSON(facts + [("state", "waiting")]).text,
                after: AuditJSON(facts + [("state", "closed")]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }
}
