"""Two figures of the same name, time and filter are equal everywhere: on pages, in files and in the API."""

import datetime
import itertools

import pytest

import scale
from figures import Figures, end_of
from telling import Telling

GRAINS = ("month", "week", "day")
SELECTS = ("store", "plan", "product", "period", "country", "currency")


@pytest.fixture(scope="module")
def today(api):
    """Returns the app's business day."""
    return datetime.date.fromisoformat(api("metrics/subscribers", grain="day")["rows"][-1]["to"])


def look(figures, page, api, filter, grain="month", show="net", by="plan"):
    told = Telling(figures, page, api, filter, grain)
    told.revenue(show, by)
    told.ledger([told.span, told.periods[-1], *told.periods[len(told.periods) // 2:][:1]])
    told.subscribers()
    told.cohorts()
    told.access()
    told.usage()
    told.answers()
    if not filter:
        told.overview()
        told.statistics()
    return told


def agree(page, api, today, looks):
    """Asserts that figures agree. Time passes between two readings, so only a contradiction in both counts."""
    for is_last in (False, True):
        figures = Figures(today, "CNY")
        for filter, grain, show, by in looks:
            look(figures, page, api, filter, grain, show, by)
        if is_last or not figures.contradictions:
            break
    assert not figures.contradictions, f"{len(figures.contradictions)}:\n" + "\n".join(figures.contradictions[:20])
    return figures.compared


def test_a_cent_too_much_in_one_place_is_found(page, api, today, server):
    """Whole months come from one table, and days from another."""
    columns = "app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month"
    [key] = server.sql(f"""
        SELECT {columns} FROM rollup_months
        WHERE app_id = (SELECT id FROM apps WHERE slug = 'readmigo') AND measure = 'charge' AND environment = 'production'
            AND currency = 'CNY' AND amount > 0 AND month < date_trunc('month', now())
        ORDER BY month DESC LIMIT 1""")
    change = f"""UPDATE rollup_months SET amount = amount + {{cent}}, converted = converted + {{cent}}
        WHERE ({columns}) = ({", ".join(f"'{value}'" for value in key)})"""
    server.sql(change.format(cent=1))
    try:
        figures = Figures(today, "CNY")
        for grain, stretch in (("month", {}), ("day", {"from": key[3], "to": str(end_of("month", datetime.date.fromisoformat(key[3])))})):
            told = Telling(figures, page, api, stretch, grain)
            told.revenue("gross")
            told.ledger([told.span])
        assert any(found.startswith("gross revenue") for found in figures.contradictions), figures.told
    finally:
        server.sql(change.format(cent=-1))


def choices(page):
    """Returns every value of every filter that the page of revenue offers."""
    page.goto("/dashboard/revenue")
    return {name: [value for value in page.locator(f"select[name={name}] option").evaluate_all("all => all.map(one => one.value)") if value]
            for name in SELECTS}


def test_without_a_filter_every_page_file_and_answer_say_the_same_by_month_week_and_day(page, api, today):
    compared = agree(page, api, today, [({}, grain, show, by) for grain, show, by in (
        ("month", "net", "plan"), ("month", "gross", "store"), ("month", "refunds", "country"), ("month", "proceeds", "product"),
        ("week", "net", "product"), ("day", "gross", "plan"))])
    assert len(compared) > 40 and min(compared[name] for name in ("net revenue", "monthly recurring revenue", "subscribers")) > 20, compared
    assert {"pending refunds", "failed notifications", "customers", "active trials", "refund rate", "orders", "payers"} <= compared.keys()


def test_with_each_value_of_each_filter_they_say_the_same(page, api, today):
    values = [{name: value} for name, found in choices(page).items() for value in found]
    assert len(values) > 12
    for number, filter in enumerate(values):
        for grain, show, by in itertools.product(GRAINS, ("net", "gross", "refunds", "proceeds"), ("plan", "country")) if scale.WHOLE else [
                (GRAINS[number % 3], ("net", "gross", "refunds", "proceeds")[number % 4], ("plan", "store", "country", "product")[number // 2 % 4])]:
            compared = agree(page, api, today, [(filter, grain, show, by)])
    assert compared


def test_with_two_filters_of_cut_periods_of_the_sandbox_and_as_it_was_known_they_say_the_same(page, api, today):
    values = {name: found[0] for name, found in choices(page).items()}
    pairs = [dict(pair) for pair in itertools.combinations(values.items(), 2)]
    cut = {"from": str(today - datetime.timedelta(days=100)), "to": str(today - datetime.timedelta(days=9))}
    as_of = {"as_of": str(today - datetime.timedelta(days=50))}
    looks = [cut, as_of, {"environment": "SANDBOX"}, cut | {"plan": values["plan"]}, as_of | {"currency": values["currency"]},
             *scale.of(pairs, scale.some("pairs", pairs, 4))]
    for number, filter in enumerate(looks):
        for grain in scale.of(GRAINS, [GRAINS[number % 2]]):
            agree(page, api, today, [(filter, grain, "net", "plan")])
