"""A random ledger: the sales and refunds of three apps in two years, in the order of recording."""

import datetime
import os
import random
import uuid
from dataclasses import dataclass, field

import scale

UTC = datetime.timezone.utc
START = datetime.datetime(2024, 10, 20, tzinfo=UTC)
DAYS = 760
# The number of ledger rows, and of events of lives; the comparisons are the same for 100,000, which takes a quarter of an hour.
EVENTS = int(os.environ.get("PERENNIAL_EVENTS", scale.of(4_000, 2_500)))

APPS = {
    "readmigo": ("Asia/Shanghai", "CNY"),
    "lightgallery": ("UTC", "USD"),
    # This zone has daylight saving time.
    "kombin": ("America/New_York", "USD"),
}
PRODUCTS = [
    # plan, store, id, period, prices
    ("PRO", "apple", "pro.monthly", (1, "month"), {"CNY": 1800, "USD": 299, "JPY": 450, "EUR": 319, "TRY": 5999, "KWD": 925}),
    ("PRO", "apple", "pro.yearly", (1, "year"), {"CNY": 12800, "USD": 1999, "JPY": 3000, "EUR": 2199, "TRY": 39999}),
    ("PREMIUM", "apple", "premium.monthly", (1, "month"), {"CNY": 2800, "USD": 499}),
    ("PREMIUM", "google", "premium.weekly", (1, "week"), {"USD": 149, "EUR": 159, "TRY": 1999, "KWD": 455}),
    ("PREMIUM", "wechat", "premium.yearly", (1, "year"), {"CNY": 19800}),
    ("PREMIUM", "alipay", "premium.lifetime", None, {"CNY": 49800}),
]
COUNTRIES = {"CNY": ["CHN"], "USD": ["USA", "CAN", ""], "JPY": ["JPN"], "EUR": ["DEU", "FRA"], "TRY": ["TUR"], "KWD": ["KWT"]}
# The currencies of charges, with no, two and three digits.
CURRENCIES = list(COUNTRIES)
LENGTHS = {"week": 7, "month": 30, "year": 365}


@dataclass
class Entry:
    order: "Order"
    kind: str
    amount: int
    occurred: datetime.datetime
    recorded: datetime.datetime
    id: uuid.UUID = None
    reference: str = ""
    payer: str = "store"


@dataclass
class Change:
    """That the days of paid service before an order turned out to be others."""
    order: "Order"
    paid_days: int
    recorded: datetime.datetime
    recorded_on: datetime.date = None


@dataclass
class Order:
    app: str
    subscription: int
    product: tuple
    currency: str
    country: str
    environment: str
    amount: int
    purchased: datetime.datetime
    kind: str
    id: uuid.UUID = None
    entries: list = field(default_factory=list)
    superseded: datetime.datetime = None
    paid_days: int = 0
    """Days of paid service before it, as it seemed at first."""
    changes: list = field(default_factory=list)

    @property
    def customer(self):
        """The owner; most have several subscriptions in their app."""
        return f"{self.app}-{self.subscription // 6}"


class History:
    """Entries in the order of recording; the same seed makes the same."""

    def __init__(self, events, seed):
        self.random = random.Random(seed)
        self.orders, self.entries, self.subscriptions = [], [], 0
        while len(self.entries) < events:
            self._life()
        self.entries.sort(key=lambda entry: (entry.recorded, entry.order.purchased, entry.reference))
        for entry in self.entries:
            entry.id = self._key()
        # No refund is recorded before its charge.
        for order in self.orders:
            order.id = self._key()
        # Each customer's first day: that of their first purchase, whenever it became known.
        self.firsts = {}
        for order in self.orders:
            self.firsts[order.customer] = min(self.firsts.get(order.customer, order.purchased), order.purchased)
        # The time at which an app first named customers who never buy anything.
        others = random.Random(seed + 1)
        self.free = {app: {f"{app}-free-{number}": START + datetime.timedelta(seconds=others.randrange(DAYS * 86_400))
                           for number in range(others.randrange(20, 60))} for app in APPS}

    def _key(self):
        return uuid.UUID(int=self.random.getrandbits(128), version=4)

    def _life(self):
        """Makes a customer's subscription, one purchase after another."""
        pick = self.random
        self.subscriptions += 1
        app = pick.choice(list(APPS))
        product = pick.choice(PRODUCTS)
        currency = pick.choice(list(product[4]))
        country = pick.choice(COUNTRIES[currency])
        environment = "sandbox" if pick.random() < 0.05 else "production"
        moment = START + datetime.timedelta(seconds=pick.randrange(DAYS * 86_400))
        began = moment
        has_trial = pick.random() < 0.3
        # Sometimes the first purchases become known last.
        comes_late = pick.random() < 0.1
        for number in range(pick.randrange(1, 30)):
            amount = 0 if has_trial and number == 0 else product[4][currency]
            order = Order(app, self.subscriptions, product, currency, country, environment, amount, moment,
                          "initial_purchase" if number == 0 else "renewal")
            order.paid_days = (moment - began).days
            delay = pick.expovariate(1 / 300)
            if comes_late and number < 2:
                delay += pick.randrange(200 * 86_400)
            recorded = moment + datetime.timedelta(seconds=delay)
            days = product[3] and product[3][0] * LENGTHS[product[3][1]]
            # Sometimes an upgrade replaces it before its period is over, and the next order follows at once.
            used = pick.randrange(1, days * 86_400) if days and pick.random() < 0.06 else None
            self._book(order, recorded, used and (used, days * 86_400))
            if product[3] is None:
                return
            if used:
                moment += datetime.timedelta(seconds=used)
                if moment > START + datetime.timedelta(days=DAYS):
                    return
                continue
            moment += datetime.timedelta(days=7 if amount == 0 else days, seconds=pick.randrange(3_600))
            if moment > START + datetime.timedelta(days=DAYS) or pick.random() < 0.08:
                return
            if pick.random() < 0.05:
                moment += datetime.timedelta(days=pick.randrange(400))

    def _book(self, order, recorded, superseded=None):
        pick = self.random
        self.orders.append(order)
        self._enter(order, order.kind, order.amount, order.purchased, recorded, "charge")
        # Sometimes an earlier charge, or its refund, becomes known later: the order is of the other year of service then.
        known, days = recorded, order.paid_days
        while pick.random() < 0.15:
            known = (known + datetime.timedelta(seconds=pick.randrange(1, 90 * 86_400))).replace(microsecond=0)
            days = days + 365 if days < 365 else days % 365
            order.changes.append(Change(order, days, known))
        refunded, moment = 0, order.purchased
        while order.amount > refunded and pick.random() < 0.12:
            moment += datetime.timedelta(seconds=pick.randrange(1, 60 * 86_400))
            recorded = max(recorded, moment) + datetime.timedelta(seconds=pick.randrange(1, 5 * 86_400))
            part = order.amount - refunded if pick.random() < 0.7 else pick.randrange(1, order.amount - refunded + 1)
            refunded += part
            reference, payer = f"refund:{len(order.entries)}", "elsewhere" if pick.random() < 0.2 else "store"
            self._enter(order, "refund", -part, moment, recorded, reference, payer)
            if pick.random() < 0.2:
                # A late notification lowers the refund, or cancels it.
                taken = part if pick.random() < 0.5 else pick.randrange(1, part + 1)
                recorded += datetime.timedelta(seconds=pick.randrange(1, 30 * 86_400))
                self._enter(order, "refund_reversal", taken, moment, recorded, f"{reference}:corrected-1", payer)
                refunded -= taken
            if pick.random() < 0.2:
                moment += datetime.timedelta(seconds=pick.randrange(1, 20 * 86_400))
                recorded = max(recorded, moment) + datetime.timedelta(seconds=pick.randrange(1, 86_400))
                self._enter(order, "refund_reversal", refunded, moment, recorded, f"reversal:{len(order.entries)}")
                refunded = 0
        if superseded:
            self._credit(order, refunded, recorded, *superseded)

    def _credit(self, order, refunded, recorded, used, seconds):
        """Credits the unused part of the period less refunds; sometimes a later entry lowers the credit."""
        pick = self.random
        credit = (2 * order.amount * (seconds - used) + seconds) // (2 * seconds) - refunded
        if credit <= 0:
            return
        moment = order.purchased + datetime.timedelta(seconds=used)
        recorded = max(recorded, moment) + datetime.timedelta(seconds=pick.randrange(1, 5 * 86_400))
        reference, order.superseded = f"upgrade_credit:{len(order.entries)}", moment
        self._enter(order, "upgrade_credit", -credit, moment, recorded, reference)
        if pick.random() < 0.3:
            recorded += datetime.timedelta(seconds=pick.randrange(1, 30 * 86_400))
            self._enter(order, "upgrade_credit_reversal", pick.randrange(1, credit + 1), moment, recorded,
                        f"{reference}:corrected-1")

    def _enter(self, order, kind, amount, occurred, recorded, reference, payer="store"):
        # Times are in whole seconds, as with many stores.
        entry = Entry(order, kind, amount, occurred.replace(microsecond=0), recorded.replace(microsecond=0), None, reference,
                      payer)
        order.entries.append(entry)
        self.entries.append(entry)
