package import Billing
package import Foundation
import Postgres

/// The plan that everybody of an app has.
enum BasePlan {
    /// The code, in a statement.
    ///
    /// - Parameter app: the app's key; the result is NULL for an app without plans.
    static func code(of app: Query) -> Query {
        "(SELECT everybody.code FROM plans everybody WHERE everybody.app_id = \(app) AND everybody.rank = 0)"
    }
}

extension ListedCustomer {
    package func standing(at now: Date) -> CustomerStanding {
        (entitlementSources ?? EntitlementSources(customer: customer.id)).standing(basePlan: basePlan, at: now)
    }
}

extension CustomerDetails {
    package func standing(at now: Date) -> CustomerStanding { entitlementSources.standing(basePlan: basePlan, at: now) }
}
