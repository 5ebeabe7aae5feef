package import Billing
import Foundation
import Logging
import Storage

extension BackOffice {
    /// Asks Apple for the state of a customer's latest subscriptions, as if their ids had been sent to be verified: for twenty seconds
    /// here, and then in the background until it answers.
    ///
    /// A customer who was asked about within the last minute is not asked about again. Subscriptions that Apple cannot be asked about, or
    /// does not know, are left as they are.
    package func syncPurchases(of customer: Customer.ID, app: App.ID) async throws {
        let (sources, confirmation) = try await database.readPrimary { reader in
            (
                try await reader.entitlementSources.of([customer])[customer],
                try await reader.screens.storeConfirmation(of: customer)
            )
        }
        let quiet = database.now.addingTimeInterval(-Self.quietTime)
        guard confirmation.lastHeardAt.map({ $0 < quiet }) ?? true else { return }
        let latest = (sources?.subscriptions ?? []).filter { $0.store == .apple }
            .sorted { $0.knownEnd > $1.knownEnd }
            .prefix(Self.mostSynced)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in latest.compactMap(\.originalTransactionID) {
                group.addTask { try await self.ask(about: id, of: customer, app) }
            }
            try await group.waitForAll()
        }
    }

    private func ask(about originalTransactionID: String, of customer: Customer.ID, _ app: App.ID) async throws {
        do {
            let request = try PurchaseRequest(
                claimant: .known(customer),
                proof: .transactionID(originalTransactionID)
            )
            _ = try await verifyPurchase(request, of: app)
        } catch let error as OperationsError where Self.leavesAsIs.contains(error.code) {
            logger.debug("a subscription could not be synced", metadata: ["error": "\(error)"])
        }
    }

    /// No account or key, or an id that Apple does not know.
    private static var leavesAsIs: Set<OperationsError.Code> { [.conflict, .misconfigured, .invalid, .notFound] }

    /// In seconds.
    private static var quietTime: TimeInterval { 60 }

    /// Asked about at once.
    private static var mostSynced: Int { 3 }
}

extension HeldSubscription {
    /// The end of its paid time, past or future; the distant future if it never ends.
    fileprivate var knownEnd: Date {
        subscription.endedAt ?? subscription.periodEndsAt ?? .distantFuture
    }
}
