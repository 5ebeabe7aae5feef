package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// A customer's live sessions, the newest first.
    package func customerSessions(of customer: Customer.ID) async throws -> [ListedCustomerSession] {
        try await database.readPrimary { try await $0.customerSessions(of: customer) }
    }

    /// Ends one of a customer's own sessions, on every server at once.
    ///
    /// - Throws: `OperationsError` with `.notFound` where they have no such live session.
    package func endSession(_ session: CustomerSession.ID, of customer: Customer.ID) async throws {
        guard try await database.write({ try await $0.customerSessions.end(session, of: customer) }) else {
            throw OperationsError(.notFound, "There is no such session, or it has ended.", field: "id")
        }
    }

    /// Ends all of a customer's sessions except the one that asks.
    ///
    /// - Returns: the number of live ones among them.
    @discardableResult
    package func endOtherSessions(than session: CustomerSession) async throws -> Int {
        try await database.write { transaction in
            try await transaction.customerSessions.endOthers(of: session.customer, than: session.id)
        }
    }

    /// Ends a customer's session, or all of them, by staff. Whatever they were signed in with opens nothing from then on.
    ///
    /// - Parameter session: nil for all.
    /// - Returns: the outcome, whose result is the customer's id.
    /// - Throws: `OperationsError`: `.forbidden` for who may not, `.notFound` when the app has no such customer, or they no such
    ///   live session.
    package func endCustomerSessions(
        _ session: CustomerSession.ID?,
        of customer: Customer.ID,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.endCustomerSessions) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(key) { transaction in
            guard try await transaction.consents.lock(customer, of: app) else {
                throw OperationsError(.notFound, "There is no such customer.")
            }
            let ended: Int
            if let session {
                ended = try await transaction.customerSessions.end(session, of: customer) ? 1 : 0
            } else {
                ended = try await transaction.customerSessions.endAll(of: customer)
            }
            guard ended > 0 else {
                throw OperationsError(.notFound, "There is no such session, or it has ended.", field: "session")
            }
            let entry = caller.entry(
                .endCustomerSession,
                on: "customer",
                customer.description,
                app: app,
                customer: customer,
                after: AuditJSON([("ended", String(ended))]).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), customer.description)
        }
    }

    /// Notes that a session is in use; writes at most every ten minutes.
    package func noteUse(of session: CustomerSession) async throws {
        if let last = session.lastUsedAt, database.now.timeIntervalSince(last) < CustomerSession.useGrain { return }
        try await sessionTouches.answer(to: session.id)
    }
}
