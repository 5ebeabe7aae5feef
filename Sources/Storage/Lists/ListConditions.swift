import Billing
import Foundation
import Postgres

/// The filters of a list, as conditions of its statements.
struct ListConditions: Sendable {
    let now: Date
    let app: App.ID
    /// Without it neither names nor e-mail addresses are searched.
    let seesPersonalData: Bool

    func of(_ filter: SubscriptionFilter) -> Query {
        let access = AccessNow(alias: "s", now: now)
        var conditions: Query = "s.app_id = \(app)"
        func and(_ condition: Query) { conditions = "\(conditions) AND \(condition)" }
        if let state = filter.state { and(access.isIn(state)) }
        if let plan = filter.plan {
            and(
                """
                s.product_id = ANY (ARRAY(
                    SELECT p.id FROM products p JOIN plans l ON l.id = p.plan_id
                    WHERE l.app_id = \(app) AND l.code = \(plan)))
                """
            )
        }
        if let store = filter.store { and("s.store = \(store)") }
        if let environment = filter.environment { and("s.environment = \(environment)") }
        if let customer = filter.customer { and("s.customer_id = \(customer)") }
        if let days = filter.renewsWithin {
            let end = now.addingTimeInterval(Double(days) * 86_400)
            and(
                """
                s.renews_automatically AND s.state IN ('trial', 'active', 'grace_period')
                AND \(Queries.end) > \(now) AND \(Queries.end) <= \(end)
                """
            )
        }
        if let days = filter.endsWithin {
            let end = now.addingTimeInterval(Double(days) * 86_400)
            and("\(Database.endsForGood) AND \(Queries.end) > \(now) AND \(Queries.end) <= \(end)")
        }
        if !filter.search.isEmpty {
            and(SubscriptionSearch(filter.search, app: app, seesPersonalData: seesPersonalData).condition)
        }
        return conditions
    }

    /// - Parameter zone: the app's, in which the filter's days begin and end.
    func of(_ filter: CustomerFilter, zone: TimeZone) -> Query {
        var conditions: Query = "c.app_id = \(app) AND c.merged_into IS NULL"
        if !filter.search.isEmpty {
            let search = CustomerSearch(filter.search, seesPersonalData: seesPersonalData)
            conditions = "\(conditions) AND \(search.condition)"
        }
        if let plan = filter.plan { conditions = "\(conditions) AND \(has(plan))" }
        if let store = filter.store {
            conditions = """
                \(conditions) AND EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id AND s.store = \(store))
                """
        }
        switch filter.environment {
        case nil: break
        case .production: conditions = "\(conditions) AND NOT \(ListedCustomer.isOnlyInSandbox("c.id"))"
        case .sandbox: conditions = "\(conditions) AND \(ListedCustomer.isOnlyInSandbox("c.id"))"
        }
        if filter.hasRefunds {
            conditions = """
                \(conditions) AND EXISTS (SELECT FROM orders o WHERE o.customer_id = c.id AND o.has_refunds)
                """
        }
        if let given = filter.given { conditions = "\(conditions) AND \(has(given))" }
        if let from = filter.from { conditions = "\(conditions) AND c.created_at >= \(from.start(in: zone))" }
        if let to = filter.to { conditions = "\(conditions) AND c.created_at < \(to.end(in: zone))" }
        return conditions
    }

    /// A grant that runs now, whether or not something else gives more.
    private func has(_ given: CustomerFilter.Given) -> Query {
        let isRedeemed: Query = "EXISTS (SELECT FROM promo_redemptions r WHERE r.grant_id = g.id)"
        let condition: Query =
            switch given {
            case .trial: "g.kind = 'trial'"
            case .promoCode: isRedeemed
            case .staff: "g.kind IN ('complimentary', 'extension', 'upgrade') AND NOT \(isRedeemed)"
            }
        return """
            EXISTS (
                SELECT FROM grants g
                WHERE g.customer_id = c.id AND \(condition) AND \(PlansNow(now: now).runs))
            """
    }

    /// The plan that a customer may use now is the one of the highest rank that a subscription or a grant gives, or the one that everybody
    /// has (`CustomerStanding`).
    private func has(_ plan: CustomerFilter.PlanNow) -> Query {
        let plans = PlansNow(now: now)
        switch plan {
        case .noAccess: return "NOT EXISTS (\(plans.given(where: "true")))"
        case .plan(let code):
            let rank: Query = "(SELECT rank FROM plans WHERE app_id = \(app) AND code = \(code))"
            return """
                EXISTS (
                    \(plans.given(where: "l.code = \(code)"))
                    UNION ALL
                    SELECT everybody.code, everybody.rank
                    FROM plans everybody
                    WHERE everybody.app_id = \(app) AND everybody.code = \(code) AND everybody.rank = 0)
                AND NOT EXISTS (\(plans.given(where: "l.rank > \(rank)")))
                """
        }
    }
}
