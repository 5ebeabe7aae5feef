import Billing
import Foundation
import Postgres

/// `EntitlementSources.standing(basePlan:at:)` in SQL, for files of customers `c`, whose rows are streamed.
struct StandingColumns {
    let now: Date

    static let plan: Query = "coalesce(access.code, \(BasePlan.code(of: "c.app_id")))"
    static let state: Query = "coalesce(access.state, latest.state, given.state, trial.state, 'active')"
    static let end: Query = """
        CASE WHEN access.code IS NOT NULL THEN access.ends_at WHEN latest.state IS NOT NULL THEN latest.ends_at
            WHEN given.state IS NOT NULL THEN given.ends_at ELSE trial.ends_at END
        """

    var joins: Query {
        let state = Subscription.State.allCases.reduce("CASE" as Query) { cases, state in
            "\(cases) WHEN \(AccessNow(alias: "s", now: now).isIn(state)) THEN \(unsafe: "'\(state.rawValue)'")"
        }
        return """
            LEFT JOIN LATERAL (
                WITH span AS MATERIALIZED (\(PlansNow(now: now).spans))
                SELECT best.code, best.state, CASE WHEN best.ends_at IS NOT NULL THEN (
                    SELECT upper(run)
                    FROM unnest((
                        SELECT range_agg(tstzrange(greatest(after.starts_at, \(now)), after.ends_at))
                        FROM span after
                        WHERE after.rank >= best.rank)) AS run
                    WHERE run @> \(now)::timestamptz) END AS ends_at
                FROM span best
                WHERE coalesce(best.starts_at <= \(now), true)
                ORDER BY best.rank DESC, best.ends_at DESC NULLS FIRST, best.is_grant
                LIMIT 1
            ) AS access ON true
            LEFT JOIN LATERAL (
                SELECT CASE WHEN EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
                        THEN 'revoked' ELSE \(state) END END AS state,
                    coalesce((SELECT x.suspended_at FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL),
                        s.ended_at, s.period_ends_at) AS ends_at
                FROM subscriptions s
                WHERE s.product_id IS NOT NULL AND (s.customer_id = c.id OR s.id IN (
                    SELECT y.subscription_id FROM seat_claims y
                    WHERE y.customer_id = c.id AND y.claimed_at IS NOT NULL AND y.ended_at IS NULL))
                ORDER BY coalesce(s.ended_at, s.period_ends_at) DESC NULLS LAST, s.id DESC
                LIMIT 1
            ) AS latest ON true
            LEFT JOIN LATERAL (
                SELECT 'expired' AS state, max(least(g.ends_at, g.ended_at)) AS ends_at
                FROM grants g
                WHERE g.customer_id = c.id AND g.kind <> 'trial' AND least(g.ends_at, g.ended_at) <= \(now)
                HAVING count(*) > 0
            ) AS given ON true
            LEFT JOIN LATERAL (
                SELECT CASE WHEN g.converted_at <= \(now) THEN 'active' ELSE 'trial_expired' END AS state,
                    least(g.ends_at, g.ended_at) AS ends_at
                FROM grants g
                WHERE g.customer_id = c.id AND g.kind = 'trial' AND g.superseded_at IS NULL
                ORDER BY g.starts_at, g.id
                LIMIT 1
            ) AS trial ON true
            """
    }
}
