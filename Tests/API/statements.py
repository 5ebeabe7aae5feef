"""The SQL that makes the stock, and the queries that find it."""

JOB = """
    INSERT INTO bulk_jobs (id, app_id, kind, plan_id, days, reason, state, needs_approval, requested_by, requested_at,
        approved_by, approved_at, started_at, finished_at)
    SELECT gen_random_uuid(), a.id, 'grant', p.id, 7, 'goodwill: A week for everybody.', v.state, v.waits, s.id, now(),
        NULL, NULL, v.began, v.began
    FROM apps a JOIN plans p ON p.app_id = a.id AND p.code = 'PRO', staff s, generate_series(1, {many}),
        (VALUES ('ready', false, NULL::timestamptz), ('waiting', true, NULL), ('done', false, now())) AS v (state, waits, began)
    WHERE a.slug = 'readmigo' AND s.email = '{email}';
    INSERT INTO bulk_job_items (job_id, line, input, customer_id, state, action_id)
    SELECT j.id, 1, c.key, c.id, CASE j.state WHEN 'done' THEN 'applied' ELSE 'ready' END,
        CASE j.state WHEN 'done' THEN (SELECT id FROM entitlement_actions ORDER BY at, id LIMIT 1) END
    FROM bulk_jobs j JOIN staff s ON s.id = j.requested_by AND s.email = '{email}',
        (SELECT id, key FROM customers ORDER BY key LIMIT 1) c;
"""
NOTIFICATIONS = """
    INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, subtype, original_transaction_id,
        signed_at, received_at, signed_payload, event, state, attempt, scheduled_at, last_error, finalized_at)
    SELECT gen_random_uuid(), app_id, store, environment, gen_random_uuid()::text, type, subtype, original_transaction_id,
        signed_at, received_at, signed_payload, event, 'failed', 5, now(), 'No such product.', now()
    FROM (SELECT * FROM store_notifications WHERE state = 'processed' AND type = 'DID_RENEW' ORDER BY id LIMIT {many}) n;
"""
DEAD_LETTERS = """
    INSERT INTO jobs (id, app_id, kind, subject_id, state, attempt, max_attempts, scheduled_at, last_error, created_at,
        finalized_at)
    SELECT gen_random_uuid(), a.id, v.kind, gen_random_uuid(), 'discarded', 10, 10, now(), 'No such directory.', now(), now()
    FROM apps a, generate_series(1, {many}), (VALUES ('report'), ('bulk_job')) AS v (kind)
    WHERE a.slug = 'readmigo';
"""
FOLLOWING = """
    INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
    SELECT gen_random_uuid(), app_id, customer_id, plan_id, 'complimentary', ends_at - interval '1 hour', ends_at + interval '9 days',
        now(), now()
    FROM grants WHERE customer_id IN ({customers});
"""
KEYS = """
    INSERT INTO staff_tokens (id, staff_id, name, token_hash, created_at)
    SELECT gen_random_uuid(), id, '{name}', sha256(gen_random_uuid()::text::bytea), now()
    FROM staff, generate_series(1, {many}) WHERE email = '{email}';
"""
APP_KEYS = """
    UPDATE app_keys SET revoked_at = now(), revoked_as = 'nobody' WHERE revoked_at IS NULL;
    INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_as, created_at)
    SELECT gen_random_uuid(), a.id, slot, 'Server', '{usage:write}', sha256(gen_random_uuid()::text::bytea), 'nobody', now()
    FROM apps a, generate_series(1, 2) slot WHERE a.slug = 'readmigo';
"""
PROMO_BATCHES = """
    INSERT INTO promo_batches (id, app_id, name, channel, plan_id, days, code_count, uses_per_code, uses_per_customer, created_as,
        created_at, stopped_at, stopped_as)
    SELECT gen_random_uuid(), p.app_id, 'Fair', 'fair', p.id, 30, 1, 1, 1, 'nobody', now(), CASE WHEN n % 2 = 0 THEN now() END,
        CASE WHEN n % 2 = 0 THEN 'nobody' END
    FROM plans p JOIN apps a ON a.id = p.app_id, generate_series(1, {many}) n WHERE a.slug = 'readmigo' AND p.code = 'PRO';
"""
VIEW = """
    INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
    SELECT gen_random_uuid(), a.id, s.id, 'orders', 'Given back', '?status=refunded', 'all', false, now(), now()
    FROM apps a, staff s WHERE a.slug = 'readmigo' AND s.email = '{email}';
"""
# Payments by a store that people have to see to: a store that says that it paid nothing, and a customer whose account takes nothing.
PAYOUTS = """
    INSERT INTO refund_payouts (refund_id, app_id, store, number, order_number, transaction_id, amount, total, currency, revokes,
        is_requested, state, store_id, created_at, sent_at, unpaid_since)
    SELECT r.id, r.app_id, o.store, 'stock_' || replace(r.number, '-', ''), o.transaction_id, o.transaction_id, r.approved_amount,
        o.amount, o.currency, true, true, CASE row_number() OVER (ORDER BY r.number) % 2 WHEN 0 THEN 'unpaid' ELSE 'abnormal' END,
        'STORE-1', now(), now(), now()
    FROM refund_requests r JOIN orders o ON o.id = r.order_id WHERE r.number IN ({numbers});
"""
SESSIONS = """
    INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at, expires_at)
    SELECT sha256(gen_random_uuid()::text::bytea), id, now(), now(), now() + interval '1 day'
    FROM staff, generate_series(1, {many}) WHERE email = '{email}';
"""
COLLEAGUES = """
    UPDATE staff SET name = 'Colleague' WHERE id IN ({open});
    UPDATE staff SET name = 'Former colleague', disabled_at = now() WHERE id IN ({closed});
    INSERT INTO staff_two_factor (staff_id, sealed_secret, confirmed_at, created_at, last_step)
    SELECT id, decode(repeat('00', 60), 'hex'), now(), now(), 0 FROM staff WHERE name = 'Colleague'
    ON CONFLICT DO NOTHING;
"""
FEATURE = """
    INSERT INTO features (id, app_id, code, name, names, position)
    SELECT gen_random_uuid(), id, code, code, '{{}}', 1000 FROM apps, (VALUES ('fuzz'), ('fuzz-limit')) AS f (code)
    WHERE slug = 'readmigo'
    ON CONFLICT DO NOTHING;
    INSERT INTO plan_features (plan_id, feature_id, per_month)
    SELECT p.id, f.id, CASE f.code WHEN 'fuzz-limit' THEN 1000 END
    FROM plans p JOIN features f USING (app_id) WHERE f.code IN ('fuzz', 'fuzz-limit')
    ON CONFLICT DO NOTHING;
"""
# Counters that staff can reset; the second half can be restored.
COUNTED = """
    INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used, month_increase)
    SELECT c.id, f.id, current_date, 1, date_trunc('month', current_date)::date, 1, 1, nullif(row_number() OVER () % 2, 0)
    FROM customers c JOIN features f USING (app_id) WHERE c.id IN ({customers}) AND f.code = 'fuzz-limit'
    ON CONFLICT DO NOTHING;
"""
RESERVATIONS = """
    INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
    SELECT c.id, f.id, current_date, {many}, date_trunc('month', current_date)::date, {many}, {many}
    FROM customers c JOIN features f USING (app_id) WHERE c.external_id = '{customer}' AND f.code = 'fuzz';
    INSERT INTO usage_reservations (id, customer_id, feature_id, day, quantity, state, reserved_at, expires_at)
    SELECT gen_random_uuid(), u.customer_id, u.feature_id, u.day, 1, 'open', now(), now() + interval '1 day'
    FROM usage_counters u JOIN customers c ON c.id = u.customer_id, generate_series(1, {many})
    WHERE c.external_id = '{customer}';
"""
# Members of a group that the app invites to.
SEATS = """
    UPDATE subscriptions SET seats = 1000, revoked_seats = 0, seat_invitations = 'app'
    WHERE id = (SELECT s.id FROM subscriptions s JOIN apps a ON a.id = s.app_id
        WHERE a.slug = 'readmigo' AND s.store = 'apple' AND s.environment = 'production' AND s.state = 'active'
        ORDER BY s.seats NULLS LAST, s.id LIMIT 1);
    WITH made AS (
        INSERT INTO customers (id, app_id, key, external_id, created_at)
        SELECT id, app_id, 'member-' || id, 'member-' || id, now()
        FROM (SELECT gen_random_uuid() AS id, a.id AS app_id FROM apps a, generate_series(1, {many}) WHERE a.slug = 'readmigo') members
        RETURNING id, app_id)
    INSERT INTO seat_claims (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, requested_by, claimed_at)
    SELECT gen_random_uuid(), s.app_id, s.store, s.environment, s.id, m.id, gen_random_uuid()::text, now(), 'readmigo (key Stock)', now()
    FROM made m JOIN subscriptions s USING (app_id) WHERE s.seat_invitations = 'app';
"""
# Sessions of a customer who calls with another one.
CUSTOMER_SESSIONS = """
    INSERT INTO customer_sessions (id, app_id, customer_id, method, created_at, expires_at)
    SELECT gen_random_uuid(), app_id, id, 'apple', now(), now() + interval '1 day'
    FROM customers, generate_series(1, {many})
    WHERE external_id = '{customer}';
"""
SIGNED_IN = """
    INSERT INTO customer_sessions (id, app_id, customer_id, method, created_at, expires_at)
    SELECT gen_random_uuid(), c.app_id, c.id, 'apple', now(), now() + interval '1 day'
    FROM customers c
    WHERE c.key LIKE 'new-%' AND c.merged_into IS NULL
        AND NOT EXISTS (SELECT FROM customer_sessions s WHERE s.customer_id = c.id AND s.ended_at IS NULL);
"""
LINK = """
    INSERT INTO password_setup_tokens (staff_id, token_hash, created_at, expires_at)
    SELECT id, '\\x{hash}', now(), now() + interval '1 day' FROM staff WHERE email = '{email}';
"""

PURCHASES = """
    UPDATE subscriptions s
    SET customer_id = c.id, updated_at = now()
    FROM customers c
    WHERE c.external_id = '{customer}' AND s.id IN (
        SELECT e.subscription_id
        FROM store_notifications n
        JOIN subscription_events e ON e.notification_id = n.id
        WHERE n.app_id = c.app_id AND n.type = 'SUBSCRIBED' AND n.environment = 'production' AND n.state = 'processed'
            AND length(n.signed_payload) > 1000
        ORDER BY n.received_at DESC
        LIMIT {many});
"""
QUERIES = {
    # A customer who has access already, such as a transferred subscription, may not need the grant.
    "customer": "SELECT id FROM customers WHERE key LIKE 'new-%' AND id <> '{other}' AND NOT EXISTS "
                "(SELECT FROM grants g WHERE g.customer_id = customers.id) AND NOT EXISTS "
                "(SELECT FROM subscriptions s WHERE s.customer_id = customers.id)",
    "granted": "SELECT DISTINCT g.customer_id, g.id, '{other}' FROM grants g JOIN entitlement_actions a USING (customer_id) "
               "WHERE a.staff_id = '{me}' AND a.kind = 'grant' AND g.ended_at IS NULL "
               "AND g.starts_at <= now() AND g.ends_at > now()",
    "followed": "SELECT DISTINCT g.customer_id, g.id FROM grants g JOIN grants later USING (customer_id) "
                "WHERE g.ended_at IS NULL AND later.starts_at > now() AND later.ended_at IS NULL "
                "AND later.starts_at < g.ends_at AND g.starts_at < now()",
    "revoked": "SELECT g.customer_id, g.id FROM grants g JOIN customers c ON c.id = g.customer_id "
               "WHERE c.key LIKE 'new-%' AND g.ended_at IS NOT NULL AND g.ends_at > now()",
    "undoable": "SELECT min(customer_id::text), min(id::text) FROM entitlement_actions "
                "GROUP BY customer_id HAVING count(*) = 1 AND min(staff_id::text) = '{me}'",
    # Nobody asks for a second extension of a product before its store has answered to the first.
    "product": "SELECT store_product_id FROM products p JOIN apps a ON a.id = p.app_id WHERE a.slug = 'readmigo' AND p.store = 'apple' "
               "AND NOT EXISTS (SELECT FROM renewal_extensions x WHERE x.store_product_id = p.store_product_id "
               "AND x.finished_at IS NULL) ORDER BY 1",
    "paid": "SELECT customer_id, id, '{other}' FROM subscriptions WHERE state = 'active' AND environment = 'production' "
            "AND period_ends_at > now() + interval '2 days' AND customer_id <> '{other}'",
    "order": "SELECT number FROM orders o WHERE status = 'completed' AND environment = 'production' AND currency = 'CNY' "
             "AND amount BETWEEN 1 AND 9000 AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id) "
             "ORDER BY purchased_at DESC",
    "asked": "SELECT r.number, right(o.number, 6) FROM refund_requests r JOIN orders o ON o.id = r.order_id "
             "WHERE r.status = 'pending' AND requested_by <> '{me}' ORDER BY r.number DESC",
    "asked by me": "SELECT number FROM refund_requests WHERE status = 'pending' AND requested_by = '{me}'",
    "approved": "SELECT number FROM refund_requests r WHERE status = 'approved' "
                "AND NOT EXISTS (SELECT FROM refund_payouts y WHERE y.refund_id = r.id) ORDER BY number DESC",
    **{state: "SELECT r.number FROM refund_payouts y JOIN refund_requests r ON r.id = y.refund_id "
              f"WHERE y.state = '{state}' AND y.number LIKE 'stock%' AND r.status = 'approved'" for state in ("unpaid", "abnormal")},
    "note": "SELECT customer_id, id FROM customer_notes WHERE staff_id = '{me}' AND withdrawn_at IS NULL",
    "view": "SELECT id FROM saved_views WHERE staff_id = '{me}'",
    "app key": "SELECT k.id FROM app_keys k JOIN apps a ON a.id = k.app_id WHERE a.slug = 'readmigo' AND revoked_at IS NULL",
    "promo batch": "SELECT id FROM promo_batches WHERE stopped_at IS NULL ORDER BY created_at DESC, id",
    "stopped promo batch": "SELECT id FROM promo_batches WHERE stopped_at IS NOT NULL ORDER BY created_at DESC, id",
    "key": "SELECT id FROM staff_tokens WHERE staff_id = '{me}' AND revoked_at IS NULL AND name = 'own'",
    "anybody's key": "SELECT id FROM staff_tokens WHERE name = 'somebody''s' AND revoked_at IS NULL",
    "colleague": "SELECT id FROM staff WHERE name = 'Colleague' AND disabled_at IS NULL",
    "colleague with two factors": "SELECT id FROM staff JOIN staff_two_factor ON staff_id = id WHERE name = 'Colleague'",
    "former colleague": "SELECT id FROM staff WHERE name = 'Former colleague' AND disabled_at IS NOT NULL",
    "notification": "SELECT id FROM store_notifications WHERE state = 'failed' AND last_error = 'No such product.'",
    "external purchase": "SELECT id FROM external_purchase_tokens WHERE reported_at IS NULL",
    "bill difference": "SELECT id FROM bill_differences WHERE closed_at IS NULL",
    "waiting payment": "SELECT id FROM checkouts WHERE problem IS NOT NULL AND problem_seen_at IS NULL",
    "dead letter": "SELECT 'reports', id FROM jobs WHERE kind = 'report' AND state = 'discarded' "
                   "AND last_error = 'No such directory.'",
    "queue": "SELECT 'reports'",
    "Apple order": "SELECT 'MK5TTTVWJH'",
    "purchase": "SELECT original_transaction_id FROM subscriptions WHERE environment = 'production'",
    "failed queue": "SELECT * FROM (VALUES ('reports'), ('bulk_jobs'), ('notifications')) AS queues (name)",
    **{state: f"SELECT id FROM bulk_jobs WHERE state = '{state}' AND requested_by <> '{{me}}' AND origin IS NULL"
       for state in ("ready", "waiting", "done")},
    # Transactions that the simulated store signed within its notifications, as an app would send them.
    "signed": "SELECT convert_from(decode(body || repeat('=', (4 - length(body) % 4) % 4), 'base64'), 'UTF8')::jsonb -> 'data' "
              "->> 'signedTransactionInfo' FROM (SELECT translate(split_part(signed_payload, '.', 2), '-_', '+/') AS body "
              "FROM store_notifications WHERE type = 'SUBSCRIBED' AND environment = 'production' AND state = 'processed' "
              "AND length(signed_payload) > 1000 ORDER BY received_at LIMIT 10) payloads",
    # The same for the purchases of the customer who calls.
    "signed for me": "SELECT convert_from(decode(body || repeat('=', (4 - length(body) % 4) % 4), 'base64'), 'UTF8')::jsonb -> 'data' "
                     "->> 'signedTransactionInfo' FROM (SELECT translate(split_part(n.signed_payload, '.', 2), '-_', '+/') AS body "
                     "FROM store_notifications n JOIN subscription_events e ON e.notification_id = n.id "
                     "JOIN subscriptions s ON s.id = e.subscription_id JOIN customers c ON c.id = s.customer_id "
                     "WHERE c.external_id = 'fuzz' AND n.type = 'SUBSCRIBED' ORDER BY n.received_at) payloads",
    "reservation": "SELECT 'fuzz', r.id FROM usage_reservations r JOIN customers c ON c.id = r.customer_id "
                   "WHERE c.external_id = 'fuzz' AND r.state = 'open' AND r.expires_at > now() + interval '20 hours'",
    "server's reservation": "SELECT 'server', 'fuzz', r.id FROM usage_reservations r JOIN customers c ON c.id = r.customer_id "
                            "WHERE c.external_id = 'server' AND r.state = 'open' AND r.expires_at > now() + interval '20 hours'",
    "held seat": "SELECT x.id FROM seat_claims x JOIN apps a ON a.id = x.app_id WHERE a.slug = 'readmigo' AND x.ended_at IS NULL",
    "seat": "SELECT 'server', x.id FROM seat_claims x JOIN subscriptions s ON s.id = x.subscription_id "
            "JOIN customers c ON c.id = s.customer_id WHERE c.external_id = 'server'",
    "named": "SELECT external_id, 'fuzz' FROM customers WHERE external_id = 'server'",
    "counted": "SELECT u.customer_id FROM usage_counters u JOIN features f ON f.id = u.feature_id "
               "WHERE f.code = 'fuzz-limit' AND u.month_used > 0 AND u.month_increase IS NULL",
    "raised": "SELECT u.customer_id FROM usage_counters u JOIN features f ON f.id = u.feature_id "
              "WHERE f.code = 'fuzz-limit' AND u.month_increase IS NOT NULL",
    "signed in": "SELECT c.id FROM customers c JOIN customer_sessions s ON s.customer_id = c.id "
                 "WHERE s.ended_at IS NULL AND s.expires_at > now() AND c.key LIKE 'new-%'",
    "session": "SELECT s.id FROM customer_sessions s JOIN customers c ON c.id = s.customer_id "
               "WHERE c.external_id = 'fuzz' AND s.method = 'apple' AND s.ended_at IS NULL",
    "feature": "SELECT code FROM features WHERE code = 'fuzz'",
    "extension": "SELECT id FROM renewal_extensions WHERE store_product_id IS NOT NULL",
    "verified": "SELECT id FROM purchase_verifications WHERE state = 'verified'",
    "audit entry": "SELECT id FROM audit_entries WHERE reason IS NOT NULL ORDER BY at DESC",
}
