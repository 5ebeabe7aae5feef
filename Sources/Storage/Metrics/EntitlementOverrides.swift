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
            let grant = GrantedAccess(
                id: try row.decode(1),
                plan: try row.decode(2),
                planRank: Int(try row.decode(3, as: Int32.self)),
                startsAt: try row.decode(4),
                endsAt: try row.decode(5),
                endedAt: try row.decode(6)
            )
            grants[try row.decode(0, as: Customer.ID.self), default: []].append(grant)
        }
        suspensions = try results[results.startIndex + 1].map { row in
            SuspendedTime(
                subscription: try row.decode(0),
                startsAt: try row.decode(1),
                endsAt: try row.decode(2)
            )
        }
    }
}
