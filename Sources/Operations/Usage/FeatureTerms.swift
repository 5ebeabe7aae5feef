import Billing
import Foundation
import Storage

/// What a customer's use of a feature is counted against, as it is before anything is counted.
struct FeatureTerms: Sendable {
    var now: Date
    /// The app's.
    var zone: TimeZone
    /// nil where the app has none of this code.
    var feature: CountedFeature?
    /// nil where the customer's plan does not include it.
    var limits: FeatureLimits?

    var today: BusinessDay { BusinessDay(now, in: zone) }

    func usage(_ counter: UsageCounter?) -> UsageByWindow {
        UsageByWindow(counter, limits: limits ?? .unlimited, on: today, in: zone)
    }

    /// - Throws: `OperationsError` with `.notFound`.
    func known() throws(OperationsError) -> CountedFeature {
        guard let feature else { throw OperationsError(.notFound, "There is no such feature.") }
        return feature
    }

    /// - Throws: the same, and `.forbidden` where the plan does not include it.
    func included() throws(OperationsError) -> CountedFeature {
        let feature = try known()
        guard limits != nil else {
            throw UsageRefusal.tierRequired(feature: feature.code, plan: feature.requiredPlan).error(at: now)
        }
        return feature
    }
}

extension BackOffice {
    func terms(of feature: String, for session: CustomerSession) async throws -> FeatureTerms {
        guard let zone = try await apps.entry(for: session.app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        return try await database.readPrimary { reader in
            let feature = try await reader.usage.feature(feature, of: session.app)
            let held = try await reader.entitlementSources.current(of: session.customer, app: session.app)
            let plan = held.sources.entitlement(at: reader.now)?.plan.code ?? held.basePlan
            return FeatureTerms(now: reader.now, zone: zone, feature: feature, limits: feature?.limits(of: plan))
        }
    }
}

extension UsageRefusal {
    func error(at now: Date) -> OperationsError {
        let retryAfter = retryAfter(at: now)
        return OperationsError(
            retryAfter == nil ? .forbidden : .blocked,
            sentence,
            retryAfter: retryAfter,
            underlying: self
        )
    }

    private var sentence: String {
        switch self {
        case .tierRequired(_, let plan?): "The customer's plan does not include this feature; \(plan) does."
        case .tierRequired(_, nil): "No plan includes this feature."
        case .limitReached(_, let reached):
            switch reached.window {
            case .day: "The plan's limit for a day is reached. Nothing was counted."
            case .month: "The plan's limit for a month is reached. Nothing was counted."
            case .lifetime: "The plan's limit is reached. Nothing was counted."
            }
        }
    }
}
