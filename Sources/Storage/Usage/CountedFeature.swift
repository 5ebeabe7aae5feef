package import Billing

/// A feature of an app, and which plans include it.
package struct CountedFeature: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<CountedFeature>

    package var id: ID
    /// As the app calls it: `ai`, `voice-chat`.
    package var code: String
    /// Those that include it, the lowest first.
    package var plans: [PlanLimits]

    package struct PlanLimits: Sendable, Hashable {
        /// The plan's code.
        package var plan: String
        package var limits: FeatureLimits
    }

    /// What a plan gives of it; nil where it does not include it.
    package func limits(of plan: String?) -> FeatureLimits? {
        plans.first { $0.plan == plan }?.limits
    }

    /// The code of the lowest plan that includes it; nil where none does.
    package var requiredPlan: String? { plans.first?.plan }
}
