"""Cohorts of customers by their first month, straight from the ledger: slow, by the definitions in docs/metrics.md."""

import collections
import decimal
import zoneinfo

from reference import rounded

DAYS = (7, 30, 90, None)


def share(part, whole):
    """Returns a share in percent with two decimals; None of nothing."""
    if whole == 0:
        return None
    return (decimal.Decimal(100 * part) / whole).quantize(decimal.Decimal("0.01"), rounding=decimal.ROUND_HALF_UP)


def per(amount, people):
    return rounded(decimal.Decimal(amount) / people) if people else None


class Cohorts:
    """The customers of an app, as they were known at the end of a day."""

    def __init__(self, entries, firsts, free, zone, as_of=None):
        zone = zoneinfo.ZoneInfo(zone)
        self.known = [e for e in entries if as_of is None or e.recorded_on <= as_of]
        environments = collections.defaultdict(set)
        for entry in self.known:
            environments[entry.order.customer].add(entry.order.environment)
        # A person who has bought only in the sandbox is no customer; one who has bought nothing is a customer since the app named
        # them.
        self.seen = {customer: firsts[customer].replace(microsecond=0).astimezone(zone).date()
                     for customer, own in environments.items() if "production" in own}
        named = {customer: moment.astimezone(zone).date() for customer, moment in free.items()}
        self.seen |= {customer: day for customer, day in named.items() if as_of is None or day <= as_of}
        self.paid = sorted((e for e in self.known if e.order.environment == "production" and e.reference == "charge"
                            and e.amount > 0), key=lambda e: (e.occurred, e.id))

    def customers(self, month):
        return sum(day.replace(day=1) == month for day in self.seen.values())

    def seen_by(self, last):
        return sum(day <= last for day in self.seen.values())

    def conversions(self, month, fits):
        """Counts the customers who paid within 7, 30 and 90 days, and ever; each counts under their first paid order."""
        counts, told = collections.Counter(), set()
        for entry in self.paid:
            customer = entry.order.customer
            if customer in told:
                continue
            told.add(customer)
            if self.seen[customer].replace(day=1) == month and fits(entry.order):
                for days in DAYS:
                    counts[days] += days is None or (entry.day - self.seen[customer]).days <= days
        return counts

    def payers(self, month, fits):
        """Counts the customers who paid in a month; each counts under their first paid order in it."""
        told, count = set(), 0
        for entry in self.paid:
            if entry.day.replace(day=1) == month and entry.order.customer not in told:
                told.add(entry.order.customer)
                count += fits(entry.order)
        return count

    def net(self, chosen, fits, reporting, rates):
        """Returns the exact charges less refunds and credits of the chosen entries, each at the rate of its day; and the missing
        rates."""
        total, missing = decimal.Decimal(0), set()
        for entry in self.known:
            order = entry.order
            if order.environment != "production" or not entry.amount or not fits(order) or not chosen(entry):
                continue
            factor = rates.factor(order.currency, reporting, entry.day)
            if factor is None:
                missing.add(order.currency)
            else:
                total += decimal.Decimal(entry.amount) * factor[0] / factor[1]
        return total, missing
