import Billing
import Foundation
import Postgres

/// What overrides the stores in what customers may use: grants, and subscriptions that staff suspended.
struct EntitlementOverrides: Sendable {
    var grants: [Customer.ID: [GrantedAccess]] = [:]
    var suspensions: [SuspendedTime] = []

    /// - Parameter customers: the customers whose subscriptions are read.
    static func statements(of customers: [UUID]) -> [Query] {
        [
            """
            SELECT g.customer_id, g.id, g.plan_id, plan.rank, g.starts_at, g.ends_at, g.ended_at
            FROM grants g
            JOIN plans plan ON plan.id = g.plan_id
            WHERE g.customer_id = ANY(\(customers))
            """,
            """
            SELECT x.subscription_id, x.suspended_at, x.lifted_at
            FROM subscriptions s
            JOIN suspensions x ON x.subscription_id = s.id
            WHERE s.customer_id = ANY(\(customers))
            """,
        ]
    }

    init() {}

    init(grants: [GrantedAccess], of customer: Customer.ID, _ suspensions: [SuspendedTime]) {
        self.grants = [customer: grants]
        self.suspensions = suspensions
    }

    /// - Parameter results: of `statements`.
    init(_ results: ArraySlice<Rows>) throws {
        for row in results[results.startIndex] {
            var columns = try row.columns(7)
            let customer: Customer.ID = try columns.next()
            let grant = GrantedAccess(
                id: try columns.next(),
                plan: try columns.next(),
                planRank: try columns.next(),
                startsAt: try columns.next(),
                endsAt: try columns.next(),
                endedAt: try columns.next()
            )
            grants[customer, default: []].append(grant)
        }
        suspensions = try results[results.startIndex + 1].map { row in
            var columns = try row.columns(3)
            return SuspendedTime(
                subscription: try columns.next(),
                startsAt: try columns.next(),
                endsAt: try columns.next()
            )
        }
    }
}
