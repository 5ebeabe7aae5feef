import Billing
import Storage

extension BackOffice {
    /// Trials that run are left as they are.
    func saveTrial(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        _ plans: [String: Identifier<Plan>],
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let (old, new) = (stored?.catalog.trial, catalog.trial)
        guard old != new else { return }
        let offer = new.flatMap { trial in plans[trial.plan].map { (trial, plan: $0) } }
        try await transaction.catalogs.save(trial: offer, of: app)
        let change =
            switch (old, new) {
            case (nil, let new?): "added a trial of \(new.plan) for \(new.period)"
            case (_, let new?): "changed the trial to \(new.plan) for \(new.period)"
            case (_, nil): "removed the trial"
            }
        report.changes.append(change)
    }
}
