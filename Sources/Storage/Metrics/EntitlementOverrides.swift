import Billing
import Foundation
import Postgres

/// Access that does not follow from the stores: grants, and subscriptions that staff suspended.
struct EntitlementOverrides: Sendable {
    var grants: [Customer.ID: [GrantedAccess]] = [:]
    var suspensions: [SuspendedTime] = []
    /// The environment of each customer's subscriptions.
    var environments: [Customer.ID: [Subscription.ID: StoreEnvironment]] = [:]

    /// True if a customer only ever bought in the sandbox: then nothing of them is counted, not even grants.
    func isOnlyInSandbox(_ customer: Customer.ID) -> Bool {
        guard let held = environments[customer], !held.isEmpty else { return false }
        return held.values.allSatisfy { $0 == .sandbox }
    }

    /// True if a customer is only in the sandbox by one of the two, and not by the other.
    func differ(_ other: Self) -> Bool {
        Set(environments.keys).union(other.environments.keys).contains {
            isOnlyInSandbox($0) != other.isOnlyInSandbox($0)
        }
    }

    /// The same with a subscription in a customer's hands; nil for nobody's.
    func having(_ subscription: Subscription.ID, in environment: StoreEnvironment, of customer: Customer.ID?) -> Self {
        var copy = self
        for owner in environments.keys { copy.environments[owner]?[subscription] = nil }
        if let customer { copy.environments[customer, default: [:]][subscription] = environment }
        return copy
    }

    /// - Parameter customers: the customers whose subscriptions are read.
    static func statements(of customers: [UUID]) -> [Query] {
        [
            """
            SELECT g.customer_id, g.id, g.plan_id, plan.rank, g.starts_at, g.ends_at, g.ended_at, g.kind = 'trial', g.converted_at,
                g.superseded_at IS NOT NULL
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
            "SELECT customer_id, id, environment FROM subscriptions WHERE customer_id = ANY(\(customers))",
        ]
    }

    init() {}

    /// The same with only one customer's grants.
    func of(_ customer: Customer.ID) -> Self {
        var own = self
        own.grants = grants[customer].map { [customer: $0] } ?? [:]
        return own
    }

    /// - Parameter results: of `statements`.
    init(_ results: ArraySlice<Rows>) throws {
        for row in results[results.startIndex] {
            var columns = try row.columns(10)
            let customer: Customer.ID = try columns.next()
            let grant = GrantedAccess(
                id: try columns.next(),
                plan: try columns.next(),
                planRank: try columns.next(),
                startsAt: try columns.next(),
                endsAt: try columns.next(),
                endedAt: try columns.next(),
                isTrial: try columns.next(),
                convertedAt: try columns.next(),
                isSuperseded: try columns.next()
            )
            grants[customer, default: []].append(grant)
        }
        for row in results[results.startIndex + 2] {
            let (customer, subscription, environment) = try row.decode(
                Customer.ID.self,
                Subscription.ID.self,
                StoreEnvironment.self
            )
            environments[customer, default: [:]][subscription] = environment
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

extension EntitlementOverrides {
    /// The same with trials ended where their customers bought, and those trials.
    ///
    /// - Parameter stored: all stretches of access of these customers.
    func convertingTrials(by stored: [StoredPeriod]) -> (Self, [GrantedAccess]) {
        var (copy, changed): (Self, [GrantedAccess]) = (self, [])
        for (customer, held) in grants where held.contains(where: \.isTrial) {
            let bought = stored.filter { $0.customer == customer }.map(\.period.access)
            for (index, grant) in held.enumerated() {
                guard let converted = grant.converted(by: bought) else { continue }
                copy.grants[customer]?[index] = converted
                changed.append(converted)
            }
        }
        return (copy, changed)
    }
}

extension GrantedAccess {
    /// Writes when a purchase ended a trial; that none did, where it turned out so.
    func conversion(at moment: Date) -> Query {
        """
        UPDATE grants
        SET ended_at = \(endedAt), converted_at = \(convertedAt), version = version + 1, updated_at = \(moment)
        WHERE id = \(id)
        """
    }
}
