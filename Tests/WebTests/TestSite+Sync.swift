import Foundation
import Postgres

extension TestSite {
    static let reconciliation = "00000000-0000-7000-8000-0000000000c1"

    /// Adds a reconciliation of readmigo's that read 40 notifications, of which the site's one was missing, and could not go on.
    func addReconciliation() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO reconciliations (id, app_id, store, environment, trigger, read_from, read_to, started_at,
                        finished_at, notifications_read, notifications_missed, problem)
                    VALUES ('\(Self.reconciliation)', '\(Self.readmigo)', 'apple', 'production', 'schedule',
                        now() - interval '1 day', now() - interval '1 hour', now() - interval '1 hour', now(), 40, 1,
                        'It did <not> answer.');
                    UPDATE store_notifications SET reconciliation_id = '\(Self.reconciliation)'
                    WHERE id = '\(Self.notificationID)';
                    """
            )
        }
    }
}

extension TestSite {
    static let bill = "00000000-0000-7000-8000-0000000000c2"
    static let billDifference = "00000000-0000-7000-8000-0000000000c3"
    static let waitingCheckout = "00000000-0000-7000-8000-0000000000c4"

    /// Adds an order of a customer of readmigo's at WeChat Pay, for which the store tells of another amount.
    func addWaitingCheckout() async throws {
        _ = try await pool.query(
            """
            INSERT INTO checkouts (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price,
                credit, amount, currency, starts_at, ends_at, state, created_at, expires_at, problem)
            SELECT \(UUID(uuidString: Self.waitingCheckout) ?? UUID()), c.app_id, c.id,
                (SELECT id FROM products p WHERE p.app_id = c.app_id ORDER BY id LIMIT 1), 'wechat', 'production', 'wechat_native',
                '7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K', 'Pro', sha256('basis'), 1800, 0, 1800, 'CNY', now(), now() + interval '1 month',
                'opening', now(), now() + interval '15 minutes', '1.00 <CNY> was paid; the order is of 18.00 CNY.'
            FROM customers c
            WHERE c.app_id = \(UUID(uuidString: Self.readmigo) ?? UUID())
            ORDER BY c.id
            LIMIT 1
            """
        )
    }

    /// Adds a bill of readmigo's with a payment that nobody here knows.
    func addBill() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO daily_bills (id, app_id, store, environment, day, starts_at, ends_at, state, rows, fetched_at, asked_at)
                    VALUES ('\(Self.bill)', '\(Self.readmigo)', 'wechat', 'production', '2026-01-01', now() - interval '2 days',
                        now() - interval '1 day', 'compared', 1, now(), now());
                    INSERT INTO bill_rows (bill_id, place, app_id, store, environment, kind, order_number, transaction_id, amount,
                        currency, fee, at)
                    VALUES ('\(Self.bill)', 1, '\(Self.readmigo)', 'wechat', 'production', 'payment', 'N<1>', '42', 1800, 'CNY', 11,
                        now() - interval '1 day');
                    INSERT INTO bill_differences (id, app_id, store, environment, bill_id, kind, key, order_number, transaction_id,
                        billed, currency, at, found_at)
                    VALUES ('\(Self.billDifference)', '\(Self.readmigo)', 'wechat', 'production', '\(Self.bill)', 'paid_there', '42',
                        'N<1>', '42', 1800, 'CNY', now() - interval '1 day', now());
                    """
            )
        }
    }
}
