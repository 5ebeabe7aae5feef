import Billing
import Storage

extension WriteTransaction {
    /// Finds or makes the customer whom an app names.
    ///
    /// - Throws: `OperationsError` with `.conflict` for an account token of somebody whom the app calls otherwise.
    func identify(_ identity: CustomerIdentity, of app: App.ID) async throws -> Customer.ID {
        guard let customer = try await customers.identify(identity, of: app) else {
            throw OperationsError(
                .conflict,
                "The account token is of another customer.",
                field: "appAccountToken",
                reason: .accountTokenTaken
            )
        }
        return customer
    }
}
