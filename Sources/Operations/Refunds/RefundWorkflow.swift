package import Billing
import Foundation
package import Storage

/// The common parts of every step on a refund request: permission, locks and the audit entry.
struct RefundWorkflow {
    let backOffice: BackOffice
    let app: App.ID
    let number: String
    let action: AuditAction
    let caller: Caller

    /// Changes a request in one transaction under its locks, with one audit entry.
    ///
    /// - Parameters:
    ///   - version: that of the request as the caller saw it; nil for callers that were shown none.
    ///   - step: changes the request, or refuses. Its order has all requests of the order.
    /// - Throws: `OperationsError`: `.notFound`, `.stale` if it changed since it was shown, and the refusals of `step`.
    func change(
        _ key: IdempotencyKey?,
        version: Int?,
        reason: Reason?,
        _ step: (inout RefundRequest, LockedOrder, WriteTransaction) async throws -> Void
    ) async throws -> ActionOutcome {
        do {
            return try await backOffice.runOnce(key) { transaction in
                guard let order = try await transaction.refunds.lock(orderOfRequest: number, of: app),
                    let before = order.requests.first(where: { $0.number == number })
                else { throw OperationsError(.notFound, "There is no refund request \(number).") }
                if let version, version != before.version {
                    throw OperationsError(.stale, before.statusSentence)
                }
                var request = before
                do {
                    try await step(&request, order, transaction)
                } catch let rejection as RefundRefused {
                    throw OperationsError(rejection, of: before)
                }
                try await transaction.refunds.save(request)
                let entry = try await transaction.audit.append(
                    caller.entry(
                        action,
                        on: "refund",
                        number,
                        app: app,
                        before: before.auditText(in: transaction),
                        after: request.auditText(in: transaction),
                        reason: reason?.forAudit
                    )
                )
                if request.refundPreference != before.refundPreference, request.consumptionRequest != nil {
                    let policy = try await transaction.refunds.consumptionPolicy(of: app)
                    try await transaction.jobs.enqueueAnswer(to: request, policy: policy, at: transaction.now)
                }
                return (entry, number)
            }
        } catch let error as OperationsError where error.code == .forbidden {
            throw try await denied(error)
        }
    }

    /// - Throws: `OperationsError` with `.forbidden` after writing the attempt down.
    func require(_ permission: Permission) async throws {
        guard !caller.may(permission) else { return }
        throw try await denied(OperationsError(.forbidden, "Your role may not do this."))
    }

    /// Writes a refused attempt down; it stands alone, for what was tried is rolled back.
    private func denied(_ error: OperationsError) async throws -> OperationsError {
        try await backOffice.database.appendToAuditLog(
            caller.entry(.denyAccess, on: "refund", number, app: app, reason: "\(action.rawValue): \(error.message)")
        )
        return error
    }

    /// The caller as the request keeps them.
    func act(at now: Date, _ reason: Reason?) -> RefundRequest.Act {
        RefundRequest.Act(staff: caller.staff, actor: caller.actor, at: now, reason: reason.map { Personal($0.text) })
    }
}

extension RefundRequest {
    /// Its status and who set it, in a sentence.
    package var statusSentence: String {
        let act = finished ?? decided ?? requested
        let word =
            switch refund.status {
            case .pending: "asked for"
            case .approved: "approved"
            case .processed: "processed"
            case .rejected: storeDeclinedAt == nil ? "rejected" : "declined"
            case .cancelled: "cancelled"
            case .expired: "closed as stale"
            }
        return "\(number) was \(word) by \(act.actor) at \(act.at.formatted(.iso8601))."
    }
}

extension OperationsError {
    /// The error for a rejection by the rules.
    package init(_ rejection: RefundRefused, of request: RefundRequest? = nil) {
        switch rejection.code {
        case .ownRequest:
            self.init(.forbidden, rejection.message, underlying: rejection)
        case .notPossible:
            self.init(.conflict, request?.statusSentence ?? rejection.message, underlying: rejection)
        case .notCharged, .nothingLeft:
            self.init(.conflict, rejection.message, underlying: rejection)
        case .notConfirmed:
            self.init(problems: [FieldProblem("confirmation", .notConfirmed)])
            underlying = rejection
        case .aboveLeft(let limit), .aboveRequested(let limit):
            self.init(problems: [FieldProblem("amount", .tooLarge("\(limit)"))])
            underlying = rejection
        case .amountNotPositive:
            self.init(problems: [FieldProblem("amount", .notPositive)])
            underlying = rejection
        case .otherCurrency:
            self.init(problems: [FieldProblem("amount", .other(rejection.message))])
            underlying = rejection
        case .noPeriod:
            self.init(problems: [FieldProblem("kind", .noPeriod)])
            underlying = rejection
        case .periodOver:
            self.init(problems: [FieldProblem("kind", .periodOver)])
            underlying = rejection
        }
    }
}
