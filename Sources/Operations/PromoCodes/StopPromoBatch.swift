package import Billing
package import Storage

extension BackOffice {
    /// Stops a batch: none of its codes can be redeemed until it is resumed. What was given stays.
    ///
    /// - Throws: `OperationsError`: `.forbidden`, `.notFound`, `.conflict` where it is stopped already.
    package func stopPromoBatch(
        _ id: PromoBatch.ID,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await change(id, of: app, as: .stopPromoBatch, reason, key, caller) { transaction in
            try await transaction.promoCodes.stop(id, of: app, as: caller.actor)
        }
    }

    /// Takes a stop back.
    ///
    /// - Throws: `OperationsError`: `.forbidden`, `.notFound`, `.conflict` where it is not stopped.
    package func resumePromoBatch(
        _ id: PromoBatch.ID,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await change(id, of: app, as: .resumePromoBatch, reason, key, caller) { transaction in
            try await transaction.promoCodes.resume(id, of: app)
        }
    }

    private func change(
        _ id: PromoBatch.ID,
        of app: App.ID,
        as action: AuditAction,
        _ reason: Reason,
        _ key: IdempotencyKey?,
        _ caller: Caller,
        _ body: (WriteTransaction) async throws -> Bool
    ) async throws -> ActionOutcome {
        guard caller.may(.managePromoCodes) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        let found = try await database.readPrimary { try await $0.screens.promoBatch(id, of: app) }
        guard let batch = found else { throw OperationsError(.notFound, "The app has no such batch.") }
        return try await runOnce(key) { transaction in
            guard try await body(transaction) else {
                let what = action == .stopPromoBatch ? "The batch is stopped already." : "The batch is not stopped."
                throw OperationsError(.conflict, what)
            }
            let states = action == .stopPromoBatch ? ("running", "stopped") : ("stopped", "running")
            let entry = caller.entry(
                action,
                on: "promo_batch",
                id.description,
                app: app,
                before: AuditJSON([("name", batch.name), ("state", states.0)]).text,
                after: AuditJSON([("name", batch.name), ("state", states.1)]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }
}
