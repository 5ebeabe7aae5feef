"""Sample data that the demo's customers lack: odd names, rare currencies, every state, an app without orders."""

import base64
import dataclasses
import hashlib
import json
import secrets

import demo_server
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

EMPTY_APP = """\
app: tandem
name: Tandem
timeZone: Europe/Istanbul
reportingCurrency: TRY
apple:
  bundleId: com.example.tandem
  appAppleId: 1600000002
  environment: store
plans:
  - { code: FREE, name: Free, rank: 0 }
  - { code: PLUS, name: Plus, rank: 1 }
products:
  - store: apple
    id: com.example.tandem.plus
    plan: PLUS
    name: Plus monthly
    period: P1M
    prices: { TRY: "99.00" }
"""

HOSTILE_NAME = "<img src=x onerror=alert(1)> & \"Söhne\"</td>"
HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>"
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaftschaferswessenschafe"

# Orders and notifications of the same time, so that only their ids order them across pages.
TIED_ORDERS = 60
TIED_NOTIFICATIONS = 60


@dataclasses.dataclass(frozen=True)
class Known:
    """Addresses and facts of the sample, for tests to start from."""

    order: str
    sandbox_order: str
    refunded_order: str
    partly_refunded_order: str
    failed_order: str
    hostile_order: str
    keyless_order: str
    processed_notification: str
    waiting_notification: str
    failed_notification: str
    turkish_customer: str
    two_letter_customer: str
    granted_customer: str
    """A customer with a grant of staff: `grant`, made by `action`."""
    grant: str
    action: str
    revoked_customer: str
    """A customer whose grant was revoked."""
    subscriber: str
    """A customer with a paid period that runs on: `subscription`."""
    subscription: str
    expired_subscription: str
    note: str
    """A note about the Turkish customer, by the demo's admin."""
    view: str
    """A view of subscriptions, by the demo's admin."""
    refunds: dict
    """A refund request in each state, by number."""
    job: str
    """A bulk job that is ready to start."""
    undone_job: str
    issuer_secret: str
    app_key: str
    """A live key, beside a revoked one; there is room for a second live one."""
    promo_batch: str
    """A batch of which two customers redeemed a code each."""
    stopped_promo_batch: str
    extension: str
    refused_extension: str
    sync: str
    """A reconciliation that found two notifications and corrected a subscription."""
    failed_sync: str
    group: str
    """A subscription by seats to which the app invites, with the seat of a member."""
    seat: str
    group_member: str
    external_purchase: str
    bill: str
    incomplete_bill: str
    bill_difference: str
    waiting_payment: str
    checkout_order: str
    dead_job: str
    """The queue's job for the undone bulk job: it failed for good, and only a test of queues retries it."""
    colleague: str
    """The demo's member of support."""
    entry: str
    """An audit entry with a reason and changes."""
    invitation: str
    """The token of the page on which an invited person sets a password."""


def add(server, address="http://127.0.0.1:9"):
    """Adds the sample to a filled demo; returns its addresses and facts."""
    catalog = server.home / "tandem.yaml"
    catalog.write_text(EMPTY_APP)
    server.run("catalog", "apply", str(catalog))
    _give_key(server, address)
    server.sql(_sql())
    invitation = secrets.token_hex(32)
    server.sql(_desk_sql(invitation))
    return _look_up(server, invitation)


def _give_key(server, address):
    """Gives the demo's app a key for an App Store at an address."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (server.home / "AuthKey_TESTKEY001.p8").write_bytes(pem)
    store = f"""\
  environment: simulator
  anchors: ["file:{server.state}/simulator/root.der"]
  api:
    issuerId: 57246542-96fe-1a63-e053-0824d011072a
    keyId: TESTKEY001
    privateKey: file:AuthKey_TESTKEY001.p8
    production: {address}
    sandbox: {address}/sandbox
  verifyReceipt:
    production: {address}
    sandbox: {address}/sandbox
  id:
    address: {address}
"""
    text = (demo_server.REPOSITORY / "Catalogs/readmigo.yaml").read_text()
    assert "  environment: store\n" in text
    catalog = server.home / "readmigo.yaml"
    catalog.write_text(text.replace("  environment: store\n", store))
    server.run("catalog", "apply", str(catalog))


def personal_data(server):
    """Returns every customer's name and e-mail address, which analysts never see."""
    return {text for row in server.sql("SELECT name, email FROM customers WHERE name IS NOT NULL") for text in row if text}


def new_customers(server, count=1, name=None):
    """Makes customers who have bought nothing; returns the id and the key of each."""
    return server.sql(
        f"""INSERT INTO customers (id, app_id, key, name, created_at)
        SELECT gen_random_uuid(), a.id, 'new-' || gen_random_uuid(), {_quoted(name) if name else 'NULL'}, now()
        FROM apps a, generate_series(1, {count}) WHERE slug = 'readmigo'
        RETURNING id, key""")


def hostile_payload():
    """Returns a signed payload whose content tries to leave its element."""
    content = {"notificationType": "DID_RENEW", "note": HOSTILE_TEXT}
    body = base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()
    return f"eyJhbGciOiJFUzI1NiJ9.{body}.c2lnbmF0dXJl"


def _quoted(text):
    return "'" + text.replace("'", "''") + "'"


def _sql():
    names = [
        ("İbrahim Çelik", "ibrahim.celik@example.com"),
        ("Işıl Aydın", "isil.aydin@example.com"),
        ("李娜", "li.na@example.com"),
        ("李娜娜", "li.nana@example.com"),
        (HOSTILE_NAME, None),
        (LONG_NAME, f"{LONG_NAME.lower()}@example.com"),
        (None, None),
    ]
    values = ", ".join(
        f"({number}, {_quoted(name) if name else 'NULL'}, {_quoted(email) if email else 'NULL'})"
        for number, (name, email) in enumerate(names, 1)
    )
    columns = (
        "app_id, customer_id, subscription_id, product_id, kind, store, environment, original_transaction_id, "
        "product_name, plan_code, storefront, period_starts_at, period_ends_at, created_at, updated_at"
    )
    charges = [
        ("pending", 1280, "JPY", "'2026-01-05 03:04:05+00'"),
        ("failed", 12345, "KWD", "'2026-01-04 03:04:05+00'"),
        ("cancelled", 123456789, "USD", "'2026-01-03 03:04:05+00'"),
    ]
    orders = "".join(
        f"""
        INSERT INTO orders (id, number, transaction_id, status, amount, currency, purchased_at, {columns})
        SELECT gen_random_uuid(), 'ORD-20260105-9{index:03}', '9900000000{index:05}', '{status}', {amount},
            '{currency}', {moment}, {columns}
        FROM plain_order;
        """
        for index, (status, amount, currency, moment) in enumerate(charges, 1)
    )
    return f"""
    BEGIN;
    -- Some who pay in CNY, in a fixed order, get other names.
    UPDATE customers c SET name = v.name, email = v.email
    FROM (VALUES {values}) AS v (place, name, email),
        (SELECT c.id, row_number() OVER (ORDER BY c.key) AS place
         FROM customers c
         JOIN orders o ON o.customer_id = c.id
         WHERE o.currency = 'CNY' AND o.environment = 'production'
         GROUP BY c.id, c.key) AS chosen
    WHERE chosen.place = v.place AND c.id = chosen.id;

    CREATE TEMPORARY TABLE plain_order AS
    SELECT o.* FROM orders o JOIN customers c ON c.id = o.customer_id
    WHERE o.environment = 'production' AND o.status = 'completed' AND c.email = 'li.na@example.com'
    ORDER BY o.purchased_at LIMIT 1;
    {orders}
    INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
        store_transaction_id, reference, failure_reason, occurred_at, recorded_at)
    SELECT gen_random_uuid(), app_id, id, 'initial_purchase', 'failed', amount, currency, store, environment,
        transaction_id, 'charge', 'The bank declined the card. ' || {_quoted(HOSTILE_TEXT)}, purchased_at, now()
    FROM orders WHERE status = 'failed';

    INSERT INTO orders (id, number, transaction_id, status, amount, currency, purchased_at, {columns})
    SELECT gen_random_uuid(), 'ORD-20260106-9' || to_char(place, 'FM000'), '98' || to_char(place, 'FM0000000000000'),
        'cancelled', 4200, 'CNY', '2026-01-06 03:04:05.678901+00', {columns}
    FROM plain_order, generate_series(1, {TIED_ORDERS}) AS place;

    CREATE TEMPORARY TABLE plain_notification AS
    SELECT n.* FROM store_notifications n JOIN plain_order o USING (original_transaction_id)
    WHERE n.type = 'DID_RENEW' OR n.type = 'SUBSCRIBED' ORDER BY n.signed_at LIMIT 1;
    CREATE TEMPORARY TABLE more (place integer, state text, attempts integer, received_at timestamptz, payload text);
    INSERT INTO more VALUES
        (1, 'received', 2, '2026-01-05 03:00:00+00', NULL),
        (2, 'processing', 1, '2026-01-05 02:00:00+00', NULL),
        (3, 'failed', 5, '2026-01-05 01:00:00+00', {_quoted(hostile_payload())}),
        (4, 'failed', 5, '2026-01-05 00:00:00+00', 'not.a.payload');
    INSERT INTO more
    SELECT 100 + place, 'ignored', 1, '2026-01-06 03:04:05.678901+00', NULL
    FROM generate_series(1, {TIED_NOTIFICATIONS}) AS place;
    INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, subtype,
        original_transaction_id, signed_at, received_at, signed_payload, event, state, attempt, scheduled_at,
        attempted_by, lease_ends_at, last_error, subscription_id, finalized_at)
    SELECT gen_random_uuid(), n.app_id, n.store, n.environment, gen_random_uuid()::text, n.type, n.subtype,
        n.original_transaction_id, m.received_at, m.received_at, coalesce(m.payload, n.signed_payload), n.event,
        m.state, m.attempts, now() + interval '1 day',
        CASE m.state WHEN 'processing' THEN gen_random_uuid() END,
        CASE m.state WHEN 'processing' THEN now() + interval '1 day' END,
        CASE WHEN m.state IN ('failed', 'received')
            THEN 'No product com.example.unknown in this app. ' || {_quoted(HOSTILE_TEXT)} END,
        n.subscription_id,
        CASE WHEN m.state IN ('failed', 'ignored') THEN m.received_at + interval '3 seconds' END
    FROM more m, plain_notification n;
    INSERT INTO notification_attempts (notification_id, attempt, result, error, started_at, finished_at)
    SELECT n.id, tried.attempt,
        CASE WHEN n.state = 'ignored' THEN 'ignored' WHEN n.state = 'failed' AND tried.attempt = n.attempt THEN 'failed'
            ELSE 'retried' END,
        CASE WHEN n.state <> 'ignored' THEN 'The database was away.' END,
        n.received_at + tried.attempt * interval '1 minute',
        n.received_at + tried.attempt * interval '1 minute' + interval '14 milliseconds'
    FROM store_notifications n, generate_series(1, n.attempt) AS tried (attempt)
    WHERE n.received_at < now() - interval '1 day' AND n.state <> 'processing';
    COMMIT;
    """


def _desk_sql(invitation):
    """Returns the SQL for traces of staff work: a job, a view, a note, a revoked plan, an invitation."""
    admin = "(SELECT id FROM staff WHERE email = 'admin@demo.test')"
    app = "(SELECT id FROM apps WHERE slug = 'readmigo')"
    job = "app_id, kind, plan_id, days, reason, origin, state, requested_by, requested_at"
    return f"""
    BEGIN;
    INSERT INTO customers (id, app_id, key, name, created_at)
    VALUES (gen_random_uuid(), {app}, 'desk-revoked', 'Deniz Kara', now());
    INSERT INTO checkouts (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price, credit,
        amount, currency, starts_at, ends_at, state, invocation, created_at, expires_at, paid_at, settled_at, transaction_id)
    SELECT gen_random_uuid(), c.app_id, c.id, (SELECT min(p.id::text)::uuid FROM products p WHERE p.app_id = c.app_id), 'alipay',
        'production', 'alipay_qr', k.number, 'Pro', sha256('agreed'), 2800, 1000, 1800, 'CNY', now(), now() + interval '1 month', k.state,
        '{{"qr": "https://qr.alipay.com/bax0"}}', now(), now() + interval '20 hours', k.paid_at, k.paid_at, k.transaction_id
    FROM customers c
    CROSS JOIN (VALUES ('7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K', 'open', NULL, NULL),
        ('PA1DQ9ZD2XVA7K3MQ9ZD2XVA7K', 'paid', now(), 'trade-1')) k (number, state, paid_at, transaction_id)
    WHERE c.key = 'desk-revoked';
    INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, ended_at, created_at, updated_at)
    SELECT gen_random_uuid(), c.app_id, c.id, p.id, 'complimentary', now() - interval '2 days', now() + interval '60 days',
        now() - interval '1 day', now() - interval '2 days', now() - interval '1 day'
    FROM customers c JOIN plans p ON p.app_id = c.app_id AND p.code = 'PRO' WHERE c.key = 'desk-revoked';
    INSERT INTO customer_notes (id, customer_id, staff_id, author, text, created_at)
    SELECT gen_random_uuid(), c.id, {admin}, 'admin@demo.test', 'Prefers e-mail. {HOSTILE_TEXT}', now()
    FROM customers c WHERE c.email = 'ibrahim.celik@example.com';
    INSERT INTO sign_in_identities (id, app_id, customer_id, provider, client_id, email, name, created_at, last_sign_in_at)
    SELECT gen_random_uuid(), c.app_id, c.id, v.provider, 'com.example', c.email, c.name, c.created_at, now() - interval '1 hour'
    FROM customers c, (VALUES ('apple'), ('wechat')) AS v (provider) WHERE c.email = 'ibrahim.celik@example.com';
    INSERT INTO refused_links (identity_id, customer_id, refused_at)
    SELECT i.id, c.id, now() FROM sign_in_identities i, customers c WHERE i.provider = 'wechat' AND c.key = 'desk-revoked';
    INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
    VALUES (gen_random_uuid(), {app}, {admin}, 'subscriptions', 'Soon over', '?renews=30', 'all', false, now(), now());
    INSERT INTO bulk_jobs (id, {job}, started_at, finished_at, undo_requested_by, undo_requested_at, undone_at)
    SELECT gen_random_uuid(), {app}, 'grant', p.id, 7, 'goodwill: A week for everybody.', origin, state, {admin},
        now() - interval '1 hour', began, ended, CASE WHEN ended IS NOT NULL THEN {admin} END, ended, ended
    FROM plans p, (VALUES ('ready.csv', 'ready', NULL::timestamptz, NULL::timestamptz),
        ('undone.csv', 'undone', now() - interval '50 minutes', now() - interval '40 minutes'))
        AS v (origin, state, began, ended)
    WHERE p.app_id = {app} AND p.code = 'PRO';
    INSERT INTO bulk_job_items (job_id, line, input, customer_id, state, plan_before, plan_after, ends_after)
    SELECT j.id, row_number() OVER (PARTITION BY j.id ORDER BY c.key), c.key, c.id, 'ready', 'FREE', 'PRO',
        now() + interval '7 days'
    FROM bulk_jobs j, (SELECT * FROM customers WHERE app_id = {app} ORDER BY key LIMIT 30) c
    WHERE j.origin = 'ready.csv';
    INSERT INTO bulk_job_items (job_id, line, input, state)
    SELECT id, 31, 'nobody-of-this-name', 'not_found' FROM bulk_jobs WHERE origin = 'ready.csv';
    INSERT INTO jobs (id, app_id, kind, subject_id, state, attempt, max_attempts, scheduled_at, last_error, created_at,
        finalized_at)
    SELECT gen_random_uuid(), app_id, 'bulk_job', id, 'discarded', 10, 10, now() - interval '30 minutes',
        {_quoted('The plan is gone. ' + HOSTILE_TEXT)}, now() - interval '50 minutes', now() - interval '30 minutes'
    FROM bulk_jobs WHERE origin = 'undone.csv';
    INSERT INTO refund_requests (id, app_id, order_id, number, kind, status, requested_amount, currency, reason_category,
        reason, requested_as, requested_at, finished_as, finished_at, finish_reason, updated_at)
    SELECT gen_random_uuid(), app_id, id, 'RF-000000', 'full', 'cancelled', amount, currency, 'testing', 'Tried in the sandbox.',
        'support@demo.test', now() - interval '1 day', 'support@demo.test', now(), 'testing: That was all.', now()
    FROM orders WHERE environment = 'sandbox' AND status = 'completed' AND app_id = {app} ORDER BY number LIMIT 1;
    -- Apple waits for the answer about one, which the overview says.
    UPDATE refund_requests SET consumption_requested_at = now() - interval '2 hours',
        consumption_last_requested_at = now() - interval '2 hours', consumption_due_at = now() + interval '10 hours'
    WHERE id = (SELECT r.id FROM refund_requests r JOIN orders o ON o.id = r.order_id
                WHERE r.status = 'pending' AND o.store = 'apple' AND o.environment = 'production' AND r.app_id = {app}
                ORDER BY r.requested_at DESC, r.id LIMIT 1);
    UPDATE subscription_events SET event = event || '{{"signedTransactionInfo": "eyJ.eyJ.sig", "receipt": {{"token": "s3cret"}}}}'
    WHERE subscription_id IN (SELECT s.id FROM subscriptions s JOIN customers c ON c.id = s.customer_id
        WHERE c.email = 'ibrahim.celik@example.com');
    INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
    SELECT gen_random_uuid(), 'yeni@example.test', 'Nil Yeni', 'support', password_hash, now(), now()
    FROM staff WHERE email = 'admin@demo.test';
    INSERT INTO password_setup_tokens (staff_id, token_hash, created_at, expires_at)
    SELECT id, '\\x{hashlib.sha256(bytes.fromhex(invitation)).hexdigest()}', now(), now() + interval '1 day'
    FROM staff WHERE email = 'yeni@example.test';
    INSERT INTO reconciliations (id, app_id, store, environment, trigger, read_from, read_to, started_at, finished_at,
        notifications_read, notifications_undelivered, notifications_missed, notifications_rejected, subscriptions_checked,
        subscriptions_corrected, subscriptions_unknown, problem)
    SELECT gen_random_uuid(), {app}, 'apple', environment, trigger, at - interval '7 hours', at, at, at + took, read, lost, missed,
        0, checked, corrected, 0, problem
    FROM (VALUES
        ('production', 'schedule', now() - interval '90 minutes', interval '4 seconds', 210, 3, 2, 4, 1, NULL),
        ('sandbox', 'command', now() - interval '89 minutes', interval '31 seconds', 0, 0, 0, 0, 0,
         {_quoted('The App Store Server API (Sandbox) answered 503. ' + HOSTILE_TEXT)})
    ) AS v (environment, trigger, at, took, read, lost, missed, checked, corrected, problem);
    INSERT INTO test_notifications (app_id, store, environment, requested_at, token, result, reason)
    VALUES ({app}, 'apple', 'production', now() - interval '2 hours', 'a-token', 'undelivered', {_quoted('TIMED_OUT ' + HOSTILE_TEXT)});
    INSERT INTO store_keys (app_id, store, kind, sealed_secrets, uploaded_at)
    VALUES ({app}, 'apple', 'shared_secret', '\\x00', now() - interval '2 days');
    INSERT INTO token_issuers (app_id, issuer, audience, algorithms, claim, leeway_seconds, longest_lifetime_seconds)
    VALUES ({app}, {_quoted('https://login.example.com/' + HOSTILE_TEXT)}, 'readmigo', '{{HS256}}', 'sub', 60, 3600);
    INSERT INTO token_issuer_secrets (id, app_id, slot, sealed_secret, uploaded_at)
    VALUES (gen_random_uuid(), {app}, 1, '\\x00', now() - interval '2 days');
    INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_as, created_at, last_used_at, revoked_at, revoked_as)
    SELECT gen_random_uuid(), {app}, 1, name, scopes::text[], sha256(convert_to(name, 'UTF8')), 'admin@demo.test', made, used,
        revoked, CASE WHEN revoked IS NOT NULL THEN 'command line' END
    FROM (VALUES
        ('Production server', '{{entitlements:read,usage:write}}', now() - interval '9 days', now() - interval '5 minutes', NULL),
        ({_quoted('Old server ' + HOSTILE_TEXT)}, '{{customers:read,tokens:mint}}', now() - interval '90 days', NULL,
         now() - interval '8 days')
    ) AS v (name, scopes, made, used, revoked);
    INSERT INTO promo_batches (id, app_id, name, channel, plan_id, days, code_count, uses_per_code, uses_per_customer, expires_at,
        created_as, created_at, stopped_at, stopped_as)
    SELECT gen_random_uuid(), {app}, v.name, channel, p.id, 30, codes, 1, 1, now() + interval '60 days', 'admin@demo.test', made, stopped,
        CASE WHEN stopped IS NOT NULL THEN 'admin@demo.test' END
    FROM (VALUES
        ('Spring fair', 'fair', 3, now() - interval '5 days', NULL),
        ({_quoted('Old fair ' + HOSTILE_TEXT)}, 'newsletter', 1, now() - interval '50 days', now() - interval '2 days')
    ) AS v (name, channel, codes, made, stopped)
    JOIN plans p ON p.app_id = {app} AND p.code = 'PRO';
    INSERT INTO promo_codes (batch_id, number, code_hash, max_uses, uses)
    SELECT id, n, sha256(convert_to(id::text || n, 'UTF8')), 1, CASE WHEN stopped_at IS NULL AND n < 3 THEN 1 ELSE 0 END
    FROM promo_batches, generate_series(1, code_count) n;
    WITH chosen AS (
        SELECT c.id, row_number() OVER (ORDER BY c.created_at, c.id)::int AS n, gen_random_uuid() AS given
        FROM customers c WHERE c.app_id = {app} AND c.merged_into IS NULL
            AND EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id AND s.state = 'expired')
        ORDER BY n LIMIT 2
    ), granted AS (
        INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
        SELECT given, {app}, chosen.id, b.plan_id, 'complimentary', now() - interval '3 days', now() - interval '2 days',
            now() - interval '3 days', now() - interval '3 days'
        FROM chosen, promo_batches b WHERE b.stopped_at IS NULL
        RETURNING id
    )
    INSERT INTO promo_redemptions (id, batch_id, code_number, use_number, customer_id, customer_number, grant_id, redeemed_at)
    SELECT gen_random_uuid(), b.id, chosen.n, 1, chosen.id, 1, chosen.given, now() - interval '3 days'
    FROM chosen, promo_batches b, (SELECT count(*) FROM granted) made WHERE b.stopped_at IS NULL;
    INSERT INTO apple_account_notifications (id, app_id, notification_id, client_id, type, subject, email, is_private_email,
        happened_at, received_at)
    SELECT gen_random_uuid(), {app}, 'told-' || number, 'com.readmigo.app', type, '00112' || number || '.5f6c8a.0815',
        CASE WHEN type LIKE 'email%' THEN 'x7k2p@privaterelay.appleid.com' END, true, now() - number * interval '1 hour',
        now() - number * interval '59 minutes'
    FROM unnest(ARRAY['email-disabled', 'consent-revoked', 'account-delete', {_quoted(HOSTILE_TEXT)}])
        WITH ORDINALITY AS told (type, number);
    WITH paid AS (
        SELECT id, customer_id, row_number() OVER (ORDER BY id)::int AS n
        FROM (
            SELECT DISTINCT ON (customer_id) id, customer_id
            FROM subscriptions
            WHERE app_id = {app} AND store = 'apple' AND environment = 'production' AND state = 'active'
                AND period_ends_at > now() + interval '2 days'
            ORDER BY customer_id, id
        ) payers
    ), sold AS (
        UPDATE subscriptions SET seats = 8, revoked_seats = 1, renewal_seats = 5, seat_invitations = 'app'
        WHERE id = (SELECT id FROM paid WHERE n = 1)
        RETURNING id
    ), claimed AS (
        INSERT INTO seat_claims (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, requested_by,
            claimed_at, ended_at, ended_by, refused_as, unanswered_since, unanswered_times, ask_again_at, answered_as)
        SELECT gen_random_uuid(), {app}, 'apple', 'production', sold.id, customer_id, claim, asked, 'Production server', given, ended,
            why, said, since, times, again, words
        FROM (VALUES
            (2, '5f2c6b1e-1a0c-4a43-9d57-6d3f6c1d8a01', now() - interval '9 days', now() - interval '9 days', NULL::timestamptz,
             NULL, NULL, NULL::timestamptz, 0, NULL::timestamptz, NULL),
            (3, NULL, now() - interval '8 hours', NULL, NULL, NULL, NULL, now() - interval '8 hours', 9, now() + interval '4 hours',
             {_quoted('The App Store Server API answered with error 4049998. ' + HOSTILE_TEXT)}),
            (4, NULL, now() - interval '2 days', NULL, now() - interval '2 days', 'refused', {_quoted('No. ' + HOSTILE_TEXT)}, NULL, 0,
             NULL, NULL)
        ) AS v (n, claim, asked, given, ended, why, said, since, times, again, words)
        JOIN paid USING (n)
        CROSS JOIN sold
    )
    INSERT INTO unknown_seats (subscription_id, store_claim_id, app_id, first_seen_at)
    SELECT sold.id, claim, {app}, now() - interval '3 hours'
    FROM sold, unnest(ARRAY['5f2c6b1e-1a0c-4a43-9d57-6d3f6c1d8a02', {_quoted('claim ' + HOSTILE_TEXT)}]) AS claim;
    INSERT INTO external_purchase_tokens (id, app_id, store, environment, external_purchase_id, state, token_type, created_at,
        told_at, recorded_at, reported_at)
    SELECT gen_random_uuid(), {app}, 'apple', environment, id, state, type, told - interval '30 days', told, told, reported
    FROM (VALUES
        ('production', 'b2158121-7af9-49d4-9561-1f588205523e', 'unreported', NULL, now() - interval '2 hours', NULL),
        ('production', {_quoted('d3f1 ' + HOSTILE_TEXT)}, 'reminded', 'ACQUISITION', now() - interval '1 day',
         now() - interval '40 days'),
        ('sandbox', 'SANDBOX_b2158121-7af9-49d4-9561-1f588205523e', 'created', 'SERVICES', now() - interval '3 days', now())
    ) AS v (environment, id, state, type, told, reported);
    INSERT INTO daily_bills (id, app_id, store, environment, day, starts_at, ends_at, state, rows, unreadable, problem, failures,
        asked_at, fetched_at, next_at)
    SELECT gen_random_uuid(), {app}, store, 'production', current_date - ago, current_date - ago, current_date - ago + 1, state, rows,
        lines, problem, CASE WHEN problem IS NULL THEN 0 ELSE 2 END, now(), CASE WHEN rows > 0 THEN now() END,
        CASE WHEN state <> 'compared' THEN now() + interval '1 hour' END
    FROM (VALUES
        ('wechat', 2, 'compared', 3, '{{}}'::text[], NULL),
        ('wechat', 1, 'awaited', 0, '{{}}', {_quoted('Not now. ' + HOSTILE_TEXT)}),
        ('alipay', 2, 'incomplete', 1, ARRAY['4: The line breaks off.', {_quoted(HOSTILE_TEXT)}], NULL)
    ) AS v (store, ago, state, rows, lines, problem);
    INSERT INTO bill_rows (bill_id, place, app_id, store, environment, kind, order_number, transaction_id, amount, currency, fee, at)
    SELECT id, place, app_id, store, environment, 'payment', 'SUB' || place, '42000' || place, 1800, 'CNY', 11, starts_at
    FROM daily_bills, generate_series(1, 3) AS place WHERE app_id = {app} AND state = 'compared';
    INSERT INTO bill_differences (id, app_id, store, environment, bill_id, kind, key, order_number, transaction_id, order_id, billed,
        booked, currency, at, found_at, closed_at, close_reason, note, noted_by, noted_at)
    SELECT gen_random_uuid(), b.app_id, b.store, b.environment, b.id, kind, number, number, '42000' || number, CASE WHEN booked > 0 THEN o.id END,
        billed, booked, 'CNY', b.starts_at, now() - ago * interval '1 hour', CASE WHEN reason IS NOT NULL THEN now() END, reason, note,
        CASE WHEN note IS NOT NULL THEN 'admin@demo.test' END, CASE WHEN note IS NOT NULL THEN now() END
    FROM (VALUES
        ('paid_there', 'SUB1', 1800, NULL, 1, NULL, NULL),
        ('paid_there', {_quoted('SUB2 ' + HOSTILE_TEXT)}, 1800, NULL, 2, NULL, {_quoted('other: ' + HOSTILE_TEXT)}),
        ('paid_here', 'SUB3', NULL, 1800, 3, NULL, NULL),
        ('payment_amount', 'SUB4', 1801, 1800, 4, 'explained', NULL),
        ('refunded_there', 'SUB5', 100, NULL, 5, 'staff', 'other: Given back at the shop.')
    ) AS v (kind, number, billed, booked, ago, reason, note)
    JOIN daily_bills b ON b.app_id = {app} AND b.state = 'compared'
    CROSS JOIN (SELECT id FROM orders WHERE app_id = {app} ORDER BY id LIMIT 1) o;
    WITH paid AS (
        SELECT app_id, customer_id, product_id, store, environment, transaction_id, subscription_id
        FROM orders
        WHERE app_id = {app} AND joined_into IS NULL AND currency IS NOT NULL ORDER BY id LIMIT 1
    ), made AS (
        INSERT INTO checkouts (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price,
            credit, amount, currency, starts_at, ends_at, state, invocation, created_at, expires_at, transaction_id, paid_at,
            settled_at, subscription_id, payer_mask, bank, payment_kind, problem)
        SELECT gen_random_uuid(), app_id, customer_id, product_id, store, environment, 'wechat_h5', 'PAID12345678', 'Pro',
            sha256('basis'), 1800, 0, 1800, 'CNY', now(), now() + interval '1 month', 'paid', '{{}}', now() - interval '2 hours',
            now() - interval '1 hour', transaction_id, now() - interval '110 minutes', now(), subscription_id, 'oUp…x1s',
            {_quoted('ICBC ' + HOSTILE_TEXT)}, 'MWEB', {_quoted('Paid by another one. ' + HOSTILE_TEXT)}
        FROM paid
    )
    INSERT INTO checkouts (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price, credit,
        amount, currency, starts_at, ends_at, state, close_reason, closed_at, created_at, expires_at, problem)
    SELECT gen_random_uuid(), app_id, customer_id, product_id, 'alipay', 'production', 'alipay_qr', 'WAITS1234567',
        {_quoted('Pro ' + HOSTILE_TEXT)}, sha256('basis'), 1800, 0, 1800, 'CNY', now(), now() + interval '1 month', 'closed', 'expired',
        now(), now() - interval '3 hours', now() - interval '2 hours', '1.00 CNY was paid; the order is of 18.00 CNY.'
    FROM paid;
    INSERT INTO renewal_extensions (id, app_id, store, environment, request_identifier, store_product_id, storefronts, days,
        reason_code, reason, requested_as, requested_at, state, error_code, error, finished_at)
    SELECT gen_random_uuid(), app_id, 'apple', 'production', 'refused', store_product_id, '{{CHN,USA}}', 7, 3,
        'The reader was down for a day.', 'admin@demo.test', now() - interval '3 hours', 'refused', 4030000,
        {_quoted('Not now. ' + HOSTILE_TEXT)}, now() - interval '3 hours'
    FROM products WHERE app_id = {app} AND store = 'apple' ORDER BY store_product_id LIMIT 1;
    INSERT INTO renewal_extensions (id, app_id, store, environment, request_identifier, store_product_id, state, succeeded_count,
        failed_count, finished_at)
    SELECT gen_random_uuid(), {app}, 'apple', 'production', {_quoted('elsewhere ' + HOSTILE_TEXT)}, store_product_id, 'succeeded',
        1204, 30, now() - interval '2 days'
    FROM products WHERE app_id = {app} AND store = 'apple' ORDER BY store_product_id LIMIT 1;
    INSERT INTO renewal_extension_failures (id, app_id, store, environment, store_product_id, subscription_id, event_id, failed_at,
        extension_id)
    SELECT gen_random_uuid(), e.app_id, e.store, e.environment, e.store_product_id, s.id, s.id, now() - interval '49 hours', e.id
    FROM renewal_extensions e,
        (SELECT id FROM subscriptions WHERE app_id = {app} AND environment = 'production' AND store = 'apple' ORDER BY id LIMIT 30) s
    WHERE e.request_identifier LIKE 'elsewhere%';
    INSERT INTO rescinded_consents (id, app_id, store, environment, app_transaction_id, rescinded_at, recorded_at)
    SELECT gen_random_uuid(), {app}, 'apple', 'production', 'rescinded', now() - interval '1 day', now();
    UPDATE subscriptions SET app_transaction_id = 'rescinded'
    WHERE customer_id = (SELECT id FROM customers WHERE key = 'desk-revoked');
    UPDATE store_notifications SET reconciliation_id = r.id
    FROM reconciliations r
    WHERE r.environment = 'production' AND store_notifications.id IN (
        SELECT n.id FROM store_notifications n WHERE n.state = 'processed' ORDER BY n.received_at DESC, n.id LIMIT 2);
    INSERT INTO subscription_events (id, subscription_id, source, event_id, kind, signed_at, event, state_before, state_after,
        recorded_at, reconciliation_id)
    SELECT gen_random_uuid(), e.subscription_id, 'reconciliation', 'observed:' || e.event_id, 'observed', e.signed_at,
        e.event || jsonb_build_object('id', 'observed:' || e.event_id, 'kind', 'observed'), 'active', 'expired', now(), r.id
    FROM reconciliations r, (
        SELECT e.* FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
        WHERE e.kind = 'expired' AND s.state = 'expired' AND s.app_id = {app} ORDER BY e.signed_at DESC, e.id LIMIT 1) e
    WHERE r.environment = 'production';
    COMMIT;
    """


def _look_up(server, invitation):
    def one(query):
        return server.sql(f"{query} LIMIT 1")[0][0]

    def order(condition):
        return server.sql(
            f"SELECT o.number FROM orders o JOIN customers c ON c.id = o.customer_id WHERE {condition} "
            "ORDER BY o.purchased_at, o.id LIMIT 1"
        )[0][0]

    def notification(condition):
        return server.sql(
            f"SELECT id FROM store_notifications WHERE {condition} ORDER BY received_at DESC, id LIMIT 1"
        )[0][0]

    def customer(email):
        return server.sql(f"SELECT id FROM customers WHERE email = '{email}'")[0][0]

    turkish = customer("ibrahim.celik@example.com")
    given = (
        "FROM entitlement_actions a JOIN grants g USING (customer_id) "
        "WHERE a.kind = 'grant' AND g.ended_at IS NULL ORDER BY g.id")
    paid = (
        "FROM subscriptions WHERE state = 'active' AND period_ends_at > now() + interval '2 days' "
        "AND environment = 'production' ORDER BY id DESC")
    return Known(
        order=order("c.email = 'li.na@example.com' AND o.status = 'completed'"),
        sandbox_order=order("o.environment = 'sandbox'"),
        refunded_order=order("o.status = 'refunded'"),
        partly_refunded_order=order("o.status = 'partially_refunded'"),
        failed_order=order("o.status = 'failed'"),
        hostile_order=order(f"c.name = {_quoted(HOSTILE_NAME)}"),
        keyless_order=order("c.name IS NULL"),
        processed_notification=notification(
            "state = 'processed' AND original_transaction_id = (SELECT o.original_transaction_id FROM orders o "
            "JOIN customers c ON c.id = o.customer_id WHERE c.email = 'li.na@example.com' LIMIT 1)"
        ),
        waiting_notification=notification("state = 'received'"),
        failed_notification=notification("state = 'failed'"),
        turkish_customer=turkish,
        two_letter_customer=customer("li.na@example.com"),
        granted_customer=one(f"SELECT customer_id {given}"),
        grant=one(f"SELECT g.id {given}"),
        action=one(f"SELECT a.id {given}"),
        revoked_customer=one("SELECT id FROM customers WHERE key = 'desk-revoked'"),
        subscriber=one(f"SELECT customer_id {paid}"),
        subscription=one(f"SELECT id {paid}"),
        issuer_secret=one("SELECT id FROM token_issuer_secrets"),
        app_key=one("SELECT id FROM app_keys WHERE revoked_at IS NULL"),
        promo_batch=one("SELECT id FROM promo_batches WHERE stopped_at IS NULL"),
        stopped_promo_batch=one("SELECT id FROM promo_batches WHERE stopped_at IS NOT NULL"),
        extension=one("SELECT id FROM renewal_extensions WHERE request_identifier LIKE 'elsewhere%'"),
        refused_extension=one("SELECT id FROM renewal_extensions WHERE request_identifier = 'refused'"),
        expired_subscription=one("SELECT id FROM subscriptions WHERE state = 'expired' ORDER BY id"),
        note=one(f"SELECT id FROM customer_notes WHERE customer_id = '{turkish}' ORDER BY id"),
        view=one("SELECT id FROM saved_views WHERE name = 'Soon over'"),
        refunds=dict(server.sql("SELECT status, max(number) FROM refund_requests GROUP BY status")),
        job=one("SELECT id FROM bulk_jobs WHERE origin = 'ready.csv'"),
        undone_job=one("SELECT id FROM bulk_jobs WHERE origin = 'undone.csv'"),
        sync=one("SELECT id FROM reconciliations WHERE environment = 'production' AND notifications_missed > 0"),
        failed_sync=one("SELECT id FROM reconciliations WHERE environment = 'sandbox' AND trigger = 'command'"),
        group=one("SELECT id FROM subscriptions WHERE seat_invitations = 'app'"),
        seat=one("SELECT id FROM seat_claims WHERE claimed_at IS NOT NULL AND ended_at IS NULL"),
        group_member=one("SELECT customer_id FROM seat_claims WHERE claimed_at IS NOT NULL AND ended_at IS NULL"),
        external_purchase=one("SELECT id FROM external_purchase_tokens WHERE state = 'unreported'"),
        bill=one("SELECT id FROM daily_bills WHERE state = 'compared'"),
        incomplete_bill=one("SELECT id FROM daily_bills WHERE state = 'incomplete'"),
        bill_difference=one("SELECT id FROM bill_differences WHERE closed_at IS NULL AND note IS NOT NULL"),
        waiting_payment=one("SELECT id FROM checkouts WHERE problem IS NOT NULL AND state = 'closed'"),
        checkout_order=one("SELECT o.number FROM orders o JOIN checkouts k USING (app_id, store, transaction_id) WHERE k.bank IS NOT NULL"),
        dead_job=one("SELECT id FROM jobs WHERE kind = 'bulk_job' AND state = 'discarded'"),
        colleague=one("SELECT id FROM staff WHERE email = 'support@demo.test'"),
        entry=one("SELECT id FROM audit_entries WHERE reason IS NOT NULL AND before IS NOT NULL ORDER BY at"),
        invitation=invitation,
    )
