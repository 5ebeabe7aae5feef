import Billing
import Foundation
import Storage

/// Features are saved before the plans that include them, and removed after all plans did without them.
extension BackOffice {
    /// - Returns: the ids of all features by code, those included that are still to be removed.
    func saveFeatures(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws -> [String: FeatureRecord.ID] {
        let old = stored?.catalog.features ?? []
        var ids = stored?.features ?? [:]
        guard old != catalog.features else { return ids }
        let oldByCode = Dictionary(old.map { ($0.feature.code, $0) }) { first, _ in first }
        for (position, feature) in catalog.features.enumerated() {
            let code = feature.feature.code
            let id = ids[code] ?? Identifier(transaction.newUUID())
            ids[code] = id
            try await transaction.catalogs.save(feature: feature, as: id, at: position, of: app)
            guard oldByCode[code] != feature else { continue }
            report.changes.append("\(oldByCode[code] == nil ? "added" : "changed") feature \(code)")
        }
        let (oldCodes, codes) = (old.map(\.feature.code), catalog.features.map(\.feature.code))
        let kept = Set(oldCodes).intersection(codes)
        if oldCodes.filter({ kept.contains($0) }) != codes.filter({ kept.contains($0) }) {
            report.changes.append("changed the order of features")
        }
        return ids
    }

    /// A plan that was just added brings its limits without a word.
    func savePlanFeatures(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        _ plans: [String: Identifier<Plan>],
        _ features: [String: FeatureRecord.ID],
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let old = Dictionary((stored?.catalog.plans ?? []).map { ($0.plan.code, $0) }) { first, _ in first }
        for plan in catalog.plans {
            let before = old[plan.plan.code]
            guard before?.features ?? [:] != plan.features, let id = plans[plan.plan.code] else { continue }
            var included: [FeatureRecord.ID: FeatureLimits] = [:]
            for (code, limits) in plan.features {
                guard let feature = features[code] else { continue }
                included[feature] = limits
            }
            try await transaction.catalogs.save(features: included, of: id)
            if let before { report.changes += catalog.changes(from: before, to: plan) }
        }
    }

    func removeFeatures(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let kept = Set(catalog.features.map(\.feature.code))
        for (code, id) in (stored?.features ?? [:]).sorted(by: { $0.key < $1.key }) where !kept.contains(code) {
            guard try await transaction.catalogs.remove(feature: id) else { throw CatalogConflict.used(feature: code) }
            report.changes.append("removed feature \(code)")
        }
    }
}

extension Catalog {
    /// The changes of a plan's features, in the order of features; removed features are not mentioned here.
    fileprivate func changes(from old: CatalogPlan, to plan: CatalogPlan) -> [String] {
        features.compactMap { feature in
            let code = feature.feature.code
            switch (old.features[code], plan.features[code]) {
            case (nil, let new?):
                return "added \(code) to plan \(plan.plan.code), \(new.text)"
            case (_?, nil):
                return "removed \(code) from plan \(plan.plan.code)"
            case (let before?, let new?):
                guard before != new else { return nil }
                return "changed limits of \(code) in plan \(plan.plan.code) from \(before.text) to \(new.text)"
            case (nil, nil):
                return nil
            }
        }
    }
}

extension FeatureLimits {
    /// "5 a day, 50 in all"
    var text: String {
        let limits = [day.map { "\($0) a day" }, month.map { "\($0) a month" }, lifetime.map { "\($0) in all" }]
        let named = limits.compactMap(\.self)
        return named.isEmpty ? "unlimited" : named.joined(separator: ", ")
    }
}
