package import Billing
package import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Tells Apple whose a purchase is: the account that its next transactions and notifications name.
    ///
    /// Here nothing changes until Apple's next notification says it; then the subscription belongs to the customer with that token.
    ///
    /// - Parameters:
    ///   - token: the app's UUID of the account.
    ///   - environment: nil where it is not known; then production is asked first.
    /// - Throws: `OperationsError` with `.invalid` for an id that is none, `.notFound` where Apple does not know the purchase,
    ///   `.conflict` where Apple cannot be told, or refuses, with its reason; `.overloaded` when it does not answer. Then nothing
    ///   is written down.
    package func setAppAccountToken(
        _ token: UUID,
        of originalTransactionID: String,
        in environment: StoreEnvironment?,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard (1...64).contains(originalTransactionID.utf8.count),
            originalTransactionID.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw OperationsError(
                .invalid,
                "An original transaction id of Apple is digits.",
                field: "appleOriginalTransactionId"
            )
        }
        let isAssigned = try await database.readPrimary { reader in
            try await reader.seatClaims.isAssigned(originalTransactionID, at: .apple, in: environment, of: app)
        }
        guard !isAssigned else {
            throw OperationsError(
                .conflict,
                "It is a seat that was assigned, which has no account of its own at Apple: its member is known by the app's own call.",
                field: "appleOriginalTransactionId"
            )
        }
        let support = try await appleSupport(of: app)
        do {
            // Told before it is written down, and outside of the transaction: a second time does no more than the first.
            try await support.setAppAccountToken(token, of: originalTransactionID, in: environment)
        } catch {
            guard error.refusal?.reason.code != .wrongApp else {
                throw OperationsError(.notFound, error.message, field: "appleOriginalTransactionId", underlying: error)
            }
            throw OperationsError(asking: error)
        }
        let customer = try await database.readPrimary { reader in
            try await reader.screens.known(
                transactions: [originalTransactionID],
                originals: [originalTransactionID],
                of: app,
                at: .apple,
                in: environment ?? .production
            )
        }[originalTransactionID]?.customer
        return try await runOnce(key) { transaction in
            // As all that staff do to a subscription: at whom it belongs to.
            let entry = caller.entry(
                .setAccountToken,
                on: customer == nil ? "store" : "customer",
                customer?.description ?? "apple",
                app: app,
                after: AuditJSON(telling: token, of: originalTransactionID, in: environment).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), originalTransactionID)
        }
    }
}

extension AuditJSON {
    /// The audit values of telling Apple a purchase's account.
    init(telling token: UUID, of originalTransactionID: String, in environment: StoreEnvironment?) {
        self.init([
            ("appleOriginalTransactionId", originalTransactionID), ("appAccountToken", token.uuidString.lowercased()),
            ("environment", environment?.rawValue),
        ])
    }
}
