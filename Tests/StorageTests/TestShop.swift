import Billing
import Foundation
import Logging
import Postgres
import Storage
import TestSupport

/// A database with one row of everything, for the tests of the schema's rules.
enum TestShop {
    static let app = App.ID(UUID(uuidString: "00000000-0000-7000-8000-00000000000a") ?? UUID())

    /// Runs a test on a migrated database that holds an app with two plans and a product.
    static func run(
        configure: (inout PoolConfiguration) -> Void = { _ in },
        _ body: (Pool, Database) async throws -> Void
    ) async throws {
        try await withDatabase(template: template, configure: configure) { pool in
            try await body(pool, Database(writing: pool, reading: pool, doorTimeout: .patient))
        }
    }

    /// Returns a pending notification about the subscription of that name.
    static func received(
        _ uuid: String = UUID().uuidString,
        subscription: String = "t1",
        type: String = "SUBSCRIBED"
    ) -> ReceivedNotification {
        let day = Date(timeIntervalSince1970: 1_750_000_000)
        return ReceivedNotification(
            id: Identifier(UUID()),
            app: app,
            store: .apple,
            environment: .production,
            notificationUUID: uuid,
            type: type,
            subtype: nil,
            signedAt: day,
            receivedAt: day,
            signedPayload: "a.b.c",
            content: .event(
                StoreEvent(
                    id: uuid,
                    store: .apple,
                    environment: .production,
                    signedAt: day,
                    kind: .subscribed,
                    transaction: StoreTransaction(
                        id: subscription,
                        originalID: subscription,
                        productID: "pro",
                        purchasedAt: day,
                        expiresAt: day + 86_400,
                        price: nil
                    )
                )
            )
        )
    }

    private static let template = DatabaseTemplate(Schema.migrator.migrations, filled: "TestShop") { pool in
        try await pool.withConnection { try await $0.execute(script: catalog) }
    }

    private static let catalog = """
        INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
        VALUES ('\(app)', 'shop', 'Shop', 'Asia/Shanghai', 'CNY', now(), now());
        INSERT INTO store_accounts (app_id, store, identifier, environment)
        VALUES ('\(app)', 'apple', 'test.shop', 'store');
        INSERT INTO plans (id, app_id, code, name, rank)
        VALUES ('00000000-0000-7000-8000-0000000000b0', '\(app)', 'FREE', 'Free', 0),
            ('00000000-0000-7000-8000-0000000000b1', '\(app)', 'PRO', 'Pro', 1);
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, period_count, period_unit, trial_count,
            trial_unit, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000c0', '\(app)', '00000000-0000-7000-8000-0000000000b1', 'apple', 'pro',
            'Pro', 1, 'month', 7, 'day', now(), now());
        INSERT INTO product_prices (product_id, currency, minor_units)
        VALUES ('00000000-0000-7000-8000-0000000000c0', 'CNY', 1800);
        """

    /// Inserts a customer with a subscription, its event, an order that was half refunded, and staff with an audit entry.
    static let books = """
        INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-00000000000b', 'other', 'Other', 'UTC', 'EUR', now(), now());
        INSERT INTO store_accounts (app_id, store, identifier, environment)
        VALUES ('00000000-0000-7000-8000-00000000000b', 'apple', 'test.other', 'store');
        INSERT INTO store_anchors (app_id, store, sha256, der) VALUES ('\(app)', 'apple', sha256('\\x01'), '\\x01');
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000c1', '\(app)', '00000000-0000-7000-8000-0000000000b1', 'apple', 'max',
            'Max', now(), now());
        INSERT INTO customers (id, app_id, key, external_id, created_at)
        VALUES ('00000000-0000-7000-8000-0000000000d0', '\(app)', 'ada', 'a', now()),
            ('00000000-0000-7000-8000-0000000000d1', '\(app)', 'eve', 'e', now());
        INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
            product_id, period_starts_at, period_ends_at, renewal_price, renewal_currency, created_at, updated_at)
        SELECT id, '\(app)', '00000000-0000-7000-8000-0000000000d0', 'apple', 'production', subscription, 'active',
            '00000000-0000-7000-8000-0000000000c0', '2025-01-01', '2025-02-01', 1800, 'CNY', now(), now()
        FROM (VALUES ('00000000-0000-7000-8000-0000000000e0'::uuid, 't1'),
            ('00000000-0000-7000-8000-0000000000e1', 't2')) AS s(id, subscription);
        INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, signed_at, received_at,
            signed_payload, state, scheduled_at, finalized_at)
        SELECT id, '\(app)', 'apple', 'production', name, 'SUBSCRIBED', now(), now(), 'a.b.c', 'processed', now(), now()
        FROM (VALUES ('00000000-0000-7000-8000-0000000000f0'::uuid, 'n1'),
            ('00000000-0000-7000-8000-0000000000f1', 'n2')) AS n(id, name);
        INSERT INTO notification_attempts (notification_id, attempt, result, started_at, finished_at)
        VALUES ('00000000-0000-7000-8000-0000000000f0', 1, 'processed', now(), now());
        INSERT INTO subscription_events (id, subscription_id, source, notification_id, event_id, kind, signed_at, event,
            state_before, state_after, recorded_at)
        SELECT gen_random_uuid(), '00000000-0000-7000-8000-0000000000e0', 'notification',
            '00000000-0000-7000-8000-0000000000f0', name, 'subscribed', now(), '{}',
            'pending', 'active', now()
        FROM (VALUES ('n1'), ('n2')) AS e(name);
        INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store,
            environment, transaction_id, original_transaction_id, product_name, plan_code, amount, refunded, currency,
            purchased_at, period_starts_at, period_ends_at, created_at, updated_at)
        SELECT id, '\(app)', '00000000-0000-7000-8000-0000000000d0', '00000000-0000-7000-8000-0000000000e0',
            '00000000-0000-7000-8000-0000000000c0', number, 'initial_purchase', status, 'apple', 'production', number,
            't1', 'Pro', 'PRO', 1800, refunded, 'CNY', '2025-01-01', '2025-01-01', '2025-02-01', now(), now()
        FROM (VALUES ('00000000-0000-7000-8000-000000000010'::uuid, 'o1', 'partially_refunded', 900),
            ('00000000-0000-7000-8000-000000000011', 'o2', 'completed', 0)) AS o(id, number, status, refunded);
        INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
            store_transaction_id, reference, occurred_at, recorded_at)
        SELECT gen_random_uuid(), '\(app)', order_id, kind, 'success', amount, 'CNY', 'apple', 'production', 't1',
            reference, now(), now()
        FROM (VALUES ('00000000-0000-7000-8000-000000000010'::uuid, 'initial_purchase', 1800, 'charge'),
            ('00000000-0000-7000-8000-000000000010', 'refund', -900, 'refund:1'),
            ('00000000-0000-7000-8000-000000000011', 'initial_purchase', 1800, 'charge'))
            AS t(order_id, kind, amount, reference);
        INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
        SELECT gen_random_uuid(), email, 'Ada', 'admin', '-', now(), now()
        FROM (VALUES ('ada@example.com'), ('eve@example.com')) AS s(email);
        INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
        SELECT gen_random_uuid(), '\(app)', id, 'orders', 'Refunds', '?status=refunded', 'amount.status', true, now(), now()
        FROM staff WHERE email = 'ada@example.com';
        INSERT INTO list_columns (staff_id, list, columns, updated_at)
        SELECT id, 'orders', 'all', now() FROM staff WHERE email = 'ada@example.com';
        INSERT INTO customer_notes (id, customer_id, staff_id, author, text, created_at)
        SELECT gen_random_uuid(), '00000000-0000-7000-8000-0000000000d0', id, name, 'Called.', now()
        FROM staff WHERE email = 'ada@example.com';
        INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at, expires_at)
        SELECT sha256('session'), id, now(), now(), now() FROM staff WHERE email = 'ada@example.com';
        INSERT INTO staff_tokens (id, staff_id, name, token_hash, created_at)
        SELECT gen_random_uuid(), id, 'export', sha256(email::bytea), now() FROM staff;
        INSERT INTO sign_in_failures (subject, failures, counted_since) VALUES ('account:x', 1, now());
        INSERT INTO idempotency_keys (owner_id, key, fingerprint, created_at)
        SELECT id, 'k1', sha256('command'), now() FROM staff WHERE email = 'ada@example.com';
        INSERT INTO refund_numbers (app_id, last_sequence) VALUES ('\(app)', 2);
        INSERT INTO refund_requests (id, app_id, order_id, number, kind, status, requested_amount, currency,
            reason_category, reason, requested_by, requested_as, requested_at, updated_at)
        SELECT gen_random_uuid(), '\(app)', '00000000-0000-7000-8000-000000000011', number, 'partial', 'pending', 900,
            'CNY', 'goodwill', 'It crashed all day.', s.id, 'ada', now(), now()
        FROM (VALUES ('RF-000001'), ('RF-000002')) AS r(number)
        JOIN staff s ON s.email = 'ada@example.com';
        INSERT INTO audit_entries (id, at, actor, action) VALUES (gen_random_uuid(), now(), 'tests', 'test.do');
        INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
        VALUES (gen_random_uuid(), '\(app)', '00000000-0000-7000-8000-0000000000d0',
            '00000000-0000-7000-8000-0000000000b1', 'complimentary', '2025-01-01', '2025-02-01', now(), now());
        INSERT INTO suspensions (id, subscription_id, suspended_at, lifted_at)
        VALUES (gen_random_uuid(), '00000000-0000-7000-8000-0000000000e0', '2025-01-01', '2025-01-02');
        INSERT INTO bulk_jobs (id, app_id, kind, plan_id, days, reason, state, requested_by, requested_at)
        SELECT '00000000-0000-7000-8000-000000000020', '\(app)', 'grant', '00000000-0000-7000-8000-0000000000b1', 7, '-',
            'done', id, now()
        FROM staff WHERE email = 'ada@example.com';
        INSERT INTO entitlement_actions (id, app_id, customer_id, kind, changes, undoes, bulk_job_id, bulk_line, at)
        VALUES ('00000000-0000-7000-8000-000000000021', '\(app)', '00000000-0000-7000-8000-0000000000d0', 'grant', '[]',
                NULL, '00000000-0000-7000-8000-000000000020', 1, now()),
            ('00000000-0000-7000-8000-000000000022', '\(app)', '00000000-0000-7000-8000-0000000000d1', 'grant', '[]',
                NULL, '00000000-0000-7000-8000-000000000020', 2, now()),
            ('00000000-0000-7000-8000-000000000023', '\(app)', '00000000-0000-7000-8000-0000000000d0', 'undo', '[]',
                '00000000-0000-7000-8000-000000000021', NULL, NULL, now());
        INSERT INTO bulk_job_items (job_id, line, input, customer_id, state, action_id)
        VALUES ('00000000-0000-7000-8000-000000000020', 1, 'a', '00000000-0000-7000-8000-0000000000d0', 'applied',
            '00000000-0000-7000-8000-000000000021');
        """
}
