import Billing
import Foundation
import Storage

/// The refund case that a store opens by asking for our opinion on a charge (Apple `CONSUMPTION_REQUEST`, Google
/// `pendingRefundReviewNotification`).
struct StoreCase {
    private let event: StoreEvent

    /// - Parameters:
    ///   - event: the current message, applied.
    ///   - events: the subscription's history with it, settled. A decision that the store made after it asked needs no case.
    init?(_ event: StoreEvent?, among events: [StoreEvent]) {
        guard let event, event.kind == .refundRequested, event.store.rules.refundAnswerTime != nil else { return nil }
        let isDecided = events.contains { other in
            [.refunded, .seatsRefunded, .refundDeclined].contains(other.kind)
                && other.transaction.id == event.transaction.id && other.signedAt >= event.signedAt
        }
        guard !isDecided else { return nil }
        self.event = event
    }

    /// True if an order lacks the case.
    ///
    /// - Parameter requests: the order's own, including those that the store opened and has not decided.
    func isMissing(from booked: BookedOrder, among requests: [RefundRequest]) -> Bool {
        booked.isCalled(event.transaction.id) && !requests.contains { $0.concerns(event) }
    }

    /// Opens the case for all that is left of the charge, as the store knows no other amount.
    ///
    /// - Returns: nil if nothing is left, or nobody would wait for it any more.
    func open(
        of order: Order.ID,
        _ booked: BookedOrder,
        app: App.ID,
        policy: RefundPolicy,
        in transaction: WriteTransaction
    ) async throws -> RefundRequest? {
        let expiresAt = policy.expiry(from: event.signedAt)
        let left = booked.kept
        guard left.minorUnits > 0, expiresAt > transaction.now,
            let consumption = RefundRequest.ConsumptionRequest(event)
        else { return nil }
        return RefundRequest(
            id: Refund.ID(transaction.newUUID()),
            app: app,
            order: order,
            number: try await transaction.refunds.nextNumber(of: app).description,
            refund: Refund(kind: .full, requested: left),
            reasonCategory: Reason.Category.customerRequest.rawValue,
            reason: Personal(consumption.reason?.rawValue ?? ConsumptionReason.other.rawValue),
            internalNote: nil,
            requested: RefundRequest.Act(staff: nil, actor: event.store.rawValue, at: event.signedAt),
            isOpenedByStore: true,
            consumptionRequest: consumption,
            expiresAt: expiresAt
        )
    }
}

extension RefundRequest {
    /// The audit log's entry of a case that a store opened.
    func opening(by store: Store, in transaction: WriteTransaction) -> AuditEntry {
        Caller.store(store).entry(
            .requestRefund,
            on: "refund",
            number,
            app: app,
            after: auditText(in: transaction)
        )
    }
}
