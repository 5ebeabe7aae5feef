import Billing
import Foundation
import Postgres

/// The changes of access in a file: of stretches of subscriptions, of what staff suspended and let go on, and of grants.
struct AccessExport: Sendable {
    let metrics: MetricsFilter
    let app: App.ID
    let zone: TimeZone

    /// All of them, in one shape.
    var all: Query {
        let stretches: Query = "\(ofStretches) UNION ALL \(ofSuspensions)"
        return hasGrants ? "\(stretches) UNION ALL \(ofGrants)" : stretches
    }

    /// Grants belong to production, and to no store, product, country or currency.
    private var hasGrants: Bool {
        metrics.environment == .production && metrics.store == nil && metrics.product == nil && metrics.period == nil
            && metrics.country == nil && metrics.currency == nil
    }

    private var ofStretches: Query {
        """
        SELECT h.id, change.at, change.kind AS change, h.customer_id, h.subscription_id, NULL::uuid AS grant_id,
            sold.name AS product, plan.code AS plan, CASE WHEN change.kind = 'changed' THEN plan_before.code END AS plan_before,
            why.reason, CASE WHEN change.kind <> 'lost' OR why.reason = 'cancelled' THEN 'customer'
                WHEN why.reason IS NULL THEN 'time' ELSE 'store' END AS doer,
            h.starts_at, h.ends_at, h.price, h.currency, h.is_trial, h.is_family_shared, s.store, h.environment, h.country
        FROM (
            SELECT p.*, lag(p.ends_at) OVER of_subscription AS ended_before, lag(p.product_id) OVER of_subscription AS product_before,
                lead(p.starts_at) OVER of_subscription AS goes_on_at
            FROM access_periods p
            WHERE p.app_id = \(app) AND p.environment = \(metrics.environment) AND \(known("p"))
            WINDOW of_subscription AS (PARTITION BY p.subscription_id ORDER BY p.starts_at)
        ) h
        CROSS JOIN LATERAL (VALUES
            (h.starts_at, CASE WHEN h.ended_before IS DISTINCT FROM h.starts_at THEN 'gained'
                WHEN h.product_before <> h.product_id THEN 'changed' END),
            (h.ends_at, CASE WHEN h.goes_on_at IS DISTINCT FROM h.ends_at THEN 'lost' END)
        ) AS change (at, kind)
        JOIN subscriptions s ON s.id = h.subscription_id
        CROSS JOIN LATERAL (
            SELECT CASE WHEN change.kind = 'lost' AND s.transaction_id = h.transaction_id
                THEN CASE s.state WHEN 'revoked' THEN 'revoked' ELSE s.end_reason END END AS reason
        ) why
        JOIN products sold ON sold.id = h.product_id
        JOIN plans plan ON plan.id = sold.plan_id
        LEFT JOIN products sold_before ON sold_before.id = h.product_before
        LEFT JOIN plans plan_before ON plan_before.id = sold_before.plan_id
        WHERE change.kind IS NOT NULL\(conditions) AND NOT EXISTS (
            -- What is suspended gives nothing that could begin or end.
            SELECT FROM suspensions x
            WHERE x.subscription_id = h.subscription_id AND x.suspended_at < change.at
                AND (x.lifted_at IS NULL OR x.lifted_at >= change.at))
        """
    }

    /// Only while the subscription would give access.
    private var ofSuspensions: Query {
        """
        SELECT x.id, change.at, change.kind, h.customer_id, h.subscription_id, NULL::uuid, sold.name, plan.code, NULL::text,
            change.reason, \(doer(of: "h.customer_id", at: "change.at")), h.starts_at, h.ends_at, h.price, h.currency,
            h.is_trial, h.is_family_shared, s.store, h.environment, h.country
        FROM suspensions x
        CROSS JOIN LATERAL (VALUES (x.suspended_at, 'lost', 'suspended'), (x.lifted_at, 'gained', 'restored'))
            AS change (at, kind, reason)
        JOIN subscriptions s ON s.id = x.subscription_id
        JOIN access_periods h ON h.subscription_id = x.subscription_id AND h.starts_at <= change.at
            AND (h.ends_at IS NULL OR h.ends_at > change.at)
        JOIN products sold ON sold.id = h.product_id
        JOIN plans plan ON plan.id = sold.plan_id
        WHERE s.app_id = \(app) AND h.environment = \(metrics.environment) AND \(known("h"))\(conditions)\(until("change.at"))
        """
    }

    private var ofGrants: Query {
        let plan: Query = metrics.plan.map { " AND plan.code = \($0)" } ?? ""
        return """
            SELECT g.id, change.at, change.kind, g.customer_id, NULL::uuid, g.id, NULL::text, plan.code, NULL::text,
                change.reason, CASE WHEN change.reason = 'ended' THEN 'time'
                    WHEN change.kind = 'gained' AND EXISTS (SELECT FROM promo_redemptions r WHERE r.grant_id = g.id)
                        THEN 'promo code'
                    ELSE \(doer(of: "g.customer_id", at: "change.told_at")) END,
                g.starts_at, coalesce(g.ended_at, g.ends_at), NULL::bigint, NULL::text, false, false, NULL::text,
                'production', NULL::text
            FROM grants g
            JOIN plans plan ON plan.id = g.plan_id
            CROSS JOIN LATERAL (VALUES
                (g.starts_at, g.created_at, 'gained', g.kind),
                (coalesce(g.ended_at, g.ends_at), g.ended_at, 'lost',
                    CASE WHEN g.ended_at IS NULL THEN 'ended' ELSE 'withdrawn' END)
            ) AS change (at, told_at, kind, reason)
            WHERE g.app_id = \(app) AND change.at IS NOT NULL AND NOT \(ListedCustomer.isOnlyInSandbox("g.customer_id"))
                AND (g.ended_at IS NULL OR g.ended_at > g.starts_at)\(plan)\(until("g.created_at"))\(until("change.at"))
            """
    }

    /// The name of the staff member who did it; `staff` where nobody is known.
    private func doer(of customer: Query, at moment: Query) -> Query {
        """
        coalesce((
            SELECT doer.name
            FROM entitlement_actions a
            JOIN staff doer ON doer.id = a.staff_id
            WHERE a.customer_id = \(customer) AND a.at = \(moment)
            ORDER BY a.id
            LIMIT 1), 'staff')
        """
    }

    private var conditions: Query {
        let products: Query =
            metrics.isOfSomeProducts ? " AND h.product_id IN (\(MetricsReads.products(metrics, app: app)))" : ""
        let country: Query = metrics.country.map { " AND h.country = \($0)" } ?? ""
        let currency: Query = metrics.currency.map { " AND h.currency = \($0.code)" } ?? ""
        return "\(products)\(country)\(currency)"
    }

    /// The stretches as they are known now, or were then.
    private func known(_ alias: Query) -> Query {
        guard let moment = metrics.asOf?.end(in: zone) else { return "\(alias).retired_at IS NULL" }
        return "\(alias).recorded_at < \(moment) AND (\(alias).retired_at IS NULL OR \(alias).retired_at >= \(moment))"
    }

    private func until(_ moment: Query) -> Query {
        metrics.asOf.map { " AND \(moment) < \($0.end(in: zone))" } ?? ""
    }
}
