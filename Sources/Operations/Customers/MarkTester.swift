package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Marks a customer as a tester by the app: what they buy in the sandbox gives them access, though the app lets nobody else have it.
    /// Saying the same again changes nothing.
    ///
    /// - Parameter id: the customer's app account token, or their id here.
    /// - Returns: since when they are one; nil for who is none.
    /// - Throws: `OperationsError`: `.forbidden` for who may not, `.notFound` when the app has no such customer.
    package func mark(asTester isTester: Bool, token id: UUID, app: App.ID, caller: Caller) async throws -> Date? {
        guard caller.may(.changeAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await database.write { transaction in
            guard let customer = try await transaction.consents.lock(token: id, of: app) else { throw Self.noCustomer }
            let (since, hasChanged) = try await transaction.customers.mark(asTester: isTester, customer)
            if hasChanged {
                _ = try await transaction.audit.append(entry(isTester, customer, of: app, reason: nil, caller))
            }
            return since
        }
    }

    /// The same by staff, who say why.
    ///
    /// - Returns: the outcome, whose result is the customer's id.
    /// - Throws: `OperationsError`: `.forbidden` for who may not, `.notFound` when the app has no such customer, `.conflict` for who is
    ///   that already.
    package func mark(
        asTester isTester: Bool,
        _ customer: Customer.ID,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.changeAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(key) { transaction in
            guard try await transaction.consents.lock(customer, of: app) else { throw Self.noCustomer }
            guard try await transaction.customers.mark(asTester: isTester, customer).hasChanged else {
                throw OperationsError(
                    .conflict,
                    isTester ? "This customer is a tester already." : "This customer is no tester."
                )
            }
            let entry = entry(isTester, customer, of: app, reason: reason, caller)
            return (try await transaction.audit.append(entry), customer.description)
        }
    }

    private static let noCustomer = OperationsError(.notFound, "There is no such customer.")

    private func entry(
        _ isTester: Bool,
        _ customer: Customer.ID,
        of app: App.ID,
        reason: Reason?,
        _ caller: Caller
    ) -> AuditEntry {
        caller.entry(
            isTester ? .markTester : .unmarkTester,
            on: "customer",
            customer.description,
            app: app,
            customer: customer,
            reason: reason?.forAudit
        )
    }
}
