package import Billing
import Foundation
import Postgres

extension Reader {
    package var seatClaims: SeatClaimReads { SeatClaimReads(reader: self) }
}

/// Reads the seats that members hold by our own claims.
package struct SeatClaimReads: Sendable {
    let reader: Reader

    /// The app whose claims a store's message is about; nil where no app has any of them.
    ///
    /// - Parameter ids: as the store calls them; nobody has verified them.
    package func app(of ids: [String], at store: Store) async throws -> App.ID? {
        let kept = ids.prefix(Self.mostLookedUp).filter {
            $0.utf8.count <= StoreEvent.longestIdentifier && !$0.utf8.contains(0)
        }
        return try await reader.query(
            "SELECT app_id FROM seat_claims WHERE store = \(store) AND store_claim_id = ANY(\(Array(kept))) LIMIT 1"
        ).first?.decode(0, as: App.ID.self)
    }

    /// The groups of an app's own invitations that a customer bought, the newest first.
    package func groups(of purchaser: Customer.ID, app: App.ID) async throws -> [SeatGroup] {
        try await reader.query(
            """
            \(SeatGroup.selection(at: reader.now))
            WHERE s.customer_id = \(purchaser) AND s.app_id = \(app) AND s.seats IS NOT NULL AND s.seat_invitations = 'app'
            ORDER BY s.period_starts_at DESC NULLS LAST, s.id
            """
        ).compactMap(SeatGroup.init(row:))
    }

    /// nil where the app has none of that id that is sold by seats.
    package func group(_ id: Subscription.ID, of app: App.ID) async throws -> SeatGroup? {
        try await reader.query("\(SeatGroup.selection(at: reader.now)) WHERE s.id = \(id) AND s.app_id = \(app)").first
            .flatMap(SeatGroup.init(row:))
    }

    /// Claims of a group, also ended ones, the newest first.
    ///
    /// - Parameter place: the claim after which they begin; nil for the newest.
    package func claims(of group: Subscription.ID, after place: SeatClaim.ID?, limit: Int) async throws -> [SeatClaim] {
        let after: Query =
            place.map { " AND (x.requested_at, x.id) < (SELECT requested_at, id FROM seat_claims WHERE id = \($0))" }
            ?? ""
        return try await reader.query(
            """
            SELECT \(SeatClaim.columns)
            FROM seat_claims x
            WHERE x.subscription_id = \(group)\(after)
            ORDER BY x.requested_at DESC, x.id DESC
            LIMIT \(limit)
            """
        ).map(SeatClaim.init(row:))
    }

    /// The next claims of a group of which the store is to be asked or told something, the oldest first; at most 1,000.
    ///
    /// - Parameter place: the claim after which they begin; nil for the oldest.
    package func claimsToTell(of group: Subscription.ID, after place: SeatClaim.ID?) async throws -> [SeatClaim] {
        let isToTell: Query = "(x.ended_at IS NULL AND x.claimed_at IS NULL OR x.is_to_be_freed OR x.is_to_be_named)"
        return try await reader.query(SeatClaim.page(of: group, where: isToTell, after: place)).map(
            SeatClaim.init(row:)
        )
    }

    /// Those of a store's ids of claims that are claims of a group here.
    package func known(_ ids: [String], of group: Subscription.ID) async throws -> Set<String> {
        let rows = try await reader.query(
            "SELECT store_claim_id FROM seat_claims WHERE subscription_id = \(group) AND store_claim_id = ANY(\(ids))"
        )
        return Set(try rows.map { try $0.decode(0, as: String.self) })
    }

    /// The app's own claims that a customer has or had as a member, the newest first.
    package func claims(ofMember member: Customer.ID, app: App.ID, limit: Int) async throws -> [SeatClaim] {
        try await reader.query(
            """
            SELECT \(SeatClaim.columns)
            FROM seat_claims x
            WHERE x.customer_id = \(member) AND x.app_id = \(app)
            ORDER BY x.requested_at DESC, x.id DESC
            LIMIT \(limit)
            """
        ).map(SeatClaim.init(row:))
    }

    /// nil where the app has none of that id.
    package func claim(_ id: SeatClaim.ID, of app: App.ID) async throws -> SeatClaim? {
        try await reader.query(
            "SELECT \(SeatClaim.columns) FROM seat_claims x WHERE x.id = \(id) AND x.app_id = \(app)"
        ).first.map(SeatClaim.init(row:))
    }

    /// The app's names of these members; without those whom it never named.
    package func names(of members: [Customer.ID]) async throws -> [Customer.ID: String] {
        let rows = try await reader.query(
            "SELECT id, external_id FROM customers WHERE id = ANY(\(members.map(\.uuid))) AND external_id IS NOT NULL"
        )
        return Dictionary(try rows.map { try $0.decode(Customer.ID.self, String.self) }) { first, _ in first }
    }

    /// Groups of an app's own invitations of whose seats the store was not asked for a day, and that have something to compare.
    package func dueGroups(of app: App.ID) async throws -> [SeatGroup] {
        try await reader.query(
            """
            \(SeatGroup.selection(at: reader.now))
            WHERE s.app_id = \(app) AND s.seat_invitations = 'app' AND s.seats IS NOT NULL
                AND coalesce(s.seats_compared_at < \(reader.now.addingTimeInterval(-86_400)), true)
                AND (\(AccessNow(alias: "s", now: reader.now).givesAccess) OR EXISTS (
                    SELECT FROM seat_claims x WHERE x.subscription_id = s.id AND (x.ended_at IS NULL OR x.is_to_be_freed)))
            ORDER BY s.seats_compared_at NULLS FIRST, s.id
            LIMIT 1000
            """
        ).compactMap(SeatGroup.init(row:))
    }

    /// True if a subscription is a seat that somebody else pays for.
    ///
    /// - Parameter environment: nil for any.
    package func isAssigned(
        _ originalTransactionID: String,
        at store: Store,
        in environment: StoreEnvironment?,
        of app: App.ID
    ) async throws -> Bool {
        let environments = (environment.map { [$0] } ?? StoreEnvironment.allCases).map(\.rawValue)
        return try await !reader.query(
            """
            SELECT
            FROM subscriptions
            WHERE app_id = \(app) AND store = \(store) AND environment = ANY(\(environments))
                AND original_transaction_id = \(originalTransactionID) AND is_assigned
            """
        ).isEmpty
    }

    private static let mostLookedUp = 1_000
}
