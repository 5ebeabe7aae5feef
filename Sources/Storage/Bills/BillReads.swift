package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    /// All that the rows of a bill are compared with, as it is kept.
    package func reconciliation(of bill: DailyBill) async throws -> BillReconciliation {
        let comparison = BillComparison(bill: bill)
        let found = try await pipeline([
            comparison.rows, comparison.refundsElsewhere, comparison.payments, comparison.refunds, comparison.requests,
        ])
        // safe: five statements, five answers
        return BillReconciliation(
            billed: try found[0].map(BilledMovement.init(row:)),
            billedElsewhere: try found[1].map(BilledMovement.init(row:)),
            payments: try found[2].map(BookedPayment.init(row:)),
            refunds: try found[3].map(BookedRefund.init(row:)),
            requests: try found[4].map { row in
                let (number, transaction) = try row.decode(String.self, String.self)
                return RequestedRefund(number: number, transactionID: transaction)
            },
            day: bill.span,
            isWhole: bill.state == .compared
        )
    }
}

extension Reader {
    /// The other bills of a bill's account that have open differences, by their days.
    package func billsWithOpenDifferences(besides bill: DailyBill) async throws -> [DailyBill.ID] {
        try await query(
            """
            SELECT b.id
            FROM daily_bills b
            WHERE b.app_id = \(bill.app) AND b.store = \(bill.store) AND b.environment = \(bill.environment) AND b.id <> \(bill.id)
                AND EXISTS (SELECT FROM bill_differences d WHERE d.bill_id = b.id AND d.closed_at IS NULL)
            ORDER BY b.day
            """
        ).map { try $0.decode(0, as: DailyBill.ID.self) }
    }

    package func dailyBill(_ id: DailyBill.ID, of app: App.ID) async throws -> DailyBill? {
        try await query("SELECT \(DailyBill.columns) FROM daily_bills b WHERE b.id = \(id) AND b.app_id = \(app)").first
            .map(DailyBill.init(row:))
    }

    /// The time of the first order at a store; nil where there is none.
    package func firstOrder(of app: App.ID, at store: Store, in environment: StoreEnvironment) async throws -> Date? {
        try await query(
            """
            SELECT least(
                (SELECT min(created_at) FROM checkouts WHERE app_id = \(app) AND store = \(store) AND environment = \(environment)),
                (SELECT min(purchased_at) FROM orders WHERE app_id = \(app) AND store = \(store) AND environment = \(environment)))
            """
        ).first?.decode(0, as: Date?.self)
    }

    /// Of the orders that a bill says were paid, our numbers of those that are not paid here by one of these payments.
    package func unsettledCheckouts(
        _ numbers: [String],
        paidBy transactions: [String],
        of app: App.ID,
        at store: Store,
        limit: Int
    ) async throws -> [String] {
        try await query(
            """
            SELECT k.number
            FROM checkouts k
            WHERE k.app_id = \(app) AND k.store = \(store) AND k.number = ANY(\(numbers))
                AND (k.transaction_id IS NULL OR NOT k.transaction_id = ANY(\(transactions)))
            ORDER BY k.number
            LIMIT \(limit)
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    /// Of these payments, those of which some is back and nobody knows how much.
    package func paymentsWithUnknownRefunds(
        _ transactions: [String],
        of app: App.ID,
        at store: Store
    ) async throws -> Set<String> {
        Set(
            try await query(
                """
                SELECT k.transaction_id
                FROM checkouts k
                WHERE k.app_id = \(app) AND k.store = \(store) AND k.transaction_id = ANY(\(transactions)) AND k.has_unknown_refund
                """
            ).map { try $0.decode(0, as: String.self) }
        )
    }

    /// Of these numbers, those that orders of other apps have at the store: a merchant may sell for several.
    package func numbersOfOtherApps(
        _ numbers: [String],
        than app: App.ID,
        at store: Store
    ) async throws -> Set<String> {
        Set(
            try await query(
                """
                SELECT k.number
                FROM apps a
                JOIN checkouts k ON k.app_id = a.id AND k.number = ANY(\(numbers))
                WHERE a.id <> \(app) AND k.store = \(store)
                """
            ).map { try $0.decode(0, as: String.self) }
        )
    }
}

/// The statements that read what a bill is compared with.
private struct BillComparison {
    let bill: DailyBill

    var rows: Query {
        "SELECT \(BilledMovement.columns) FROM bill_rows r WHERE r.bill_id = \(bill.id) ORDER BY r.place"
    }

    var refundsElsewhere: Query {
        """
        WITH \(concerned)
        SELECT \(BilledMovement.columns)
        FROM bill_rows r
        JOIN concerned USING (transaction_id)
        WHERE r.app_id = \(bill.app) AND r.store = \(bill.store) AND r.environment = \(bill.environment) AND r.kind = 'refund'
            AND r.bill_id <> \(bill.id)
        """
    }

    var payments: Query {
        """
        SELECT o.id, k.number, o.transaction_id, o.amount, o.currency, o.purchased_at,
            EXISTS (
                SELECT
                FROM bill_rows r
                WHERE r.app_id = o.app_id AND r.store = o.store AND r.environment = o.environment AND r.kind = 'payment'
                    AND r.transaction_id = o.transaction_id)
        FROM (
            SELECT o.id
            FROM orders o
            WHERE \(own) AND o.purchased_at >= \(bill.startsAt) AND o.purchased_at < \(bill.endsAt)
            UNION
            SELECT o.id
            FROM orders o
            WHERE \(own) AND o.transaction_id IN (SELECT r.transaction_id FROM bill_rows r WHERE r.bill_id = \(bill.id))
        ) found
        JOIN orders o ON o.id = found.id
        LEFT JOIN checkouts k ON k.app_id = o.app_id AND k.store = o.store AND k.transaction_id = o.transaction_id
        WHERE o.amount > 0
        """
    }

    /// A correction counts with its refund; a refund that was taken back in full counts as none.
    var refunds: Query {
        """
        WITH \(concerned)
        SELECT t.id, o.id, k.number, o.transaction_id, t.amount, o.currency, t.at
        FROM concerned
        JOIN orders o ON \(own) AND o.transaction_id = concerned.transaction_id
        LEFT JOIN checkouts k ON k.app_id = o.app_id AND k.store = o.store AND k.transaction_id = o.transaction_id
        CROSS JOIN LATERAL (
            SELECT min(t.id::text)::uuid AS id, -sum(t.amount)::bigint AS amount, min(t.occurred_at) AS at
            FROM ledger_entries t
            WHERE t.order_id = o.id AND t.status = 'success' AND t.payer = 'store' AND is_refund(t.kind)
            GROUP BY split_part(t.reference, ':corrected-', 1)
            HAVING sum(t.amount) < 0
        ) t
        WHERE o.currency IS NOT NULL
        """
    }

    var requests: Query {
        """
        WITH \(concerned)
        SELECT coalesce(y.number, q.number), o.transaction_id
        FROM concerned
        JOIN orders o ON \(own) AND o.transaction_id = concerned.transaction_id
        JOIN refund_requests q ON q.order_id = o.id
        LEFT JOIN refund_payouts y ON y.refund_id = q.id
        WHERE q.status IN ('approved', 'processed')
        """
    }

    /// The payments of which something was given back, by the bill or on its day by the books.
    private var concerned: Query {
        """
        concerned AS (
            SELECT r.transaction_id
            FROM bill_rows r
            WHERE r.bill_id = \(bill.id) AND r.kind = 'refund'
            UNION
            SELECT o.transaction_id
            FROM ledger_entries t
            JOIN orders o ON o.id = t.order_id
            WHERE t.app_id = \(bill.app) AND t.occurred_at >= \(bill.startsAt) AND t.occurred_at < \(bill.endsAt)
                AND t.status = 'success' AND t.payer = 'store' AND is_refund(t.kind) AND \(own)
        )
        """
    }

    private var own: Query {
        "o.app_id = \(bill.app) AND o.store = \(bill.store) AND o.environment = \(bill.environment) AND o.joined_into IS NULL"
    }
}

extension BilledMovement {
    /// The columns that `init(_:)` reads, of `bill_rows r`.
    static let columns: Query = """
        r.kind, r.order_number, r.transaction_id, r.refund_number, r.amount, r.currency, r.fee, r.at
        """

    init(row: Row) throws {
        var columns = try row.columns(8)
        try self.init(&columns)
    }

    init(_ columns: inout RowColumns) throws {
        let kind: Kind = try columns.next()
        let (order, transaction): (String, String) = (try columns.next(), try columns.next())
        let refund: String? = try columns.next()
        let (amount, currency): (Int64, Currency) = (try columns.next(), try columns.next())
        let fee: Int64? = try columns.next()
        self.init(
            kind,
            orderNumber: order,
            transactionID: transaction,
            refundNumber: refund,
            amount: Money(minorUnits: amount, currency: currency),
            fee: fee.map { Money(minorUnits: $0, currency: currency) },
            at: try columns.next()
        )
    }
}

extension BookedPayment {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(7)
        let (order, number): (UUID, String?) = (try columns.next(), try columns.next())
        let transaction: String = try columns.next()
        let (amount, currency): (Int64, Currency) = (try columns.next(), try columns.next())
        self.init(
            order: order,
            orderNumber: number,
            transactionID: transaction,
            amount: Money(minorUnits: amount, currency: currency),
            at: try columns.next(),
            isBilled: try columns.next()
        )
    }
}

extension BookedRefund {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(7)
        let (entry, order): (UUID, UUID) = (try columns.next(), try columns.next())
        let (number, transaction): (String?, String) = (try columns.next(), try columns.next())
        let (amount, currency): (Int64, Currency) = (try columns.next(), try columns.next())
        self.init(
            entry: entry,
            order: order,
            orderNumber: number,
            transactionID: transaction,
            amount: Money(minorUnits: amount, currency: currency),
            at: try columns.next()
        )
    }
}
