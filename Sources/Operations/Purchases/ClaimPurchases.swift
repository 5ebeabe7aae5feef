import Billing
import Foundation
import Storage

/// Whose a purchase is (product.md, decision 15).
extension BackOffice {
    /// Claims the purchases that events are about for the customer of a verification. Customers who turn out to be one become one.
    func claim(
        _ events: [StoreEvent],
        for verification: PurchaseVerification,
        in transaction: WriteTransaction
    ) async throws {
        let environments = Array(Set(events.map(\.environment))).sorted { $0.rawValue < $1.rawValue }
        // A purchase that a family shares is its member's own, under an id of its own.
        let ids = Array(Set(events.map(\.transaction.originalID))).sorted()
        let claimed = try await transaction.purchases.subscriptions(
            named: ids,
            at: verification.store,
            environments,
            of: verification.app
        )
        for subscription in claimed {
            let claimant = try await transaction.customers.current(verification.customer)
            let owner = try await transaction.customers.current(subscription.owner)
            let claim = try await decide(
                claimant,
                owner,
                isLocked: subscription.isOwnerLocked,
                of: verification.app,
                in: transaction
            )
            try await transaction.purchases.record(
                claim,
                of: verification.customer,
                on: subscription.id,
                by: verification.id
            )
        }
    }

    /// Joins a customer with those who used the app with the same account at the store, as long as the app has named neither:
    /// reinstalled, or on another device.
    ///
    /// - Returns: who the customer is from now on.
    func join(
        _ customer: Customer.ID,
        using appTransactions: [String],
        in environment: StoreEnvironment,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> Customer.ID {
        var customer = customer
        let others = try await transaction.purchases.customers(linkedTo: appTransactions, in: environment, of: app)
        for other in others where other != customer {
            let other = try await transaction.customers.current(other)
            let parties = try await transaction.customers.parties([customer, other], of: app)
            guard parties.count == 2, parties.allSatisfy({ !$0.isIdentified }) else { continue }
            _ = try await decide(customer, other, isLocked: false, of: app, in: transaction)
            customer = try await transaction.customers.current(customer)
        }
        return customer
    }

    /// Decides between two customers, and joins them where they are one.
    private func decide(
        _ claimant: Customer.ID,
        _ owner: Customer.ID,
        isLocked: Bool,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> PurchaseClaim {
        let parties = try await transaction.customers.parties([claimant, owner], of: app)
        guard let claiming = parties.first(where: { $0.id == claimant }),
            let owning = parties.first(where: { $0.id == owner })
        else { throw OperationsError(.notFound, "The app has no such customer.") }
        let claim = PurchaseClaim(of: claiming, on: owning, isLocked: isLocked)
        switch claim {
        case .held, .refused: break
        case .ownerJoinsClaimant: try await transaction.customers.merge(owner, into: claimant, of: app)
        case .claimantJoinsOwner: try await transaction.customers.merge(claimant, into: owner, of: app)
        }
        return claim
    }
}
