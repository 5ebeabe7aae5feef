import Billing
import Foundation
import Postgres

/// The credits that an order brings for a feature, where its bucket does not say so yet.
struct OrderCredits: Sendable {
    struct Owner: Hashable, Sendable {
        var customer: Customer.ID
        var feature: FeatureRecord.ID
    }

    let order: Order.ID
    /// The customer, or the one that they were merged into.
    let owner: Owner
    let isSandbox: Bool
    let granted: Int64
    /// The part of them that goes back with the money.
    let taken: Int64
    let startsAt: Date
    let expiresAt: Date?

    /// Those of orders whose bucket is missing or differs.
    ///
    /// An order brings its product's credits, as often as the product was bought. A free trial, and what was void or failed, brings none.
    /// Those of a product with a period belong to the period, also where an upgrade ends it, whose price its unused part has paid.
    ///
    /// - Parameter orders: a condition on `orders o`.
    static func behind(_ orders: Query) -> Query {
        """
        SELECT sold.*
        FROM (
            SELECT o.id AS order_id, coalesce(k.merged_into, k.id) AS customer_id, p.feature_id,
                o.environment = 'sandbox' AS is_sandbox, p.amount * o.quantity AS granted,
                CASE WHEN o.is_trial OR o.status IN ('failed', 'cancelled', 'refunded')
                        OR o.amount IS NULL AND o.refunded_at IS NOT NULL THEN p.amount * o.quantity
                    WHEN o.amount > 0
                        THEN least(p.amount * o.quantity, floor(p.amount::numeric * o.quantity * o.refunded / o.amount)::bigint)
                    ELSE 0 END AS taken,
                o.period_starts_at AS starts_at,
                CASE WHEN s.period_count IS NOT NULL THEN least(o.period_ends_at,
                    CASE WHEN o.superseded_at IS NOT NULL THEN greatest(o.superseded_at, o.period_starts_at) END)
                END AS expires_at
            FROM orders o
            JOIN products s ON s.id = o.product_id
            JOIN product_credits p ON p.product_id = s.id
            JOIN customers k ON k.id = o.customer_id
            WHERE \(orders)
        ) sold
        LEFT JOIN credit_buckets b ON b.order_id = sold.order_id AND b.feature_id = sold.feature_id
        WHERE CASE WHEN b.order_id IS NULL THEN sold.taken < sold.granted
            ELSE (b.customer_id, b.taken, b.starts_at, b.expires_at)
                IS DISTINCT FROM (sold.customer_id, sold.taken, sold.starts_at, sold.expires_at) END
        """
    }

    init(row: Row) throws {
        var columns = try row.columns(8)
        order = try columns.next()
        owner = Owner(customer: try columns.next(), feature: try columns.next())
        isSandbox = try columns.next()
        granted = try columns.next()
        taken = try columns.next()
        startsAt = try columns.next()
        expiresAt = try columns.next(Date?.self)
    }

    /// Makes the bucket as if nothing were refunded, or has the one that is there follow its order's customer and period.
    var statement: Query {
        """
        INSERT INTO credit_buckets (order_id, feature_id, customer_id, is_sandbox, granted, remaining, starts_at, expires_at)
        VALUES (\(order), \(owner.feature), \(owner.customer), \(isSandbox), \(granted), \(granted), \(startsAt), \(expiresAt))
        ON CONFLICT (order_id, feature_id) DO UPDATE
        SET customer_id = excluded.customer_id, starts_at = excluded.starts_at, expires_at = excluded.expires_at
        """
    }
}
