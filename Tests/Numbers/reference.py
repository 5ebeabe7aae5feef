"""Recomputes every metric straight from the ledger: slow, one row after another, by the definitions in docs/metrics.md."""

import collections
import dataclasses
import datetime
import decimal
import zoneinfo

FEES = {"apple": (3_000, 1_500), "apple since 2026": (2_600, 1_500), "google": (1_500, 1_500), "wechat": (60, 60), "alipay": (60, 60)}
DIGITS = {"JPY": 0, "KWD": 3}


def digits(currency):
    return DIGITS.get(currency, 2)


TERMS = [(["DEU", "FRA"], datetime.date(2026, 10, 1)), (["JPN"], datetime.date(2026, 3, 17))]
"""Storefronts in which Apple keeps 26 and 15 % of what is charged since a day in UTC."""


def terms(order):
    """The fees that an order is under."""
    store, day = order.product[1], order.purchased.astimezone(datetime.timezone.utc).date()
    own = store == "apple" and any(order.country in countries and day >= since for countries, since in TERMS)
    return "apple since 2026" if own else store


def year_of_service(order, as_of):
    """'first' or 'later': its year of paid service, as was known on a day."""
    days = [order.paid_days] + [change.paid_days for change in order.changes if as_of is None or change.recorded_on <= as_of]
    return "later" if days[-1] >= 365 else "first"


def period_start(grain, day):
    """Returns the first day of a day's period; without a grain all days are one period."""
    if grain is None:
        return datetime.date.min
    if grain == "week":
        return day - datetime.timedelta(days=day.weekday())
    return day.replace(day=1) if grain == "month" else day


def rounded(number):
    return int(decimal.Decimal(number).quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_UP))


class Rates:
    """The rates of a euro by currency and day. A day without one takes the last rate of the week before."""

    def __init__(self, rates):
        self.rates = rates

    def per_euro(self, currency, day):
        if currency == "EUR":
            return decimal.Decimal(1)
        for back in range(8):
            if rate := self.rates.get((currency, day - datetime.timedelta(days=back))):
                return rate
        return None

    def factor(self, source, target, day):
        if source == target:
            return decimal.Decimal(1), decimal.Decimal(1)
        of, to = self.per_euro(source, day), self.per_euro(target, day)
        if of is None or to is None:
            return None
        return to * decimal.Decimal(10) ** (digits(target) - digits(source)), of


@dataclasses.dataclass
class Missing:
    """Currencies whose rates are missing."""

    left_out: set
    """Currencies of which an amount is left out; the answer has to name them."""
    met: set
    """Also those of which a refund and its reversal on the same day leave nothing out: the answer may name them."""

    def are(self, named):
        return named == sorted(named) and self.left_out <= set(named) <= self.met


def place(entries, zone):
    """Sets the business days on which each entry happened, was recorded, and was charged."""
    zone = zoneinfo.ZoneInfo(zone)
    for entry in entries:
        entry.day, entry.recorded_on = entry.occurred.astimezone(zone).date(), entry.recorded.astimezone(zone).date()
        entry.charge_day = entry.order.purchased.astimezone(zone).date()
        for change in entry.order.changes:
            change.recorded_on = change.recorded.astimezone(zone).date()


def revenue(entries, *, grain="month", first, last, by=None, reporting=None, rates=None, as_of=None, environment="production",
            store=None, plan=None, product=None, period=None, country=None, currency=None):
    """Returns the rows of `GET /admin/metrics/revenue`, by (first day, part, currency), and the currencies whose rate was
    missing."""
    known = [entry for entry in entries if as_of is None or entry.recorded_on <= as_of]
    given_back = collections.Counter()
    for entry in known:
        order = entry.order
        if entry.reference != "charge" and not is_credit(entry):
            given_back[order.id] -= entry.amount

    sums = collections.defaultdict(lambda: collections.defaultdict(decimal.Decimal))
    lacking, counted = collections.Counter(), set()

    def add(order, at, name, amount, count_name=None, count=0):
        if not first <= at <= last:
            return
        target = reporting or order.currency
        factor = rates.factor(order.currency, target, at) if reporting else (1, 1)
        part = {None: None, "product": order.product[2], "plan": order.product[0], "store": order.product[1],
                "country": order.country}[by]
        # A period that the query cuts is named by the days that are left of it.
        cell = sums[max(first, period_start(grain, at)), part, target]
        if factor is None:
            if amount:
                lacking[order.currency, order.id, at, name[0]] += amount
        else:
            cell[name] += decimal.Decimal(amount) * factor[0] / factor[1]
        if count_name:
            cell[count_name] += count

    standing = collections.Counter()
    for entry in known:
        if entry.reference != "charge":
            standing[entry.order.id, root(entry)] += entry.amount
    refunds = set()
    for entry in known:
        order = entry.order
        plan_code, store_name, product_id, length, _ = order.product
        if (order.environment != environment or (store and store != store_name) or (plan and plan != plan_code)
                or (product and product != product_id) or (period and period != length)
                or (country is not None and country != order.country) or (currency and currency != order.currency)):
            continue
        side, fee = year_of_service(order, as_of), terms(order)
        if entry.reference == "charge":
            if entry.amount:
                add(order, entry.day, ("gross", fee, side), entry.amount, "charges", 1)
            else:
                add(order, entry.day, ("gross", fee, side), 0, "freeOrders", 1)
        elif is_credit(entry):
            add(order, entry.day, ("credits", fee, side), -entry.amount)
        else:
            # A refund and its corrections count as one, and as none while they cancel out.
            told = (order.id, root(entry))
            is_refund, _ = told not in refunds and standing[told] < 0, refunds.add(told)
            payer = "elsewhere" if entry.payer == "elsewhere" else side
            add(order, entry.day, ("refunds", fee, payer), -entry.amount, "refundsMade", int(is_refund))
            is_first = order.id not in counted
            counted.add(order.id)
            add(order, entry.charge_day, ("refundsOfCharges", fee), -entry.amount,
                "refundedCharges", int(is_first and given_back[order.id] > 0))

    rows = {}
    for key, cell in sums.items():
        row = {name: int(cell[name]) for name in ("charges", "freeOrders", "refundsMade", "refundedCharges")}
        gross = sum(cell["gross", name, side] for name in FEES for side in ("first", "later"))
        refunds = sum(cell["refunds", name, side] for name in FEES for side in ("first", "later", "elsewhere"))
        credits = sum(cell["credits", name, side] for name in FEES for side in ("first", "later"))
        # The store keeps its share of a refund that was paid outside of it.
        fees = sum((cell["gross", name, side] - cell["refunds", name, side] - cell["credits", name, side])
                   * FEES[name][index] / 10_000 for name in FEES for index, side in enumerate(("first", "later")))
        # Sums are of exact amounts; each figure is rounded once.
        row |= {"gross": rounded(gross), "refunds": rounded(refunds), "upgradeCredits": rounded(credits),
                "net": rounded(gross - refunds - credits), "proceeds": rounded(gross - refunds - credits - fees),
                "refundsOfCharges": rounded(sum(cell["refundsOfCharges", name] for name in FEES))}
        rows[key] = row
    return rows, Missing({key[0] for key, amount in lacking.items() if amount}, {key[0] for key in lacking})


def is_credit(entry):
    """Returns true if an entry is an upgrade's credit, or a reversal of one."""
    return entry.kind.startswith("upgrade_credit")


def root(entry):
    """Returns the reference that a refund shares with its corrections."""
    return entry.reference.split(":corrected-")[0]
