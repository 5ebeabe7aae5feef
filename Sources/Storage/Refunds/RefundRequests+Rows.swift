import Billing
import Foundation
import Postgres

extension Refund.Kind: PostgresEncodable, PostgresDecodable {}
extension Refund.Status: PostgresEncodable, PostgresDecodable {}
extension RefundPreference: PostgresEncodable, PostgresDecodable {}
extension ConsumptionReason: PostgresEncodable, PostgresDecodable {}
extension RefundPayer: PostgresEncodable, PostgresDecodable {}

extension RefundRequest {
    /// The columns that `init(_:)` reads, of `refund_requests r`.
    static let columns: Query = """
        r.currency, r.id, r.app_id, r.order_id, r.number, r.kind, r.status, r.requested_amount, r.approved_amount,
        r.processed_amount, r.reason_category, r.reason, r.internal_note, r.requested_by, r.requested_as, r.requested_at,
        r.opened_by_store, r.decided_by, r.decided_as, r.decided_at, r.decision_reason, r.self_approved, r.finished_by, r.finished_as,
        r.finished_at, r.finish_reason, r.refund_preference, r.payback_amount, r.consumption_requested_at,
        r.consumption_last_requested_at, r.consumption_due_at, r.consumption_reason, r.store_declined_at, r.store_refunded_at,
        r.payer, r.payment_reference, r.store_reference, r.expires_at, r.version
        """
    static let columnCount = 39

    /// - Parameter row: of these columns alone.
    init(row: Row) throws {
        var columns = try row.columns(Self.columnCount)
        try self.init(&columns)
    }

    init(_ columns: inout RowColumns) throws {
        let currency: Currency = try columns.next()
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            order: try columns.next(),
            number: try columns.next(),
            refund: Refund(
                kind: try columns.next(),
                status: try columns.next(),
                requested: Money(minorUnits: try columns.next(), currency: currency),
                approved: try columns.next(Int64?.self).map { Money(minorUnits: $0, currency: currency) },
                processed: try columns.next(Int64?.self).map { Money(minorUnits: $0, currency: currency) }
            ),
            reasonCategory: try columns.next(),
            reason: try columns.next(),
            internalNote: try columns.next(),
            requested: Act(staff: try columns.next(), actor: try columns.next(), at: try columns.next()),
            isOpenedByStore: try columns.next(),
            decided: try Act.stored(&columns),
            selfApproved: try columns.next(),
            finished: try Act.stored(&columns),
            refundPreference: try columns.next(),
            payback: try columns.next(Int64?.self).map { Money(minorUnits: $0, currency: currency) },
            consumptionRequest: try ConsumptionRequest.stored(&columns),
            storeDeclinedAt: try columns.next(),
            storeRefundedAt: try columns.next(),
            payment: try Payment.stored(&columns),
            expiresAt: try columns.next(),
            version: try columns.next()
        )
    }
}

extension RefundRequest.Act {
    /// nil where nobody has acted.
    fileprivate static func stored(_ columns: inout RowColumns) throws -> Self? {
        let (staff, actor): (Staff.ID?, String?) = (try columns.next(), try columns.next())
        let (at, reason): (Date?, Personal<String>?) = (try columns.next(), try columns.next())
        guard let actor, let at else { return nil }
        return Self(staff: staff, actor: actor, at: at, reason: reason)
    }
}

extension RefundRequest.ConsumptionRequest {
    fileprivate static func stored(_ columns: inout RowColumns) throws -> Self? {
        let (requestedAt, lastRequestedAt): (Date?, Date?) = (try columns.next(), try columns.next())
        let (dueAt, reason): (Date?, ConsumptionReason?) = (try columns.next(), try columns.next())
        guard let requestedAt, let dueAt else { return nil }
        return Self(requestedAt: requestedAt, lastRequestedAt: lastRequestedAt, dueAt: dueAt, reason: reason)
    }
}

extension RefundRequest.Payment {
    fileprivate static func stored(_ columns: inout RowColumns) throws -> Self? {
        let payer: RefundPayer? = try columns.next()
        let (reference, storeReference): (Personal<String>?, String?) = (try columns.next(), try columns.next())
        return payer.map { Self(payer: $0, reference: reference, storeReference: storeReference) }
    }
}
