"""Each metric of cohorts equals a slow computation straight from the ledger, for every filter and in three time zones."""

import datetime
import decimal
import json
import urllib.error
import zoneinfo

import pytest
from cohorts import DAYS, Cohorts, per, share
from entries import measures, unexplained
from history import APPS, CURRENCIES

import reference

FILTERS = [{}, {"store": "apple"}, {"plan": "PREMIUM"}, {"product": "pro.monthly"}, {"period": "P1M"}, {"country": "USA"},
           *({"currency": currency} for currency in CURRENCIES), {"plan": "PRO", "country": "CHN", "period": "P1Y"},
           {"store": "apple", "currency": "TRY"}, {"plan": "PREMIUM", "currency": "EUR"}, {"product": "pro.monthly", "country": "JPN"},
           {"period": "P1M", "currency": "KWD"}, {"store": "google", "period": "P1W"}, {"plan": "PRO", "country": "DEU"}]


def named(value):
    return "-".join(value.values()) or "everything"


def fits(store=None, plan=None, product=None, period=None, country=None, currency=None):
    def fits(order):
        plan_code, store_name, product_id, length, _ = order.product
        text = length and f"P{length[0]}{length[1][0].upper()}"
        return (store in (None, store_name) and plan in (None, plan_code) and product in (None, product_id)
                and period in (None, text) and country in (None, order.country) and currency in (None, order.currency))
    return fits


def cohorts(books, app, as_of=None):
    return Cohorts(books.entries[app], books.history.firsts, books.history.free[app], APPS[app][0], as_of)


def minor(amount, currency):
    return None if amount is None else int(amount * 10 ** reference.digits(currency))


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("app", APPS)
def test_customers_pay_as_soon_as_the_ledger_says(books, days, app, filter):
    known = cohorts(books, app)
    rows = books.ask(app, "/admin/metrics/conversion", **{"from": days[0], "to": days[1]}, **filter)["rows"]
    for row in rows:
        month = datetime.date.fromisoformat(row["from"])
        customers, paid = known.customers(month), known.conversions(month, fits(**filter))
        assert row["customers"] == customers
        assert [(step["days"], step["paid"], step["share"]) for step in row["steps"]] == [
            (limit, paid[limit], share(paid[limit], customers)) for limit in DAYS], month
    assert filter or sum(row["steps"][0]["paid"] < row["steps"][3]["paid"] for row in rows) > 3


def test_a_cohort_is_partial_until_its_youngest_are_old_enough(books):
    today = datetime.datetime.now(zoneinfo.ZoneInfo("UTC")).date()
    rows = books.ask("lightgallery", "/admin/metrics/conversion")["rows"]
    assert len(rows) == 12
    for row in rows:
        last = datetime.date.fromisoformat(row["to"])
        assert [step["isPartial"] for step in row["steps"]] == [
            last + datetime.timedelta(days=limit) >= today for limit in DAYS[:3]] + [True]


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("app", APPS)
def test_what_customers_bring_in_a_month_is_what_the_ledger_says(books, days, rates, app, filter):
    known, currency = cohorts(books, app), APPS[app][1]
    answer = books.ask(app, "/admin/metrics/arpu", **{"from": days[0], "to": days[1]}, **filter)
    missing = set()
    with decimal.localcontext(prec=60):
        for row in answer["rows"]:
            month, last = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
            net, without = known.net(lambda entry: month <= entry.day <= last, fits(**filter), currency, rates)
            missing |= without
            customers, payers = known.seen_by(last), known.payers(month, fits(**filter))
            assert (minor(row["net"], currency), row["customers"], row["payers"]) == (reference.rounded(net), customers, payers), month
            assert minor(row["arpu"], currency) == per(net, customers)
            assert minor(row["arppu"], currency) == per(net, payers)
    assert (answer["currency"], answer["missingRates"]) == (currency, sorted(missing))


@pytest.mark.parametrize("reporting", ["JPY", "EUR", "KWD"])
@pytest.mark.parametrize("filter", FILTERS[:4], ids=named)
@pytest.mark.parametrize("app", APPS)
def test_what_a_cohort_has_brought_is_what_the_ledger_says(books, days, rates, app, filter, reporting):
    known = cohorts(books, app)
    answer = books.ask(app, "/admin/metrics/ltv", **{"from": days[0], "to": days[1], "in": reporting}, **filter)
    with decimal.localcontext(prec=60):
        for row in answer["rows"]:
            month = datetime.date.fromisoformat(row["from"])
            net, _ = known.net(
                lambda entry: known.seen[entry.order.customer].replace(day=1) == month, fits(**filter), reporting, rates)
            customers, payers = known.customers(month), known.conversions(month, fits(**filter))[None]
            assert (minor(row["net"], reporting), row["customers"], row["payers"]) == (reference.rounded(net), customers, payers), month
            assert minor(row["perCustomer"], reporting) == per(net, customers)
            assert minor(row["perPayer"], reporting) == per(net, payers)


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("share_of_time", [0.3, 0.7])
def test_cohorts_as_of_a_day_are_those_that_were_known_at_its_end(books, days, rates, app, share_of_time):
    as_of = days[0] + (days[1] - days[0]) * share_of_time
    known, currency = cohorts(books, app, as_of), APPS[app][1]
    stretch = {"from": days[0], "to": days[1], "asOf": as_of}
    for row in books.ask(app, "/admin/metrics/conversion", **stretch)["rows"]:
        month = datetime.date.fromisoformat(row["from"])
        paid = known.conversions(month, fits())
        assert (row["customers"], [step["paid"] for step in row["steps"]]) == (
            known.customers(month), [paid[limit] for limit in DAYS]), month
    with decimal.localcontext(prec=60):
        for row in books.ask(app, "/admin/metrics/arpu", **stretch)["rows"]:
            month, last = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
            net, _ = known.net(lambda entry: month <= entry.day <= last, fits(), currency, rates)
            assert (minor(row["net"], currency), row["payers"]) == (reference.rounded(net), known.payers(month, fits())), month


@pytest.mark.parametrize("app", APPS)
def test_the_overview_counts_everybody_and_who_ever_paid(books, app):
    known = cohorts(books, app)
    answer = books.ask(app, "/admin/subscriptions/stats/overview")
    payers = {entry.order.customer for entry in known.paid}
    assert answer["totalUsers"] == len(known.seen)
    assert answer["conversionRate"] == share(len(payers), len(known.seen))


@pytest.mark.parametrize("path", ["retention", "conversion", "arpu", "ltv"])
@pytest.mark.parametrize("field, query", [
    ("from", {"from": "2026-13-01"}), ("from", {"from": "2026-02-01", "to": "2026-01-01"}), ("grain", {"grain": "week"}),
    ("period", {"period": "1M"}), ("store", {"store": "steam"}), ("asOf", {"asOf": "yesterday"}), ("by", {"by": "plan"}),
], ids=str)
def test_a_question_that_breaks_a_rule_is_refused_by_the_name_of_the_field(books, path, field, query):
    with pytest.raises(urllib.error.HTTPError) as refused:
        books.ask("kombin", f"/admin/metrics/{path}", **query)
    assert refused.value.code == 422
    assert field in [error["field"] for error in json.load(refused.value)["errors"]]


def test_what_each_customer_adds_comes_to_the_figures_on_every_day(books):
    assert measures(books.installation) >= {"seen", "converted", "paying"}
    assert unexplained(books.installation) == []
