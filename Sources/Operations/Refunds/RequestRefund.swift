package import Billing
package import Foundation
package import Storage

/// A request to refund an order.
package struct RefundCommand: Sendable, Hashable {
    package var kind: Refund.Kind
    /// The amount of a partial refund; the other kinds compute theirs.
    package var amount: Money?
    package var note: String?
    /// The moment for which a prorated amount was displayed, so that the requested amount is the displayed one.
    package var shownAt: Date?
    /// The displayed remainder of the charge at that moment; nil if nothing was displayed.
    package var shownLeft: Money?

    package init(
        kind: Refund.Kind,
        amount: Money? = nil,
        note: String? = nil,
        shownAt: Date? = nil,
        shownLeft: Money? = nil
    ) {
        self.kind = kind
        self.amount = amount
        self.note = note
        self.shownAt = shownAt
        self.shownLeft = shownLeft
    }

    package static let noteLength = 0...2_000
    /// A page that is older than this shows amounts that are not good any more.
    static let shownFor: TimeInterval = 3_600
}

extension BackOffice {
    /// Asks for a refund of an order. The outcome's result is the request's number.
    ///
    /// - Throws: `OperationsError`: `.forbidden` for who may not, `.notFound` for the order, `.conflict` when there is nothing
    ///   to refund, `.stale` when less or more is left than was shown, `.invalid` for the amount, kind or note.
    package func requestRefund(
        of order: String,
        app: App.ID,
        _ command: RefundCommand,
        reason: Reason,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let action = AuditAction.requestRefund
        guard caller.may(.requestRefunds) else {
            try await database.appendToAuditLog(
                caller.entry(
                    .denyAccess,
                    on: "order",
                    order,
                    app: app,
                    reason: "\(action.rawValue): the role may not do this"
                )
            )
            throw OperationsError(.forbidden, "Your role may not do this.")
        }
        if let note = command.note, !RefundCommand.noteLength.contains(note.count) {
            throw OperationsError(problems: [FieldProblem("note", .tooLong(RefundCommand.noteLength.upperBound))])
        }
        return try await runOnce(key) { transaction in
            guard let locked = try await transaction.refunds.lock(order: order, of: app) else {
                throw OperationsError(.notFound, "There is no order \(order).")
            }
            let amount = try amount(of: command, from: locked.refundable(), at: transaction.now)
            let request = RefundRequest(
                id: Refund.ID(transaction.newUUID()),
                app: app,
                order: locked.id,
                number: try await transaction.refunds.nextNumber(of: app).description,
                refund: Refund(kind: command.kind, requested: amount),
                reasonCategory: reason.category.rawValue,
                reason: Personal(reason.text),
                internalNote: command.note.flatMap { $0.isEmpty ? nil : Personal($0) },
                requested: RefundRequest.Act(staff: caller.staff, actor: caller.actor, at: transaction.now),
                consumptionRequest: locked.openConsumptionRequest(at: transaction.now),
                expiresAt: locked.policy.expiry(from: transaction.now)
            )
            try await transaction.refunds.insert(request)
            let entry = try await transaction.audit.append(
                caller.entry(
                    action,
                    on: "refund",
                    request.number,
                    app: app,
                    after: request.auditText(in: transaction),
                    reason: reason.forAudit
                )
            )
            return (entry, request.number)
        }
    }

    private func amount(
        of command: RefundCommand,
        from order: RefundableOrder,
        at now: Date
    ) throws(OperationsError) -> Money {
        if let shown = command.shownLeft, shown != order.left {
            throw OperationsError(.stale, "What is left of the charge is \(order.left) now; it was \(shown).")
        }
        let shownAt = command.shownAt.flatMap { shownAt in
            (0...RefundCommand.shownFor).contains(now.timeIntervalSince(shownAt)) ? shownAt : nil
        }
        do throws(RefundRefused) {
            return try order.amount(for: command.kind, chosen: command.amount, at: shownAt ?? now)
        } catch {
            throw OperationsError(error)
        }
    }
}

extension LockedOrder {
    /// The store's consumption request, while it can still be answered.
    fileprivate func openConsumptionRequest(at now: Date) -> RefundRequest.ConsumptionRequest? {
        guard let askedAt, let dueAt = RefundPreference.deadline(of: store, askedAt: askedAt), dueAt > now else {
            return nil
        }
        return RefundRequest.ConsumptionRequest(requestedAt: askedAt, dueAt: dueAt)
    }
}
