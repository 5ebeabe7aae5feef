import Billing
import Foundation
import Storage

/// Claims on purchases, which decide on their owners (product.md, decision 15).
extension BackOffice {
    /// Claims the purchases of some events for the customer of a verification. Devices that turn out to be one customer are merged; an
    /// account keeps its identity, whatever is claimed.
    ///
    /// - Returns: the outcome of each claim.
    func claim(
        _ events: [StoreEvent],
        for verification: PurchaseVerification,
        by worth: ProofWorth,
        in transaction: WriteTransaction
    ) async throws -> [PurchaseClaim] {
        let behavior = try await transaction.purchases.transferBehavior(of: verification.app)
        var claims: [PurchaseClaim] = []
        for subscription in try await lockClaimed(events, for: verification, in: transaction) {
            let claim = try await decide(verification, subscription, by: worth, behavior, in: transaction)
            try await transaction.purchases.record(
                claim,
                of: verification.customer,
                on: subscription.id,
                by: verification.id
            )
            // Purchases that waited for somebody to have them can be acknowledged now.
            if claim.isGranted { try await transaction.jobs.hasten(.acknowledgement, for: subscription.id.uuid) }
            claims.append(claim)
        }
        return claims
    }

    /// The outcomes of claims on purchases, without making them.
    ///
    /// - Returns: by the store's ids of the subscriptions; without those that are not known yet.
    func forecast(
        of originalTransactionIDs: [String],
        for verification: PurchaseVerification,
        by worth: ProofWorth,
        in transaction: WriteTransaction
    ) async throws -> [String: PurchaseClaim] {
        let behavior = try await transaction.purchases.transferBehavior(of: verification.app)
        let known = try await transaction.purchases.subscriptions(
            named: originalTransactionIDs,
            at: verification.store,
            StoreEnvironment.allCases,
            of: verification.app,
            locking: false
        )
        let parties = try await transaction.customers.lock(
            [verification.customer] + known.map(\.owner),
            of: verification.app
        )
        var claims: [String: PurchaseClaim] = [:]
        for subscription in known {
            guard let claimant = parties[verification.customer], let owner = parties[subscription.owner] else {
                continue
            }
            claims[subscription.originalTransactionID] = PurchaseClaim(
                of: claimant,
                on: owner,
                by: worth,
                behavior: behavior,
                isLocked: subscription.isOwnerLocked
            )
        }
        return claims
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
            // A purchase moved meanwhile has another owner, who has to be locked first.
            if locked.allSatisfy({ owners.contains($0.owner) }) { return locked }
        }
    }

    /// Joins a customer with those who used the app with the same account at the store, as long as the app has named neither:
    /// reinstalled, or on another device.
    ///
    /// - Parameter appTransactions: as signed by the store; an id that is merely named joins nobody.
    /// - Returns: the customer from now on.
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
            guard let own = parties[customer], let linked = parties[other],
                ![own, linked].contains(where: { $0.isIdentified || $0.isDeleted })
            else { continue }
            let claim = PurchaseClaim(of: own, on: linked, by: .proven)
            try await join(own, linked, claim, of: app, in: transaction)
            customer = try await transaction.customers.current(customer)
        }
        return customer
    }

    /// Decides whose a purchase is, and does it.
    private func decide(
        _ verification: PurchaseVerification,
        _ subscription: ClaimedSubscription,
        by worth: ProofWorth,
        _ behavior: TransferBehavior,
        in transaction: WriteTransaction
    ) async throws -> PurchaseClaim {
        let app = verification.app
        // Whom a claim before this one joined are one by now.
        let parties = try await transaction.customers.lock([verification.customer, subscription.owner], of: app)
        guard let claimant = parties[verification.customer], let owner = parties[subscription.owner] else {
            throw OperationsError(.notFound, "The app has no such customer.")
        }
        let claim = PurchaseClaim(
            of: claimant,
            on: owner,
            by: worth,
            behavior: behavior,
            isLocked: subscription.isOwnerLocked
        )
        switch claim {
        case .held, .refused, .unproven: break
        case .ownerJoinsClaimant, .claimantJoinsOwner: try await join(claimant, owner, claim, of: app, in: transaction)
        case .shared:
            try await transaction.purchases.share(subscription.id, with: claimant.id, by: verification.id, of: app)
        case .moved, .transferred:
            try await transaction.purchases.move(subscription.id, from: owner.id, to: claimant.id, of: app)
            try await transaction.audit.append(entry(of: subscription, from: owner, to: claimant, app))
        }
        return claim
    }

    private func join(
        _ claimant: PurchaseClaim.Party,
        _ owner: PurchaseClaim.Party,
        _ claim: PurchaseClaim,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        switch claim {
        case .ownerJoinsClaimant: try await transaction.customers.merge(owner.id, into: claimant.id, of: app)
        case .claimantJoinsOwner: try await transaction.customers.merge(claimant.id, into: owner.id, of: app)
        case .held, .moved, .transferred, .shared, .refused, .unproven: break
        }
    }

    /// In the log of whom it leaves, by whoever showed it.
    private func entry(
        of subscription: ClaimedSubscription,
        from owner: PurchaseClaim.Party,
        to claimant: PurchaseClaim.Party,
        _ app: App.ID
    ) -> AuditEntry {
        Caller(.customer(claimant.id), actor: "customer").entry(
            .transferSubscription,
            on: "customer",
            owner.id.description,
            app: app,
            customer: owner.id,
            before: AuditJSON([("holder of \(subscription.id)", owner.id.description)]).text,
            after: AuditJSON([("holder of \(subscription.id)", claimant.id.description)]).text
        )
    }
}
