package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Retries dead letters of an app's queue: one, or all that can be retried.
    ///
    /// - Parameter id: nil for all.
    /// - Returns: the number of dead letters, as the outcome's result.
    /// - Throws: `OperationsError` with `.conflict` if there is none: somebody else was faster.
    package func retryDeadLetters(
        _ id: UUID?,
        in queue: QueueName,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            let count = try await transaction.jobs.revive(id, in: queue, of: app)
            guard count > 0 else {
                throw OperationsError(.conflict, "There is nothing that failed and could be tried again.")
            }
            let entry = caller.entry(
                .retryQueue,
                on: "queue",
                id?.uuidString.lowercased() ?? queue.rawValue,
                app: app,
                after: AuditJSON([("queue", queue.rawValue), ("count", String(count))]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), String(count))
        }
    }
}
