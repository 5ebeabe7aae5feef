"""Approved refunds that WeChat Pay pays while the server is killed again and again: each is paid once, and the books say so."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

import scale
import wechat_pay
from installation import CATALOG, until

pytestmark = pytest.mark.long

REFUNDS, KILLS = scale.of(500, 60), scale.of(20, 3)
WHY = {"category": "customer_request", "reason": "The customer bought it by mistake."}
STORE = f"""
stores:
  wechat:
    identifier: wxd930ea5d5a258f4f
    environment: simulator
    settings:
      merchantId: "{wechat_pay.MERCHANT}"
      merchantSerial: 3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B
      payPublicKeyId: {wechat_pay.PUBLIC_KEY_ID}
      payAddress: "{{address}}"
    secrets:
      merchantKey: file:merchant.pem
      apiV3Key: file:apiv3.txt
      payPublicKey: file:wechat.pem
"""
# A paid order of each customer, as a checkout leaves it in the books.
ORDERS = f"""
    INSERT INTO customers (id, app_id, key, created_at)
    SELECT gen_random_uuid(), apps.id, 'paying-' || n, now() FROM apps, generate_series(1, {REFUNDS}) AS n
    WHERE slug = 'readmigo';
    WITH made AS (
        INSERT INTO orders
            (id, app_id, customer_id, product_id, number, kind, status, store, environment, transaction_id,
             original_transaction_id, product_name, plan_code, amount, currency, purchased_at, period_starts_at, period_ends_at,
             created_at, updated_at)
        SELECT gen_random_uuid(), c.app_id, c.id, p.id, 'PAY-' || lpad(substr(c.key, 8), 6, '0'), 'initial_purchase', 'completed',
            'wechat', 'sandbox', '42000000' || lpad(substr(c.key, 8), 20, '0'), 'T' || substr(c.key, 8), 'Pro', 'PRO', 1800, 'CNY',
            now(), now(), now() + interval '1 month', now(), now()
        FROM customers c
        JOIN (SELECT app_id, min(id::text)::uuid AS id FROM products GROUP BY 1) p ON p.app_id = c.app_id
        WHERE c.key LIKE 'paying-%'
        RETURNING id, app_id, store, environment, transaction_id, amount, currency, purchased_at
    )
    INSERT INTO ledger_entries
        (id, app_id, order_id, kind, status, amount, currency, store, environment, store_transaction_id, reference, occurred_at,
         recorded_at)
    SELECT gen_random_uuid(), app_id, id, 'initial_purchase', 'success', amount, currency, store, environment, transaction_id,
        'charge', purchased_at, now()
    FROM made;
"""
PAID = "SELECT count(*) FROM refund_payouts WHERE state = 'paid'"


@pytest.fixture
def store():
    made = wechat_pay.WeChatPay()
    try:
        yield made
    finally:
        made.stop()


def tokens(installation):
    """Returns those of two admins: nobody approves their own."""
    for name in ["asks", "approves"]:
        installation.do(
            "staff", "add", f"{name}@example.com", "--name", name, "--role", "admin", input="correct horse battery\n")
        yield installation.do("staff", "token", f"{name}@example.com", "--name", "faults").split()[-1]


def post(installation, token, path, key, **body):
    request = urllib.request.Request(
        f"{installation.server.url}{path}", json.dumps(WHY | body).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": key})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{path}: {error.code} {error.read().decode()[-500:]}") from error


def test_each_approved_refund_is_paid_once_however_often_the_server_is_killed(own, store):
    own.start()
    folder = own.home / "catalog"
    folder.mkdir()
    (folder / "readmigo.yaml").write_text(CATALOG.read_text() + STORE.format(address=store.url))
    (folder / "merchant.pem").write_text(store.pem(store.merchant_key))
    (folder / "wechat.pem").write_text(store.public_pem)
    (folder / "apiv3.txt").write_text("0123456789abcdef0123456789ABCDEF")
    own.do("catalog", "apply", str(folder / "readmigo.yaml"))
    own.sql(f"BEGIN; {ORDERS} COMMIT")
    asks, approves = tokens(own)
    orders = [row.split("|") for row in own.sql("SELECT id, number FROM orders WHERE number LIKE 'PAY-%' ORDER BY number")]
    assert len(orders) == REFUNDS

    def approve(order):
        name, called = order
        number = post(own, asks, f"/admin/orders/{name}/refunds", f"a-{name}", type="FULL")["number"]
        post(own, approves, f"/admin/refunds/{number}/approve", f"b-{name}", confirmation=called[-6:])

    def paid():
        return int(own.sql(PAID)[0])

    # The first are being paid while the others are approved.
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(approve, orders))
    for kill in range(KILLS):
        before = paid()
        enough = min(REFUNDS, before + 1 + (REFUNDS - before) // (KILLS - kill + 1))
        until(lambda: paid() >= enough, f"payments before kill {kill}", 120)
        own.kill(own.server)
        own.start()
        # Another worker takes over when the dead one's leases have run out; the test does not wait for that.
        own.sql("UPDATE jobs SET lease_ends_at = now() WHERE lease_ends_at IS NOT NULL")

    def settled():
        # What is being processed is asked about a minute later; the test does not wait for that either.
        own.sql("UPDATE jobs SET scheduled_at = now() WHERE state = 'available' AND kind = 'refund_payout'")
        waiting = own.sql("SELECT count(*) FROM jobs WHERE kind = 'refund_payout' AND state IN ('available', 'running')")
        return paid() == REFUNDS and waiting == ["0"]

    until(settled, "the payment of all", 180)
    assert len(store.refunds) == REFUNDS, "a refund was sent under two numbers"
    assert store.differing == []
    assert len(store.paid) == REFUNDS and set(store.paid.values()) == {1_800}
    booked = own.sql(
        "SELECT o.transaction_id || '|' || -sum(t.amount) FROM ledger_entries t JOIN orders o ON o.id = t.order_id"
        " WHERE t.kind = 'refund' GROUP BY o.transaction_id")
    assert dict(row.split("|") for row in booked) == {name: str(fen) for name, fen in store.paid.items()}
    assert own.sql("SELECT DISTINCT status, refunded FROM orders WHERE number LIKE 'PAY-%'") == ["refunded|1800"]
    assert own.sql("SELECT DISTINCT status, payer FROM refund_requests") == ["processed|store"]
    assert own.sql("SELECT count(*) FROM jobs WHERE kind = 'refund_payout' AND state <> 'completed'") == ["0"]
    own.do("audit", "verify")
