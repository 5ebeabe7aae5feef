import Billing
import Foundation
import Storage

extension BackOffice {
    /// Keeps what a store tells of an app or a customer, and finishes the notification, in one transaction. A payment or a refund is
    /// settled first, in a transaction of its own: settled again it changes nothing.
    ///
    /// - Throws: `OperationsError` with `.invalid` for a payment or a refund that cannot be of one of our orders: people have to look at it.
    func apply(_ notice: StoreNotice, from leased: LeasedNotification) async throws -> ApplyResult {
        if case .payment(let payment) = notice,
            case .disputed(let reason) = try await settle(payment, at: leased.store, of: leased.app)
        {
            throw OperationsError(.invalid, reason)
        }
        if case .refund(let refund) = notice,
            case .disputed(let reason) = try await settle(refund, at: leased.store, of: leased.app)
        {
            throw OperationsError(.invalid, reason)
        }
        return try await database.write { transaction in
            guard let environment = try await transaction.finish(leased, at: database.now) else { return .leaseLost }
            switch notice {
            case .extensionCompleted(let summary):
                try await transaction.renewalExtensions.complete(
                    RenewalExtensionSummary(summary, signedAt: leased.signedAt),
                    of: leased.app,
                    at: leased.store,
                    in: environment
                )
            case .externalPurchase(let token):
                try await transaction.externalPurchases.note(
                    token,
                    of: leased.app,
                    at: leased.store,
                    in: environment,
                    signedAt: leased.signedAt
                )
            case .seatsUnclaimed(let unclaimed):
                try await transaction.seatClaims.end(
                    unclaimed.claimIDs,
                    of: leased.app,
                    at: leased.store,
                    signedAt: leased.signedAt
                )
            case .consentRescinded(let consent):
                try await transaction.rescindedConsents.note(
                    consent,
                    of: leased.app,
                    at: leased.store,
                    in: environment,
                    signedAt: leased.signedAt
                )
            case .payment, .refund: break
            }
            return .applied
        }
    }
}

extension RenewalExtensionSummary {
    fileprivate init(_ summary: StoreNotice.ExtensionSummary, signedAt: Date) {
        self.init(
            // Ours are spelled as the database spells them, whatever case the store gives them back in.
            requestIdentifier: RenewalExtension.ID(summary.requestIdentifier)?.description ?? summary.requestIdentifier,
            storeProductID: summary.productID,
            storefronts: summary.storefronts,
            succeeded: summary.succeeded,
            failed: summary.failed,
            completedAt: signedAt
        )
    }
}
