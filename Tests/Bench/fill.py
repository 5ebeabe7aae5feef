"""Fills the database by COPY: customers, subscriptions, orders, the ledger, staff and their sessions."""
import hashlib
import struct
import subprocess
import uuid

import children

SESSIONS = 64

# A version 7 key of a time and a number; the remaining bits come from md5.
UUID7 = """(lpad(to_hex((extract(epoch from {at}) * 1000)::bigint), 12, '0') || '7' || substr(md5({of}), 1, 3)
    || '8' || substr(md5({of}), 4, 15))::uuid"""

CUSTOMERS = """
SELECT {id}, {app}, token, token::uuid, 'reader-' || i,
    CASE WHEN i % 5 > 0 THEN (array['李娜','王伟','Ana Smith','Chloë García','Dmitri Ivanov','Ayşe Öztürk','O''Neil & Co'])[1 + i % 7] || ' ' || i END,
    CASE WHEN i % 5 > 1 THEN 'user' || i || '@example' || i % 97 || '.com' END, at
FROM (SELECT i, md5('customer ' || i)::uuid::text AS token, {start} + i * interval '600 seconds' AS at
      FROM generate_series(1, {customers}) AS i) AS c
"""

SUBSCRIPTIONS = """
SELECT {id}, {app}, {customer}, 'apple', 'production', (4000000000000000 + i)::text,
    (array['active','active','active','cancelled','expired'])[1 + i % 5], p.id, (5000000000000000 + i)::text,
    at, at, at + interval '30 days', i % 5 < 3, at, 1, at, at
FROM (SELECT i, {start} + i * interval '600 seconds' AS at FROM generate_series(1, {customers}) AS i) AS s
JOIN {products} AS p ON p.n = s.i % 4
"""

# One order a minute, so that the minute of the day is the order's number.
# The share of each status, in thousandths: 780, 80, 40, 40, 30, 30.
ORDERS = """
SELECT {id}, {app}, {customer}, {subscription}, p.id,
    'ORD-' || to_char(local, 'YYYYMMDD') || '-' || lpad((1 + extract(epoch FROM local::time)::integer / 60)::text, 4, '0'),
    CASE WHEN i <= {customers} THEN 'initial_purchase' ELSE 'renewal' END, status, 'apple',
    CASE WHEN i % 20 = 7 THEN 'sandbox' ELSE 'production' END, (6000000000000000 + i)::text,
    (4000000000000000 + c)::text, p.name, p.code, p.amount,
    CASE status WHEN 'refunded' THEN p.amount WHEN 'partially_refunded' THEN p.amount / 2 ELSE 0 END,
    'CNY', 'CHN', at, at, at + interval '30 days',
    CASE WHEN status LIKE '%refunded' THEN at + interval '2 days' END, at, at
FROM (SELECT i, 1 + (i * 7919::bigint) % {customers} AS c, {start} + i * interval '60 seconds' AS at,
        ({start} + i * interval '60 seconds') AT TIME ZONE 'Asia/Shanghai' AS local,
        CASE WHEN h < 780 THEN 'completed' WHEN h < 860 THEN 'refunded' WHEN h < 900 THEN 'partially_refunded'
             WHEN h < 940 THEN 'failed' WHEN h < 970 THEN 'pending' ELSE 'cancelled' END AS status
      FROM (SELECT i, (hashint8(i)::bigint & 2147483647) % 1000 AS h FROM generate_series(1, {orders}::bigint) AS i) AS n
     ) AS o
JOIN {products} AS p ON p.n = o.i % 4
"""

ORDER_NUMBERS = """
INSERT INTO order_numbers (app_id, day, last_sequence)
SELECT {app}, day, 1440
FROM generate_series(({start} AT TIME ZONE 'Asia/Shanghai')::date, current_date + 1, interval '1 day') AS day
"""

CHARGES = """
SELECT {id}, o.app_id, o.id, o.kind, 'success', o.amount, o.currency, o.store, o.environment, o.transaction_id,
    'charge', o.purchased_at, o.purchased_at
FROM orders o WHERE o.status IN ('completed', 'refunded', 'partially_refunded')
"""

REFUNDS = """
SELECT {id}, o.app_id, o.id, 'refund', 'success', -o.refunded, o.currency, o.store, o.environment, o.transaction_id,
    'refund', o.refunded_at, o.refunded_at
FROM orders o WHERE o.refunded > 0
"""

COLUMNS = {
    "customers": "id, app_id, key, app_account_token, external_id, name, email, created_at",
    "subscriptions": """id, app_id, customer_id, store, environment, original_transaction_id, state, product_id,
        transaction_id, started_at, period_starts_at, period_ends_at, renews_automatically, last_signed_at, version,
        created_at, updated_at""",
    "orders": """id, app_id, customer_id, subscription_id, product_id, number, kind, status, store, environment,
        transaction_id, original_transaction_id, product_name, plan_code, amount, refunded, currency, storefront,
        purchased_at, period_starts_at, period_ends_at, refunded_at, created_at, updated_at""",
    "ledger_entries": """id, app_id, order_id, kind, status, amount, currency, store, environment,
        store_transaction_id, reference, occurred_at, recorded_at""",
}


class Filling:
    def __init__(self, cluster, customers, orders, ledger=True):
        self.cluster, self.customers, self.orders, self.ledger = cluster, customers, orders, ledger
        self.app = cluster.psql("SELECT id FROM apps WHERE slug = 'readmigo'")
        # The last order was made a minute ago.
        self.start = cluster.psql(f"SELECT date_trunc('minute', now()) - {orders + 1} * interval '60 seconds'")

    def run(self):
        indexes = self._drop_indexes()
        start = f"timestamptz '{self.start}'"
        names = {
            "app": f"'{self.app}'::uuid", "start": start, "customers": self.customers, "orders": self.orders,
            "products": """(SELECT row_number() OVER (ORDER BY p.store_product_id) - 1 AS n, p.id, p.name, l.code,
                coalesce(r.minor_units, 1800) AS amount FROM products p JOIN plans l ON l.id = p.plan_id
                LEFT JOIN product_prices r ON r.product_id = p.id)""",
        }

        def key(kind, number, at):
            return UUID7.format(at=at, of=f"'{kind} ' || {number}")

        def joined(number):
            return f"({start} + {number} * interval '600 seconds')"

        self._copy("customers", CUSTOMERS.format(**names, id=key("customer", "i", joined("i"))))
        self._copy("subscriptions", SUBSCRIPTIONS.format(
            **names, id=key("subscription", "i", "at"), customer=key("customer", "i", joined("i"))))
        self._copy("orders", ORDERS.format(
            **names, id=key("order", "i", "at"), customer=key("customer", "c", joined("c")),
            subscription=key("subscription", "c", joined("c"))))
        self.cluster.psql(ORDER_NUMBERS.format(**names))
        if self.ledger:
            self._copy("ledger_entries", CHARGES.format(id=key("charge", "o.number", "o.purchased_at")))
            self._copy("ledger_entries", REFUNDS.format(id=key("refund", "o.number", "o.refunded_at")))
        self.people()
        for definition in indexes:
            self.cluster.psql(definition)
        self.cluster.psql("VACUUM ANALYZE")
        self.cluster.psql("CHECKPOINT")

    def _drop_indexes(self):
        """Drops the indexes apart from the constraints' own, for they are faster to build at the end; returns their
        definitions."""
        tables = ", ".join(f"'{table}'" for table in COLUMNS)
        found = self.cluster.psql(f"""
            SELECT i.indexname || '|' || replace(i.indexdef, E'\\n', ' ') FROM pg_indexes i
            WHERE i.schemaname = 'public' AND i.tablename IN ({tables})
                AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexname::regclass)
            """).splitlines()
        for line in found:
            self.cluster.psql(f"DROP INDEX {line.split('|')[0]}")
        return [line.split("|", 1)[1] for line in found]

    def _copy(self, table, query):
        address = ["psql", "-h", self.cluster.socket, "-U", "postgres", "-d", "perennial", "-qX", "-v", "ON_ERROR_STOP=1"]
        source = children.start([*address, "-c", f"COPY ({query}) TO STDOUT"], stdout=subprocess.PIPE)
        # The replica role runs no triggers, which would check each order's balance one by one.
        children.run(
            [*address, "-c", "SET session_replication_role = replica", "-c", f"COPY {table} ({COLUMNS[table]}) FROM STDIN"],
            stdin=source.stdout)
        code = source.wait()
        children.end(source)
        if code:
            raise RuntimeError(f"{table} could not be filled")

    def people(self):
        self.cluster.psql(f"""
            INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
            SELECT md5('staff ' || i)::uuid, 'staff' || i || '@example.com', 'Staff ' || i, 'admin', '-', now(), now()
            FROM generate_series(1, 8) AS i;
            INSERT INTO staff_sessions (token_hash, staff_id, app_id, created_at, last_seen_at, expires_at)
            SELECT sha256(sha256(int8send(i))), md5('staff ' || 1 + i % 8)::uuid, '{self.app}', now(), now(), now() + interval '1 day'
            FROM generate_series(1, {SESSIONS}) AS i;
            """)

    def keep_sessions(self):
        """Marks all sessions as just seen: otherwise each is updated once a minute, in the middle of a cell."""
        self.cluster.psql("UPDATE staff_sessions SET last_seen_at = now(); VACUUM staff_sessions")


def session_token(number):
    """Returns the cookie of a session that `people` made: the SHA-256 of its number."""
    return hashlib.sha256(struct.pack(">q", number)).hexdigest()


def session_staff(number):
    """Returns the id of the session's member of staff."""
    return str(uuid.UUID(hashlib.md5(f"staff {1 + number % 8}".encode()).hexdigest()))
