package import Billing
package import Foundation
package import Storage

/// A customer's usage of a feature, and their access to it.
package struct FeatureUsage: Sendable, Hashable {
    /// The feature's code.
    package var feature: String
    package var access: FeatureAccess
    package var usage: UsageByWindow
    /// Staff's increases of the plan's limits; the limits of `usage` include them.
    package var increases = LimitIncreases()
    /// The customer's credits beside the plan; nil where they have none and owe none.
    package var credits: CreditBook?
    /// The time at which all this was read.
    package var readAt: Date

    package var isIncluded: Bool { limits != nil }

    /// The lowest plan that includes it, where the customer's does not; nil also where none does.
    package var requiredPlan: String? {
        guard case .tierRequired(let plan) = access else { return nil }
        return plan
    }

    /// The quantity that can be counted now, credits included; nil without a limit.
    package var remaining: Int64? {
        let ofPlan = isIncluded ? usage.tightest?.remaining : 0
        return ofPlan?.plus(creditsLeft)
    }

    /// The credits that can be spent now.
    package var creditsLeft: Int64 { credits?.left(at: readAt) ?? 0 }

    private var limits: FeatureLimits? {
        guard case .included(let limits) = access else { return nil }
        return limits
    }
}

/// A customer's access to all features of their app, and their usage of them.
package struct CustomerUsage: Sendable {
    package var held: EntitlementSources
    package var catalog: AppCatalog
    /// The code of the customer's plan; nil for an app without plans.
    package var plan: String?
    /// In the order of the app's catalogue.
    package var features: [FeatureUsage]
    /// The numbers of the orders that brought credits.
    package var orderNumbers: [Order.ID: String]
    package var readAt: Date
}

extension BackOffice {
    /// A customer's current access to each feature, their usage of it, and the remaining quantity.
    package func usage(for session: some VersionedCustomer) async throws -> CustomerUsage {
        guard let zone = try await apps.entry(for: session.app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        let catalog = try await catalogs.catalog(of: session.app, version: session.catalogVersion)
        let held = try await entitlements.sources(of: session)
        let counters = try await counters(of: session)
        let credits =
            catalog.sellsCredits
            ? try await database.readPrimary { try await $0.credits.all(of: session.customer) } : CustomerCredits()
        let now = database.now
        let plan = catalog.planCode(of: held, at: now)
        let ends = calendar.ends(for: session.app, in: zone, at: now)
        return CustomerUsage(
            held: held,
            catalog: catalog,
            plan: plan,
            features: catalog.features.map { feature in
                let access = FeatureAccess(to: feature.code, with: plan, of: catalog.plans)
                return FeatureUsage(
                    feature: feature.code,
                    access: access,
                    usage: UsageByWindow(
                        counters[feature.id],
                        limits: access.limits.increased(by: counters[feature.id]?.increases, at: now),
                        until: ends
                    ),
                    increases: counters[feature.id]?.increases ?? LimitIncreases(),
                    credits: credits.books[feature.id],
                    readAt: now
                )
            },
            orderNumbers: credits.numbers,
            readAt: now
        )
    }

    /// By feature, once what was reserved for longer than its time is given back.
    private func counters(of session: some VersionedCustomer) async throws -> [FeatureRecord.ID: UsageCounter] {
        let customer = session.customer
        let counters =
            if let known = session.counters { known } else {
                try await database.readPrimary { try await $0.usage.counters(of: customer) }
            }
        guard counters.hasExpiredReservations else { return counters.byFeature }
        _ = try await database.write { try await $0.usageReservations.expire(of: customer) }
        return try await database.readPrimary { try await $0.usage.counters(of: customer).byFeature }
    }
}
