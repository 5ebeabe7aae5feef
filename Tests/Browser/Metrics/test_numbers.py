"""Metrics: every bar, card and part leads to the rows that add up to it."""

import csv
import datetime
import io
import re

import pytest

from listing import whole

REVENUE = "/dashboard/revenue"


def amount(text):
    """Returns the minor units of "−1,284.50"; a text without a point is a count."""
    digits = re.match(r"-?[\d.]+", text.replace(",", "").replace("−", "-")).group()
    return round(float(digits) * 100)


def rows_behind(page, href):
    """Returns all rows of the ledger behind a link, as (amount, currency), from every page of the list, and the sums on the
    ledger's page: {currency: {heading: minor units}}."""
    heading, rows, sums = whole(page, href)
    assert heading == "Ledger"
    return [(amount(row["Amount"]), row["Amount"].split()[1]) for row in rows], {
        currency: {name: amount(text) for name, text in columns.items()} for currency, columns in sums.items()}


@pytest.mark.parametrize("show, heading", [("net", "Net revenue"), ("gross", "Gross revenue"), ("refunds", "Refunds")])
def test_each_bar_leads_to_rows_that_add_up_to_it(page, show, heading):
    page.goto(f"{REVENUE}?show={show}&currency=CNY")
    figure = page.locator("figure.chart").first
    named = figure.locator("svg a").evaluate_all(
        "links => links.map(link => [link.getAttribute('href'), link.getAttribute('aria-label')])")
    assert len(named) == 12
    checked = 0
    for href, label in named:
        said = amount(re.search(r"This period: (−?[\d,.]+) CNY", label).group(1))
        rows, sums = rows_behind(page, href)
        assert all(currency == "CNY" for _, currency in rows)
        found = sum(value for value, _ in rows)
        assert (-found if show == "refunds" else found) == said, label
        if rows:
            assert sums["CNY"][heading] == said
            checked += 1
    assert checked >= (1 if show == "refunds" else 10)


def test_what_was_sold_in_the_sandbox_is_no_revenue(page, server):
    _, rows, _ = whole(page, "/dashboard/ledger?from=2020-01-01")
    tried = {number for (number,) in server.sql(
        "SELECT number FROM orders WHERE environment = 'sandbox' AND status IN ('completed', 'refunded')")}
    assert tried and not tried & {row["Order"].split()[0] for row in rows}


def test_the_table_the_file_and_the_bars_say_the_same(page):
    page.goto(f"{REVENUE}?show=gross&currency=CNY")
    figure = page.locator("figure.chart").first
    bars = [amount(re.search(r"This period: (−?[\d,.]+)", link.get_attribute("aria-label")).group(1))
            for link in figure.locator("svg a").all()]
    table = [amount(row.locator("td").first.text_content()) for row in figure.locator("table tbody tr").all()]
    answer = page.request.get(figure.locator("a[download]").get_attribute("href"))
    file = list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))
    by_month = {row["from"]: amount(row["gross"]) for row in file}
    assert bars == table[:12]
    assert sorted(value for value in bars if value) == sorted(value for value in by_month.values() if value)


def test_the_parts_of_a_period_add_up_to_its_bar(page):
    page.goto(f"{REVENUE}?show=net&by=plan&currency=CNY")
    whole = [amount(re.search(r"This period: (−?[\d,.]+)", link.get_attribute("aria-label")).group(1))
             for link in page.locator("figure.chart").nth(0).locator("svg a").all()]
    parts = [amount(re.search(r"Net revenue: (−?[\d,.]+)", link.get_attribute("aria-label")).group(1))
             for link in page.locator("figure.chart").nth(1).locator("svg a").all()]
    assert parts == whole and any(whole)


def test_refunds_by_their_own_day_and_by_the_day_of_the_charge_are_the_same_refunds(page):
    everything = "from=2020-01-01"
    for dating in ("own", "charge"):
        href = f"/dashboard/ledger?kind=refunds&dating={dating}&currency=CNY&{everything}"
        rows, sums = rows_behind(page, href)
        assert sum(value for value, _ in rows) == -sums["CNY"]["Refunds"] < 0


@pytest.mark.tasks
def test_each_card_leads_to_its_rows(page):
    page.goto("/dashboard")
    cards = {card.locator(".label").inner_text(): card for card in page.locator(".cards .card").all()}
    assert list(cards) == ["Orders today", "Revenue today", "Total revenue", "Pending refunds", "Refund rate",
                           "Monthly recurring revenue", "Subscribers", "Active trials"]
    said = {name: card.locator(".value").inner_text() for name, card in cards.items()}
    hrefs = {name: card.get_attribute("href") for name, card in cards.items()}
    assert len(rows_behind(page, hrefs["Orders today"])[0]) == int(said["Orders today"].replace(",", ""))
    page.goto(hrefs["Pending refunds"])
    assert page.locator("main table.list tbody tr").count() == int(said["Pending refunds"])
    _, gross = rows_behind(page, hrefs["Total revenue"])
    # The card's amount includes other currencies, converted.
    assert amount(said["Total revenue"]) >= gross["CNY"]["Gross revenue"] > 0


def test_the_customers_by_plan_are_all_customers(page):
    page.goto("/dashboard")
    figure = page.locator("figure.chart", has=page.locator("#holders"))
    rows = [row.all_inner_texts() for row in (row.locator("th, td") for row in figure.locator("tbody tr").all())]
    whole = amount(figure.locator(".find").inner_text())
    assert sum(amount(row[1]) for row in rows) == whole > 0


@pytest.mark.tasks
def test_what_is_not_finished_is_hatched_and_said(page):
    page.goto(f"{REVENUE}?currency=CNY")
    figure = page.locator("figure.chart").first
    assert "is in progress" in figure.locator(".find").inner_text()
    assert "in progress" in figure.locator("svg a").last.get_attribute("aria-label")
    assert figure.locator("svg a").nth(3).get_attribute("aria-label").count("in progress") == 0


@pytest.mark.tasks
def test_a_bar_is_read_and_opened_by_keyboard(page):
    page.goto(f"{REVENUE}?currency=CNY")
    links = page.locator("figure.chart").first.locator("svg a")
    links.nth(2).focus()
    links.nth(2).press("Enter")
    page.wait_for_url("**/dashboard/ledger?*")
    assert page.get_by_role("heading", level=1).inner_text() == "Ledger"


@pytest.mark.tasks
def test_the_numbers_as_of_a_day_before_everything_are_none(page):
    page.goto(f"{REVENUE}?as_of=2020-01-01")
    assert page.get_by_text("No revenue in this period").is_visible()
    page.get_by_role("link", name="View other data").click()
    assert page.locator("figure.chart").count() >= 4


@pytest.mark.tasks
@pytest.mark.parametrize("path", [REVENUE, "/dashboard/subscribers"])
def test_the_numbers_as_of_a_day_end_with_it_and_its_month_is_not_finished(page, path):
    day = (datetime.date.today().replace(day=15) - datetime.timedelta(days=170)).replace(day=15)
    page.goto(f"{path}?currency=CNY&as_of={day}")
    labels = [bar.get_attribute("aria-label") for bar in page.locator("figure.chart").first.locator("svg a").all()]
    assert len(labels) == 12 and labels[-1].startswith(f"{day:%b %Y}") and "in progress" in labels[-1]
    assert all("in progress" not in label for label in labels[:-1])


@pytest.mark.tasks
def test_support_starts_with_the_orders_and_sees_no_metrics(open_as):
    page = open_as("support")
    page.goto("/dashboard")
    assert page.url.endswith("/dashboard/orders")
    assert page.get_by_role("link", name="Revenue").count() == 0
    assert page.goto(REVENUE).status == 403
