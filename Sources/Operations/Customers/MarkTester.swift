package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Marks a customer as a tester by the app: their sandbox purchases give them access, even if the app gives it to nobody else.
    /// Repeating it changes nothing.
    ///
    /// - Parameter id: the customer's app account token, or their id here.
    /// - Returns: the time from which they have been one; nil if they are none.
    /// - Throws: `OperationsError`: `.forbidden` without the permission, `.notFound` if the app has no such customer.
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

    /// Marks a customer as a tester by staff, who give a reason.
    ///
    /// - Returns: the outcome, whose result is the customer's id.
    /// - Throws: `OperationsError`: `.forbidden` without the permission, `.notFound` if the app has no such customer, `.conflict` if they
    ///   are marked so already.
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
