/// An effect of a changed catalogue on the customers who have a plan now.
package struct CatalogEffect: Hashable, Sendable, Encodable {
    package var kind: Kind
    /// The plan's code.
    package var plan: String
    /// The feature's code.
    package var feature: String?
    /// The plan's limits of the feature before the change; `after` has those after it.
    package var before: FeatureLimits?
    package var after: FeatureLimits?
    package var rankBefore: Int?
    package var rankAfter: Int?
    /// The store's identifier of a product that is no longer sold.
    package var product: String?
    package var store: String?
    /// The number of customers who have the plan now; for a product, of those whose subscription to it still renews.
    package var customers: Int64

    package init(
        _ kind: Kind,
        plan: String,
        feature: String? = nil,
        before: FeatureLimits? = nil,
        after: FeatureLimits? = nil,
        customers: Int64
    ) {
        (self.kind, self.plan, self.feature) = (kind, plan, feature)
        (self.before, self.after, self.customers) = (before, after, customers)
    }

    /// Raw values are what `perennial catalog preview --json` says; others may be added.
    package enum Kind: String, Hashable, Sendable, Encodable {
        case planAdded
        case planRemoved
        case rankChanged
        case featureGained
        case featureLost
        /// In each window at least as much as before.
        case limitRaised
        /// In none more than before.
        case limitLowered
        /// More in one window and less in another.
        case limitChanged
        case productRemoved
    }

    /// The effects in the order of the plans' ranks, the features in the catalogue's order; products last.
    ///
    /// - Parameters:
    ///   - old: nil for a new app.
    ///   - holders: the number of customers who have a plan now, by its code.
    ///   - renewing: the number of a product's subscriptions that still renew.
    package static func all(
        from old: Catalog?,
        to new: Catalog,
        holders: [String: Int64],
        renewing: (CatalogProduct) -> Int64
    ) -> [CatalogEffect] {
        let before = Dictionary((old?.plans ?? []).map { ($0.plan.code, $0) }) { first, _ in first }
        let after = Dictionary(new.plans.map { ($0.plan.code, $0) }) { first, _ in first }
        let features = ordered(new.features + (old?.features ?? []))
        var effects: [CatalogEffect] = []
        for plan in new.plans.sorted(by: { $0.plan < $1.plan }) {
            let customers = holders[plan.plan.code] ?? 0
            guard let old = before[plan.plan.code] else {
                effects.append(CatalogEffect(.planAdded, plan: plan.plan.code, customers: customers))
                continue
            }
            if old.plan.rank != plan.plan.rank {
                var effect = CatalogEffect(.rankChanged, plan: plan.plan.code, customers: customers)
                (effect.rankBefore, effect.rankAfter) = (old.plan.rank, plan.plan.rank)
                effects.append(effect)
            }
            effects += features.compactMap { change(of: $0, from: old, to: plan, customers) }
        }
        for plan in before.values.sorted(by: { $0.plan < $1.plan }) where after[plan.plan.code] == nil {
            effects.append(
                CatalogEffect(.planRemoved, plan: plan.plan.code, customers: holders[plan.plan.code] ?? 0)
            )
        }
        for product in old?.products ?? []
        where !new.products.contains(where: { $0.store == product.store && $0.id == product.id }) {
            var effect = CatalogEffect(.productRemoved, plan: product.plan, customers: renewing(product))
            (effect.product, effect.store) = (product.id, product.store.rawValue)
            effects.append(effect)
        }
        return effects
    }

    /// Each code once.
    private static func ordered(_ features: [CatalogFeature]) -> [String] {
        var seen: Set<String> = []
        return features.map(\.feature.code).filter { seen.insert($0).inserted }
    }

    private static func change(
        of feature: String,
        from old: CatalogPlan,
        to new: CatalogPlan,
        _ customers: Int64
    ) -> CatalogEffect? {
        let (before, after) = (old.features[feature], new.features[feature])
        let kind: Kind
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, .some): kind = .featureGained
        case (.some, nil): kind = .featureLost
        case (let before?, let after?):
            guard before != after else { return nil }
            let windows = UsageWindow.allCases.map { (before[$0] ?? .max, after[$0] ?? .max) }
            let (more, less) = (windows.contains { $0.1 > $0.0 }, windows.contains { $0.1 < $0.0 })
            kind = more && less ? .limitChanged : more ? .limitRaised : .limitLowered
        }
        return CatalogEffect(
            kind,
            plan: new.plan.code,
            feature: feature,
            before: before,
            after: after,
            customers: customers
        )
    }
}
