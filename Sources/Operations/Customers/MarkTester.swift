package import Billing
package import Foundation
import Storage

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
            guard let customer = try await transaction.consents.lock(token: id, of: app) else {
                throw OperationsError(.notFound, "There is no such customer.")
            }
            let (since, hasChanged) = try await transaction.customers.mark(asTester: isTester, customer)
            if hasChanged {
                try await transaction.audit.append(
                    caller.entry(
                        isTester ? .markTester : .unmarkTester,
                        on: "customer",
                        customer.description,
                        app: app,
                        customer: customer
                    )
                )
            }
            return since
        }
    }
}
