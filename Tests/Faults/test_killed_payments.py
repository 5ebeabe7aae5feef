"""Payments at WeChat Pay that are settled while the server is killed again and again: each is settled once, and the books say so."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import scale
import wechat_pay
from installation import CATALOG, until

pytestmark = pytest.mark.long

PAYMENTS, KILLS, SEED = scale.of(500, 60), scale.of(20, 3), 38
STORE = f"""
stores:
  wechat:
    identifier: {wechat_pay.APP}
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
PRODUCT = """products:
  - { store: wechat, id: pro.month, plan: PRO, name: Pro, period: P1M, prices: { CNY: "18.00" } }
"""
# An open order of each customer, as a checkout leaves it, and the job that asks about it.
ORDERS = f"""
    INSERT INTO customers (id, app_id, key, created_at)
    SELECT gen_random_uuid(), apps.id, 'paying-' || n, now() FROM apps, generate_series(1, {PAYMENTS}) AS n WHERE slug = 'readmigo';
    WITH made AS (
        INSERT INTO checkouts
            (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price, credit, amount,
             currency, starts_at, ends_at, state, invocation, created_at, expires_at)
        SELECT gen_random_uuid(), c.app_id, c.id, p.id, 'wechat', 'production', 'wechat_native',
            'KILLED' || lpad(substr(c.key, 8), 6, '0'), 'Pro', sha256('basis'), 1800, 0, 1800, 'CNY', now(), now() + interval '1 month',
            'open', '{{}}', now(), now() + interval '2 hours'
        FROM customers c
        JOIN products p ON p.app_id = c.app_id AND p.store = 'wechat'
        WHERE c.key LIKE 'paying-%'
        RETURNING id, app_id
    )
    INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at, max_attempts)
    SELECT gen_random_uuid(), app_id, 'checkout', id, 'available', now() + random() * interval '20 seconds', now(), 10 FROM made;
"""
PAID = "SELECT count(*) FROM checkouts WHERE state = 'paid'"


@pytest.fixture
def store():
    made = wechat_pay.WeChatPay()
    try:
        yield made
    finally:
        made.stop()


def test_each_payment_is_settled_once_however_often_the_server_is_killed(own, store):
    own.start()
    folder = own.home / "catalog"
    folder.mkdir()
    (folder / "readmigo.yaml").write_text(
        CATALOG.read_text().replace("\nproducts:\n", "\n" + PRODUCT) + STORE.format(address=store.url))
    (folder / "merchant.pem").write_text(store.pem(store.merchant_key))
    (folder / "wechat.pem").write_text(store.public_pem)
    (folder / "apiv3.txt").write_text(wechat_pay.API_V3_KEY)
    own.do("catalog", "apply", str(folder / "readmigo.yaml"))
    numbers = [f"KILLED{number:06d}" for number in range(1, PAYMENTS + 1)]
    for number in numbers:
        store.pay(number, 1_800)
    own.sql(f"BEGIN; {ORDERS} COMMIT")

    def paid():
        return int(own.sql(PAID)[0])

    # Half of the messages come as well, some twice and some to a server that is dead: both ways lead to the same payment.
    chance = random.Random(SEED)
    told = chance.sample(numbers * 2, PAYMENTS)

    def tell(number):
        return store.tell(number, f"{own.server.url}/webhooks/wechat/readmigo")

    for kill in range(KILLS):
        before = paid()
        enough = min(PAYMENTS, before + 1 + (PAYMENTS - before) // (KILLS - kill + 1))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(tell, told[kill::KILLS]))
        until(lambda: paid() >= enough, f"payments before kill {kill}", 120)
        own.kill(own.server)
        own.start()
        # Another worker takes over when the dead one's leases have run out; the test does not wait for that. Each of these deaths counts as
        # an attempt of all that the worker had taken, so many are allowed.
        own.sql("UPDATE jobs SET lease_ends_at = now() WHERE lease_ends_at IS NOT NULL;"
                f" UPDATE store_notifications SET max_attempts = {KILLS + 10};"
                " UPDATE store_notifications SET lease_ends_at = now() WHERE lease_ends_at IS NOT NULL")

    def settled():
        # What waits to be tried again is due at once.
        own.sql("UPDATE jobs SET scheduled_at = now() WHERE state = 'available' AND kind = 'checkout';"
                " UPDATE store_notifications SET scheduled_at = now() WHERE state = 'received'")
        waiting = own.sql("SELECT (SELECT count(*) FROM store_notifications WHERE state IN ('received', 'processing'))"
                          " + (SELECT count(*) FROM jobs WHERE kind = 'checkout' AND state IN ('available', 'running'))")
        return paid() == PAYMENTS and waiting == ["0"]

    until(settled, "the settlement of all", 180)
    assert own.sql("SELECT count(*) FROM orders WHERE store = 'wechat'") == [str(PAYMENTS)]
    booked = own.sql(
        "SELECT o.transaction_id || '|' || sum(t.amount) || '|' || count(*) FROM ledger_entries t JOIN orders o ON o.id = t.order_id"
        " WHERE o.store = 'wechat' GROUP BY o.transaction_id")
    assert sorted(booked) == sorted(f"{order['transaction_id']}|1800|1" for order in store.orders.values())
    # Each customer has one month, and of nobody two.
    assert own.sql(
        "SELECT DISTINCT count(*), bool_and(a.ends_at <= k.paid_at + interval '32 days') FROM access_periods a"
        " JOIN checkouts k ON k.transaction_id = a.transaction_id WHERE a.retired_at IS NULL GROUP BY k.customer_id") == ["1|t"]
    assert own.sql("SELECT count(*) FROM checkouts WHERE problem IS NOT NULL") == ["0"]
    unprocessed = own.sql("SELECT state, attempt, last_error FROM store_notifications WHERE store = 'wechat' AND state <> 'processed'")
    assert unprocessed == []
    assert own.sql("SELECT count(*) FROM jobs WHERE kind = 'checkout' AND state <> 'completed'") == ["0"]
    own.do("audit", "verify")
