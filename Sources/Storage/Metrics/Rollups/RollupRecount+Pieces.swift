package import Billing
import Foundation
import Postgres

extension RollupRecount {
    /// The counts of some hundred customers.
    package struct Piece: Sendable {
        /// The last of them; the next piece comes after.
        package var last: Customer.ID
        /// The number of pieces.
        fileprivate var number: Int
        /// Ledger rows.
        package var rows: Int
        /// The customers whose access periods, or changes of what they may use, are stored otherwise than their events tell them.
        package var misplaced: [Customer.ID]
    }

    /// Counts all that the next customers add to the metrics, and compares what is kept of each: in a few statements for all of them.
    ///
    /// Their subscriptions are replayed event by event and refund by refund as we heard of them; what staff gave counts as it stands now.
    ///
    /// - Parameter piece: the one before; nil to begin.
    /// - Returns: nil when there is nobody left.
    package func addNext(_ app: App.ID, after piece: Piece?) async throws -> Piece? {
        try Task.checkCancellation()
        let after = piece?.last
        let isNext: Query = after.map { "WHERE id > \($0)" } ?? ""
        let ids = try await transaction.query(
            "SELECT id FROM people \(isNext) ORDER BY id LIMIT \(Self.customersAtOnce)"
        )
        .map { try $0.decode(0, as: UUID.self) }
        guard let last = ids.last.map(Customer.ID.init(_:)) else { return nil }
        let results = try await transaction.pipeline(
            [LedgerOfCustomers(customers: ids).statement]
                + CustomerAccess.statements(of: ids, app: app, withStored: findsMisplaced)
        )
        let access = try CustomerAccess(app: app, results[1...])
        var (rows, misplaced): (RecountRows, [Customer.ID]) = (RecountRows(), [])
        for customer in ids.map(Customer.ID.init(_:)) {
            let counted = access.count(customer, byDay: !comparesSumsAlone, findsMisplaced: findsMisplaced)
            try rows.add(counted.added, of: customer)
            if counted.isMisplaced { misplaced.append(customer) }
        }
        try await rows.write(to: transaction.connection)
        let number = (piece?.number ?? 0) + 1
        try await transaction.pipeline(
            [comparison(app, after: after, upTo: last), "TRUNCATE made_rows"]
                + (number.isMultiple(of: Self.piecesBetweenSums) ? Self.sums : [])
        )
        return Piece(
            last: last,
            number: number,
            rows: try results[0].first?.decode(0, as: Int.self) ?? 0,  // safe: one answer a statement
            misplaced: misplaced
        )
    }

    /// Some megabytes of events at a time.
    private static let customersAtOnce = 1_000
    /// Some hundred thousand rows of `made` at a time: all of a large app's would be gigabytes.
    private static let piecesBetweenSums = 32

    /// Adds up what was made so far.
    static let sums: [Query] = [
        """
        INSERT INTO made_sums
            (measure, environment, day, dimension, product_id, country, currency, recorded_on, effective_at, amount, count)
        SELECT measure, environment, day, dimension, product_id, country, currency, recorded_on, effective_at, sum(amount), sum(count)
        FROM made
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
        HAVING sum(amount) <> 0 OR sum(count) <> 0
        """,
        "TRUNCATE made",
    ]

    /// The rows that are kept of the customers of a piece, and the sums that were made of them, whenever it became known.
    private func comparison(_ app: App.ID, after: Customer.ID?, upTo last: Customer.ID) -> Query {
        let isInPiece: Query =
            after.map { "customer_id > \($0) AND customer_id <= \(last)" } ?? "customer_id <= \(last)"
        let known: Query = comparesSumsAlone ? "'-infinity'::date" : "recorded_on"
        return """
            INSERT INTO wrong
            SELECT ROW('customer', measure, day, dimension, product_id, country, currency, customer_id)::text, 'customer', measure,
                'production', day, dimension, product_id, country, '', currency, recorded_on, customer_id, effective_at, amount, count
            FROM (
                SELECT *, sum(amount) OVER places AS amounts, sum(count) OVER places AS counts
                FROM (
                    SELECT customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                        sum(amount)::bigint AS amount, sum(count)::bigint AS count
                    FROM (
                        SELECT customer_id, measure, day, dimension, product_id, country, currency, \(known) AS recorded_on,
                            effective_at, amount, count
                        FROM made_rows
                        UNION ALL
                        SELECT customer_id, measure, day, dimension, product_id, country, currency, \(known), effective_at, -amount, -count
                        FROM subscriber_entries
                        WHERE app_id = \(app) AND measure = ANY(ARRAY(SELECT measure FROM told_measures)) AND \(isInPiece)
                        UNION ALL
                        SELECT customer_id, measure, day, dimension, product_id, country, currency, \(known), effective_at, -amount, -count
                        FROM rollup_corrections
                        WHERE app_id = \(app) AND level = 'customer' AND \(isInPiece)
                    ) compared
                    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
                    HAVING sum(amount) <> 0 OR sum(count) <> 0
                ) rows
                WINDOW places AS (PARTITION BY customer_id, measure, day, dimension, product_id, country, currency)
            ) summed
            WHERE amounts <> 0 OR counts <> 0
            """
    }
}
