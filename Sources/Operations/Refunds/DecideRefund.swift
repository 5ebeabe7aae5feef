package import Billing
import Foundation
package import Storage

/// The decision of a person who approves a refund.
package struct RefundApproval: Sendable, Hashable {
    /// nil for the requested amount.
    package var amount: Money?
    /// The answer to the store when it asks; nil for the default of the kind.
    package var answer: RefundPreference?
    /// The typed confirmation.
    package var confirmation: String?
    /// Access ends with the refund, at a store that is told so (`StoreRules.revokesOnRequest`).
    package var revokes: Bool

    package init(
        amount: Money? = nil,
        answer: RefundPreference? = nil,
        confirmation: String? = nil,
        revokes: Bool = true
    ) {
        self.amount = amount
        self.answer = answer
        self.confirmation = confirmation
        self.revokes = revokes
    }
}

extension RefundApproval {
    /// The answer that goes with it to a store that decides for itself; nil for one that does not.
    ///
    /// - Throws: `OperationsError` with `.invalid` for an answer that approves nothing.
    fileprivate func preference(told store: Store, about request: RefundRequest) throws -> RefundPreference? {
        guard request.isDecided(by: store) else { return nil }
        let preference = answer ?? .proposed(for: request.refund.kind)
        guard RefundPreference.grants.contains(preference) else {
            throw OperationsError(problems: [FieldProblem("answer", .unknownChoice)])
        }
        return preference
    }
}

extension BackOffice {
    /// Approves a refund. A store that decides for itself gets the answer when it asks; one that pays for us is asked to, by a job
    /// that is written with the approval; with any other it waits for a person to pay.
    ///
    /// Of several simultaneous approvals one succeeds; the others get an error that names who did it. What one person
    /// approves at once, of several orders, is decided one after the other, so that the limits of a day hold. A store that decides for
    /// itself takes no amounts of ours: the limits are compared with what it is expected to pay back.
    /// - Throws: `OperationsError`: `.forbidden` for who may not or asked for it (written down), `.notFound`, `.stale`
    ///   or `.conflict` with who decided, `.invalid` for the amount, the answer or the confirmation.
    package func approveRefund(
        _ number: String,
        app: App.ID,
        _ approval: RefundApproval = RefundApproval(),
        reason: Reason,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .approveRefund, caller: caller)
        try await desk.require(.decideRefunds)
        return try await desk.change(key, version: version, reason: reason) { request, order, transaction in
            let amount = approval.amount ?? request.refund.requested
            let requester = request.requested.staff
            try request.refund.take(.approve(amount))
            let answer = try approval.preference(told: order.store, about: request)
            request.payback = answer.map { answer in
                StorePayback(order.refundable(), at: transaction.now).weighed(for: answer)
            }
            let weight = try await transaction.refunds.weight(
                of: request.payback ?? amount,
                on: order.id,
                app: app,
                by: caller.staff
            )
            try order.policy.requireFourEyes(
                requester: requester?.uuid,
                approver: caller.staff?.uuid,
                amount: weight.amount,
                after: weight.before
            )
            let left = order.refundable(apartFrom: number, approvedOnly: true).left
            guard amount.minorUnits <= left.minorUnits else {
                throw RefundRefused(.aboveLeft(left), "No more than \(left) is left of the charge.")
            }
            try order.policy.requireConfirmation(
                approval.confirmation,
                of: order.number,
                for: weight.amount,
                after: weight.before
            )
            request.decided = desk.act(at: transaction.now, reason)
            request.selfApproved = requester != nil && requester == caller.staff
            if let answer {
                request.refundPreference = answer
                request.expiresAt = order.policy.expiry(from: transaction.now)
            } else {
                // An approved payment of ours is owed until somebody pays it or cancels it.
                request.expiresAt = nil
                try await openPayout(of: request, amount, from: order, revoking: approval.revokes, in: transaction)
            }
        }
    }

    /// Rejects a refund; a store that asks gets the answer to decline.
    ///
    /// - Throws: `OperationsError`: `.forbidden` (written down), `.notFound`, `.stale` or `.conflict` with who decided.
    package func rejectRefund(
        _ number: String,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .rejectRefund, caller: caller)
        try await desk.require(.decideRefunds)
        return try await desk.change(key, version: version, reason: reason) { request, order, transaction in
            try request.refund.take(.reject)
            request.decided = desk.act(at: transaction.now, reason)
            request.finished = request.decided
            if request.isDecided(by: order.store) { request.refundPreference = .decline }
        }
    }

    /// Cancels a request before anything was paid: by its requester until it is decided, or by a decider. What was sent to a store that
    /// pays it cannot be cancelled, unless the store has refused it or given it up.
    ///
    /// - Throws: `OperationsError`: `.forbidden` (written down), `.notFound`, `.stale` or `.conflict` with who decided, or while the store
    ///   may pay.
    package func cancelRefund(
        _ number: String,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .cancelRefund, caller: caller)
        try await desk.require(.requestRefunds)
        return try await desk.change(key, version: version, reason: reason) { request, _, transaction in
            guard caller.mayCancel(request) else {
                throw OperationsError(.forbidden, "Only your own requests that wait for a decision can be cancelled.")
            }
            try request.refund.take(.cancel)
            try await withdrawPayout(of: request, if: \.allowsCancelling, in: transaction)
            request.finished = desk.act(at: transaction.now, reason)
            request.refundPreference = nil
        }
    }
}

extension Caller {
    /// True if this caller may cancel a request, as far as it depends on the person.
    package func mayCancel(_ request: RefundRequest) -> Bool {
        if may(.decideRefunds) { return true }
        guard may(.requestRefunds), let staff else { return false }
        return request.requested.staff == staff && request.refund.status != .approved
    }
}
