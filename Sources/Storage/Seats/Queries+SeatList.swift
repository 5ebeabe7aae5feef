package import Billing
package import Foundation
import Postgres

/// A claim that a store has and that nobody here made, with the group that it is of.
package struct ListedUnknownSeat: Sendable {
    package var id: UUID
    package var seat: UnknownSeat
    package var group: Subscription.ID
    package var purchaser: OrderDetails.Customer
    package var productName: String
}

extension SeatClaimReads {
    /// A page of an app's seats over all groups, or of one.
    package func list(
        _ filter: SeatFilter,
        of app: App.ID,
        seesPersonalData: Bool
    ) async throws -> ListPage<SeatListRow> {
        let rows: [SeatListRow]
        switch filter.shown {
        case .unknown:
            rows = try await unknown(filter, of: app, seesPersonalData).map { .unknown($0) }
        case .waiting:
            rows = try await claims(filter, by: "x.unanswered_since", of: app, seesPersonalData).map { .claim($0) }
        case .claimed:
            rows = try await claims(filter, by: "x.requested_at", of: app, seesPersonalData).map { .claim($0) }
        }
        return ListPage(rows, at: filter.position)
    }

    private func claims(
        _ filter: SeatFilter,
        by column: String,
        of app: App.ID,
        _ seesPersonalData: Bool
    ) async throws -> [ListedSeat] {
        let keyset = KeysetClauses(columns: (column, "x.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }
        let shown: Query = filter.shown == .waiting ? " AND x.unanswered_since IS NOT NULL" : ""
        let group: Query = filter.group.map { " AND x.subscription_id = \($0)" } ?? ""
        return try await listed(
            where: "x.app_id = \(app)\(shown)\(group)\(keyset.condition)",
            by: keyset.order,
            seesPersonalData,
            ListPageSize.fetched
        )
    }

    private func unknown(
        _ filter: SeatFilter,
        of app: App.ID,
        _ seesPersonalData: Bool
    ) async throws -> [ListedUnknownSeat] {
        let keyset = KeysetClauses(
            columns: ("u.first_seen_at", "u.id"),
            direction: .descending,
            position: filter.position
        ) {
            "\($0.date)"
        }
        let group: Query = filter.group.map { " AND u.subscription_id = \($0)" } ?? ""
        return try await reader.query(
            """
            SELECT u.id, u.store_claim_id, u.first_seen_at, s.id, \(Self.person("b", seesPersonalData)), coalesce(p.name, '')
            FROM unknown_seats u
            JOIN subscriptions s ON s.id = u.subscription_id
            JOIN customers b ON b.id = s.customer_id
            LEFT JOIN products p ON p.id = s.product_id
            WHERE u.app_id = \(app) AND u.gone_at IS NULL\(group)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(ListPageSize.fetched)
            """
        ).map { row in
            var columns = try row.columns(10)
            return ListedUnknownSeat(
                id: try columns.next(),
                seat: UnknownSeat(storeClaimID: try columns.next(), firstSeenAt: try columns.next()),
                group: try columns.next(),
                purchaser: try OrderDetails.Customer(&columns),
                productName: try columns.next()
            )
        }
    }
}
