import Billing
import Operations
import Storage

/// What the customer API reads and verifies, whatever shape it answers in.
struct CustomerPurchases: Sendable {
    let backOffice: BackOffice

    /// From the primary: what was just verified is there.
    func current(of session: CustomerSession) async throws -> CurrentSubscription {
        try await backOffice.database.readPrimary { reader in
            let held = try await reader.entitlementSources.current(of: session.customer, app: session.app)
            return CurrentSubscription(held.sources, of: session, basePlan: held.basePlan, at: reader.now)
        }
    }

    /// The same of whoever the customer is after a verification, which may have told that they are somebody known.
    func current(
        of session: CustomerSession,
        after verification: PurchaseVerification
    ) async throws -> CurrentSubscription {
        guard verification.customer != session.customer else { return try await current(of: session) }
        let renewed = try await backOffice.database.readPrimary { try await $0.customerSession(session.id) }
        return try await current(of: renewed ?? session)
    }

    /// How far stores have confirmed what a customer bought.
    func confirmation(for current: CurrentSubscription) async throws -> StoreConfirmation {
        try await backOffice.database.readPrimary {
            try await $0.screens.storeConfirmation(of: current.session.customer)
        }
    }

    /// What the subscription is of; nil where the catalogue no longer has it, or nothing is known of it.
    func product(of current: CurrentSubscription) async throws -> ProductRecord? {
        guard let held = current.held, let id = held.subscription.productID else { return nil }
        return try await backOffice.apps.product(id, at: held.store, of: current.session.app)
    }

    /// - Throws: `OperationsError` as `BackOffice.verifyPurchase` does, by the fields of `ReceiptRequest`.
    func verify(
        _ proof: PurchaseProof,
        _ signedAppTransaction: String?,
        for call: CustomerRequest
    ) async throws -> PurchaseVerification {
        do {
            return try await backOffice.verifyPurchase(
                PurchaseRequest(
                    claimant: .known(call.customer),
                    proof: proof,
                    signedAppTransaction: signedAppTransaction
                ),
                of: call.app
            )
        } catch let error as OperationsError {
            throw error.renaming("receipt", to: "receiptData").forPrograms()
        }
    }
}

extension PurchaseVerification.State {
    /// Whether the customer has what was proven, be it until the store confirms it.
    var givesAccess: Bool { self != .rejected && self != .pending }
}
