"""Business figures by name: their metric, days, filters and unit, with every place that shows them."""

import collections
import dataclasses
import datetime
import decimal
import re

DAY = datetime.timedelta(days=1)
FILTERS = ("environment", "store", "plan", "product", "period", "country", "currency", "as_of")
# The metrics of an instant, not of a period.
STANDING = {"monthly recurring revenue", "subscribers", "customers"}


@dataclasses.dataclass(frozen=True)
class Name:
    """The name of a figure: two figures with the same name have to be equal."""

    metric: str
    first: datetime.date
    last: datetime.date
    filter: tuple
    unit: str

    def __str__(self):
        filters = " ".join(f"{name}={value}" for name, value in self.filter)
        return f"{self.metric}, {self.first} to {self.last}, {filters or 'no filter'}, {self.unit}"


class Figures:
    def __init__(self, today, currency):
        self.today, self.currency = today, currency
        self.told = collections.defaultdict(dict)

    def tell(self, place, metric, days, filter, value, unit="money"):
        """Keeps the value that a place shows, unless it is None.

        The days end today at the latest; a metric of an instant counts for the last day alone.
        """
        if value is None:
            return
        last = min(days[1], self.today)
        first = last if metric in STANDING else min(days[0], last)
        kept = tuple((name, filter[name]) for name in FILTERS if filter.get(name) not in (None, "PRODUCTION"))
        if unit == "money":
            unit = filter.get("currency") or self.currency
        self.told[Name(metric, first, last, kept, unit)][place] = decimal.Decimal(str(value))

    @property
    def contradictions(self):
        """Each figure for which two places show different values, with both."""
        return [f"{name}: " + "; ".join(f"{value} in {place}" for place, value in places.items())
                for name, places in self.told.items() if not agree(name.unit, set(places.values()))]

    @property
    def compared(self):
        """The number of figures that more than one place shows, by metric."""
        return collections.Counter(name.metric for name, places in self.told.items() if len(places) > 1)


def agree(unit, values):
    """Returns true if all values are the same; for a share, those with fewer digits may be the others rounded."""
    if unit != "%" or len(values) < 2:
        return len(values) < 2
    half = decimal.Decimal(1).scaleb(max(value.as_tuple().exponent for value in values)) / 2
    return max(values) - min(values) <= half


def number(text):
    """Returns the first number of a text, without its unit; None if there is none."""
    found = re.search(r"[−+-]?\d[\d,]*(\.\d+)?", text or "")
    return decimal.Decimal(found.group().replace(",", "").replace("−", "-").replace("+", "")) if found else None


def periods(grain, first, last):
    """Splits the days into periods; the outer ones have the days that are left of them."""
    found, day = [], first
    while day <= last:
        end = min(end_of(grain, day), last)
        found.append((day, end))
        day = end + DAY
    return found


def end_of(grain, day):
    """Returns the last day of the period that a day lies in."""
    if grain == "week":
        return day + DAY * (6 - day.weekday())
    return (day.replace(day=28) + DAY * 4).replace(day=1) - DAY if grain == "month" else day


def usual(grain, last):
    """Returns the periods that are shown up to a day by default."""
    end = end_of(grain, last)
    if grain == "month":
        months = end.year * 12 + end.month - 12
        return periods(grain, datetime.date(months // 12, months % 12 + 1, 1), end)
    return periods(grain, end - DAY * ((7 * 13 if grain == "week" else 28) - 1), end)
