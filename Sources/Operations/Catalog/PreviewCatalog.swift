package import Billing
import Storage

/// The preview of applying a catalogue.
package struct CatalogPreview: Sendable, Encodable {
    /// The changes that `applyCatalog` would report; empty if it would be refused.
    package var changes: [String]
    /// The effects on customers who have a plan now.
    package var effects: [CatalogEffect]
    /// The reason that it would be refused; nil if it would be applied.
    package var rejectionReason: String?
}

extension BackOffice {
    /// Reports the changes of applying a catalogue, and the number of customers concerned, and changes nothing: the catalogue is applied in
    /// a transaction that is rolled back.
    ///
    /// - Throws: as `applyCatalog`, apart from conflicts, which the preview names.
    package func previewCatalog(_ catalog: Catalog) async throws -> CatalogPreview {
        let stored = try await database.write { try await $0.catalogs.lock(catalog.app) }
        var preview = CatalogPreview(changes: [], effects: [], rejectionReason: nil)
        do {
            try await database.write { transaction in
                throw DryRun(changes: try await apply(catalog, in: transaction).changes)
            }
        } catch let run as DryRun {
            preview.changes = run.changes
        } catch let error as OperationsError where error.code == .conflict {
            preview.rejectionReason = error.message
        }
        guard let stored else {
            preview.effects = CatalogEffect.all(from: nil, to: catalog, holders: [:]) { _ in 0 }
            return preview
        }
        let base = stored.catalog.plans.first { $0.plan.rank == 0 }?.plan.code
        let (holders, renewing) = try await database.readPrimary { reader in
            (
                try await reader.apps.holders(of: stored.app, base: base),
                try await reader.apps.renewing(of: stored.app)
            )
        }
        preview.effects = CatalogEffect.all(from: stored.catalog, to: catalog, holders: holders) { product in
            renewing[StoredCatalog.ProductKey(product)] ?? 0
        }
        return preview
    }

    /// Takes back what was tried.
    private struct DryRun: Error {
        var changes: [String]
    }
}

extension CatalogPreview {
    /// For people, line by line.
    package var lines: [String] {
        var lines = rejectionReason.map { ["This would be refused: \($0)"] } ?? changes
        if !lines.isEmpty { lines.append("") }
        lines += effects.isEmpty ? ["No plan gives more or less than now."] : effects.map(\.line)
        lines.append("Nothing was changed. Applying it touches no counter: what was used stays used.")
        return lines
    }
}

extension CatalogEffect {
    fileprivate var line: String {
        let name = feature ?? ""
        let (old, new) = (before?.text ?? "nothing", after?.text ?? "nothing")
        let who = customers == 1 ? "1 customer" : "\(customers) customers"
        return switch kind {
        case .planAdded: "plan \(plan) is new"
        case .planRemoved: "plan \(plan) is removed: \(who)"
        case .rankChanged: "plan \(plan) goes from rank \(rankBefore ?? 0) to \(rankAfter ?? 0): \(who)"
        case .featureGained: "plan \(plan) gains \(name), \(new): \(who)"
        case .featureLost: "plan \(plan) loses \(name), \(old): \(who)"
        case .limitRaised: "plan \(plan) gets more of \(name), \(new) instead of \(old): \(who)"
        case .limitLowered: "plan \(plan) gets less of \(name), \(new) instead of \(old): \(who)"
        case .limitChanged: "plan \(plan) gets another limit of \(name), \(new) instead of \(old): \(who)"
        case .productRemoved:
            "product \(product ?? "") at \(store ?? "") is removed: "
                + (customers == 1 ? "1 subscription renews" : "\(customers) subscriptions renew")
        }
    }
}
