package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Records that a person reported an external purchase to the store by hand: the program does not report it.
    ///
    /// - Parameter toldAt: the time of the store's last message on the displayed page, to detect a newer one.
    /// - Throws: `OperationsError` with `.notFound`; `.stale` if the store has sent a message since; `.conflict` if it is reported already.
    package func reportExternalPurchase(
        _ id: ExternalPurchaseToken.ID,
        of app: App.ID,
        toldAt: Date,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let token = try await transaction.externalPurchases.lock(id, of: app) else {
                throw OperationsError(.notFound, "There is no such external purchase.")
            }
            guard token.toldAt.milliseconds == toldAt.milliseconds else {
                throw OperationsError(.stale, "The store has spoken of it since the page was loaded.")
            }
            guard token.isDue else { throw OperationsError(.conflict, "It has been reported already.") }
            try await transaction.externalPurchases.noteReported(id)
            let entry = caller.entry(
                .reportExternalPurchase,
                on: "external_purchase",
                id.description,
                app: app,
                before: AuditJSON([
                    ("externalPurchaseId", token.externalPurchaseID), ("state", token.state.rawValue),
                    ("reported", "no"),
                ]).text,
                after: AuditJSON([
                    ("externalPurchaseId", token.externalPurchaseID), ("state", token.state.rawValue),
                    ("reported", "yes"),
                ]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }
}
