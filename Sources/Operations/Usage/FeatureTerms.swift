import Billing
import Foundation
import Storage

/// The terms for counting a customer's usage of a feature, as they are before anything is counted.
struct FeatureTerms: Sendable {
    var now: Date
    /// The ends of the windows that contain the app's business day.
    var ends: UsageWindowEnds
    /// nil if the app has no feature of this code.
    var feature: FeatureRecord?
    var access: FeatureAccess
    /// True if a product brings credits for it.
    var hasCredits: Bool

    var today: BusinessDay { ends.today }
    /// The app's.
    var zone: TimeZone { ends.zone }

    func usage(_ counter: UsageCounter?) -> UsageByWindow {
        let limits = access.limits.increased(by: counter?.increases, at: now)
        return UsageByWindow(counter, limits: limits, until: ends)
    }

    /// - Throws: `OperationsError` with `.notFound`.
    func known() throws(OperationsError) -> FeatureRecord {
        guard let feature else {
            throw OperationsError(.notFound, "There is no such feature.", reason: .featureNotFound)
        }
        return feature
    }

    /// - Throws: the same, and `.forbidden` where the plan does not include it.
    func included() throws(OperationsError) -> FeatureRecord {
        let feature = try known()
        if case .tierRequired(let plan) = access {
            throw UsageRefusal.tierRequired(feature: feature.code, plan: plan).error(at: now)
        }
        return feature
    }
}

extension BackOffice {
    func terms(of feature: String, for session: some VersionedCustomer) async throws -> FeatureTerms {
        guard let zone = try await apps.entry(for: session.app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        let catalog = try await catalogs.catalog(of: session.app, version: session.catalogVersion)
        let now = database.now
        let plan = catalog.planCode(of: try await entitlements.sources(of: session), at: now)
        return FeatureTerms(
            now: now,
            ends: calendar.ends(for: session.app, in: zone, at: now),
            feature: catalog.feature(feature),
            access: FeatureAccess(to: feature, with: plan, of: catalog.plans),
            hasCredits: catalog.sellsCredits(for: feature)
        )
    }
}

extension FeatureAccess {
    /// None for what the plan lacks: what was counted of it stands.
    var limits: FeatureLimits {
        guard case .included(let limits) = self else { return .unlimited }
        return limits
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
