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
                try await finishRequest(summary, of: leased.app, in: transaction)
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

    /// What staff requested under the summary's identifier is done; its worker need not ask the store any more.
    private func finishRequest(
        _ summary: StoreNotice.ExtensionSummary,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        guard let id = ExtensionRequest.ID(summary.requestIdentifier),
            let request = try await transaction.extensionRequests.find(id), request.app == app
        else { return }
        let counts = ExtensionRequest.Result(succeeded: summary.succeeded, failed: summary.failed)
        try await transaction.extensionRequests.save(.succeeded(at: transaction.now, counts), of: id)
    }
}
