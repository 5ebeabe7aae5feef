package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var purchases: PurchaseVerificationWrites { PurchaseVerificationWrites(transaction: self) }
}

/// Keeps what apps sent to prove purchases, and what came of it.
package struct PurchaseVerificationWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a proof, once for each customer who sends it; sent again, it is judged again.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the proof.
    ///   - worthless: items of it that prove nothing, as "field: reason".
    package func begin(
        _ proof: PurchaseProof,
        digest: [UInt8],
        of customer: Customer.ID,
        in app: App.ID,
        at store: Store,
        _ environment: StoreEnvironment?,
        worthless: [String] = []
    ) async throws -> PurchaseVerification {
        let rows = try await transaction.query(
            """
            INSERT INTO purchase_verifications AS v
                (id, app_id, customer_id, store, form, proof, digest, environment, state, requested_at, worthless)
            VALUES
                (\(transaction.newUUID()), \(app), \(customer), \(store), \(proof.form), \(proof.parts), \(digest),
                 \(environment), 'pending', \(transaction.now), \(worthless))
            ON CONFLICT ON CONSTRAINT one_verification_per_proof DO UPDATE
            SET requested_at = excluded.requested_at, problem = NULL, finished_at = NULL, worthless = excluded.worthless,
                state = CASE WHEN v.state = 'provisional' THEN 'provisional' ELSE 'pending' END
            RETURNING id
            """
        )
        let id = try rows[0].decode(0, as: PurchaseVerification.ID.self)  // safe: inserted or updated
        return try await verification(id)
    }

    /// Locks a verification until the transaction ends.
    ///
    /// - Throws: what reading it throws; there is one of this id.
    package func verification(_ id: PurchaseVerification.ID) async throws -> PurchaseVerification {
        try PurchaseVerification(
            row: try await transaction.lock(
                "\(PurchaseVerification.selection) WHERE v.id = \(id) FOR NO KEY UPDATE OF v"
            )[0]
        )
    }

    /// Keeps what came of asking.
    ///
    /// - Parameter problem: why it is rejected or still waits.
    package func settle(
        _ id: PurchaseVerification.ID,
        as state: PurchaseVerification.State,
        because problem: String? = nil,
        provisionalUntil end: Date? = nil,
        askedAt: Date? = nil
    ) async throws {
        let finished = state == .verified || state == .rejected ? transaction.now : nil
        try await transaction.query(
            """
            UPDATE purchase_verifications
            SET state = \(state), problem = \(problem), finished_at = \(finished),
                provisional_until = coalesce(\(end), provisional_until), asked_at = coalesce(\(askedAt), asked_at)
            WHERE id = \(id)
            """
        )
    }

    /// Remembers which account at the store a customer uses the app with.
    package func link(
        _ customer: Customer.ID,
        to appTransactions: [String],
        in environment: StoreEnvironment,
        of app: App.ID
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO app_transactions (app_id, environment, app_transaction_id, customer_id, first_seen_at)
            SELECT \(app), \(environment), id, \(customer), \(transaction.now)
            FROM unnest(\(appTransactions)) AS i(id)
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Those others who used the app with one of these accounts at the store, the earliest first.
    package func customers(
        linkedTo appTransactions: [String],
        in environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> [Customer.ID] {
        try await transaction.query(
            """
            SELECT coalesce(c.merged_into, c.id)
            FROM app_transactions t
            JOIN customers c ON c.id = t.customer_id
            WHERE t.app_id = \(app) AND t.environment = \(environment)
                AND t.app_transaction_id = ANY(\(appTransactions)) AND c.deleted_at IS NULL
            ORDER BY t.first_seen_at, c.id
            """
        ).map { try $0.decode(0, as: Customer.ID.self) }
    }

    /// The subscriptions that a store's ids name, also by the names that they took on with a change of plan, with their owners.
    ///
    /// - Parameter locks: true to lock them until the transaction ends.
    package func subscriptions(
        named originalTransactionIDs: [String],
        at store: Store,
        _ environments: [StoreEnvironment],
        of app: App.ID,
        locking locks: Bool
    ) async throws -> [ClaimedSubscription] {
        try await transaction.lock(
            """
            SELECT id, customer_id, owner_locked, original_transaction_id
            FROM subscriptions
            WHERE id IN (
                SELECT s.id
                FROM subscriptions s
                WHERE s.app_id = \(app) AND s.store = \(store) AND s.environment = ANY(\(environments.map(\.rawValue)))
                    AND s.original_transaction_id = ANY(\(originalTransactionIDs))
                UNION ALL
                SELECT a.subscription_id
                FROM subscription_aliases a
                WHERE a.app_id = \(app) AND a.store = \(store) AND a.environment = ANY(\(environments.map(\.rawValue)))
                    AND a.original_transaction_id = ANY(\(originalTransactionIDs))
            )
            ORDER BY id
            \(locks ? "FOR NO KEY UPDATE" : "" as Query)
            """
        ).map { row in
            let (id, owner, isLocked, name) = try row.decode(
                Subscription.ID.self,
                Customer.ID.self,
                Bool.self,
                String.self
            )
            return ClaimedSubscription(id: id, owner: owner, isOwnerLocked: isLocked, originalTransactionID: name)
        }
    }

    /// Keeps what became of a claim; the latest of a customer on a subscription stands.
    package func record(
        _ claim: PurchaseClaim,
        of customer: Customer.ID,
        on subscription: Subscription.ID,
        by verification: PurchaseVerification.ID
    ) async throws {
        let outcome =
            switch claim {
            case .held: "held"
            case .ownerJoinsClaimant, .claimantJoinsOwner: "joined"
            case .moved: "moved"
            case .transferred: "transferred"
            case .shared: "shared"
            case .refused: "refused"
            case .unproven: "unproven"
            }
        try await transaction.query(
            """
            INSERT INTO purchase_claims (subscription_id, customer_id, verification_id, outcome, claimed_at)
            VALUES (\(subscription), \(customer), \(verification), \(outcome), \(transaction.now))
            ON CONFLICT (subscription_id, customer_id) DO UPDATE
            SET verification_id = excluded.verification_id, outcome = excluded.outcome, claimed_at = excluded.claimed_at
            """
        )
    }
}

/// A subscription that somebody says is theirs.
package struct ClaimedSubscription: Sendable, Hashable {
    package var id: Subscription.ID
    package var owner: Customer.ID
    /// Staff said whose it is.
    package var isOwnerLocked: Bool
    package var originalTransactionID: String
}
