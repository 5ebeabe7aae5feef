package import Billing
package import Foundation
import Postgres

/// A seat as a page shows it.
package struct ListedSeat: Sendable {
    package var claim: SeatClaim
    package var member: OrderDetails.Customer
    package var purchaser: OrderDetails.Customer
    /// The store's number of the group's subscription.
    package var originalTransactionID: String
    package var productName: String
    package var store: Store
}

/// A claim that a store has and that nobody here made.
package struct UnknownSeat: Sendable, Hashable {
    package var storeClaimID: String
    package var firstSeenAt: Date
}

extension SeatClaimReads {
    /// The seats of a group, those that are open first, then the newest.
    package func listed(of group: Subscription.ID, seesPersonalData: Bool, limit: Int) async throws -> [ListedSeat] {
        try await listed(where: "x.subscription_id = \(group)", seesPersonalData, limit)
    }

    /// The seats that a customer has or had as a member.
    package func listed(ofMember member: Customer.ID, seesPersonalData: Bool, limit: Int) async throws -> [ListedSeat] {
        try await listed(where: "x.customer_id = \(member)", seesPersonalData, limit)
    }

    /// nil where the app has none of that id.
    package func listed(_ id: SeatClaim.ID, of app: App.ID, seesPersonalData: Bool) async throws -> ListedSeat? {
        try await listed(where: "x.id = \(id) AND x.app_id = \(app)", seesPersonalData, 1).first
    }

    /// The store's claims of a group that nobody here made, the newest first.
    package func unknown(of group: Subscription.ID, limit: Int) async throws -> [UnknownSeat] {
        try await reader.query(
            """
            SELECT store_claim_id, first_seen_at
            FROM unknown_seats
            WHERE subscription_id = \(group) AND gone_at IS NULL
            ORDER BY first_seen_at DESC, store_claim_id
            LIMIT \(limit)
            """
        ).map { row in
            let (id, firstSeenAt) = try row.decode(String.self, Date.self)
            return UnknownSeat(storeClaimID: id, firstSeenAt: firstSeenAt)
        }
    }

    /// The columns of a customer whose table has that alias.
    static func person(_ alias: String, _ seesPersonalData: Bool) -> Query {
        let c = Query(unsafe: alias)
        return """
            \(c).id, \(c).key, \(c).external_id, CASE WHEN \(seesPersonalData) THEN \(c).name END,
            CASE WHEN \(seesPersonalData) THEN \(c).email END
            """
    }

    /// - Parameter order: those that are open first, then the newest, where nothing else is said.
    func listed(
        where condition: Query,
        by order: Query = "x.ended_at IS NOT NULL, x.requested_at DESC, x.id DESC",
        _ seesPersonalData: Bool,
        _ limit: Int
    ) async throws -> [ListedSeat] {
        try await reader.query(
            """
            SELECT \(SeatClaim.columns), \(Self.person("m", seesPersonalData)), \(Self.person("b", seesPersonalData)),
                s.original_transaction_id, coalesce(p.name, ''), s.store
            FROM seat_claims x
            JOIN subscriptions s ON s.id = x.subscription_id
            JOIN customers m ON m.id = x.customer_id
            JOIN customers b ON b.id = s.customer_id
            LEFT JOIN products p ON p.id = s.product_id
            WHERE \(condition)
            ORDER BY \(order)
            LIMIT \(limit)
            """
        ).map { row in
            var columns = try row.columns(SeatClaim.columnCount + 13)
            return ListedSeat(
                claim: try SeatClaim(&columns),
                member: try OrderDetails.Customer(&columns),
                purchaser: try OrderDetails.Customer(&columns),
                originalTransactionID: try columns.next(),
                productName: try columns.next(),
                store: try columns.next()
            )
        }
    }
}
