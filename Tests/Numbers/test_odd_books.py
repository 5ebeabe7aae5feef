"""Every figure of revenue and of cohorts, on its page, in its file and in the API, is what a slow reading of an odd ledger says."""

import datetime
import decimal
import re
import zoneinfo

import pytest
from books import PASSWORD, Books, import_rates
from cohorts import DAYS, Cohorts, per, share
from odd import ODD_APPS, OddHistory
from desk_pages import Pages, amounts, figure, hints, number, table, text

import ledger
import reference

FIRST, LAST = datetime.date(2024, 1, 20), datetime.date(2025, 7, 10)
SPANS = {"month": (FIRST, LAST), "week": (datetime.date(2024, 11, 20), datetime.date(2025, 3, 5)),
         "day": (datetime.date(2024, 2, 20), datetime.date(2024, 3, 12))}
FILTERS = [{}, {"store": "apple"}, {"store": "alipay"}, {"plan": "PREMIUM"}, {"product": "pro.yearly"}, {"period": (1, "year")},
           {"country": "JPN"}, {"country": ""}, {"currency": "KWD"}, {"currency": "JPY"}, {"currency": "TRY", "plan": "PRO"},
           {"environment": "sandbox"}]
# Names of columns in the API and in files; counts are in no currency.
AMOUNTS = {"gross": "gross", "refunds": "refunds", "upgradeCredits": "upgrade_credits", "net": "net", "proceeds": "proceeds_estimate",
           "refundsOfCharges": "refunds_of_charges"}
COUNTS = {"charges": "charges", "freeOrders": "free_orders", "refundsMade": "refunds_made", "refundedCharges": "refunded_charges"}


def named(value):
    return "-".join(str(part) for part in value.values()) or "everything"


@pytest.fixture(scope="module")
def odd():
    odd = Books(OddHistory(), ODD_APPS)
    odd.pages = Pages(odd.installation, "ana@demo.test", PASSWORD)
    yield odd
    odd.stop()


@pytest.fixture(scope="module")
def rates(odd, tmp_path_factory):
    """Imports rates of most days: none at weekends, and of some currencies none for a month or more."""
    lacking = {"TRY": ("2024-02-01", "2024-03-05"), "KWD": ("2024-02-20", "2024-04-20"), "JPY": ("2023-12-01", "2024-02-12"),
               "USD": ("2025-01-01", "2025-03-20")}
    return import_rates(
        odd, tmp_path_factory, datetime.date(2023, 12, 1), lambda day: day.weekday() >= 5,
        lambda code, day: code in lacking and lacking[code][0] <= str(day) < lacking[code][1])


def periods(grain, first, last):
    """Returns the first and the last day of each period; the first and the last period are cut."""
    days, found = [first + datetime.timedelta(days=number) for number in range((last - first).days + 1)], {}
    for day in days:
        found.setdefault(reference.period_start(grain, day), []).append(day)
    return [(own[0], own[-1]) for own in found.values()]


def in_api(filter):
    """Returns the parameters of a filter for the API."""
    period = filter.get("period")
    return filter | ({"period": f"P{period[0]}{period[1][0].upper()}"} if period else {})


def on_pages(filter):
    """Returns the parameters of a filter for pages and files."""
    own = {"country": "-"} if filter.get("country") == "" else {"environment": "SANDBOX"} if "environment" in filter else {}
    return in_api(filter) | own


def whole(value, currency):
    return None if value is None or value == "" else int(decimal.Decimal(value) * 10 ** reference.digits(currency))


class Question:
    """Revenue as a page asks for it, and the answer of the slow reading."""

    def __init__(self, odd, rates, app, filter, grain="month", by=None):
        self.app, self.filter, self.grain, self.by, self.span = app, filter, grain, by, SPANS[grain]
        self.reporting = None if "currency" in filter else ODD_APPS[app][1]
        self.currency = filter.get("currency", self.reporting)
        with decimal.localcontext(prec=60):
            first, last = self.span
            self.rows, self.missing = reference.revenue(
                odd.entries[app], grain=grain, first=first, last=last, by=by, reporting=self.reporting, rates=rates, **filter)
            sums, _ = reference.revenue(
                odd.entries[app], grain=None, first=first, last=last, by=by, reporting=self.reporting, rates=rates, **filter)
        self.sums = {part: row for (_, part, _), row in sums.items()}
        nothing = dict.fromkeys([*AMOUNTS, *COUNTS], 0)
        self.nothing = nothing
        self.total = self.sums.get(None, nothing)

    def at(self, period, part=None):
        return self.rows.get((period[0], part, self.currency), self.nothing)

    @property
    def periods(self):
        return periods(self.grain, *self.span)

    @property
    def stretch(self):
        return {"from": self.span[0], "to": self.span[1], "grain": self.grain}


def rows_of(answer, names, question, part):
    """Returns the rows of an answer or a file that are not empty, as the slow reading has them."""
    found = {}
    for row in answer:
        assert row["currency"] == question.currency
        own = None if question.by is None else row[part].lower() if question.by == "store" else row[part]
        key = datetime.date.fromisoformat(row["from"]), own, row["currency"]
        found[key] = {name: whole(row[column], question.currency) for name, column in names[0].items()} | {
            name: int(row[column]) for name, column in names[1].items()}
    return {key: row for key, row in found.items() if any(row.values())}


def expect(question, rows):
    expected = {key: row for key, row in question.rows.items() if any(row.values())}
    wrong = {key: (rows.get(key), expected.get(key)) for key in rows.keys() | expected.keys() if rows.get(key) != expected.get(key)}
    assert not wrong, f"{len(wrong)} of {len(expected)} differ: {sorted(wrong.items(), key=str)[:2]}"


def api_and_file(odd, question):
    """Asks the API and a file, and asserts that both say what the slow reading does; returns the API's answer."""
    odd.pages.choose(question.app)
    same = {name: name for name in AMOUNTS}, {name: name for name in COUNTS}
    answer = odd.ask(question.app, "/admin/metrics/revenue", **question.stretch, **in_api(question.filter), by=question.by,
                     **{"in": question.reporting})
    expect(question, rows_of(answer["rows"], same, question, "part"))
    assert question.missing.are(answer["missingRates"])
    rows = odd.pages.file("/dashboard/revenue/table.csv", **question.stretch, **on_pages(question.filter), by=question.by,
                          table="parts" if question.by else None)
    expect(question, rows_of([row for row in rows if row["from"]], (AMOUNTS, COUNTS), question, "part"))
    return answer


def page_of(odd, question, **parameters):
    odd.pages.choose(question.app)
    return odd.pages.read("/dashboard/revenue", **question.stretch, **on_pages(question.filter), tables="yes", **parameters)


def shown(cells, currency):
    return [whole(number(cell), currency) for cell in cells]


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("app", ODD_APPS)
def test_revenue_is_the_same_on_the_page_in_the_file_and_in_the_api(odd, rates, app, filter):
    question = Question(odd, rates, app, filter)
    api_and_file(odd, question)
    if not any(question.total.values()):
        return
    page = page_of(odd, question)
    _, rows, totals = table(figure(page, "revenue"))
    assert shown([cells[0] for _, cells in rows], question.currency) == [question.at(period)["net"] for period in question.periods]
    assert shown([totals[-1][1][0]], question.currency) == [question.total["net"]]
    for id, metric, part, all in (("refunds-made", "refunds", "refunds", "gross"),
                                  ("refunds-of-charges", "refundsOfCharges", "refundedCharges", "charges")):
        _, rows, totals = table(figure(page, id))
        assert shown([cells[0] for _, cells in rows], question.currency) == [question.at(period)[metric] for period in question.periods], id
        assert shown([totals[-1][1][0]], question.currency) == [question.total[metric]]
        said = re.search(r"(−?[\d,.]+)% in this period", text(figure(page, id)))
        if question.total[all]:
            assert float(number(said[1])) == pytest.approx(100 * question.total[part] / question.total[all], abs=0.02), id
        else:
            assert said is None


@pytest.mark.parametrize("grain", ["week", "day"])
@pytest.mark.parametrize("metric", ["gross", "refunds", "proceeds"])
@pytest.mark.parametrize("app", ODD_APPS)
def test_each_metric_by_week_and_by_day_is_the_same_everywhere(odd, rates, app, metric, grain):
    question = Question(odd, rates, app, {}, grain)
    api_and_file(odd, question)
    _, rows, totals = table(figure(page_of(odd, question, show=metric), "revenue"))
    assert shown([cells[0] for _, cells in rows], question.currency) == [question.at(period)[metric] for period in question.periods]
    assert shown([totals[-1][1][0]], question.currency) == [question.total[metric]]


@pytest.mark.parametrize("by", ["product", "plan", "store", "country"])
@pytest.mark.parametrize("app", ODD_APPS)
def test_the_parts_of_a_division_are_the_same_everywhere(odd, rates, app, by):
    question = Question(odd, rates, app, {}, by=by)
    api_and_file(odd, question)
    heads, rows, totals = table(figure(page_of(odd, question, by=by), "divided"))
    sums = shown(totals[-1][1], question.currency)
    with decimal.localcontext(prec=60):
        undivided = Question(odd, rates, app, {})
    assert sums[-1] == undivided.total["net"]
    assert shown([cells[-1] for _, cells in rows], question.currency) == [undivided.at(period)["net"] for period in question.periods]
    columns = {(total, *shown([cells[place] for _, cells in rows], question.currency)) for place, total in enumerate(sums[:-1])
               if heads[place + 1] != "Other"}
    expected = {(question.sums[part]["net"], *(question.at(period, part)["net"] for period in question.periods))
                for part in question.sums}
    assert columns <= expected and len(columns) >= min(len(expected), 5)


def left_out(odd, rates, question):
    """Returns the charges less refunds and credits of which a rate is missing, by their currency; without sums of nothing."""
    sums = {}
    for entry in odd.entries[question.app]:
        order = entry.order
        store = order.product[1]
        fits = (question.filter.get("store", store), question.filter.get("country", order.country)) == (store, order.country)
        if fits and order.environment == "production" and question.span[0] <= entry.day <= question.span[1] and entry.amount \
                and rates.factor(order.currency, question.reporting, entry.day) is None:
            sums[order.currency] = sums.get(order.currency, 0) + entry.amount
    return {code: decimal.Decimal(amount).scaleb(-reference.digits(code)) for code, amount in sums.items() if amount}


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"country": "TUR"}], ids=named)
@pytest.mark.parametrize("app", ODD_APPS)
def test_what_lacks_a_rate_is_named_by_how_much_it_is(odd, rates, app, filter):
    question = Question(odd, rates, app, filter)
    expected = left_out(odd, rates, question)
    answer = api_and_file(odd, question)
    assert {money["currency"]: money["amount"] for money in answer["unconverted"] if money["amount"]} == expected
    said = [hint for hint in hints(page_of(odd, question)) if "Left out for want" in hint]
    assert {code: amount for code, amount in amounts(" ".join(said)).items() if amount} == expected
    file = odd.pages.file("/dashboard/revenue/table.csv", **question.stretch, **on_pages(filter))
    assert {row["currency"]: number(row["without_rate"]) for row in file if row["without_rate"] and number(row["without_rate"])} == expected
    assert filter or expected


@pytest.mark.parametrize("app", ODD_APPS)
def test_the_page_counts_no_order_without_an_amount_of_other_days(odd, app):
    odd.pages.choose(app)
    waiting = odd.installation.sql(f"""
        WITH one AS (SELECT * FROM orders WHERE app_id = '{ledger.key(app)}' AND environment = 'production' ORDER BY number LIMIT 1)
        INSERT INTO orders (id, app_id, customer_id, product_id, number, kind, status, store, environment, transaction_id,
            original_transaction_id, product_name, plan_code, storefront, purchased_at, period_starts_at, created_at, updated_at)
        SELECT gen_random_uuid(), app_id, customer_id, product_id, 'ORD-20230101-' || lpad(place::text, 7, '9'), kind, 'pending', store,
            environment, 'w' || place || number, 'w' || place, product_name, plan_code, storefront, moment, moment, moment, moment
        FROM one, unnest(ARRAY['2023-12-15 12:00Z', '2024-05-05 12:00Z', '2024-05-06 12:00Z']::timestamptz[])
            WITH ORDINALITY waiting (moment, place)
        RETURNING id""")
    try:
        days = {"from": "2024-05-01", "to": "2024-09-30"}
        assert odd.ask(app, "/admin/metrics/revenue", **days)["ordersWithoutAmount"] == 2
        assert [row["orders_without_amount"] for row in odd.pages.file("/dashboard/revenue/table.csv", **days) if not row["from"]][-1] == "2"
        for days, said in ((days, "Left out: 2 orders"), ({"from": "2023-12-01", "to": "2023-12-31"}, "Left out: 1 order "),
                           ({"from": "2024-04-01", "to": "2024-08-31"}, "Left out: 2 orders")):
            assert any(said in hint for hint in hints(odd.pages.read("/dashboard/revenue", **days))), days
    finally:
        odd.installation.sql(f"DELETE FROM orders WHERE id IN ({', '.join(map(ledger.quoted, waiting))})")


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"plan": "PREMIUM"}, {"country": "TUR"}, {"period": (1, "month")}], ids=named)
@pytest.mark.parametrize("app", ODD_APPS)
def test_the_ledger_adds_up_to_the_figures_by_currency_and_its_file_too(odd, rates, app, filter):
    odd.pages.choose(app)
    first, last = SPANS["month"]
    expected, _ = reference.revenue(odd.entries[app], grain=None, first=first, last=last, **filter)
    expected = {code: row for (_, _, code), row in expected.items() if any(row.values())}
    page = odd.pages.read("/dashboard/ledger", **{"from": first, "to": last}, **on_pages(filter))
    sums = next(found for found in page.iter("table") if found.get("id") == "sums")
    found = {}
    names = ("gross", "refunds", "upgradeCredits", "net", "proceeds")
    for row in sums.find("tbody").iter("tr"):
        found[text(row.find("th"))] = [text(cell) for cell in row.findall("td")]
    own = {code: dict(zip(names, shown(cells, code))) for code, cells in found.items() if len(code) == 3}
    assert own == {code: {name: row[name] for name in names} for code, row in expected.items()}
    question = Question(odd, rates, app, filter)
    converted = [cells for name, cells in found.items() if len(name) != 3]
    if converted:
        assert dict(zip(names, shown(converted[0], question.currency))) == {name: question.total[name] for name in names}
    gross, net, exact = {}, {}, decimal.Decimal(0)
    for row in odd.pages.file("/dashboard/exports/ledger", **{"from": first, "to": last}, **on_pages(filter)):
        code, amount = row["currency"], whole(row["amount"], row["currency"])
        net[code] = net.get(code, 0) + amount
        exact += decimal.Decimal(row["converted_amount"] or 0)
        if row["kind"] in ("initial_purchase", "renewal", "upgrade", "downgrade"):
            gross[code] = gross.get(code, 0) + amount
    assert net == {code: row["net"] for code, row in expected.items()}
    assert reference.rounded(exact.scaleb(reference.digits(question.currency))) == question.total["net"]
    assert {code: amount for code, amount in gross.items() if amount} == {code: row["gross"] for code, row in expected.items() if row["gross"]}


@pytest.mark.parametrize("app", ODD_APPS)
def test_the_overview_and_the_statistics_say_what_the_ledger_says(odd, rates, app):
    odd.pages.choose(app)
    zone, currency = ODD_APPS[app]
    today = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
    with decimal.localcontext(prec=60):
        total, _ = reference.revenue(odd.entries[app], grain=None, first=datetime.date(2000, 1, 1), last=today, reporting=currency, rates=rates)
        days, _ = reference.revenue(odd.entries[app], grain="day", first=today, last=today, reporting=currency, rates=rates)
    total = next(iter(total.values()))
    now = days.get((today, None, currency), dict.fromkeys(total, 0))
    answer = odd.ask(app, "/admin/orders/stats")
    page = odd.pages.read("/dashboard")
    cards = {text(next(part for part in card.iter("span") if part.get("class") == "label")): {
        part.get("class"): text(part) for part in card.iter("span") if part.get("class")} for card in page.iter("a") if card.get("class") == "card"}

    def value(name):
        return number(cards[name]["value"].replace(currency, "").strip())

    assert answer["totalOrders"] == total["charges"] + total["freeOrders"]
    assert answer["todayOrders"] == value("Orders today") == now["charges"] + now["freeOrders"]
    assert whole(answer["todayRevenue"], currency) == whole(value("Revenue today"), currency) == now["gross"]
    assert whole(answer["totalRevenue"], currency) == whole(value("Total revenue"), currency) == total["gross"]
    assert whole(answer["totalRefunded"], currency) == whole(amounts(cards["Total revenue"]["delta"])[currency], currency) == total["refunds"]
    assert answer["refundRate"] == value("Refund rate")
    assert float(answer["refundRate"]) == pytest.approx(100 * total["refunds"] / total["gross"], abs=0.011)
    trend = odd.ask(app, "/admin/support/stats")["revenueTrends"]
    months = [f"{year}-{month:02}" for year, month in (divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(12))
              for month in [month + 1]]
    assert [month["date"] for month in trend] == months


@pytest.mark.parametrize("filter", [{}, {"store": "apple"}, {"plan": "PREMIUM"}, {"currency": "KWD"}], ids=named)
@pytest.mark.parametrize("app", ODD_APPS)
def test_cohorts_are_the_same_on_the_page_in_the_file_and_in_the_api(odd, rates, app, filter):
    odd.pages.choose(app)
    known = Cohorts(odd.entries[app], odd.history.firsts, odd.history.free[app], ODD_APPS[app][0])
    currency = filter.get("currency", ODD_APPS[app][1])
    stretch = {"from": FIRST, "to": LAST} | filter
    asked = stretch | {"in": currency}

    def fits(order):
        plan, store = order.product[:2]
        return (filter.get("store", store), filter.get("plan", plan), filter.get("currency", order.currency)) == (store, plan, order.currency)

    page = odd.pages.read("/dashboard/cohorts", **stretch)
    rows = odd.ask(app, "/admin/metrics/conversion", **stretch)["rows"]
    months = [datetime.date.fromisoformat(row["from"]) for row in rows]
    paid = {month: known.conversions(month, fits) for month in months}
    expected = [[(known.customers(month), paid[month][days], share(paid[month][days], known.customers(month))) for days in DAYS]
                for month in months]
    assert [[(row["customers"], step["paid"], step["share"]) for step in row["steps"]] for row in rows] == expected
    file = odd.pages.file("/dashboard/cohorts/table.csv", table="conversion", **stretch)
    assert [(int(row["customers"]), int(row["paid"]), number(row["share_percent"])) for row in file] == [
        step for row in expected for step in row]
    heat = table(figure(page, "conversion"))[1]
    assert [(int(number(cells[0])), [int(re.search(r"%([\d,]*)$", cell)[1] or 0) for cell in cells[1:]]) for _, cells in heat] == [
        (row[0][0], [step[1] for step in row]) for row in expected if row[0][0]]
    for (_, cells), steps in zip(heat, [row for row in expected if row[0][0]]):
        for cell, (_, _, rate) in zip(cells[1:], steps):
            assert float(re.match(r"[\d.]+", cell)[0]) == pytest.approx(float(rate), abs=0.051)

    with decimal.localcontext(prec=60):
        value = []
        for month in months:
            last = (month.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)
            net, _ = known.net(lambda entry: month <= entry.day <= last, fits, currency, rates)
            customers, payers = known.seen_by(last), known.payers(month, fits)
            value.append((reference.rounded(net), customers, payers, per(net, customers), per(net, payers)))
        lifetime = []
        for month in months:
            net, _ = known.net(lambda entry: known.seen[entry.order.customer].replace(day=1) == month, fits, currency, rates)
            customers, payers = known.customers(month), paid[month][None]
            lifetime.append((reference.rounded(net), customers, payers, per(net, customers), per(net, payers)))
    for path, table_name, ids, expected, columns, names in (
            ("arpu", "arpu", ("arpu", "arppu"), value, ("net", "customers", "payers", "arpu", "arppu"),
             ("net", "customers", "payers", "arpu", "arppu")),
            ("ltv", "ltv", ("ltv", "ltv-payers"), lifetime, ("net", "customers", "payers", "perCustomer", "perPayer"),
             ("net", "customers", "payers", "per_customer", "per_payer"))):
        def read(row, names):
            return tuple(int(row[name]) if name in ("customers", "payers") else whole(row[name], currency) for name in names)

        answer = odd.ask(app, f"/admin/metrics/{path}", **asked)
        assert [read(row, columns) for row in answer["rows"]] == expected, path
        file = odd.pages.file("/dashboard/cohorts/table.csv", table=table_name, **stretch)
        assert [read(row, names) for row in file if row["customers"]] == expected, path
        assert [(row["currency"], number(row["without_rate"])) for row in file if row["without_rate"]] == [
            (money["currency"], money["amount"]) for money in answer["unconverted"]]
        for place, id in zip((3, 4), ids):
            _, drawn, _ = table(figure(page, id))
            assert shown([cells[0] for _, cells in drawn], currency) == [row[place] for row in expected], id


def test_the_rollups_of_odd_books_equal_the_ledger(odd):
    assert "the rollups equal the ledger" in odd.installation.do("rollups", "verify", timeout=300, **odd.url)


@pytest.mark.parametrize("as_of", ["2024-02-29", "2024-02-28"])
@pytest.mark.parametrize("app", ODD_APPS)
def test_as_of_its_own_last_day_a_month_is_finished_and_before_it_is_not(odd, rates, app, as_of):
    odd.pages.choose(app)
    currency = ODD_APPS[app][1]
    is_open = as_of == "2024-02-28"
    first, last = datetime.date(2024, 1, 1), datetime.date(2024, 2, 29)
    with decimal.localcontext(prec=60):
        expected, _ = reference.revenue(
            odd.entries[app], first=first, last=last, reporting=currency, rates=rates, as_of=datetime.date.fromisoformat(as_of))
    rows = odd.ask(app, "/admin/metrics/revenue", **{"from": first, "in": currency, "asOf": as_of})["rows"]
    assert [(row["to"], row["isPartial"], whole(row["net"], currency)) for row in rows] == [
        ("2024-01-31", False, expected[first, None, currency]["net"]),
        ("2024-02-29", is_open, expected[last.replace(day=1), None, currency]["net"])]
    stretch = {"from": first, "as_of": as_of}
    file = odd.pages.file("/dashboard/revenue/table.csv", **stretch)
    assert [row["is_partial"] for row in file if row["from"]] == ["no", "yes" if is_open else "no"]
    for path, id in (("revenue", "revenue"), ("subscribers", "active"), ("cohorts", "arpu")):
        drawn = figure(odd.pages.read(f"/dashboard/{path}", tables="yes", **stretch), id)
        assert [text(tag) for tag in drawn.iter("span") if tag.get("class") == "tag"] == ["in progress"] * is_open, path
    for path in ("mrr", "subscribers", "trials", "access", "arpu"):
        rows = odd.ask(app, f"/admin/metrics/{path}", **{"from": first, "asOf": as_of})["rows"]
        assert [row["isPartial"] for row in rows][-1:] in ([], [is_open]), path
    for name, table_name in (("subscribers", "subscribers"), ("subscribers", "trials"), ("cohorts", "arpu")):
        file = odd.pages.file(f"/dashboard/{name}/table.csv", table=table_name, **stretch)
        assert [row["is_partial"] for row in file if row["is_partial"]][-1] == ("yes" if is_open else "no"), table_name


def test_more_months_of_cohorts_than_a_page_shows_are_all_in_the_file_and_the_page_says_so(odd):
    odd.pages.choose("new-york")
    stretch = {"from": "2022-01-01", "to": "2025-06-30"}
    rows = odd.ask("new-york", "/admin/metrics/conversion", **stretch)["rows"]
    file = odd.pages.file("/dashboard/cohorts/table.csv", table="conversion", **stretch)
    assert len(rows) == 42 and [row["cohort_from"] for row in file][::len(DAYS)] == [row["from"] for row in rows]
    page = odd.pages.read("/dashboard/cohorts", **stretch)
    assert any("42 months are more than one chart can show" in hint for hint in hints(page))
