package import Billing
package import Storage

/// The error for a purchase of somebody else's: the part of their identity that the claimant may see (product.md, decision 15).
package struct PurchaseOwnedByAnother: Error, Hashable, Sendable {
    /// The provider with which the owner last signed in; nil if the app does not reveal it, or they never did.
    package var provider: AuthProvider?
    /// nil if the app does not reveal it, or it is not known.
    package var maskedEmail: String?
}

extension BackOffice {
    /// Refuses a proof of which everything belongs to somebody else. Some of many that are the customer's make it good.
    ///
    /// - Throws: `OperationsError` with `.conflict` and a `PurchaseOwnedByAnother`; with `.invalid` for an id that proves nothing.
    package func requireOwn(_ verification: PurchaseVerification) async throws {
        if verification.state == .rejected, verification.proof.form == .transactionID,
            let problem = verification.problem
        {
            throw OperationsError(.invalid, problem, field: "transactionId", reason: .verificationFailed)
        }
        let refused = try await database.readPrimary { try await $0.screens.refusedOwner(of: verification) }
        guard let refused else { return }
        // A bare id may be anybody's guess: it is told nothing of whose it is.
        let hint = verification.proof.form == .transactionID ? .none : refused.hint
        let owner = PurchaseOwnedByAnother(
            provider: hint == .none ? nil : refused.provider,
            maskedEmail: hint == .email ? refused.email?.shown(to: Masking()).flatMap(OwnerHint.masked) : nil
        )
        throw OperationsError(
            .conflict,
            "The purchase belongs to another customer.",
            reason: .purchaseOwnedByAnother,
            underlying: owner
        )
    }
}

/// Reads an address to mask it.
private struct Masking: PersonalDataReader {
    var seesPersonalData: Bool { true }
}
