import APITypes
package import Billing

extension Problem {
    /// Says what of the customer's plan stands in the way.
    package mutating func add(_ refusal: UsageRefusal) {
        switch refusal {
        case .tierRequired(let feature, let plan):
            (code, self.feature, requiredPlan) = ("tierRequired", feature, plan)
        case .limitReached(let feature, let reached):
            (code, self.feature, window) = ("limitReached", feature, reached.window.rawValue)
            (limit, used, resetsAt) = (reached.limit, reached.used, reached.resetsAt)
        }
    }
}
