package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Replays a finished notification, as if it had just come. An event that was applied before changes nothing, as it is known
    /// (dashboard.md, section D).
    ///
    /// - Parameter attempts: the number of attempts on the displayed page, to detect a concurrent replay.
    /// - Throws: `OperationsError` with `.notFound`; `.stale` if it was tried since; `.conflict` while it waits or is being processed, and
    ///   for one without an event.
    package func replayNotification(
        _ id: UUID,
        of app: App.ID,
        attempts: Int,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let found = try await transaction.notifications.lock(id, of: app) else {
                throw OperationsError(.notFound, "There is no such notification.")
            }
            guard found.attempts == attempts else {
                throw OperationsError(.stale, "It was tried again since the page was loaded.")
            }
            guard found.state.isReplayable, found.hasEvent else {
                throw OperationsError(
                    .conflict,
                    "A notification that is \(found.state.rawValue) has nothing to apply again."
                )
            }
            try await transaction.notifications.makeDue(id)
            let entry = caller.entry(
                .replayNotification,
                on: "notification",
                id.uuidString.lowercased(),
                app: app,
                before: AuditJSON([("state", found.state.rawValue), ("attempts", String(found.attempts))]).text,
                after: AuditJSON([("state", NotificationState.received.rawValue)]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.uuidString.lowercased())
        }
    }
}

extension NotificationState {
    /// True if it is finished and held something to apply.
    package var isReplayable: Bool { self == .failed || self == .processed }
}
