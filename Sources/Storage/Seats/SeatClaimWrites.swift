package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var seatClaims: SeatClaimWrites { SeatClaimWrites(transaction: self) }
}

/// Keeps the seats that members hold by our own claims.
package struct SeatClaimWrites: Sendable {
    let transaction: WriteTransaction

    /// Ends the claims that the store has ended, and has the rest of their groups compared. An id that is no claim of the app's, and a
    /// claim that has ended, change nothing.
    ///
    /// - Parameters:
    ///   - ids: the store's ids.
    ///   - signedAt: the time at which the store signed it.
    package func end(_ ids: [String], of app: App.ID, at store: Store, signedAt: Date) async throws {
        let groups = try await transaction.query(
            """
            UPDATE seat_claims
            SET ended_at = greatest(\(signedAt), requested_at), ended_by = 'unclaimed', \(Self.answered)
            WHERE app_id = \(app) AND store = \(store) AND store_claim_id = ANY(\(ids)) AND ended_at IS NULL
            RETURNING subscription_id
            """
        )
        for row in groups {
            try await transaction.jobs.enqueue(.seatGroup, for: try row.decode(0, as: UUID.self), of: app)
        }
    }

    /// Locks a group until the transaction ends: whoever changes who has its seats is alone with it.
    ///
    /// - Returns: nil where the app has none of that id that is sold by seats.
    package func lock(_ id: Subscription.ID, of app: App.ID) async throws -> SeatGroup? {
        let found = try await transaction.lock(
            "SELECT id FROM subscriptions WHERE id = \(id) AND app_id = \(app) FOR NO KEY UPDATE"
        )
        guard !found.isEmpty else { return nil }
        return try await transaction.query("\(SeatGroup.selection(at: transaction.now)) WHERE s.id = \(id)").first
            .flatMap(SeatGroup.init(row:))
    }

    /// The claims of a group that its store's list is held against: those that are open, that are still to be freed, and that the store has.
    ///
    /// - Parameter listed: the store's ids of the claims that it has.
    package func claimsToCompare(of group: Subscription.ID, with listed: [String]) async throws -> [SeatClaim] {
        let isCompared: Query = "(x.ended_at IS NULL OR x.is_to_be_freed OR x.store_claim_id = ANY(\(listed)))"
        var claims: [SeatClaim] = []
        var page: [SeatClaim]
        repeat {
            page = try await transaction.query(
                SeatClaim.page(of: group, where: isCompared, after: claims.last?.id)
            ).map(SeatClaim.init(row:))
            claims += page
        } while page.count == SeatClaim.pageLength
        return claims
    }

    /// The claim that a member has of a group and that has not ended.
    package func openClaim(of member: Customer.ID, in group: Subscription.ID) async throws -> SeatClaim? {
        try await transaction.query(
            """
            SELECT \(SeatClaim.columns)
            FROM seat_claims x
            WHERE x.subscription_id = \(group) AND x.customer_id = \(member) AND x.ended_at IS NULL
            """
        ).first.map(SeatClaim.init(row:))
    }

    package func claim(_ id: SeatClaim.ID) async throws -> SeatClaim? {
        try await transaction.query("SELECT \(SeatClaim.columns) FROM seat_claims x WHERE x.id = \(id)").first
            .map(SeatClaim.init(row:))
    }

    /// Keeps a claim before the store is asked.
    package func insert(_ claim: SeatClaim, in group: SeatGroup) async throws {
        try await transaction.query(
            """
            INSERT INTO seat_claims
                (id, app_id, store, environment, subscription_id, customer_id, app_transaction_id, requested_at, requested_by)
            VALUES
                (\(claim.id), \(group.app), \(group.store), \(group.environment), \(group.id), \(claim.member),
                 \(claim.appTransactionID), \(claim.requestedAt), \(claim.requestedBy))
            """
        )
    }

    /// Keeps what the store calls a claim that it has given. Of one that has ended meanwhile the store is told by that id.
    package func keep(_ storeClaimID: String, of claim: SeatClaim.ID) async throws {
        try await transaction.query(
            """
            UPDATE seat_claims
            SET store_claim_id = \(storeClaimID), claimed_at = \(transaction.now), \(Self.answered)
            WHERE id = \(claim) AND store_claim_id IS NULL
            """
        )
    }

    /// Ends open claims; what has ended stays as it is.
    ///
    /// - Parameter refusal: the store's words, where it gave none.
    /// - Returns: those that were open.
    @discardableResult
    package func end(
        _ claims: [SeatClaim.ID],
        by ending: SeatClaim.Ending,
        refusal: SeatClaim.Refusal? = nil
    ) async throws -> [SeatClaim.ID] {
        guard !claims.isEmpty else { return [] }
        return try await transaction.query(
            """
            UPDATE seat_claims
            SET ended_at = greatest(\(transaction.now), requested_at), ended_by = \(ending),
                is_to_be_freed = \(ending.isToBeTold), refused_code = \(refusal?.code), refused_as = \(refusal?.message),
                \(Self.answered)
            WHERE id = ANY(\(claims.map(\.uuid))) AND ended_at IS NULL
            RETURNING id
            """
        ).map { try $0.decode(0, as: SeatClaim.ID.self) }
    }

    /// Nothing is left to be told of it: the store has it free, or never gave it.
    package func noteFreed(_ claim: SeatClaim.ID) async throws {
        try await transaction.query(
            "UPDATE seat_claims SET is_to_be_freed = false, \(Self.answered) WHERE id = \(claim)"
        )
    }

    /// The store answered with neither what it was asked for nor its no. Of a claim that was changed meanwhile nothing is noted.
    package func note(_ wait: SeatClaim.Wait, of claim: SeatClaim.ID) async throws {
        try await transaction.query(
            """
            UPDATE seat_claims
            SET unanswered_since = \(wait.since), unanswered_times = \(wait.times, as: Int32.self), ask_again_at = \(wait.until),
                answered_as = \(wait.words)
            WHERE id = \(claim) AND unanswered_times = \(wait.times, as: Int32.self) - 1
            """
        )
    }

    /// Nothing stands in place of the store's answer any more.
    private static let answered: Query =
        "unanswered_since = NULL, unanswered_times = 0, ask_again_at = NULL, answered_as = NULL"

    /// The store knows whose it is.
    package func noteNamed(_ claim: SeatClaim.ID, as appTransactionID: String) async throws {
        try await transaction.query(
            """
            UPDATE seat_claims SET is_to_be_named = false, \(Self.answered)
            WHERE id = \(claim) AND app_transaction_id = \(appTransactionID)
            """
        )
    }

    /// Keeps whose a claim is; the store is told where that is new.
    ///
    /// - Returns: whether it is new.
    package func name(_ claim: SeatClaim.ID, as appTransactionID: String) async throws -> Bool {
        try await !transaction.query(
            """
            UPDATE seat_claims
            SET app_transaction_id = \(appTransactionID), is_to_be_named = true, \(Self.answered)
            WHERE id = \(claim) AND ended_at IS NULL AND app_transaction_id IS DISTINCT FROM \(appTransactionID)
            RETURNING id
            """
        ).isEmpty
    }

    /// Keeps which account at the store a member uses the app with, on those of their claims that name none.
    package func name(
        claimsOf member: Customer.ID,
        as appTransactionID: String,
        in environment: StoreEnvironment,
        of app: App.ID
    )
        async throws
    {
        let groups = try await transaction.query(
            """
            UPDATE seat_claims
            SET app_transaction_id = \(appTransactionID), is_to_be_named = true, \(Self.answered)
            WHERE customer_id = \(member) AND environment = \(environment) AND ended_at IS NULL
                AND app_transaction_id IS NULL
            RETURNING subscription_id
            """
        )
        for row in groups {
            try await transaction.jobs.enqueue(.seatGroup, for: try row.decode(0, as: UUID.self), of: app)
        }
    }

    /// Ends all claims of a customer who is nobody any more.
    package func endAll(of member: Customer.ID, by ending: SeatClaim.Ending, of app: App.ID) async throws {
        let groups = try await transaction.query(
            """
            UPDATE seat_claims
            SET ended_at = greatest(\(transaction.now), requested_at), ended_by = \(ending), is_to_be_freed = true, \(Self.answered)
            WHERE customer_id = \(member) AND ended_at IS NULL
            RETURNING subscription_id
            """
        )
        for row in groups {
            try await transaction.jobs.enqueue(.seatGroup, for: try row.decode(0, as: UUID.self), of: app)
        }
    }

    /// Keeps which claims the store has that we do not; what is not among them any more is gone.
    package func note(unknown: [String], in group: SeatGroup) async throws {
        try await transaction.query(
            """
            INSERT INTO unknown_seats AS u (subscription_id, store_claim_id, app_id, first_seen_at)
            SELECT \(group.id), id, \(group.app), \(transaction.now)
            FROM unnest(\(unknown)::text[]) AS i(id)
            WHERE octet_length(id) BETWEEN 1 AND 255
            ON CONFLICT ON CONSTRAINT an_unknown_seat_is_listed_once DO UPDATE SET gone_at = NULL
            """
        )
        try await transaction.query(
            """
            UPDATE unknown_seats
            SET gone_at = greatest(\(transaction.now), first_seen_at)
            WHERE subscription_id = \(group.id) AND gone_at IS NULL AND store_claim_id <> ALL(\(unknown)::text[])
            """
        )
    }

    package func noteCompared(_ group: Subscription.ID) async throws {
        try await transaction.query(
            "UPDATE subscriptions SET seats_compared_at = \(transaction.now) WHERE id = \(group)"
        )
    }

    /// Gives one customer's seats to another, whose record remains. Who bought the group, or has a seat of it already, needs no second one:
    /// the newer ends, and its seat becomes free.
    package func merge(_ gone: Customer.ID, into survivor: Customer.ID, of app: App.ID) async throws {
        let both = [gone.uuid, survivor.uuid]
        let groups = try await transaction.query(
            """
            UPDATE seat_claims x
            SET ended_at = greatest(\(transaction.now), x.requested_at), ended_by = 'merged', is_to_be_freed = true, \(Self.answered)
            FROM subscriptions s
            WHERE s.id = x.subscription_id AND x.customer_id = ANY(\(both)) AND x.ended_at IS NULL
                AND (s.customer_id = ANY(\(both)) OR EXISTS (
                    SELECT
                    FROM seat_claims other
                    WHERE other.subscription_id = x.subscription_id AND other.customer_id = ANY(\(both))
                        AND other.ended_at IS NULL
                        AND (other.claimed_at IS NULL, other.requested_at, other.id) < (x.claimed_at IS NULL, x.requested_at, x.id)))
            RETURNING x.subscription_id
            """
        )
        try await transaction.query("UPDATE seat_claims SET customer_id = \(survivor) WHERE customer_id = \(gone)")
        for row in groups {
            try await transaction.jobs.enqueue(.seatGroup, for: try row.decode(0, as: UUID.self), of: app)
        }
    }
}
