"""A running product that a store told of its customers."""

import collections
import datetime
import decimal
import functools
import json
import urllib.parse
import urllib.request

from history import EVENTS
from installation import CATALOG, Installation

import lives
import load

# A life of 20 months has about 24 events.
CUSTOMERS = max(250, EVENTS // 24)


class Lives:
    """A running product that a store has told the lives of hundreds or thousands, and what it was told."""

    def __init__(self):
        self.installation = Installation()
        self.server = self.installation.start()
        self.url = {"PERENNIAL_DATABASE_URL": self.installation.database_url()}
        # Makes the authority that the app is to trust.
        load.simulated(self.installation, customers=1, months=1, seed=1)
        self.installation.do("catalog", "apply", str(CATALOG), "--simulator",
                             str(self.installation.authority / "root.der"))
        self.installation.do("simulate", "apple", "--customers", str(CUSTOMERS), "--months", "20", "--seed", "5", "--shuffle",
                             "--authority", str(self.installation.authority), "--to", self.server.url, timeout=1_200)
        self.installation.settle(1_200)
        self.installation.do("staff", "add", "ana@demo.test", "--name", "Ana", "--role", "analyst",
                             input="correct horse battery\n", **self.url)
        self.token = self.installation.do("staff", "token", "ana@demo.test", "--name", "numbers", **self.url).split()[-1]
        self.app, self.zone = self.installation.sql("SELECT slug || ' ' || time_zone FROM apps")[0].split()
        self.products = {
            row["id"]: (row["plan"], row["rank"], row["count"] and (row["count"], row["unit"]))
            for row in self.rows("""
                SELECT p.store_product_id AS id, l.code AS plan, l.rank, p.period_count AS count, p.period_unit AS unit
                FROM products p JOIN plans l ON l.id = p.plan_id""")}
        self.today = datetime.datetime.now(lives.UTC).astimezone(lives.zoneinfo.ZoneInfo(self.zone)).date()
        self.customers = self.read()

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
        subscriptions = {customer: list(subscriptions.values()) for customer, subscriptions in held.items()}
        return lives.Customers(
            subscriptions, self.products, self.zone, self.today - datetime.timedelta(days=760), self.today)

    @functools.cache
    def known(self, day):
        """Customers as the events that were signed until the end of a day tell them."""
        return self.read(signed_before=self.customers.end(day).isoformat())

    def ask(self, path, **parameters):
        return self.read_json(f"/admin/metrics/{path}", **parameters)["rows"]

    def read_json(self, path, **parameters):
        query = urllib.parse.urlencode({name: value for name, value in parameters.items() if value is not None})
        request = urllib.request.Request(
            f"{self.server.url}{path}?{query}", headers={"Authorization": f"Bearer {self.token}", "X-App": self.app})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer, parse_float=decimal.Decimal)

    def fits(self, product=None, plan=None, period=None, country=None, currency=None):
        return lambda cell: (
            product in (None, cell[0]) and plan in (None, self.products[cell[0]][0])
            and period in (None, self.products[cell[0]][2] and f"P{self.products[cell[0]][2][0]}"
                           f"{self.products[cell[0]][2][1][0].upper()}")
            and country in (None, cell[1]) and currency in (None, cell[2]))
