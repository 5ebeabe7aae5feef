import Foundation
import Postgres

extension TestSite {
    static let readmigo = "00000000-0000-7000-8000-000000000001"

    /// Adds orders of one customer, `ORD-20260101-0001` and on, a minute apart, the last one partly refunded; and a notification
    /// that failed.
    func addOrders(_ count: Int) async throws {
        try await pool.withConnection { connection in
            try await connection.execute(script: Self.catalogue)
            try await connection.execute(script: Self.orders(count))
            try await connection.execute(script: Self.notification)
            try await connection.execute(script: Self.entry)
        }
    }

    /// Adds a pending request for a part of the first order, `RF-000001`.
    ///
    /// - Parameter email: the account that asked; nil for none.
    func addRefund(askedBy email: String?) async throws {
        _ = try await pool.query(
            """
            INSERT INTO refund_requests
                (id, app_id, order_id, number, kind, status, requested_amount, currency, reason_category, reason,
                 requested_by, requested_as, requested_at, updated_at)
            SELECT gen_random_uuid(), app_id, id, 'RF-000001', 'partial', 'pending', 1200, currency, 'goodwill',
                'It crashed all day.', (SELECT s.id FROM staff s WHERE s.email = \(email)), 'somebody', now(), now()
            FROM orders WHERE number = 'ORD-20260101-0001'
            ON CONFLICT (app_id, number) DO UPDATE SET requested_by = excluded.requested_by
            """
        )
    }

    static let customer = "00000000-0000-7000-8000-0000000000c1"
    static let notificationID = "00000000-0000-7000-8000-0000000000f1"
    /// An audit entry of readmigo.
    static let auditEntry = "00000000-0000-7000-8000-0000000000e1"
    /// A member of staff who belongs to no app.
    static let staffMember = "00000000-0000-7000-8000-0000000000d1"
    /// The personal data in the orders.
    static let personalData = ["Zeynep Yılmaz", "zeynep@example.com"]

    private static let catalogue = """
        INSERT INTO plans (id, app_id, code, name, rank)
        VALUES ('00000000-0000-7000-8000-0000000000a1', '\(readmigo)', 'PRO', 'Pro', 1);
        INSERT INTO products
            (id, app_id, plan_id, store, store_product_id, name, period_count, period_unit, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000b1', '\(readmigo)', '00000000-0000-7000-8000-0000000000a1', 'apple',
            'com.readmigo.pro.monthly', 'Pro monthly', 1, 'month', now(), now());
        INSERT INTO customers (id, app_id, key, name, email, created_at)
        VALUES ('\(customer)', '\(readmigo)', 'token-1', 'Zeynep Yılmaz', 'zeynep@example.com', now());
        """

    private static func orders(_ count: Int) -> String {
        """
        BEGIN;
        INSERT INTO order_numbers (app_id, day, last_sequence) VALUES ('\(readmigo)', '2026-01-01', \(count));
        INSERT INTO orders
            (id, app_id, customer_id, product_id, number, kind, status, store, environment, transaction_id,
             original_transaction_id, product_name, plan_code, amount, refunded, currency, purchased_at,
             period_starts_at, period_ends_at, refunded_at, created_at, updated_at)
        SELECT ('00000000-0000-7000-8001-' || lpad(i::text, 12, '0'))::uuid, '\(readmigo)', '\(customer)',
            '00000000-0000-7000-8000-0000000000b1', 'ORD-20260101-' || lpad(i::text, 4, '0'), 'initial_purchase',
            CASE WHEN i = \(count) THEN 'partially_refunded' ELSE 'completed' END, 'apple', 'production',
            'T' || i, 'T1', 'Pro monthly', 'PRO', 12800, CASE WHEN i = \(count) THEN 4000 ELSE 0 END, 'CNY',
            '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z',
            CASE WHEN i = \(count) THEN '2026-01-03T00:00:00Z'::timestamptz END, now(), now()
        FROM generate_series(1, \(count)) i;
        INSERT INTO ledger_entries
            (id, app_id, order_id, kind, status, amount, currency, store, environment, store_transaction_id, reference,
             occurred_at, recorded_at)
        SELECT gen_random_uuid(), app_id, id, 'initial_purchase', 'success', amount, currency, store, environment,
            transaction_id, 'charge', purchased_at, now()
        FROM orders
        UNION ALL
        SELECT gen_random_uuid(), app_id, id, 'refund', 'success', -refunded, currency, store, environment,
            transaction_id, 'refund:1', refunded_at, now()
        FROM orders WHERE refunded > 0;
        COMMIT;
        """
    }

    private static let entry = """
        INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
        VALUES ('\(staffMember)', 'member@example.com', 'Mia Member', 'support', '!', now(), now());
        INSERT INTO audit_entries (id, at, app_id, actor, role, action, object_type, object_id, before, after, reason)
        VALUES ('\(auditEntry)', '2026-01-02T03:04:05Z', '\(readmigo)', 'eve@example.com', 'admin', 'order.mark',
            'order', 'ORD-20260101-0001', '{"mark": "none", "n": 1}', '{"mark": "<b>red</b>", "on": true}',
            'other: it was red');
        """

    private static let notification = """
        INSERT INTO store_notifications
            (id, app_id, store, environment, notification_uuid, type, signed_at, received_at, signed_payload, state,
             scheduled_at, finalized_at, last_error)
        VALUES ('\(notificationID)', '\(readmigo)', 'apple', 'production', 'n-1', 'DID_RENEW', now(), now(),
            'eyJhbGciOiJFUzI1NiJ9.eyJzZWNyZXQiOiJwYXlsb2FkLW9mLXplbmVwIn0.c2ln', 'failed', now(), now(), 'it broke');
        """
}
