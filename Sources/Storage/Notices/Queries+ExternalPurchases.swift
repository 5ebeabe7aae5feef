package import Billing
import Foundation
import Postgres

/// The filter and the page of a list of external purchase tokens, those with the latest message from the store first.
package struct ExternalPurchaseFilter: ListFilter, Hashable {
    package var shown: Shown
    package var position: PagePosition

    package init(shown: Shown = .all, position: PagePosition = .first) {
        self.shown = shown
        self.position = position
    }

    /// Raw values appear in URLs.
    package enum Shown: String, Hashable, Sendable, CaseIterable {
        case all
        /// Nobody has reported it since the store last spoke of it.
        case due
        case created
        case reminded
        case unreported
    }

    package func cursor(at row: ExternalPurchaseToken, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .externalPurchaseToken, date: row.toldAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension Queries {
    package func externalPurchases(
        of app: App.ID,
        _ filter: ExternalPurchaseFilter
    ) async throws -> ListPage<ExternalPurchaseToken> {
        let keyset = KeysetClauses(
            columns: ("t.told_at", "t.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let shown: Query =
            switch filter.shown {
            case .all: ""
            case .due: " AND (t.reported_at IS NULL OR t.reported_at < t.told_at)"
            case .created: " AND t.state = \(ExternalPurchaseState.created)"
            case .reminded: " AND t.state = \(ExternalPurchaseState.reminded)"
            case .unreported: " AND t.state = \(ExternalPurchaseState.unreported)"
            }
        let rows = try await reader.query(
            """
            SELECT \(ExternalPurchaseToken.columns)
            FROM external_purchase_tokens t
            WHERE t.app_id = \(app)\(shown)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ExternalPurchaseToken.init(row:)), at: filter.position)
    }

    package func externalPurchase(_ id: ExternalPurchaseToken.ID, of app: App.ID) async throws -> ExternalPurchaseToken?
    {
        try await reader.query(
            """
            SELECT \(ExternalPurchaseToken.columns)
            FROM external_purchase_tokens t
            WHERE t.id = \(id) AND t.app_id = \(app)
            """
        ).first.map(ExternalPurchaseToken.init(row:))
    }
}
