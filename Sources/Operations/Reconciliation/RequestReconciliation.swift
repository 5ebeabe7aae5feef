package import Billing
package import Storage

extension BackOffice {
    /// Has the stores of an app asked as soon as a worker is free, beside the hourly turn.
    ///
    /// - Throws: `OperationsError` with `.conflict` where no store can be asked.
    package func requestReconciliation(
        of app: App.ID,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let stores = try await storesToReconcile(of: app)
        guard !stores.isEmpty else {
            throw OperationsError(.conflict, "No store can be asked: the app's catalogue has no key for that.")
        }
        return try await runOnce(key) { transaction in
            try await transaction.jobs.enqueueUnlessThere(.reconciliation, for: app.uuid, of: app)
            let entry = caller.entry(
                .requestReconciliation,
                on: "reconciliation",
                app.description,
                app: app,
                after: AuditJSON([("stores", stores.map(\.rawValue).joined(separator: " "))]).text
            )
            return (try await transaction.audit.append(entry), app.description)
        }
    }

    /// Writes down that the operator has a store asked from the command line.
    ///
    /// - Parameter days: the number of days to look back; nil for since the last time.
    package func recordReconciliation(of app: App.ID, at store: Store, days: Int?, caller: Caller) async throws {
        try await database.appendToAuditLog(
            caller.entry(
                .requestReconciliation,
                on: "reconciliation",
                app.description,
                app: app,
                after: AuditJSON([("stores", store.rawValue), ("days", days.map { String($0) })]).text
            )
        )
    }
}
