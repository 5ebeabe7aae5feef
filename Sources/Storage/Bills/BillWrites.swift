package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var bills: BillWrites { BillWrites(transaction: self) }
}

/// Keeps what stores' bills say.
package struct BillWrites: Sendable {
    let transaction: WriteTransaction

    /// Has bills of these days asked for, those of which nothing is known yet.
    ///
    /// - Parameter days: each with its beginning and end by the store's clock.
    package func expect(
        _ days: [(day: BusinessDay, span: Range<Date>)],
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO daily_bills (id, app_id, store, environment, day, starts_at, ends_at, state, next_at)
            SELECT id, \(app), \(store), \(environment), day::date, starts_at, ends_at, 'awaited', \(transaction.now)
            FROM unnest(\(days.map { _ in transaction.newUUID() }), \(days.map(\.day.description)), \(days.map(\.span.lowerBound)),
                \(days.map(\.span.upperBound))) AS days (id, day, starts_at, ends_at)
            ON CONFLICT ON CONSTRAINT one_bill_per_day DO NOTHING
            """
        )
    }

    /// Has the bill that is due longest fetched, unless one of the store's is being fetched: a store is asked for one after the other. One
    /// that waits for people holds up no other.
    package func enqueueNext(of app: App.ID, at store: Store, in environment: StoreEnvironment) async throws {
        let due = try await transaction.query(
            """
            SELECT b.id
            FROM daily_bills b
            WHERE b.app_id = \(app) AND b.store = \(store) AND b.environment = \(environment) AND b.next_at <= \(transaction.now)
                AND NOT EXISTS (
                    SELECT
                    FROM jobs j
                    JOIN daily_bills other ON other.id = j.subject_id
                    WHERE j.app_id = \(app) AND j.kind = \(Job.Kind.dailyBill.rawValue) AND j.state IN ('available', 'running')
                        AND other.store = \(store) AND other.environment = \(environment))
                AND NOT EXISTS (
                    SELECT
                    FROM jobs d
                    WHERE d.kind = \(Job.Kind.dailyBill.rawValue) AND d.subject_id = b.id AND d.state = 'discarded')
            ORDER BY b.day
            LIMIT 1
            """
        ).first?.decode(0, as: UUID.self)
        if let due { try await transaction.jobs.enqueueUnlessThere(.dailyBill, for: due, of: app) }
    }

    /// A bill for a change, locked; nil where the app has none of this id.
    package func lock(_ id: DailyBill.ID, of app: App.ID) async throws -> DailyBill? {
        try await transaction.lock(
            "SELECT \(DailyBill.columns) FROM daily_bills b WHERE b.id = \(id) AND b.app_id = \(app) FOR NO KEY UPDATE"
        ).first.map(DailyBill.init(row:))
    }

    /// Keeps how a bill stands.
    package func keep(_ bill: DailyBill) async throws {
        try await transaction.query(
            """
            UPDATE daily_bills
            SET state = \(bill.state), rows = \(bill.rows, as: Int32.self), unreadable = \(bill.unreadable),
                problem = \(bill.problem), failures = \(bill.failures, as: Int32.self), asked_at = \(bill.askedAt),
                fetched_at = \(bill.fetchedAt), next_at = \(bill.nextAt)
            WHERE id = \(bill.id)
            """
        )
    }

    /// Keeps a bill's rows in place of those that it had.
    package func replace(_ rows: [BilledMovement], of bill: DailyBill) async throws {
        try await transaction.query("DELETE FROM bill_rows WHERE bill_id = \(bill.id)")
        for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
            // safe: within the rows, and counts of them
            let part = rows[start..<min(start + Self.rowsAtOnce, rows.count)]
            try await transaction.query(
                """
                INSERT INTO bill_rows
                    (bill_id, place, app_id, store, environment, kind, order_number, transaction_id, refund_number, amount, currency,
                     fee, at)
                SELECT \(bill.id), \(start, as: Int32.self) + place, \(bill.app), \(bill.store), \(bill.environment), kind,
                    order_number, transaction_id, nullif(refund_number, ''), amount, currency, CASE WHEN has_fee THEN fee END, at
                FROM unnest(\(part.map(\.kind.rawValue)), \(part.map(\.orderNumber)), \(part.map(\.transactionID)),
                    \(part.map { $0.refundNumber ?? "" }), \(part.map(\.amount.minorUnits)), \(part.map(\.amount.currency.code)),
                    \(part.map { $0.fee?.minorUnits ?? 0 }), \(part.map { $0.fee != nil }), \(part.map(\.at))) WITH ORDINALITY
                    AS r (kind, order_number, transaction_id, refund_number, amount, currency, fee, has_fee, at, place)
                """
            )
        }
    }

    /// Keeps the differences of a bill: new ones are open, those that were closed by themselves are open again, and open ones that are not
    /// there any more are closed.
    ///
    /// - Returns: the number of those that were not open before, and of those that were closed.
    package func keep(
        _ differences: [BillDifference],
        of bill: DailyBill
    ) async throws -> (opened: Int, explained: Int) {
        var opened = 0
        for difference in differences {
            guard let currency = difference.billed?.currency ?? difference.booked?.currency else { continue }
            opened += try await transaction.query(
                """
                INSERT INTO bill_differences AS d
                    (id, app_id, store, environment, bill_id, kind, key, order_number, transaction_id, refund_number, order_id, billed,
                     booked, currency, at, found_at)
                VALUES
                    (\(transaction.newUUID()), \(bill.app), \(bill.store), \(bill.environment), \(bill.id), \(difference.kind),
                     \(difference.key), \(difference.orderNumber), \(difference.transactionID), \(difference.refundNumber),
                     \(difference.order), \(difference.billed?.minorUnits), \(difference.booked?.minorUnits), \(currency.code),
                     \(difference.at), \(transaction.now))
                ON CONFLICT ON CONSTRAINT one_difference_of_a_kind DO UPDATE
                SET bill_id = EXCLUDED.bill_id, order_id = EXCLUDED.order_id, billed = EXCLUDED.billed, booked = EXCLUDED.booked,
                    found_at = EXCLUDED.found_at, closed_at = NULL, close_reason = NULL
                WHERE d.close_reason = 'explained'
                    OR (d.billed, d.booked) IS DISTINCT FROM (EXCLUDED.billed, EXCLUDED.booked)
                """
            ).affectedRows
        }
        let closed = try await transaction.query(
            """
            UPDATE bill_differences d
            SET closed_at = \(transaction.now), close_reason = 'explained'
            WHERE d.bill_id = \(bill.id) AND d.closed_at IS NULL
                AND NOT EXISTS (
                    SELECT FROM unnest(\(differences.map(\.kind.rawValue)), \(differences.map(\.key))) AS k (kind, key)
                    WHERE k.kind = d.kind AND k.key = d.key)
            """
        ).affectedRows
        return (opened, closed)
    }

    /// A difference for a change, locked; nil where the app has none of this id.
    package func lock(difference id: ListedBillDifference.ID, of app: App.ID) async throws -> ListedBillDifference? {
        try await transaction.lock(
            "\(ListedBillDifference.selection) WHERE d.id = \(id) AND d.app_id = \(app) FOR NO KEY UPDATE OF d"
        ).first.map(ListedBillDifference.init(row:))
    }

    /// Keeps a person's note.
    ///
    /// - Parameter closes: nothing is left to be done about it.
    package func note(
        _ text: String,
        by author: String,
        on id: ListedBillDifference.ID,
        closes: Bool
    ) async throws {
        try await transaction.query(
            """
            UPDATE bill_differences
            SET note = \(text), noted_by = \(author), noted_at = \(transaction.now),
                closed_at = CASE WHEN \(closes) THEN \(transaction.now) ELSE closed_at END,
                close_reason = CASE WHEN \(closes) THEN 'staff' ELSE close_reason END
            WHERE id = \(id)
            """
        )
    }

    private static let rowsAtOnce = 10_000
}
