import Billing
import Postgres

/// The outcome of a piece of what follows other rates.
package enum PieceOfRates: Sendable {
    /// More may wait.
    case piece
    /// Somebody else holds it; nothing was done.
    case held
    /// Nothing waited.
    case nothing
}

extension Database {
    /// Values some of the waiting amounts, in a transaction of its own. It gives way to a transaction that holds one of them, before
    /// that one might have to give way.
    ///
    /// - Parameter limit: the number of orders to look at.
    package func valueAmounts(_ limit: Int) async throws -> PieceOfRates {
        do {
            return try await write(lockTimeout: .milliseconds(200)) { transaction in
                try await AmountsToValue(transaction: transaction).next(limit) ? .piece : .nothing
            }
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            return .held
        }
    }
}

/// The worth of amounts in their app's reporting currency, by which lists are sorted: valued anew after other rates, some at a time.
private struct AmountsToValue: Sendable {
    let transaction: WriteTransaction

    /// Values the next orders of the span that has waited longest and that nobody else values; at its end the requests of its days, too.
    ///
    /// - Parameter limit: the number of orders to look at.
    /// - Returns: false where nothing is to be valued.
    func next(_ limit: Int) async throws -> Bool {
        let waiting = try await transaction.lock(
            "SELECT id FROM amounts_to_value ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
        )
        guard let span = try waiting.first?.decode(0, as: Int64.self) else { return false }
        let looked = try await transaction.query(orders(in: span, limit)).first?.decode(0, as: Int.self) ?? 0
        guard looked < limit else { return true }
        try await transaction.query(requests(in: span))
        try await transaction.query("DELETE FROM amounts_to_value WHERE id = \(span)")
        return true
    }

    /// The number of amounts that were looked at. They are read in the order of an index, from where the last piece ended.
    private func orders(in span: Int64, _ limit: Int) -> Query {
        """
        WITH \(Self.span(span)),
        batch AS MATERIALIZED (
            SELECT o.id, o.amount, o.currency, o.worth, o.purchased_at,
                (o.purchased_at AT TIME ZONE (SELECT time_zone FROM span))::date AS day
            FROM orders o
            WHERE o.app_id = (SELECT app_id FROM span)
                AND o.purchased_at >= (SELECT since FROM span) AND o.purchased_at < (SELECT before FROM span)
                AND (o.purchased_at, o.id) > ((SELECT reached FROM span), (SELECT reached_id FROM span))
            ORDER BY o.purchased_at, o.id
            LIMIT \(limit)
        ), rates AS MATERIALIZED (
            SELECT day, currency, cross_rate(currency, (SELECT reporting_currency FROM span), day) AS rate
            FROM (SELECT DISTINCT day, currency FROM batch WHERE amount IS NOT NULL) days
        ), valued AS (
            UPDATE orders o
            SET worth = worth(batch.amount, rate)
            FROM batch
            JOIN rates USING (day, currency)
            WHERE o.id = batch.id AND batch.worth <> worth(batch.amount, rate)
        ), last AS (
            SELECT purchased_at, id FROM batch ORDER BY purchased_at DESC, id DESC LIMIT 1
        )
        UPDATE amounts_to_value w
        SET reached = last.purchased_at, reached_id = last.id
        FROM last
        WHERE w.id = \(span)
        RETURNING (SELECT count(*) FROM batch)
        """
    }

    private func requests(in span: Int64) -> Query {
        """
        WITH \(Self.span(span)),
        told AS MATERIALIZED (
            SELECT r.id, worth(r.requested_amount, cross_rate(r.currency, (SELECT reporting_currency FROM span),
                (r.requested_at AT TIME ZONE (SELECT time_zone FROM span))::date)) AS worth
            FROM refund_requests r
            WHERE r.app_id = (SELECT app_id FROM span)
                AND r.requested_at >= (SELECT since FROM span) AND r.requested_at < (SELECT before FROM span)
        )
        UPDATE refund_requests r
        SET worth = told.worth
        FROM told
        WHERE r.id = told.id AND r.worth <> told.worth
        """
    }

    private static func span(_ id: Int64) -> Query {
        """
        span AS MATERIALIZED (
            SELECT w.app_id, w.reached, w.reached_id, a.reporting_currency, a.time_zone,
                w.first::timestamp AT TIME ZONE a.time_zone AS since,
                CASE WHEN w.last = 'infinity' THEN 'infinity' ELSE (w.last + 1)::timestamp AT TIME ZONE a.time_zone END AS before
            FROM amounts_to_value w
            JOIN apps a ON a.id = w.app_id
            WHERE w.id = \(id)
        )
        """
    }
}
