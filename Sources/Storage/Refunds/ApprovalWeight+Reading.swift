package import Billing
package import Foundation
import Postgres

extension RefundWrites {
    /// The amounts of an approval that are compared with the limits.
    ///
    /// A simultaneous call for the same person waits until this transaction ends; the order is locked
    /// already.
    package func weight(
        of amount: Money,
        on order: Order.ID,
        app: App.ID,
        by staff: Staff.ID?
    ) async throws -> ApprovalWeight {
        if let staff { try await transaction.lockDay(of: staff, in: app) }
        let query = ApprovalWeight.query(of: amount, on: order.uuid, app: app, by: staff, at: transaction.now)
        return try await transaction.query(query).first.map(ApprovalWeight.init(row:)) ?? ApprovalWeight(amount: nil)
    }
}

extension WriteTransaction {
    /// Makes simultaneous decisions for the same person of an app wait until this transaction ends, so that the limits
    /// of a day hold.
    func lockDay(of staff: Staff.ID, in app: App.ID) async throws {
        try await lock(
            "SELECT pg_advisory_xact_lock(hashtextextended(\("\(app) \(staff)"), \(Self.dayOfApprovals)))"
        )
    }

    /// Tells the lock from those of others.
    private static let dayOfApprovals = Int64(32)
}

extension Queries {
    /// The same for a page; it may be more when the approval is sent.
    package func weight(
        of amount: Money,
        on order: UUID,
        app: App.ID,
        by staff: Staff.ID?
    ) async throws -> ApprovalWeight {
        let query = ApprovalWeight.query(of: amount, on: order, app: app, by: staff, at: reader.now)
        return try await reader.query(query).first.map(ApprovalWeight.init(row:)) ?? ApprovalWeight(amount: nil)
    }
}

extension ApprovalWeight {
    /// Only what stands counts: what was taken back or ran out after its approval gave nobody anything.
    fileprivate static func query(
        of amount: Money,
        on order: UUID,
        app: App.ID,
        by staff: Staff.ID?,
        at now: Date
    ) -> Query {
        let most: Query = "9223372036854775807"
        let sums: Query = """
            least(coalesce(sum(given), 0), \(most))::bigint AS all_of_it,
            least(coalesce(sum(given) FILTER (WHERE self_approved), 0), \(most))::bigint AS own
            FROM (
                SELECT r.self_approved,
                    round(coalesce(r.processed_amount, r.payback_amount, r.approved_amount)
                        * cross_rate(r.currency, a.reporting_currency, (r.decided_at AT TIME ZONE a.time_zone)::date)) AS given
                FROM refund_requests r
                WHERE r.app_id = a.id AND r.status IN ('approved', 'processed')
            """
        // least() alone would take the most for what is not known.
        return """
            SELECT a.reporting_currency, (CASE WHEN rate IS NOT NULL THEN least(round(\(amount.minorUnits) * rate), \(most)) END)::bigint,
                o.all_of_it, o.own, d.all_of_it, d.own
            FROM apps a
            CROSS JOIN LATERAL cross_rate(\(amount.currency.code), a.reporting_currency,
                (\(now)::timestamptz AT TIME ZONE a.time_zone)::date) AS rate
            CROSS JOIN LATERAL (SELECT \(sums) AND r.order_id = \(order)) r) o
            CROSS JOIN LATERAL (SELECT \(sums) AND r.decided_by = \(staff)
                AND r.decided_at >= date_trunc('day', \(now)::timestamptz, a.time_zone)) r) d
            WHERE a.id = \(app)
            """
    }

    fileprivate init(row: Row) throws {
        let (currency, amount, onOrder, ownOnOrder, today, ownToday) = try row.decode(
            Currency.self,
            Int64?.self,
            Int64.self,
            Int64.self,
            Int64.self,
            Int64.self
        )
        self.init(
            amount: amount.map { Money(minorUnits: $0, currency: currency) },
            after: ApprovedBefore(onOrder: onOrder, ownOnOrder: ownOnOrder, today: today, ownToday: ownToday)
        )
    }
}
