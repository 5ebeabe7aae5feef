package import Billing
import Foundation
import Gateways
import Logging
import Storage

extension BackOffice {
    /// Schedules the reconciliation of each app with its stores, unless one waits, runs, or was done within the hour. A failure for one app
    /// does not affect the others.
    ///
    /// - Returns: the number of apps.
    package func scheduleReconciliations() async throws -> Int {
        let records = try await database.readPrimary { try await $0.apps.all() }
        var scheduled = 0
        for record in records {
            do {
                guard try await isReconciliationDue(for: record) else { continue }
                try await database.write {
                    try await $0.jobs.enqueueUnlessThere(.reconciliation, for: record.id.uuid, of: record.id)
                }
                scheduled += 1
            } catch {
                try Task.checkCancellation()
                logger.warning(
                    "stores not asked for what they sent",
                    metadata: ["app": "\(record.slug)", "error": "\(error)"]
                )
            }
        }
        return scheduled
    }

    /// Each full hour or so, whichever of several servers looks.
    private func isReconciliationDue(for record: AppRecord) async throws -> Bool {
        guard try await !storesToReconcile(of: record.id).isEmpty else { return false }
        let last = try await database.readPrimary { try await $0.screens.latestReconciliations(of: record.id) }
        return last.allSatisfy { $0.startedAt <= database.now.addingTimeInterval(-3_000) }
    }

    /// Those that can be asked with what their accounts say; one that is set up wrongly is said elsewhere.
    package func storesToReconcile(of app: App.ID) async throws -> [Store] {
        guard let accounts = try await apps.entry(for: app)?.accounts else { return [] }
        return accounts.values.filter { account in
            (try? gateways[account.store]?.reconciliation(of: account)) != nil
        }.map(\.store).sorted { $0.rawValue < $1.rawValue }
    }

    /// Asks the stores of the app that a job is about.
    func reconcile(_ leased: LeasedJob) async throws -> JobProgress {
        try await scheduleSeatComparisons(of: leased.app)
        for store in try await storesToReconcile(of: leased.app) {
            for environment in StoreEnvironment.allCases {
                let done = try await reconcile(leased.app, at: store, in: environment, trigger: .schedule) {
                    try await waitUntilApplied(leased.app)
                }
                if let done { log(done) }
            }
        }
        return try await end(leased)
    }

    /// For a minute at most; what is not applied by then changes nothing but who says it first.
    private func waitUntilApplied(_ app: App.ID) async throws {
        for _ in 0..<120 {
            guard try await database.hasUnfinishedNotifications(of: app) else { return }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func log(_ done: Reconciliation) {
        let metadata: Logger.Metadata = [
            "store": "\(done.store.rawValue)", "environment": "\(done.environment.rawValue)",
            "read": "\(done.counts.read)", "missed": "\(done.counts.missed)", "checked": "\(done.counts.checked)",
            "corrected": "\(done.counts.corrected)",
        ]
        if let problem = done.problem {
            logger.warning("not reconciled: \(problem)", metadata: metadata)
        } else {
            logger.info("reconciled", metadata: metadata)
        }
    }
}
