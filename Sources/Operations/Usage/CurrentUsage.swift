package import Billing
package import Foundation
package import Storage

/// How much of a feature a customer has used, and may use.
package struct FeatureUsage: Sendable, Hashable {
    /// The feature's code.
    package var feature: String
    package var isIncluded: Bool
    /// The lowest plan that includes it; nil where none does.
    package var requiredPlan: String?
    package var usage: UsageByWindow

    /// How many can be counted now; nil for as many as one likes.
    package var remaining: Int64? { isIncluded ? usage.tightest?.remaining : 0 }
}

/// What a customer has used of all that their app has.
package struct CustomerUsage: Sendable, Hashable {
    /// The code of the customer's plan; nil for an app without plans.
    package var plan: String?
    /// In the order of the app's catalogue.
    package var features: [FeatureUsage]
    package var readAt: Date
}

extension BackOffice {
    /// How much of each feature a customer has used, and what their plan leaves.
    package func usage(for session: CustomerSession) async throws -> CustomerUsage {
        guard let zone = try await apps.entry(for: session.app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        if try await database.readPrimary({ try await $0.usage.hasExpiredReservations(of: session.customer) }) {
            _ = try await database.write { try await $0.usageReservations.expire(of: session.customer) }
        }
        return try await database.readPrimary { reader in
            let held = try await reader.entitlementSources.current(of: session.customer, app: session.app)
            let plan = held.sources.entitlement(at: reader.now)?.plan.code ?? held.basePlan
            let features = try await reader.usage.features(of: session.app)
            let counters = try await reader.usage.counters(of: session.customer)
            let today = BusinessDay(reader.now, in: zone)
            return CustomerUsage(
                plan: plan,
                features: features.map { feature in
                    let limits = feature.limits(of: plan)
                    return FeatureUsage(
                        feature: feature.code,
                        isIncluded: limits != nil,
                        requiredPlan: feature.requiredPlan,
                        usage: UsageByWindow(counters[feature.id], limits: limits ?? .unlimited, on: today, in: zone)
                    )
                },
                readAt: reader.now
            )
        }
    }
}
