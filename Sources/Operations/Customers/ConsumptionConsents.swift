package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Records by staff whether a customer lets their store know how they used what they bought. What was said last holds.
    ///
    /// With consent, the customer's cases that waited for it are answered.
    /// - Returns: the outcome, whose result is the customer's id.
    /// - Throws: `OperationsError`: `.forbidden` for who may not, `.notFound` when the app has no such customer.
    package func recordConsent(
        _ isGiven: Bool,
        of customer: Customer.ID,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.recordConsent) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(key) { transaction in
            guard try await transaction.consents.lock(customer, of: app) else {
                throw OperationsError(.notFound, "There is no such customer.")
            }
            let consent = ConsumptionConsent(
                isGiven: isGiven,
                source: .staff,
                staff: caller.staff,
                actor: caller.actor,
                at: transaction.now,
                reason: Personal(reason.text)
            )
            let entry = try await record(consent, of: customer, app, reason: reason, caller, in: transaction)
            return (entry, customer.description)
        }
    }

    /// Records the consent by the app, which reports its customer's decision there; repeating it changes nothing.
    ///
    /// - Parameter id: the customer's app account token, or their id here.
    /// - Returns: the current consent.
    /// - Throws: `OperationsError`: `.forbidden` without the permission, `.notFound` if the app has no such customer.
    package func recordConsent(
        _ isGiven: Bool,
        ofToken id: UUID,
        app: App.ID,
        caller: Caller
    ) async throws -> ConsumptionConsent {
        guard caller.may(.recordConsent) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await database.write { transaction in
            guard let customer = try await transaction.consents.lock(token: id, of: app) else {
                throw OperationsError(.notFound, "There is no such customer.")
            }
            if let current = try await transaction.consents.current(of: customer), current.isGiven == isGiven,
                current.source == .app
            {
                return current
            }
            let consent = ConsumptionConsent(
                isGiven: isGiven,
                source: .app,
                staff: caller.staff,
                actor: caller.actor,
                at: transaction.now
            )
            _ = try await record(consent, of: customer, app, reason: nil, caller, in: transaction)
            return consent
        }
    }

    /// - Returns: the audit entry.
    private func record(
        _ consent: ConsumptionConsent,
        of customer: Customer.ID,
        _ app: App.ID,
        reason: Reason?,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> UUID {
        let before = try await transaction.consents.current(of: customer)
        try await transaction.consents.record(consent, of: customer)
        let entry = try await transaction.audit.append(
            caller.entry(
                consent.isGiven ? .giveConsent : .withdrawConsent,
                on: "customer",
                customer.description,
                app: app,
                customer: customer,
                before: before?.auditText,
                after: consent.auditText,
                reason: reason?.forAudit
            )
        )
        if consent.isGiven { try await transaction.consents.answerCases(of: customer, app: app) }
        return entry
    }
}

extension ConsumptionConsent {
    fileprivate var auditText: String {
        AuditJSON([("consent", isGiven ? "given" : "withdrawn"), ("recordedBy", source.rawValue)]).text
    }
}
