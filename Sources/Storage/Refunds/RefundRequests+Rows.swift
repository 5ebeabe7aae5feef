import Billing
import Foundation
import Postgres

extension Refund.Kind: PostgresEncodable, PostgresDecodable {}
extension Refund.Status: PostgresEncodable, PostgresDecodable {}
extension RefundPreference: PostgresEncodable, PostgresDecodable {}
extension RefundPayer: PostgresEncodable, PostgresDecodable {}

extension RefundRequest {
    /// The columns that `init(row:)` reads, of `refund_requests r`.
    static let columns: Query = """
        r.id, r.app_id, r.order_id, r.number, r.kind, r.status, r.requested_amount, r.approved_amount,
        r.processed_amount, r.currency, r.reason_category, r.reason, r.internal_note, r.requested_by, r.requested_as,
        r.requested_at, r.decided_by, r.decided_as, r.decided_at, r.decision_reason, r.self_approved, r.finished_by,
        r.finished_as, r.finished_at, r.finish_reason, r.refund_preference, r.consumption_requested_at, r.consumption_due_at,
        r.store_declined_at, r.payer, r.payment_reference, r.store_reference, r.expires_at, r.version
        """

    init(row: Row) throws {
        let currency = try Currency(stored: row.decode(9, as: String.self))
        func money(_ column: Int) throws -> Money? {
            try row.decode(column, as: Int64?.self).map { Money(minorUnits: $0, currency: currency) }
        }
        func act(from column: Int) throws -> Act? {
            guard let actor = try row.decode(column + 1, as: String?.self) else { return nil }
            return Act(
                staff: try row.decode(column, as: Staff.ID?.self),
                actor: actor,
                at: try row.decode(column + 2, as: Date.self),
                reason: try row.decode(column + 3, as: Personal<String>?.self)
            )
        }
        let askedAt = try row.decode(26, as: Date?.self)
        let dueAt = try row.decode(27, as: Date?.self)
        let payer = try row.decode(29, as: RefundPayer?.self)
        let reference = try row.decode(30, as: Personal<String>?.self)
        let storeReference = try row.decode(31, as: String?.self)
        self.init(
            id: try row.decode(0, as: Refund.ID.self),
            app: try row.decode(1, as: App.ID.self),
            order: try row.decode(2, as: Order.ID.self),
            number: try row.decode(3, as: String.self),
            refund: Refund(
                kind: try row.decode(4, as: Refund.Kind.self),
                status: try row.decode(5, as: Refund.Status.self),
                requested: try money(6) ?? .zero(currency),
                approved: try money(7),
                processed: try money(8)
            ),
            reasonCategory: try row.decode(10, as: String.self),
            reason: try row.decode(11, as: Personal<String>.self),
            internalNote: try row.decode(12, as: Personal<String>?.self),
            requested: Act(
                staff: try row.decode(13, as: Staff.ID?.self),
                actor: try row.decode(14, as: String.self),
                at: try row.decode(15, as: Date.self)
            ),
            decided: try act(from: 16),
            selfApproved: try row.decode(20, as: Bool.self),
            finished: try act(from: 21),
            refundPreference: try row.decode(25, as: RefundPreference?.self),
            consumptionRequest: askedAt.flatMap { askedAt in
                dueAt.map { ConsumptionRequest(requestedAt: askedAt, dueAt: $0) }
            },
            storeDeclinedAt: try row.decode(28, as: Date?.self),
            payment: payer.map { Payment(payer: $0, reference: reference, storeReference: storeReference) },
            expiresAt: try row.decode(32, as: Date?.self),
            version: try row.decode(33, as: Int.self)
        )
    }
}
