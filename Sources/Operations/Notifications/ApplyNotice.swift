import Billing
import Foundation
import Storage

extension BackOffice {
    /// Keeps what a store tells of an app or a customer, and finishes the notification, in one transaction.
    func apply(_ notice: StoreNotice, from leased: LeasedNotification) async throws -> ApplyResult {
        try await database.write { transaction in
            guard let environment = try await transaction.finish(leased, at: database.now) else { return .leaseLost }
            switch notice {
            case .extensionCompleted(let summary):
                try await transaction.renewalExtensions.complete(
                    RenewalExtension(
                        id: Identifier(transaction.newUUID()),
                        app: leased.app,
                        store: leased.store,
                        environment: environment,
                        requestIdentifier: summary.requestIdentifier,
                        productID: summary.productID,
                        storefronts: summary.storefronts,
                        summary: RenewalExtension.Summary(
                            succeeded: summary.succeeded,
                            failed: summary.failed,
                            completedAt: leased.signedAt
                        )
                    )
                )
            case .externalPurchase(let token):
                try await transaction.externalPurchases.note(
                    token,
                    of: leased.app,
                    at: leased.store,
                    in: environment,
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
            }
            return .applied
        }
    }
}
