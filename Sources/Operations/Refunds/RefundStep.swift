package import Billing
package import Storage

/// An action on an existing refund request.
package enum RefundStep: Sendable, Hashable {
    case approval(RefundApproval)
    case rejection
    /// Reports that an approved refund was paid.
    case payment(RefundPayment)
    case cancellation
    /// Sends it to its store again, under the same number.
    case sending
    /// Has its store pay it to another account.
    case settlement(RefundSettlementRoute)
}

extension BackOffice {
    /// Performs a step on a refund request.
    ///
    /// - Parameter version: that of the request as the caller saw it; nil for callers that were shown none.
    /// - Throws: `OperationsError`, as the step itself does.
    package func take(
        _ step: RefundStep,
        with number: String,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        version: Int?,
        caller: Caller
    ) async throws -> ActionOutcome {
        switch step {
        case .approval(let approval):
            try await approveRefund(
                number,
                app: app,
                approval,
                reason: reason,
                key: key,
                version: version,
                caller: caller
            )
        case .rejection:
            try await rejectRefund(number, app: app, reason: reason, key: key, version: version, caller: caller)
        case .payment(let payment):
            try await processRefund(
                number,
                app: app,
                payment,
                reason: reason,
                key: key,
                version: version,
                caller: caller
            )
        case .cancellation:
            try await cancelRefund(number, app: app, reason: reason, key: key, version: version, caller: caller)
        case .sending:
            try await sendRefund(number, app: app, reason: reason, key: key, version: version, caller: caller)
        case .settlement(let route):
            try await settleRefund(
                number,
                app: app,
                route,
                reason: reason,
                key: key,
                version: version,
                caller: caller
            )
        }
    }
}
