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
        for subscription in try await lockClaimed(events, for: verification, in: transaction) {
            let claim = try await decide(
                verification.customer,
                subscription.owner,
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

    /// Locks the claimant and the owners of what the events are about, and then that, in the order in which everybody does.
    private func lockClaimed(
        _ events: [StoreEvent],
        for verification: PurchaseVerification,
        in transaction: WriteTransaction
    ) async throws -> [ClaimedSubscription] {
        let environments = Array(Set(events.map(\.environment))).sorted { $0.rawValue < $1.rawValue }
        // A purchase that a family shares is its member's own, under an id of its own.
        let ids = Array(Set(events.map(\.transaction.originalID))).sorted()
        while true {
            func claimed(locking locks: Bool) async throws -> [ClaimedSubscription] {
                try await transaction.purchases.subscriptions(
                    named: ids,
                    at: verification.store,
                    environments,
                    of: verification.app,
                    locking: locks
                )
            }
            let owners = Set(try await claimed(locking: false).map(\.owner))
            _ = try await transaction.customers.lock([verification.customer] + owners, of: verification.app)
            let locked = try await claimed(locking: true)
            // What was moved meanwhile has another owner, who is to be locked first.
            if locked.allSatisfy({ owners.contains($0.owner) }) { return locked }
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
        let others = try await transaction.purchases.customers(linkedTo: appTransactions, in: environment, of: app)
        // All at once, in one order.
        _ = try await transaction.customers.lock([customer] + others, of: app)
        var customer = customer
        for other in others where other != customer {
            let parties = try await transaction.customers.lock([customer, other], of: app)
            guard parties.count == 2, parties.values.allSatisfy({ !$0.isIdentified && !$0.isDeleted }) else { continue }
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
        let parties = try await transaction.customers.lock([claimant, owner], of: app)
        guard let claiming = parties[claimant], let owning = parties[owner] else {
            throw OperationsError(.notFound, "The app has no such customer.")
        }
        let claim = PurchaseClaim(of: claiming, on: owning, isLocked: isLocked)
        switch claim {
        case .held, .refused: break
        case .ownerJoinsClaimant: try await transaction.customers.merge(owning.id, into: claiming.id, of: app)
        case .claimantJoinsOwner: try await transaction.customers.merge(claiming.id, into: owning.id, of: app)
        }
        return claim
    }
}
