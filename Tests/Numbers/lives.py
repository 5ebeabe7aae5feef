"""Recomputes the metrics of subscriptions from the stores' events: slow, day by day, by the definitions in docs/metrics.md."""

import collections
import dataclasses
import datetime
import decimal
import zoneinfo
from dataclasses import dataclass, field

UTC = datetime.timezone.utc
NEVER = datetime.datetime.max.replace(tzinfo=UTC)
DAYS_A_MONTH = decimal.Decimal("30.436875")


@dataclass
class Stretch:
    """An interval in which a transaction of a subscription gave access."""
    subscription: str
    transaction: str
    product: str
    begins: datetime.datetime
    ends: datetime.datetime
    is_trial: bool
    is_shared: bool
    price: int
    currency: str
    country: str
    # How long the price pays for, where that is not what the product's does.
    length: tuple = None

    @property
    def is_paid(self):
        return not self.is_trial and not self.is_shared and self.price > 0


@dataclass
class Subscription:
    """The state of a subscription by its events, in signed order."""
    id: str
    stretches: list = field(default_factory=list)
    current: dict = None
    ends: datetime.datetime = None
    has_access: bool = False
    # The time of the full refund of each transaction that has one.
    given_back: dict = field(default_factory=dict)

    def tell(self, kind, signed, transaction, renewal):
        if kind == "noted" or transaction["kind"] == "consumable":
            return
        bought = at(transaction["purchasedAt"])
        if self.current is None or (transaction["id"] != self.current["id"]
                                    and bought >= at(self.current["purchasedAt"])):
            self.cut(bought)
            self.current, self.ends, self.has_access = transaction, at(transaction.get("expiresAt")), True
            self.begin(bought)
        revocation = transaction.get("revocation")
        if kind == "refundReversed":
            self.given_back.pop(transaction["id"], None)
        elif (kind == "refunded" or revocation and kind != "revoked") and (revocation or {}).get("milliPercent") in (None, 100_000):
            self.given_back[transaction["id"]] = at(revocation["at"]) if revocation else signed
        if transaction["id"] != self.current["id"]:
            return
        if kind == "gracePeriodEntered":
            grace = at((renewal or {}).get("gracePeriodEndsAt")) if (renewal or {}).get("gracePeriodEndsAt") else self.ends
            self.give(max(grace, self.ends), signed)
        elif kind in ("billingRetryEntered", "gracePeriodExpired"):
            # A paid period stays until its end, even when the next charge fails before it.
            if signed >= self.ends:
                self.take(signed)
        elif kind in ("expired", "paused"):
            self.take(signed)
        elif kind in ("refunded", "revoked") or (revocation and kind != "refundReversed"):
            self.take(min(signed, at(revocation["at"])) if revocation else signed)
        elif kind in ("refundReversed", "resumed"):
            self.give(self.ends, signed)
        elif kind == "renewalExtended":
            self.ends = at(transaction["expiresAt"])
            self.give(self.ends, signed)

    def give_back(self, transaction, moment):
        """Applies a full refund by staff: the period is no longer paid, and gives access as before."""
        for stretch in [s for s in self.stretches if s.transaction == transaction and s.is_paid]:
            if transaction in self.given_back or stretch.ends <= moment:
                continue
            rest = dataclasses.replace(stretch, begins=max(moment, stretch.begins), price=0)
            stretch.ends = rest.begins
            self.stretches.append(rest)
        self.stretches = [stretch for stretch in self.stretches if stretch.begins < stretch.ends]
        self.given_back.setdefault(transaction, moment)

    def begin(self, moment):
        it = self.current
        price = it.get("price") or {}
        self.stretches.append(Stretch(
            self.id, it["id"], it["productID"], moment, self.ends, (it.get("offer") or {}).get("isFreeTrial", False),
            it.get("isFamilyShared", False), price.get("minorUnits", 0), price.get("currency", ""),
            it.get("storefront") or ""))

    def give(self, until, signed):
        if not self.has_access:
            self.has_access = True
            self.begin(signed)
        self.stretches[-1].ends = until

    def take(self, moment):
        self.cut(moment)
        self.has_access = False

    def cut(self, moment):
        for stretch in self.stretches:
            stretch.ends = min(stretch.ends, moment)
        self.stretches = [stretch for stretch in self.stretches if stretch.begins < stretch.ends]


def at(milliseconds):
    """Returns a time; None means never."""
    if milliseconds is None:
        return NEVER
    return datetime.datetime.fromtimestamp(0, UTC) + datetime.timedelta(milliseconds=milliseconds)


def monthly(price, period):
    count, unit = period
    price = decimal.Decimal(price)
    value = {"day": price * DAYS_A_MONTH / count, "week": price * DAYS_A_MONTH / (7 * count), "month": price / count,
             "year": price / (12 * count)}[unit]
    return int(value.quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_UP))


class Customers:
    """Every customer's snapshot at the end of every day."""

    def __init__(self, subscriptions, grants, products, zone, first, last):
        """Takes subscriptions and grants by customer; products by their store id: (plan, rank, period, key)."""
        self.products, self.zone = products, zoneinfo.ZoneInfo(zone)
        self.days = [first + datetime.timedelta(days=number) for number in range((last - first).days + 1)]
        self.subscriptions = [subscription for held in subscriptions.values() for subscription in held]
        self.stretches = {customer: [s for subscription in held for s in subscription.stretches]
                          for customer, held in subscriptions.items()}
        for customer, granted in grants.items():
            self.stretches.setdefault(customer, []).extend(granted)
        self.snapshots = {
            customer: [self.snapshot(stretches, end) for end in map(self.end, self.days)]
            for customer, stretches in self.stretches.items()}

    def end(self, day):
        return datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), self.zone).astimezone(UTC)

    def snapshot(self, stretches, end):
        running = [s for s in stretches if s.is_paid and s.begins < end <= s.ends]
        revenue = collections.Counter()
        for stretch in running:
            if period := stretch.length or self.products[stretch.product][2]:
                revenue[stretch.product, stretch.country, stretch.currency] += monthly(stretch.price, period)
        deciding = sorted(running, key=lambda s: s.transaction)
        deciding.sort(key=lambda s: s.ends, reverse=True)
        deciding.sort(key=lambda s: self.products[s.product][1], reverse=True)
        cell = (deciding[0].product, deciding[0].country, deciding[0].currency) if deciding else None
        return revenue, cell

    def movements(self, fits):
        """Returns each day's changes in the cells that fit, as (day, class, currency): amount, and (day, class): people."""
        revenue, people = collections.Counter(), collections.Counter()
        for snapshots in self.snapshots.values():
            had_ever = False
            for day, (old, was), (new, now) in zip(self.days[1:], snapshots, snapshots[1:]):
                had_ever = had_ever or was is not None
                if (old, was) == (new, now):
                    continue
                kind = self.kind(was, now, had_ever)
                for cell, part, amount in self.parts(old, new, kind):
                    if fits(cell):
                        revenue[day, part, cell[2]] += amount
                if was != now:
                    people[day, kind or "moved"] += (now is not None and fits(now)) - (was is not None and fits(was))
        return revenue, people

    @staticmethod
    def kind(was, now, had_ever):
        """Returns the class of a change; None for a customer with paid access before and after."""
        if was is None:
            return "reactivation" if had_ever else "new"
        return "churned" if now is None else None

    def parts(self, old, new, kind):
        """Returns the amounts by which cells changed: a loss of one cell that another of the currency gains has moved."""
        changes = {cell: new[cell] - old[cell] for cell in old.keys() | new.keys() if new[cell] != old[cell]}
        if kind:
            return [(cell, kind, amount) for cell, amount in changes.items()]
        parts = []
        for currency in {cell[2] for cell in changes}:
            own = sorted((self.products[cell[0]][3], cell) for cell in changes if cell[2] == currency)
            own = [[cell, changes[cell]] for _, cell in own]
            gains, losses = [c for c in own if c[1] > 0], [c for c in own if c[1] < 0]
            while gains and losses:
                amount = min(gains[0][1], -losses[0][1])
                parts += [(gains[0][0], "moved", amount), (losses[0][0], "moved", -amount)]
                gains[0][1] -= amount
                losses[0][1] += amount
                gains, losses = [c for c in gains if c[1]], [c for c in losses if c[1]]
            parts += [(cell, "expansion", amount) for cell, amount in gains]
            parts += [(cell, "contraction", amount) for cell, amount in losses]
        return parts

    def at_end(self, day, fits):
        """Returns the revenue by currency, and the number of subscribers, at the end of a day."""
        revenue, people = collections.Counter(), 0
        for snapshots in self.snapshots.values():
            snapshot, cell = snapshots[(day - self.days[0]).days]
            for key in filter(fits, snapshot):
                revenue[key[2]] += snapshot[key]
            people += cell is not None and fits(cell)
        return revenue, people

    def lost(self, before, last, fits):
        """Counts the customers with paid access at the end of one day and none at the end of another."""
        first, second = (before - self.days[0]).days, (last - self.days[0]).days
        return sum(1 for snapshots in self.snapshots.values()
                   if (cell := snapshots[first][1]) is not None and fits(cell) and snapshots[second][1] is None)

    def trials(self, first, last, fits, now):
        counts = collections.Counter()
        for stretches in self.stretches.values():
            for trial in {(s.subscription, s.transaction) for s in stretches if s.is_trial and not s.is_shared}:
                own = sorted((s for s in stretches if (s.subscription, s.transaction) == trial), key=lambda s: s.begins)
                day = own[0].begins.astimezone(self.zone).date()
                if not first <= day <= last or own[0].begins > now \
                        or not fits((own[0].product, own[0].country, own[0].currency)):
                    continue
                counts["trials"] += 1
                latest = NEVER if own[-1].ends == NEVER else own[-1].ends + datetime.timedelta(days=30)
                if any(s.subscription == trial[0] and s.is_paid and own[0].begins <= s.begins <= min(now, latest)
                       for s in stretches):
                    counts["converted"] += 1
                elif own[-1].ends <= now:
                    counts["abandoned"] += 1
                else:
                    counts["pending"] += 1
        return counts

    def retention(self, month, fits, now):
        """Returns, for subscriptions first paid in a month, the day of the first payment and the numbers of the paid periods."""
        started = []
        for subscription in self.subscriptions:
            periods = {}
            for stretch in sorted((s for s in subscription.stretches if s.is_paid), key=lambda s: (s.begins, s.transaction)):
                periods.setdefault(stretch.transaction, stretch)
            periods = list(periods.values())
            if not periods or periods[0].begins > now:
                continue
            first = periods[0]
            if first.begins.astimezone(self.zone).date().replace(day=1) != month \
                    or not fits((first.product, first.country, first.currency)):
                continue
            paid = set()
            for number, period in enumerate(periods):
                if period.begins > now or subscription.given_back.get(period.transaction, NEVER) <= now:
                    break
                paid.add(number)
            started.append((first.begins.astimezone(self.zone).date(), paid))
        return started

    def holders(self, now):
        """Counts customers by access: by plan apart from trials, in a trial, and with none any more."""
        plans, trials, expired = collections.Counter(), 0, 0
        for stretches in self.stretches.values():
            running = [s for s in stretches if s.begins <= now < s.ends]
            if not running:
                expired += any(s.begins <= now for s in stretches)
                continue
            best = max(running, key=lambda s: (self.products[s.product][1], s.ends))
            plans[self.products[best.product][0]] += not best.is_trial
            trials += best.is_trial
        return plans, trials, expired

    def payers(self, now):
        """Counts the customers with paid access."""
        return sum(any(s.is_paid and s.begins <= now < s.ends for s in stretches) for stretches in self.stretches.values())

    def accesses(self, fits, now):
        """Counts the changes of customers' access by (day, kind), for the cells that fit."""
        counts = collections.Counter()
        for stretches in self.stretches.values():
            best, had_any = None, False
            for moment in sorted({m for s in stretches for m in (s.begins, s.ends) if m <= now}):
                before = best
                running = [s for s in stretches if s.begins <= moment < s.ends]
                best = max(running, key=lambda s: (self.products[s.product][1], s.ends), default=None)
                rank = None if best is None else self.products[best.product][1]
                old = None if before is None else self.products[before.product][1]
                if (best is None and before is None) or (best and before and rank == old):
                    continue
                how = ("lost" if best is None else ("regained" if had_any else "gained") if before is None
                       else "raised" if rank > old else "lowered")
                counted = best or before
                if fits((counted.product, counted.country, counted.currency)):
                    counts[moment.astimezone(self.zone).date(), how] += 1
                had_any = had_any or best is not None
        return counts
