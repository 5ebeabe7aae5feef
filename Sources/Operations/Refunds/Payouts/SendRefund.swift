package import Billing
package import Storage

extension BackOffice {
    /// Has a refund sent to its store again, under the same number, that the store has said for a day to know nothing of. The store pays
    /// nothing twice under one number.
    ///
    /// - Throws: `OperationsError`: `.forbidden` (written down), `.notFound`, `.stale`, or `.conflict` where it is not left to people.
    package func sendRefund(
        _ number: String,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .sendRefund, caller: caller)
        try await desk.require(.decideRefunds)
        return try await desk.change(key, version: version, reason: reason) { request, _, transaction in
            guard request.refund.status == .approved, let before = try await transaction.payouts.find(request.id) else {
                throw OperationsError(.conflict, request.statusSentence)
            }
            var payout = before
            guard payout.payout.sendAgain() else {
                throw OperationsError(.conflict, before.openSentence(of: request.number))
            }
            (payout.unpaidSince, payout.words) = (nil, nil)
            try await transaction.payouts.save(payout, after: before)
            try await transaction.jobs.enqueue(.refundPayout, for: request.id.uuid, of: app)
        }
    }
}
