"""A running product with a store's notifications about its customers."""

import collections
import datetime
import decimal
import functools
import json
import urllib.error
import urllib.parse
import urllib.request
import uuid

from history import EVENTS
from installation import CATALOG, Installation

import lives
import load
import reference

# A customer of 20 months has about 24 events.
CUSTOMERS = max(250, EVENTS // 24)


class Lives:
    """A running product with the notifications of hundreds or thousands of customers, and those customers recomputed."""

    def __init__(self):
        self.installation = Installation()
        self.installation.environment["PERENNIAL_PATIENCE"] = "20"
        self.server = self.installation.start()
        self.url = {"PERENNIAL_DATABASE_URL": self.installation.database_url()}
        # Makes the authority that the app has to trust.
        load.simulated(self.installation, customers=1, months=1, seed=1)
        self.installation.do("catalog", "apply", str(CATALOG), "--simulator",
                             str(self.installation.authority / "root.der"))
        self.installation.do("simulate", "apple", "--customers", str(CUSTOMERS), "--months", "20", "--seed", "5", "--shuffle",
                             "--authority", str(self.installation.authority), "--to", self.server.url, timeout=1_200)
        self.installation.settle(1_200)
        self.installation.do("staff", "add", "ana@demo.test", "--name", "Ana", "--role", "analyst",
                             input="correct horse battery\n", **self.url)
        self.token = self.installation.do("staff", "token", "ana@demo.test", "--name", "numbers", **self.url).split()[-1]
        self.admins = [self.admin(name) for name in ("ben", "cleo")]
        self.app, self.zone = self.installation.sql("SELECT slug || ' ' || time_zone FROM apps")[0].split()
        self.products = {
            row["id"]: (row["plan"], row["rank"], row["count"] and (row["count"], row["unit"]), row["key"])
            for row in self.rows("""
                SELECT p.store_product_id AS id, p.id AS key, l.code AS plan, l.rank, p.period_count AS count, p.period_unit AS unit
                FROM products p JOIN plans l ON l.id = p.plan_id""")}
        # A grant is of a plan, without a product.
        self.products |= {
            f"grant of {row['plan']}": (row["plan"], row["rank"], None, row["key"])
            for row in self.rows("SELECT code AS plan, rank, id AS key FROM plans")}
        self.today = datetime.datetime.now(lives.UTC).astimezone(lives.zoneinfo.ZoneInfo(self.zone)).date()
        self.give()
        self.give_back()
        self.customers = self.read()

    def admin(self, name):
        """Adds an admin; returns their token."""
        self.installation.do("staff", "add", f"{name}@demo.test", "--name", name, "--role", "admin",
                             input="correct horse battery\n", **self.url)
        return self.installation.do("staff", "token", f"{name}@demo.test", "--name", "numbers", **self.url).split()[-1]

    def give(self):
        """Grants access to customers who are only in the sandbox, to some with a subscription, and to some without."""
        holders = self.rows("""
            SELECT c.id, bool_and(s.environment = 'sandbox') AS tests, bool_or(s.state IN ('active', 'cancelled', 'trial')) AS has
            FROM customers c JOIN subscriptions s ON s.customer_id = c.id
            GROUP BY c.id ORDER BY c.id""")
        groups = [[h["id"] for h in holders if h["tests"]], [h["id"] for h in holders if not h["tests"] and h["has"]],
                  [h["id"] for h in holders if not h["tests"] and not h["has"]]]
        assert all(len(group) > 2 for group in groups), [len(group) for group in groups]
        for group in groups:
            for number, customer in enumerate(group[:6]):
                self.post(f"/admin/subscriptions/{customer}/grant", self.admins[0],
                          planType=("PRO", "PREMIUM")[number % 2], days=3_000)

    def give_back(self):
        """Books refunds by hand: in full and in part, paid by the store and elsewhere, of running and of past periods."""
        orders = self.rows("""
            SELECT number, amount, currency, period_ends_at > now() AS runs FROM orders
            WHERE status = 'completed' AND amount > 0 AND environment = 'production'
            ORDER BY number""")
        for runs in (True, False):
            for number, order in enumerate([order for order in orders if order["runs"] == runs][::7][:12]):
                whole = {"type": "FULL"} if number % 3 else {"type": "PARTIAL", "amount": order["amount"] // 2 / 10 ** reference.digits(order["currency"])}
                refund = self.post(f"/admin/orders/{order['number']}/refunds", self.admins[0], **whole)["number"]
                self.post(f"/admin/refunds/{refund}/approve", self.admins[1], confirmation=order["number"][-6:])
                self.post(f"/admin/refunds/{refund}/process", self.admins[1], paidBy=("STORE", "ELSEWHERE")[number % 2],
                          reference=f"transfer {number}")

    def post(self, path, token, **body):
        body |= {"category": "goodwill", "reason": "the numbers shall know of it"}
        request = urllib.request.Request(
            f"{self.server.url}{path}", json.dumps(body).encode(),
            {"Authorization": f"Bearer {token}", "X-App": self.app, "Content-Type": "application/json",
             "Idempotency-Key": str(uuid.uuid4())})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{path}: {refused.code} {refused.read().decode()}") from refused

    def rows(self, query):
        return [json.loads(row) for row in self.installation.sql(f"SELECT to_json(r) FROM ({query}) r")]

    def read(self, signed_before="infinity"):
        held = collections.defaultdict(dict)
        for row in self.rows(f"""
                SELECT s.customer_id AS customer, s.id AS subscription, e.kind, e.event
                FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
                WHERE s.environment = 'production' AND e.rejection_reason IS NULL AND e.signed_at < '{signed_before}'
                ORDER BY e.signed_at, e.event_id"""):
            subscription = held[row["customer"]].setdefault(
                row["subscription"], lives.Subscription(row["subscription"]))
            event = row["event"]
            subscription.tell(row["kind"], lives.at(event["signedAt"]), event["transaction"], event.get("renewal"))
        found = {id: subscription for subscriptions in held.values() for id, subscription in subscriptions.items()}
        for row in self.rows(f"""
                SELECT o.subscription_id AS subscription, o.transaction_id AS transaction,
                    extract(epoch FROM max(t.occurred_at)) * 1000 AS at
                FROM orders o JOIN ledger_entries t ON t.order_id = o.id
                WHERE o.environment = 'production' AND o.amount > 0 AND t.recorded_at < '{signed_before}'
                GROUP BY o.id
                HAVING sum(t.amount) = 0 AND bool_or(t.reference LIKE 'request:%')"""):
            if subscription := found.get(row["subscription"]):
                subscription.give_back(row["transaction"], lives.at(row["at"]))
        subscriptions = {customer: list(subscriptions.values()) for customer, subscriptions in held.items()}
        grants = collections.defaultdict(list)
        for row in self.rows("""
                SELECT g.customer_id AS customer, l.code AS plan, extract(epoch FROM g.starts_at) * 1000 AS begins,
                    extract(epoch FROM coalesce(g.ended_at, g.ends_at)) * 1000 AS ends
                FROM grants g JOIN plans l ON l.id = g.plan_id
                WHERE NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id)
                    OR EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id AND s.environment = 'production')"""):
            grants[row["customer"]].append(lives.Stretch(
                "", "", f"grant of {row['plan']}", lives.at(row["begins"]), lives.at(row["ends"]), False, False, 0, "", ""))
        return lives.Customers(
            subscriptions, grants, self.products, self.zone, self.today - datetime.timedelta(days=760), self.today)

    @functools.cache
    def known(self, day):
        """Returns the customers by the events that were signed until the end of a day."""
        return self.read(signed_before=self.customers.end(day).isoformat())

    def ask(self, path, **parameters):
        return self.read_json(f"/admin/metrics/{path}", **parameters)["rows"]

    def read_json(self, path, **parameters):
        query = urllib.parse.urlencode({name: value for name, value in parameters.items() if value is not None})
        request = urllib.request.Request(
            f"{self.server.url}{path}?{query}", headers={"Authorization": f"Bearer {self.token}", "X-App": self.app})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer, parse_float=decimal.Decimal)

    def fits(self, product=None, plan=None, period=None, country=None, currency=None):
        return lambda cell: (
            product in (None, cell[0]) and plan in (None, self.products[cell[0]][0])
            and period in (None, self.products[cell[0]][2] and f"P{self.products[cell[0]][2][0]}"
                           f"{self.products[cell[0]][2][1][0].upper()}")
            and country in (None, cell[1]) and currency in (None, cell[2]))
