/// A customer's right to use a feature by their plan.
package enum FeatureAccess: Hashable, Sendable {
    /// Within these limits.
    case included(FeatureLimits)
    /// The plan lacks it.
    ///
    /// - Parameter plan: the lowest that has it; nil where none has.
    case tierRequired(plan: String?)

    /// - Parameters:
    ///   - plan: the customer's plan; nil for an app without a free plan.
    ///   - plans: all plans of the app.
    package init(to feature: String, with plan: String?, of plans: [CatalogPlan]) {
        if let limits = plans.first(where: { $0.plan.code == plan })?.features[feature] {
            self = .included(limits)
        } else {
            let having = plans.filter { $0.features[feature] != nil }
            self = .tierRequired(plan: having.min { $0.plan < $1.plan }?.plan.code)
        }
    }
}
