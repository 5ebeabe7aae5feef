package import Billing
import Foundation
import Postgres

extension Queries {
    /// An app's payments that wait for people.
    package func waitingCheckouts(
        of app: App.ID,
        _ filter: WaitingCheckoutFilter
    ) async throws -> ListPage<WaitingCheckout> {
        let keyset = KeysetClauses(
            columns: ("k.created_at", "k.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            \(WaitingCheckout.selection)
            WHERE k.app_id = \(app) AND k.problem IS NOT NULL AND k.problem_seen_at IS NULL\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(WaitingCheckout.init(row:)), at: filter.position)
    }

    /// A payment that waits for people, or did; nil where the app has none of this id, or none with a problem.
    package func waitingCheckout(_ id: Checkout.ID, of app: App.ID) async throws -> WaitingCheckout? {
        try await reader.query(
            "\(WaitingCheckout.selection) WHERE k.app_id = \(app) AND k.id = \(id) AND k.problem IS NOT NULL"
        ).first.map(WaitingCheckout.init(row:))
    }

    /// The number of payments that wait for people; 100 stands for 100 or more.
    package func waitingCheckoutCount(of app: App.ID) async throws -> Int {
        try await reader.query(
            """
            SELECT count(*)
            FROM (SELECT FROM checkouts WHERE app_id = \(app) AND problem IS NOT NULL AND problem_seen_at IS NULL LIMIT 100) k
            """
        ).first?.decode(0, as: Int.self) ?? 0
    }

    /// The order at a store that an order of the books was paid by; nil where our server opened none.
    ///
    /// - Parameter seesPersonalData: without it nothing of the payer leaves the database.
    func checkout(
        paying transactionID: String,
        at store: Store,
        app: App.ID,
        seesPersonalData: Bool
    ) async throws -> OrderDetails.Checkout? {
        try await reader.query(
            """
            SELECT number, method, state, close_reason, created_at, paid_at, transaction_id,
                CASE WHEN \(seesPersonalData) THEN payer_mask END, bank, payment_kind, problem, problem_seen_at IS NOT NULL
            FROM checkouts
            WHERE app_id = \(app) AND store = \(store) AND transaction_id = \(transactionID)
            """
        ).first.map { row in
            var columns = try row.columns(12)
            return OrderDetails.Checkout(
                number: try columns.next(),
                method: try columns.next(),
                state: try columns.next(),
                closeReason: try columns.next(),
                openedAt: try columns.next(),
                paidAt: try columns.next(),
                transactionID: try columns.next(),
                payer: try columns.next(),
                bank: try columns.next(),
                kind: try columns.next(),
                problem: try columns.next(),
                isSeenTo: try columns.next()
            )
        }
    }
}
