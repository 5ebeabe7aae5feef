"""Each metric of revenue equals a slow computation straight from the ledger, for every filter and in three time zones."""

import datetime
import decimal
import itertools
import json
import re
import urllib.error
import zoneinfo

import pytest
from history import APPS, CURRENCIES, PRODUCTS

import reference


def compare(books, days, app, **question):
    """Sends the same query to the product and the reference, and asserts that they agree; returns the expected rows."""
    first, last = question.pop("stretch", days)
    rates = question.pop("rates", None)
    expected, missing = reference.revenue(books.entries[app], first=first, last=last, rates=rates, **question)
    period = question.get("period")
    answer = books.ask(
        app, "/admin/metrics/revenue", grain=question.get("grain", "month"), **{"from": first, "to": last},
        by=question.get("by"), **{"in": question.get("reporting")}, environment=question.get("environment"),
        store=question.get("store"), plan=question.get("plan"), product=question.get("product"),
        period=period and f"P{period[0]}{period[1][0].upper()}", country=question.get("country"),
        currency=question.get("currency"), asOf=question.get("as_of"))
    found = {}
    for row in answer["rows"]:
        scale = decimal.Decimal(10) ** reference.digits(row["currency"])
        money = {name: int(row[name] * scale) for name in
                 ("gross", "refunds", "upgradeCredits", "net", "proceeds", "refundsOfCharges")}
        counts = {name: row[name] for name in ("charges", "freeOrders", "refundsMade", "refundedCharges")}
        # A store is spelt as the filter takes it.
        assert question.get("by") != "store" or row["part"].isupper()
        part = row["part"].lower() if question.get("by") == "store" else row["part"]
        found[datetime.date.fromisoformat(row["from"]), part, row["currency"]] = money | counts
    nothing = dict.fromkeys(next(iter(found.values()), {}), 0)
    wrong = {key: (found.get(key), expected.get(key)) for key in found.keys() | expected.keys()
             if found.get(key, nothing) != expected.get(key, nothing)}
    assert not wrong, f"{len(wrong)} of {len(expected)} differ: {sorted(wrong.items(), key=str)[:2]}"
    assert missing.are(answer["missingRates"]), (answer["missingRates"], missing)
    assert answer["timeZone"] == APPS[app][0]
    return expected


@pytest.mark.parametrize("grain", ["day", "week", "month"])
@pytest.mark.parametrize("app", APPS)
def test_revenue_by_day_week_and_month_equals_the_ledger(books, days, app, grain):
    rows = compare(books, days, app, grain=grain)
    assert len(rows) > 24 and any(row["net"] < row["gross"] for row in rows.values())


@pytest.mark.parametrize("by", ["product", "plan", "store", "country"])
@pytest.mark.parametrize("app", APPS)
def test_revenue_divided_equals_the_ledger(books, days, app, by):
    assert len({part for _, part, _ in compare(books, days, app, by=by)}) > 1


FILTERS = (
    [{"store": store} for store in ("apple", "google", "wechat", "alipay")]
    + [{"plan": plan} for plan in ("PRO", "PREMIUM", "FREE")]
    + [{"product": product[2]} for product in PRODUCTS]
    + [{"period": period} for period in ((1, "week"), (1, "month"), (1, "year"))]
    + [{"country": country} for country in ("CHN", "USA", "DEU", "")]
    + [{"currency": currency} for currency in (*CURRENCIES, "SEK")]
    + [{"environment": "sandbox"}, {"plan": "PRO", "currency": "USD", "country": "CAN"}]
)
# One value of each filter, of which every two have rows in common.
ONE_OF_EACH = {"store": "apple", "plan": "PRO", "product": "pro.monthly", "period": (1, "month"), "country": "TUR", "currency": "TRY"}
PAIRS = [dict(pair) for pair in itertools.combinations(ONE_OF_EACH.items(), 2)] + [
    {"store": "google", "currency": "KWD"}, {"store": "wechat", "currency": "USD"}, {"plan": "PREMIUM", "period": (1, "week")},
    {"country": "", "currency": "USD"}, {"plan": "PREMIUM", "environment": "sandbox"}, {"currency": "EUR", "environment": "sandbox"}]


@pytest.mark.parametrize("filter", FILTERS, ids=lambda filter: "-".join(str(value) for value in filter.values()))
@pytest.mark.parametrize("app", APPS)
def test_a_filtered_figure_equals_the_ledger(books, days, app, filter):
    compare(books, days, app, **filter)


@pytest.mark.parametrize("filter", PAIRS, ids=lambda filter: "-".join(str(value) for value in filter.values()))
@pytest.mark.parametrize("app", APPS)
def test_a_figure_with_two_filters_equals_the_ledger_also_converted_and_by_the_week(books, days, rates, app, filter):
    rows = compare(books, days, app, **filter)
    with decimal.localcontext(prec=60):
        compare(books, days, app, grain="week", reporting=APPS[app][1], rates=rates, **filter)
    assert rows or not (filter.items() <= ONE_OF_EACH.items() or "KWD" in filter.values())


@pytest.mark.parametrize("app", APPS)
def test_every_currency_is_charged_and_the_filters_by_each_are_all_of_it(books, days, app):
    everything = compare(books, days, app)
    assert {currency for _, _, currency in everything} == set(CURRENCIES)
    by_currency = [compare(books, days, app, currency=currency) for currency in CURRENCIES]
    assert all(len({currency for _, _, currency in rows}) == 1 for rows in by_currency)
    assert {key: row for rows in by_currency for key, row in rows.items()} == everything


AS_OF = ["2024-12-31", "2025-06-01", "2025-06-02", "2025-11-17", "2026-02-28", "2026-09-29"]


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("as_of", AS_OF)
def test_the_numbers_as_of_a_day_are_those_that_were_known_at_its_end(books, days, app, as_of):
    as_of = datetime.date.fromisoformat(as_of)
    rows = compare(books, days, app, as_of=as_of)
    # Later recordings change the reported figures.
    now = compare(books, days, app)
    assert any(now[key] != row for key, row in rows.items())


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("as_of", AS_OF[1:4])
def test_the_numbers_as_of_a_day_are_divided_filtered_and_converted_as_those_of_now(books, days, rates, app, as_of):
    as_of, middle = datetime.date.fromisoformat(as_of), (days[0] + datetime.timedelta(days=100), days[0] + datetime.timedelta(days=300))
    for question in ({"grain": "day"}, {"by": "country"}, {"by": "plan", "grain": "week"}, {"plan": "PRO"},
                     {"country": "CHN", "grain": "day"}, {"currency": "USD"}, {"store": "apple", "stretch": middle}):
        compare(books, days, app, as_of=as_of, **question)
    with decimal.localcontext(prec=60):
        compare(books, days, app, as_of=as_of, reporting="CNY", rates=rates)
        compare(books, days, app, as_of=as_of, reporting="EUR", rates=rates, by="product", grain="week")


@pytest.mark.parametrize("app", APPS)
def test_a_stretch_that_begins_and_ends_in_mid_month_has_its_days_alone(books, days, app):
    start = days[0] + datetime.timedelta(days=100)
    compare(books, days, app, stretch=(start, start + datetime.timedelta(days=50)))


@pytest.mark.parametrize("reporting", CURRENCIES)
@pytest.mark.parametrize("app", APPS)
def test_converted_revenue_takes_the_rate_of_each_day_and_names_what_is_missing(books, days, rates, app, reporting):
    with decimal.localcontext(prec=60):
        compare(books, days, app, reporting=reporting, rates=rates)
        compare(books, days, app, reporting=reporting, rates=rates, by="store", grain="week")


@pytest.mark.parametrize("app", APPS)
def test_what_is_converted_follows_each_change_of_a_rate(books, days, rates, app):
    currency = APPS[app][1]
    changes = [
        ("UPDATE exchange_rates SET per_euro = per_euro * 1.25 WHERE currency = '{}' AND day = '2025-06-04'",
         lambda key, rate: rate * decimal.Decimal("1.25") if key == (currency, datetime.date(2025, 6, 4)) else rate),
        ("DELETE FROM exchange_rates WHERE currency = '{}' AND day BETWEEN '2025-07-08' AND '2025-09-09'",
         lambda key, rate: None if key[0] == currency and datetime.date(2025, 7, 8) <= key[1] <= datetime.date(2025, 9, 9) else rate),
    ]
    kept = books.installation.sql(f"SELECT day || ' ' || per_euro FROM exchange_rates WHERE currency = '{currency}'")
    changed = dict(rates.rates)
    try:
        for statement, change in changes:
            books.installation.sql(statement.format(currency))
            changed = {key: rate for key, old in changed.items() if (rate := change(key, old)) is not None}
            with decimal.localcontext(prec=60):
                compare(books, days, app, reporting=currency, rates=reference.Rates(changed))
    finally:
        books.installation.sql(f"DELETE FROM exchange_rates WHERE currency = '{currency}'")
        values = ", ".join("('{}', '{}', {})".format(currency, *row.split()) for row in kept)
        books.installation.sql(f"INSERT INTO exchange_rates (currency, day, per_euro) VALUES {values}")
    with decimal.localcontext(prec=60):
        compare(books, days, app, reporting=currency, rates=rates)


@pytest.mark.parametrize("app", APPS)
def test_an_app_that_reports_in_another_currency_has_its_months_in_that_one(books, days, rates, app):
    books.installation.sql(f"UPDATE apps SET reporting_currency = 'EUR' WHERE slug = '{app}'")
    try:
        with decimal.localcontext(prec=60):
            compare(books, days, app, reporting="EUR", rates=rates)
            compare(books, days, app, reporting=APPS[app][1], rates=rates)
    finally:
        books.installation.sql(f"UPDATE apps SET reporting_currency = '{APPS[app][1]}' WHERE slug = '{app}'")


@pytest.mark.parametrize("app", APPS)
def test_the_statistics_of_the_readmigo_document_are_sums_of_the_ledger(books, rates, app):
    zone, currency = APPS[app]
    # The history's future entries do not count yet.
    today = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
    with decimal.localcontext(prec=60):
        rows, missing = reference.revenue(
            books.entries[app], first=datetime.date(2000, 1, 1), last=today, reporting=currency, rates=rates)
        total, _ = reference.revenue(
            books.entries[app], grain=None, first=datetime.date(2000, 1, 1), last=today, reporting=currency, rates=rates)
    answer = books.ask(app, "/admin/orders/stats")
    gross, refunds = (sum(row[name] for row in total.values()) for name in ("gross", "refunds"))
    assert answer["totalOrders"] == sum(row["charges"] + row["freeOrders"] for row in rows.values())
    assert (answer["totalRevenue"] * 100, answer["totalRefunded"] * 100) == (gross, refunds)
    assert float(answer["refundRate"]) == pytest.approx(refunds / gross * 100, abs=0.0051)
    assert (answer["currency"], answer["pendingRefunds"]) == (currency, 0)
    assert missing.are(answer["missingRates"]), (answer["missingRates"], missing)

    trend = books.ask(app, "/admin/support/stats")["revenueTrends"]
    net = {f"{month:%Y-%m}": row["net"] for (month, _, _), row in rows.items()}
    assert len(trend) == 12 and [month["date"] for month in trend] == sorted(
        (month["date"] for month in trend), reverse=True)
    assert all(month["revenue"] * 100 == net.get(month["date"], 0) for month in trend)


@pytest.mark.parametrize("field, query", [
    ("grain", {"grain": "year"}), ("from", {"from": "2026-13-01"}), ("from", {"from": "2026-02-01", "to": "2026-01-01"}),
    ("from", {"from": "1800-01-01"}), ("by", {"by": "mood"}), ("in", {"in": "yuan"}), ("asOf", {"asOf": "yesterday"}),
    ("period", {"period": "1M"}), ("store", {"store": "steam"}), ("country", {"country": "China"}),
    ("plan", {"plan": "x" * 256}), ("colour", {"colour": "green"}), ("environment", {"environment": "both"}),
], ids=str)
def test_a_question_that_breaks_a_rule_is_refused_by_the_name_of_the_field(books, field, query):
    with pytest.raises(urllib.error.HTTPError) as refused:
        books.ask("kombin", "/admin/metrics/revenue", **query)
    problem = json.load(refused.value)
    assert refused.value.code == 422
    assert field in [error["field"] for error in problem["errors"]], problem


def test_the_rollups_equal_the_ledger_and_what_is_wrong_in_them_is_found_and_mended(books, days):
    before = books.ask("kombin", "/admin/metrics/revenue", **{"from": days[0], "to": days[1]})
    assert "the rollups equal the ledger" in books.installation.do("rollups", "verify", timeout=300, **books.url)
    planted = [
        ("rollups", "amount", "min"), ("rollup_months", "amount", "min"), ("rollup_months", "converted", "max"), ("rollup_days", "amount", "min")]
    for table, column, which in planted:
        cell = f"SELECT {which}(ctid) FROM {table} WHERE amount > 0 AND {column} > 0"
        books.installation.sql(f"UPDATE {table} SET {column} = {column} + 1 WHERE ctid = ({cell})")
    found = books.installation.run("rollups", "verify", timeout=300, **books.url)
    assert found.returncode == 1 and "differ from the ledger" in found.stderr
    assert sum(map(int, re.findall(r"in (\d+) cells", found.stderr))) == len(planted)
    assert "cells were wrong" in books.installation.do("rollups", "rebuild", timeout=300, **books.url)
    assert "equal the ledger" in books.installation.do("rollups", "verify", timeout=300, **books.url)
    assert books.installation.do("rollups", "rebuild", timeout=300, **books.url).count("nothing was wrong") == len(APPS)
    assert books.ask("kombin", "/admin/metrics/revenue", **{"from": days[0], "to": days[1]}) == before
