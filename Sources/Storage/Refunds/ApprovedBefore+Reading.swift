package import Billing
import Foundation
import Postgres

extension RefundWrites {
    /// What was approved before and counts towards the limits of one more approval.
    ///
    /// A simultaneous call for the same person waits until this transaction ends; the order is locked
    /// already.
    package func approvedBefore(of order: Order.ID, app: App.ID, by staff: Staff.ID?) async throws -> ApprovedBefore {
        if let staff { try await transaction.lockDay(of: staff, in: app) }
        let query = ApprovedBefore.query(of: order.uuid, app: app, by: staff, at: transaction.now)
        return try await transaction.query(query).first.map(ApprovedBefore.init(row:)) ?? .nothing
    }
}

extension WriteTransaction {
    /// Makes simultaneous decisions for the same person of an app wait until this transaction ends, so that the limits
    /// of a day hold.
    func lockDay(of staff: Staff.ID, in app: App.ID) async throws {
        try await query(
            "SELECT pg_advisory_xact_lock(hashtextextended(\("\(app) \(staff)"), \(Self.dayOfApprovals)))"
        )
    }

    /// Tells the lock from those of others.
    private static let dayOfApprovals = Int64(32)
}

extension Queries {
    /// The same for a page; it may be more when the approval is sent.
    func approvedBefore(of order: UUID, app: App.ID, by staff: Staff.ID?) async throws -> ApprovedBefore {
        let query = ApprovedBefore.query(of: order, app: app, by: staff, at: reader.now)
        return try await reader.query(query).first.map(ApprovedBefore.init(row:)) ?? .nothing
    }
}

extension ApprovedBefore {
    /// Only what stands counts: what was taken back or ran out after its approval gave nobody anything.
    fileprivate static func query(of order: UUID, app: App.ID, by staff: Staff.ID?, at now: Date) -> Query {
        let sums: Query = """
            coalesce(sum(given), 0) AS all_of_it, coalesce(sum(given) FILTER (WHERE self_approved), 0) AS own
            FROM (
                SELECT r.self_approved, coalesce(r.processed_amount, r.approved_amount) AS given
                FROM refund_requests r
                WHERE r.app_id = a.id AND r.currency = a.reporting_currency AND r.status IN ('approved', 'processed')
            """
        let most: Query = "9223372036854775807"
        return """
            SELECT least(o.all_of_it, \(most))::bigint, least(o.own, \(most))::bigint,
                least(d.all_of_it, \(most))::bigint, least(d.own, \(most))::bigint
            FROM apps a
            CROSS JOIN LATERAL (SELECT \(sums) AND r.order_id = \(order)) r) o
            CROSS JOIN LATERAL (SELECT \(sums) AND r.decided_by = \(staff)
                AND r.decided_at >= date_trunc('day', \(now)::timestamptz, a.time_zone)) r) d
            WHERE a.id = \(app)
            """
    }

    fileprivate init(row: Row) throws {
        let (onOrder, ownOnOrder, today, ownToday) = try row.decode(Int64.self, Int64.self, Int64.self, Int64.self)
        self.init(onOrder: onOrder, ownOnOrder: ownOnOrder, today: today, ownToday: ownToday)
    }
}
