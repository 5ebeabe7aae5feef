import Billing
import Foundation
import Postgres

/// `Subscription.state(at:)` as conditions on the columns of subscriptions, for lists that are filtered by it.
struct AccessNow {
    /// The alias of `subscriptions` in the statement.
    let alias: String
    let now: Date

    /// Stands in a state that gives access.
    var givesAccess: Query { "(\(isLive) AND \(hasBegun))" }

    /// The same, now or once its first period begins.
    var isLive: Query {
        let states = Subscription.State.allCases.filter(\.givesAccess).map { "(\(lasts($0)))" as Query }
        return "(\(states.dropFirst().reduce(states[0]) { "\($0) OR \($1)" }))"  // safe: some state gives access
    }

    /// Stands so at the moment, also where no sweep has said so.
    func isIn(_ state: Subscription.State) -> Query {
        switch state {
        case .trial, .active, .cancelled, .gracePeriod: "\(lasts(state)) AND \(hasBegun)"
        case .pending: "(\(a).state = \(state) OR \(a).access_starts_at > \(now) AND \(isLive))"
        case .billingRetry, .paused, .expired, .trialExpired, .revoked: lasts(state)
        }
    }

    /// Stands so by its end, whether it has begun or not.
    private func lasts(_ state: Subscription.State) -> Query {
        switch state {
        case .trial, .active, .cancelled:
            "\(a).state = \(state) AND coalesce(\(a).period_ends_at > \(now), true)"
        case .gracePeriod: "\(a).state = \(state) AND \(graceRuns)"
        case .billingRetry:
            """
            (\(a).state = 'billing_retry' OR \(a).state = 'grace_period' AND NOT \(graceRuns)) AND \(retryRuns)
            """
        case .trialExpired:
            "(\(a).state = 'trial_expired' OR \(a).state = 'trial' AND \(a).period_ends_at <= \(now))"
        case .expired:
            """
            (\(a).state = 'expired' OR \(a).state IN ('active', 'cancelled') AND \(a).period_ends_at <= \(now)
                OR \(a).state = 'billing_retry' AND NOT \(retryRuns)
                OR \(a).state = 'grace_period' AND NOT \(graceRuns) AND NOT \(retryRuns))
            """
        case .pending, .paused, .revoked: "\(a).state = \(state)"
        }
    }

    private var a: Query { Query(unsafe: alias) }

    private var hasBegun: Query { "coalesce(\(a).access_starts_at <= \(now), true)" }

    private var graceRuns: Query {
        "coalesce(greatest(\(a).grace_period_ends_at, \(a).period_ends_at) > \(now), true)"
    }

    private var retryRuns: Query {
        let longest = now.addingTimeInterval(-Subscription.longestBillingRetry)
        return
            "coalesce(\(a).grace_period_ends_at > \(now) OR \(a).period_ends_at > \(longest), \(a).grace_period_ends_at IS NULL AND \(a).period_ends_at IS NULL)"
    }
}

/// The plans that a customer, `c` in the statement, may use at a moment, as `EntitlementSources.entitlement(at:)` has them.
struct PlansNow {
    let now: Date

    /// `l.code` and `l.rank` of each plan that something gives; `condition` is about `l`, the plan.
    func given(where condition: Query) -> Query {
        sources(
            "l.code, l.rank",
            thatRun: AccessNow(alias: "s", now: now).givesAccess,
            grants: "l.code, l.rank",
            thatRun: runs,
            where: condition
        )
    }

    /// Everything that gives access now or later: the plan's code and rank, the state, the start and the end of access, and whether it is a
    /// grant.
    var spans: Query {
        let state = Subscription.State.allCases.reduce("CASE" as Query) { cases, state in
            "\(cases) WHEN \(AccessNow(alias: "s", now: now).isIn(state)) THEN \(unsafe: "'\(state.rawValue)'")"
        }
        return sources(
            """
            l.code, l.rank, \(state) END AS state, s.access_starts_at AS starts_at,
                CASE WHEN s.state = 'grace_period' THEN greatest(s.grace_period_ends_at, s.period_ends_at)
                    ELSE s.period_ends_at END AS ends_at, false AS is_grant
            """,
            thatRun: AccessNow(alias: "s", now: now).isLive,
            grants: """
                l.code, l.rank, CASE WHEN g.kind = 'trial' THEN 'trial' ELSE 'active' END, g.starts_at,
                    least(g.ends_at, g.ended_at), true
                """,
            thatRun: "coalesce(least(g.ends_at, g.ended_at) > greatest(g.starts_at, \(now)), true)",
            where: "true"
        )
    }

    private func sources(
        _ subscription: Query,
        thatRun subscriptionsRun: Query,
        grants grant: Query,
        thatRun grantsRun: Query,
        where condition: Query
    ) -> Query {
        """
        SELECT \(subscription)
        FROM subscriptions s
        JOIN products p ON p.id = s.product_id
        JOIN plans l ON l.id = p.plan_id
        WHERE s.customer_id = c.id AND \(condition) AND \(subscriptionsRun)
            AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
            AND (s.environment = 'production' OR NOT \(SandboxPurchases.areWithheld(in: "s.environment", from: "c.id"))
                AND NOT EXISTS (
                    SELECT
                    FROM subscriptions paid
                    WHERE paid.customer_id = c.id AND paid.environment = 'production'
                        AND \(AccessNow(alias: "paid", now: now).givesAccess)
                        AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = paid.id AND x.lifted_at IS NULL)))
        UNION ALL
        SELECT \(subscription)
        FROM seat_claims y
        JOIN subscriptions s ON s.id = y.subscription_id
        JOIN products p ON p.id = s.product_id
        JOIN plans l ON l.id = p.plan_id
        WHERE y.customer_id = c.id AND y.claimed_at IS NOT NULL AND y.ended_at IS NULL AND \(condition)
            AND \(subscriptionsRun)
            AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
            AND NOT \(SandboxPurchases.areWithheld(in: "s.environment", from: "c.id"))
        UNION ALL
        SELECT \(grant)
        FROM grants g
        JOIN plans l ON l.id = g.plan_id
        WHERE g.customer_id = c.id AND \(condition) AND \(grantsRun)
        """
    }

    /// That `g`, a grant, gives access now.
    var runs: Query {
        """
        g.starts_at <= \(now) AND coalesce(g.ends_at > \(now), true) AND coalesce(g.ended_at > \(now), true)
        """
    }
}
