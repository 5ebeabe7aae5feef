import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Tells Apple to which account staff transferred a subscription, so that its next transactions name that one.
    ///
    /// A customer whom the app has not named by a token, and what is no subscription by now, is left alone. What Apple refuses waits
    /// for people; what it has not answered is told again until it does.
    func tellAccount(_ leased: LeasedJob) async throws -> JobProgress {
        let owned = try await database.readPrimary { reader in
            try await reader.screens.owner(of: Subscription.ID(leased.subject), app: leased.app)
        }
        guard let owned, let token = owned.appAccountToken else {
            return try await end(leased)
        }
        do {
            let support = try await appleSupport(of: leased.app)
            try await support.setAppAccountToken(token, of: owned.originalTransactionID, in: owned.environment)
        } catch let error as OperationsError {
            throw JobFailure(error.message)
        } catch let failure as StoreFailure {
            throw JobFailure(failure)
        }
        do {
            try await database.write { transaction in
                let entry = Caller(.clock(for: nil), actor: "perennial").entry(
                    .setAccountToken,
                    on: "customer",
                    owned.customer.description,
                    app: leased.app,
                    after: AuditJSON(telling: token, of: owned.originalTransactionID, in: owned.environment).text
                )
                _ = try await transaction.audit.append(entry)
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
            }
        } catch is LeaseLost {
            return .leaseLost
        }
        return .finished
    }

    /// True if Apple can be told of accounts at all: the app has a key for it.
    func isToldOfAccounts(_ app: App.ID) async -> Bool {
        (try? await appleSupport(of: app)) != nil
    }
}

extension JobWrites {
    /// Has Apple told whom the subscriptions belong to that these changes transferred.
    func enqueueAccounts(after changes: [EntitlementEffect], of app: App.ID) async throws {
        for case .transferred(let subscription, _, _, _, _) in changes {
            try await enqueue(.accountToken, for: subscription.uuid, of: app)
        }
    }
}
