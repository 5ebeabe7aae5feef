"""Each figure of subscribers of four stores, on its page, in its file and in the API, is what a slow reading of their access says."""

import collections
import datetime
import decimal
import json
import pathlib
import re
import sys
import types
import urllib.parse
import urllib.request
import zoneinfo

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from cohorts import share  # noqa: E402
from demo_server import PASSWORD, DemoServer  # noqa: E402
from history import Entry, Order  # noqa: E402
from desk_pages import Pages, figure, number, table, text  # noqa: E402

import lives  # noqa: E402
import reference  # noqa: E402

CURRENCY = "CNY"
FILTERS = [{}, {"store": "apple"}, {"store": "google"}, {"store": "wechat"}, {"store": "alipay"}, {"plan": "PRO"}, {"plan": "PREMIUM"},
           {"period": "P1M"}, {"period": "P1Y"}, {"country": "CHN"}, {"currency": "EUR"}, {"store": "apple", "plan": "PREMIUM"}]
MONEY = {"start": "start", "new": "new", "reactivation": "reactivation", "expansion": "expansion", "contraction": "contraction",
         "churned": "churned", "moved": "moved", "end": "end"}
PEOPLE = {"start": "start", "new": "new", "reactivated": "reactivation", "moved": "moved", "end": "end"}


def named(value):
    return "-".join(value.values()) or "everything"


class Stores:
    """A demo that sells at four stores, and its customers as their stretches of access stand in the database."""

    def __init__(self):
        self.demo = DemoServer(40, start_within=600, anew=True, stores=True, second_app=False)
        at = types.SimpleNamespace(server=types.SimpleNamespace(url=self.demo.url))
        self.pages = Pages(at, "analyst@demo.test", PASSWORD)
        self.token = self.demo.run("staff", "token", "analyst@demo.test", "--name", "numbers").split()[-1]
        self.zone = self.demo.sql("SELECT time_zone FROM apps")[0][0]
        self.products = {
            row["id"]: (row["plan"], row["rank"], row["count"] and (row["count"], row["unit"]), row["id"], row["store"])
            for row in self.rows("""
                SELECT p.id, p.store, l.code AS plan, l.rank, p.period_count AS count, p.period_unit AS unit
                FROM products p JOIN plans l ON l.id = p.plan_id
                UNION ALL
                SELECT id, '', code, rank, NULL, NULL FROM plans""")}
        self.today = datetime.datetime.now(zoneinfo.ZoneInfo(self.zone)).date()
        self.customers = self.read()
        self.rates = reference.Rates({
            (row["currency"], datetime.date.fromisoformat(row["day"])): decimal.Decimal(row["rate"])
            for row in self.rows("SELECT currency, day::text, per_euro::text AS rate FROM exchange_rates")})

    def rows(self, query):
        return [json.loads(row[0]) for row in self.demo.sql(f"SELECT to_json(r) FROM ({query}) r")]

    def read(self, as_of=None):
        """Reads the customers, as they are known now, or as they were at the end of a day."""
        known = "retired_at IS NULL" if as_of is None else f"""
            recorded_at < '{self.customers.end(as_of)}' AND (retired_at IS NULL OR retired_at >= '{self.customers.end(as_of)}')"""
        held = collections.defaultdict(list)
        for row in self.rows(f"""
                SELECT customer_id AS customer, subscription_id AS subscription, transaction_id AS transaction, product_id AS product,
                    extract(epoch FROM starts_at) * 1000 AS begins, extract(epoch FROM ends_at) * 1000 AS ends, is_trial,
                    is_family_shared AS is_shared, coalesce(price, 0) AS price, coalesce(currency, '') AS currency, country,
                    period_count AS count, period_unit AS unit
                FROM access_periods
                WHERE environment = 'production' AND {known}"""):
            held[row["customer"]].append(lives.Stretch(
                row["subscription"], row["transaction"], row["product"], lives.at(row["begins"]), lives.at(row["ends"]), row["is_trial"],
                row["is_shared"], row["price"], row["currency"], row["country"], row["count"] and (row["count"], row["unit"])))
        for row in self.rows("""
                SELECT customer_id AS customer, plan_id AS plan, extract(epoch FROM starts_at) * 1000 AS begins,
                    extract(epoch FROM coalesce(ended_at, ends_at)) * 1000 AS ends
                FROM grants g
                WHERE NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id)
                    OR EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id AND s.environment = 'production')"""):
            held[row["customer"]].append(lives.Stretch(
                "", "", row["plan"], lives.at(row["begins"]), lives.at(row["ends"]), False, False, 0, "", ""))
        return lives.Customers({}, held, self.products, self.zone, self.today - datetime.timedelta(days=900), self.today)

    def entries(self):
        """Reads the ledger, each row with its order."""
        orders, found = {}, []
        for row in self.rows("""
                SELECT t.id, t.kind, t.amount, t.occurred_at AS occurred, t.recorded_at AS recorded, is_charge(t.kind) AS is_charge,
                    t.reference, t.payer, o.id AS order, o.amount AS price, o.currency, coalesce(o.storefront, '') AS country,
                    o.environment, o.purchased_at AS purchased, o.kind AS bought, o.paid_days, p.store, p.store_product_id AS product,
                    l.code AS plan, p.period_count AS count, p.period_unit AS unit
                FROM ledger_entries t
                JOIN orders o ON o.id = t.order_id
                JOIN products p ON p.id = o.product_id
                JOIN plans l ON l.id = p.plan_id
                WHERE t.status = 'success'
                ORDER BY t.recorded_at, t.id"""):
            if row["order"] not in orders:
                product = (row["plan"], row["store"], row["product"], row["count"] and (row["count"], row["unit"]), None)
                orders[row["order"]] = Order(
                    "", 0, product, row["currency"], row["country"], row["environment"], row["price"],
                    datetime.datetime.fromisoformat(row["purchased"]), row["bought"], row["order"], paid_days=row["paid_days"])
            found.append(Entry(
                orders[row["order"]], row["kind"], row["amount"], datetime.datetime.fromisoformat(row["occurred"]),
                datetime.datetime.fromisoformat(row["recorded"]), row["id"], "charge" if row["is_charge"] else row["reference"], row["payer"]))
        reference.place(found, self.zone)
        return found

    def fits(self, store=None, plan=None, period=None, country=None, currency=None):
        def fits(cell):
            code, _, length, _, seller = self.products[cell[0]]
            return (store in (None, seller) and plan in (None, code) and period in (None, length and f"P{length[0]}{length[1][0].upper()}")
                    and country in (None, cell[1]) and currency in (None, cell[2]))
        return fits

    def ask(self, path, **parameters):
        query = urllib.parse.urlencode({
            name: value.upper() if name in ("store", "environment") else value for name, value in parameters.items() if value is not None})
        request = urllib.request.Request(f"{self.demo.url}{path}?{query}", headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer, parse_float=decimal.Decimal)


@pytest.fixture(scope="module")
def stores():
    stores = Stores()
    yield stores
    stores.demo.stop()


def minor(value, currency=CURRENCY):
    return None if value in (None, "") else int(decimal.Decimal(value) * 10 ** reference.digits(currency))


def shown(cells, currency=CURRENCY):
    return [minor(number(cell), currency) for cell in cells]


def stretch(stores, grain):
    """Returns the days of whole periods, the last of them the one that runs."""
    first = reference.period_start(grain, stores.today)
    back = {"day": 20, "week": 7 * 20, "month": 30 * 18}[grain]
    return {"from": reference.period_start(grain, first - datetime.timedelta(days=back)), "to": stores.today, "grain": grain}


def days_of(row):
    return datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])


@pytest.mark.parametrize("filter", FILTERS + [{"environment": "sandbox"}], ids=named)
def test_revenue_of_each_store_is_what_the_ledger_says(stores, filter):
    first, last = stores.today.replace(day=1) - datetime.timedelta(days=800), stores.today
    length = {"period": {"P1M": (1, "month"), "P1Y": (1, "year")}[filter["period"]]} if "period" in filter else {}
    expected, _ = reference.revenue(stores.entries(), first=first, last=last, **(filter | length))
    names = ("gross", "refunds", "upgradeCredits", "net", "proceeds", "refundsOfCharges")
    counts = ("charges", "freeOrders", "refundsMade", "refundedCharges")
    rows = stores.ask("/admin/metrics/revenue", **{"from": first, "to": last}, **filter)["rows"]
    found = {(datetime.date.fromisoformat(row["from"]), None, row["currency"]): {
        name: minor(row[name], row["currency"]) for name in names} | {name: row[name] for name in counts} for row in rows}
    wrong = {key: (found.get(key), expected.get(key)) for key in found.keys() | expected.keys()
             if any(found.get(key, {}).values()) | any(expected.get(key, {}).values()) and found.get(key) != expected.get(key)}
    assert not wrong, f"{len(wrong)} of {len(expected)} differ: {sorted(wrong.items(), key=str)[:2]}"


CASES = [(filter, "month") for filter in FILTERS] + [({}, "week"), ({}, "day"), ({"store": "wechat"}, "week"), ({"plan": "PRO"}, "day")]


@pytest.mark.parametrize("filter, grain", CASES, ids=lambda value: value if isinstance(value, str) else named(value))
def test_recurring_revenue_is_the_same_on_the_page_in_the_file_and_in_the_api(stores, filter, grain):
    fits, asked = stores.fits(**filter), stretch(stores, grain) | filter
    revenue, _ = stores.customers.movements(fits)
    for row in stores.ask("/admin/metrics/mrr", **asked)["rows"]:
        begin, end = days_of(row)
        expected = collections.Counter()
        for (day, kind, currency), amount in revenue.items():
            if begin <= day <= end and currency == row["currency"]:
                expected[kind] += amount
        expected["start"] = stores.customers.at_end(begin - datetime.timedelta(days=1), fits)[0][row["currency"]]
        expected["end"] = stores.customers.at_end(end, fits)[0][row["currency"]]
        assert {name: minor(row[name], row["currency"]) for name in MONEY} == {name: expected[name] for name in MONEY}, row
    currency = filter.get("currency", CURRENCY)
    rows = stores.ask("/admin/metrics/mrr", **asked, **{"in": currency})["rows"]
    file = [row for row in stores.pages.file("/dashboard/subscribers/table.csv", table="mrr", **asked) if row["from"]]
    said = [{name: minor(row[name], currency) for name in MONEY} for row in rows]
    assert [{name: minor(row[column], currency) for name, column in MONEY.items()} for row in file] == said
    assert [minor(row["yearly"], currency) for row in file] == [12 * row["end"] for row in said]
    page = stores.pages.read("/dashboard/subscribers", tables="yes", **asked)
    assert shown([cells[0] for _, cells in table(figure(page, "mrr"))[1]], currency) == [row["end"] for row in said]
    heads, drawn, _ = table(figure(page, "movements"))
    names = ["new", "reactivation", "expansion", "contraction", "churned"] + ["moved"] * (len(heads) == 8)
    assert [shown(cells, currency) for _, cells in drawn] == [
        [row[name] for name in names] + [row["end"] - row["start"]] for row in said]
    assert filter or any(row["end"] for row in said)


@pytest.mark.parametrize("filter, grain", CASES, ids=lambda value: value if isinstance(value, str) else named(value))
def test_subscribers_and_trials_are_the_same_on_the_page_in_the_file_and_in_the_api(stores, filter, grain):
    fits, asked = stores.fits(**filter), stretch(stores, grain) | filter
    _, people = stores.customers.movements(fits)
    rows, expected = stores.ask("/admin/metrics/subscribers", **asked)["rows"], []
    for row in rows:
        begin, end = days_of(row)
        before, moved = begin - datetime.timedelta(days=1), collections.Counter()
        for (day, kind), count in people.items():
            if begin <= day <= end:
                moved[kind] += count
        start, is_over = stores.customers.at_end(before, fits)[1], end < stores.today
        is_whole = (begin, is_over) == (reference.period_start(grain, begin), True)
        lost = stores.customers.lost(before, end, fits) if is_whole else None
        expected.append({
            "start": start, "new": moved["new"], "reactivated": moved["reactivation"], "moved": moved["moved"], "ended": -moved["churned"],
            "end": stores.customers.at_end(min(end, stores.today), fits)[1], "lost": lost,
            "churnRate": share(lost, start) if lost is not None else None})
    assert [{name: row[name] for name in expected[0]} for row in rows] == expected
    file = stores.pages.file("/dashboard/subscribers/table.csv", table="subscribers", **asked)
    assert [[number(row[name]) for name in ("start", "new", "reactivation", "churned", "moved", "end", "lost", "churn_rate")]
            for row in file] == [[row["start"], row["new"], row["reactivated"], -row["ended"], row["moved"], row["end"], row["lost"],
                                  row["churnRate"]] for row in expected]
    page = stores.pages.read("/dashboard/subscribers", tables="yes", **asked)
    assert [number(cells[0]) for _, cells in table(figure(page, "active"))[1]] == [row["end"] for row in expected]
    heads, drawn, _ = table(figure(page, "changes"))
    assert [[number(cell) for cell in cells] for _, cells in drawn] == [
        [row["new"], row["reactivated"], -row["ended"]] + [row["moved"]] * (len(heads) == 6) + [row["end"] - row["start"]]
        for row in expected]
    if any(row["churnRate"] is not None for row in expected):
        assert [number(cells[0]) for _, cells in table(figure(page, "churn"))[1]] == [row["churnRate"] for row in expected]

    names, now = ("trials", "converted", "pending", "abandoned"), datetime.datetime.now(lives.UTC)
    trials = stores.ask("/admin/metrics/trials", **asked)["rows"]
    counts = [stores.customers.trials(*days_of(row), fits, now) for row in trials]
    assert [{name: row[name] for name in names} for row in trials] == [{name: count[name] for name in names} for count in counts]
    file = stores.pages.file("/dashboard/subscribers/table.csv", table="trials", **asked)
    assert [[int(row[name]) for name in names] for row in file] == [[count[name] for name in names] for count in counts]
    if sum(count["trials"] for count in counts):
        assert [number(cells[0]) for _, cells in table(figure(page, "trials"))[1]] == [
            sum(count[name] for count in counts) for name in names]


@pytest.mark.parametrize("filter", [{}, {"store": "wechat"}, {"store": "google"}, {"plan": "PRO"}], ids=named)
@pytest.mark.parametrize("back", [1, 17, 40, 100])
def test_what_was_known_at_the_end_of_a_day_is_the_same_in_the_file_and_in_the_api(stores, filter, back):
    as_of = stores.today.replace(day=1) - datetime.timedelta(days=back)
    customers, fits = stores.read(as_of), stores.fits(**filter)
    asked = {"from": reference.period_start("month", as_of - datetime.timedelta(days=200)), "to": as_of, "grain": "month"} | filter
    for row in stores.ask("/admin/metrics/mrr", **asked, asOf=as_of)["rows"]:
        assert minor(row["end"], row["currency"]) == customers.at_end(days_of(row)[1], fits)[0][row["currency"]], row
    rows = stores.ask("/admin/metrics/subscribers", **asked, asOf=as_of)["rows"]
    assert [row["end"] for row in rows] == [customers.at_end(days_of(row)[1], fits)[1] for row in rows]
    file = stores.pages.file("/dashboard/subscribers/table.csv", table="subscribers", **asked, as_of=as_of)
    assert [(int(row["start"]), int(row["end"])) for row in file] == [(row["start"], row["end"]) for row in rows]


@pytest.mark.parametrize("filter", FILTERS[:7], ids=named)
def test_access_is_the_same_on_the_page_in_the_file_and_in_the_api(stores, filter):
    asked = stretch(stores, "month") | filter
    names = ("gained", "regained", "lost", "raised", "lowered")
    counts = stores.customers.accesses(stores.fits(**filter), datetime.datetime.now(lives.UTC))
    rows = stores.ask("/admin/metrics/access", **asked)["rows"]
    expected = []
    for row in rows:
        begin, end = days_of(row)
        expected.append([sum(count for (day, how), count in counts.items() if how == name and begin <= day <= end) for name in names])
    assert [[row[name] for name in names] for row in rows] == expected
    asked.pop("grain")
    file = stores.pages.file("/dashboard/access/table.csv", **asked)
    assert [[int(row[name]) for name in names] for row in file] == expected
    page = stores.pages.read("/dashboard/access", **asked)
    assert [[number(cell) for cell in cells] for _, cells in table(figure(page, "access-changes"))[1]] == [
        [gained, regained, -lost, gained + regained - lost] for gained, regained, lost, _, _ in expected]
    gained, regained, lost, raised, lowered = map(sum, zip(*expected))
    assert sums_of(page) in ([], [gained, regained, -lost, raised + lowered, gained + regained - lost])


def sums_of(page):
    """Returns the sums over the rows of all pages, as a list says them."""
    found = [element for element in page.iter("table") if element.get("id") == "sums"]
    return [number(text(row.find("td"))) for row in found[0].iter("tr")] if found else []


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"plan": "PREMIUM"}, {"currency": "EUR"}], ids=named)
def test_what_each_subscriber_adds_to_a_month_comes_to_its_recurring_revenue(stores, filter):
    first = reference.period_start("month", stores.today.replace(day=1) - datetime.timedelta(days=300))
    parts = collections.Counter()
    for row in stores.pages.file("/dashboard/exports/monthly-revenue", **{"from": first, "to": stores.today}, **filter):
        parts[row["month"], row["currency"]] += minor(row["mrr"], row["currency"])
    rows = stores.ask("/admin/metrics/mrr", **{"from": first, "to": stores.today}, **filter)["rows"]
    assert parts and {key: amount for key, amount in parts.items() if amount} == {
        (row["from"][:7], row["currency"]): minor(row["end"], row["currency"]) for row in rows if row["end"]}


@pytest.mark.parametrize("day", [1, 12, 25, 40])
def test_what_each_subscriber_added_as_of_a_day_ends_with_that_day(stores, day):
    as_of = stores.today.replace(day=1) - datetime.timedelta(days=day)
    first = reference.period_start("month", as_of - datetime.timedelta(days=100))
    parts = collections.Counter()
    for row in stores.pages.file("/dashboard/exports/monthly-revenue", **{"from": first, "as_of": as_of}):
        parts[row["month"], row["currency"]] += minor(row["mrr"], row["currency"])
    rows = stores.ask("/admin/metrics/mrr", **{"from": first, "to": as_of, "asOf": as_of})["rows"]
    assert parts and {key: amount for key, amount in parts.items() if amount} == {
        (row["from"][:7], row["currency"]): minor(row["end"], row["currency"]) for row in rows if row["end"]}


@pytest.mark.parametrize("filter", [{}, {"store": "wechat"}, {"plan": "PREMIUM"}], ids=named)
def test_the_rows_behind_a_figure_add_up_to_it(stores, filter):
    first = reference.period_start("month", stores.today.replace(day=1) - datetime.timedelta(days=40))
    last = (first.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)
    asked = {"from": first, "to": last, "grain": "month"} | filter
    money = stores.ask("/admin/metrics/mrr", **asked, **{"in": CURRENCY})["rows"][0]
    people = stores.ask("/admin/metrics/subscribers", **asked)["rows"][0]
    trials = stores.ask("/admin/metrics/trials", **asked)["rows"][0]
    expected = {
        "mrr": minor(money["end"]), "movements": minor(money["end"]) - minor(money["start"]), "active": people["end"],
        "changes": people["end"] - people["start"], "lost": people["lost"], **{name: trials[name] for name in
                                                                            ("trials", "converted", "pending", "abandoned")}}
    for metric, value in expected.items():
        page = stores.pages.read("/dashboard/subscribers/rows", metric=metric, **asked)
        sums = sums_of(page)
        said = (minor(sums[0]) if metric in ("mrr", "movements") else int(sums[0])) if sums else 0
        assert said == value, metric
    for movement in ("new", "reactivation", "expansion", "contraction", "churned", "moved"):
        sums = sums_of(stores.pages.read("/dashboard/subscribers/rows", metric="movements", movement=movement, **asked))
        assert (minor(sums[0]) if sums else 0) == minor(money[movement]), movement


def test_the_overview_says_what_the_pages_and_the_api_say(stores):
    now = datetime.datetime.now(lives.UTC)
    plans, trials, expired = stores.customers.holders(now)
    answer = stores.ask("/admin/subscriptions/stats/overview")
    assert (answer["trialUsers"], answer["expiredUsers"], answer["activeSubscribers"]) == (trials, expired, stores.customers.payers(now))
    held = {plan["plan"]: plan["users"] for plan in answer["plans"] if plan["plan"] in plans}
    assert held == {code: count for code, count in plans.items() if code in held} and sum(held.values()) == sum(plans.values())
    page = stores.pages.read("/dashboard")
    cards = {}
    for card in page.iter("a"):
        if card.get("class") == "card":
            parts = {part.get("class"): text(part) for part in card.iter("span") if part.get("class")}
            cards[parts["label"]] = parts["value"].replace(CURRENCY, "").strip()
    rows = stores.ask("/admin/metrics/mrr", **{"in": CURRENCY, "from": stores.today, "to": stores.today, "grain": "day"})["rows"]
    assert minor(number(cards["Monthly recurring revenue"])) == minor(rows[0]["end"])
    assert number(cards["Subscribers"]) == answer["activeSubscribers"]
    assert number(next(value for name, value in cards.items() if "rial" in name)) == trials
    drawn = {name: number(cells[0]) for name, cells in table(figure(page, "holders"))[1]}
    assert sum(drawn.values()) == answer["totalUsers"] and all(drawn[plan] == count for plan, count in held.items())
    gross = stores.ask("/admin/metrics/revenue", **{
        "in": CURRENCY, "by": "plan", "from": reference.period_start("month", stores.today.replace(day=1) - datetime.timedelta(days=330)),
        "to": stores.today})["rows"]
    sums = collections.Counter()
    for row in gross:
        sums[row["part"]] += minor(row["gross"])
    drawn = {name: minor(number(cells[0])) for name, cells in table(figure(page, "plans"))[1]}
    assert drawn.keys() == {plan for plan, sum in sums.items() if sum}
    assert all(abs(drawn[plan] - sums[plan]) <= 12 for plan in drawn)


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"plan": "PRO"}], ids=named)
def test_predicted_lifetime_value_is_recurring_revenue_of_a_subscriber_by_the_share_that_was_lost(stores, filter):
    month = (stores.today.replace(day=1) - datetime.timedelta(days=1)).replace(day=1)
    last = stores.today.replace(day=1) - datetime.timedelta(days=1)
    before = month - datetime.timedelta(days=1)
    predicted = stores.ask("/admin/metrics/ltv", **filter)["predicted"]
    assert (predicted["from"], predicted["to"]) == (str(month), str(last))
    for length in predicted["lengths"]:
        fits = stores.fits(period=length["period"], **filter)
        start, count = stores.customers.at_end(before, fits)[1], stores.customers.at_end(last, fits)[1]
        lost = stores.customers.lost(before, last, fits)
        rows = stores.ask("/admin/metrics/mrr", **{"in": CURRENCY, "from": month, "to": last, "period": length["period"]}, **filter)["rows"]
        assert length["subscribers"] == count
        assert length["churnRate"] == share(lost, start)
        each = decimal.Decimal(minor(rows[-1]["end"])) / count if count else None
        assert minor(length["arpa"]) == (None if each is None else reference.rounded(each))
        assert minor(length["value"]) == (reference.rounded(each * start / lost) if each is not None and lost else None)
    said = text(figure(stores.pages.read("/dashboard/cohorts", **filter), "ltv-payers"))
    if predicted["value"] is not None:
        assert f"{decimal.Decimal(predicted['value']):,.2f}" in said


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"plan": "PRO"}, {"period": "P1Y"}], ids=named)
def test_retention_is_the_same_on_the_page_in_the_file_and_in_the_api(stores, filter):
    rows = stores.ask("/admin/metrics/retention", **filter)["rows"]
    expected = [[row["from"], row["subscriptions"], place + 1, period["eligible"], period["paid"], period["share"], period["isPartial"]]
                for row in rows for place, period in enumerate(row["periods"])]
    file = stores.pages.file("/dashboard/cohorts/table.csv", table="retention", **filter)
    assert [[row["cohort_from"], int(row["subscriptions"]), int(row["period"]), int(row["eligible"]), int(row["paid"]),
             number(row["share_percent"]), row["is_partial"] == "yes"] for row in file] == expected
    page = stores.pages.read("/dashboard/cohorts", **filter)
    own = [row for row in rows if row["subscriptions"]]
    if not own:
        return
    drawn = [(int(number(cells[0])), [int(re.search(r"%([\d,]+)", cell)[1]) for cell in cells[1:] if "%" in cell])
             for _, cells in table(figure(page, "retention"))[1]]
    assert drawn == [(row["subscriptions"], [period["paid"] for period in row["periods"] if period["eligible"]][:24]) for row in own]


def test_what_was_used_is_the_same_in_the_file_and_in_the_api(stores):
    asked = {"grain": "day", "from": stores.today - datetime.timedelta(days=20), "to": stores.today}
    rows = stores.ask("/admin/metrics/usage", **asked)["rows"]
    file = stores.pages.file("/dashboard/usage/table.csv", **asked)
    assert [(row["from"], row["feature"], int(row["units"]), int(row["offline"])) for row in file] == [
        (row["from"], row["feature"], row["units"], row["offline"]) for row in rows]
    kept = {(row["day"], row["code"]): row["units"] for row in stores.rows(f"""
        SELECT d.day::text, f.code, sum(d.used + d.offline)::int AS units
        FROM usage_days d JOIN features f ON f.id = d.feature_id
        WHERE d.day BETWEEN '{asked['from']}' AND '{asked['to']}'
        GROUP BY 1, 2""")}
    assert {(row["from"], row["feature"]): row["units"] for row in rows if row["units"]} == {key: units for key, units in kept.items() if units}


def test_the_rollups_of_four_stores_equal_the_events(stores):
    assert "the rollups equal the ledger" in stores.demo.run("rollups", "verify")


def test_a_rate_that_moved_since_yesterday_is_no_change_of_recurring_revenue(stores):
    yesterday = stores.today - datetime.timedelta(days=1)
    for day in (yesterday, stores.today):
        stores.demo.sql(f"""
            INSERT INTO exchange_rates (currency, day, per_euro)
            SELECT DISTINCT ON (currency) currency, '{day}', per_euro FROM exchange_rates WHERE day <= '{day}' ORDER BY currency, day DESC
            ON CONFLICT DO NOTHING""")
    try:
        stores.demo.sql(f"UPDATE exchange_rates SET per_euro = per_euro * 3 WHERE day = '{yesterday}' AND currency <> '{CURRENCY}'")
        row = stores.ask("/admin/metrics/mrr", **{"in": CURRENCY, "from": stores.today, "to": stores.today, "grain": "day"})["rows"][0]
        card = next(text(card) for card in stores.pages.read("/dashboard").iter("a")
                    if card.get("class") == "card" and text(card).startswith("Monthly recurring revenue"))
        changed = re.search(r"([\d.,]+)%", card)
        assert float(number(changed[1]) if changed else 0) == pytest.approx(
            abs(100 * (minor(row["end"]) / minor(row["start"]) - 1)), abs=0.06), card
    finally:
        stores.demo.sql(f"UPDATE exchange_rates SET per_euro = per_euro / 3 WHERE day = '{yesterday}' AND currency <> '{CURRENCY}'")
