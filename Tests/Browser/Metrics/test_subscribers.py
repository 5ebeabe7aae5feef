"""Subscribers: every bar, cell and step leads to the customers that add up to it."""

import csv
import datetime
import io
import re

import pytest

from listing import whole
from test_numbers import amount

SUBSCRIBERS = "/dashboard/subscribers"
ROWS = "main table.list:not(#sums) tbody tr"


def count(text):
    return int(re.match(r"[+-]?[\d.,]+", text.replace("−", "-")).group().replace(",", ""))


def figure(page, name):
    return page.locator(f"figure.chart:has(h2[id^='{name}'])")


def rows_behind(page, href):
    """Returns the values of all customers behind a link, from every page of the list, and the page's own sums."""
    heading, rows, sums = whole(page, href)
    assert heading == "Customers in this metric"
    assert not any("@" in text for row in rows for text in row.values())
    assert len({(row["Customer"], row["Day"]) for row in rows}) == len(rows), "nobody stands on two pages"
    values = [amount(row["Per month"]) if "Per month" in row else count(row["Count"]) for row in rows]
    return values, {name: columns[""] for name, columns in sums.items()}


def links(figure):
    return figure.locator("svg a").evaluate_all(
        "links => links.map(link => [link.getAttribute('href'), link.getAttribute('aria-label')])")


def cells(figure):
    """Returns the addresses and the metrics of a chart's table."""
    return figure.locator("td a").evaluate_all("links => links.map(link => [link.getAttribute('href'), link.textContent])")


def said(label, name):
    return re.search(rf"{name}: (−?[\d,.]+)", label).group(1)


def test_recurring_revenue_of_every_month_is_that_of_its_customers(page):
    page.goto(f"{SUBSCRIBERS}?currency=CNY")
    bars = links(figure(page, "mrr"))
    assert len(bars) == 12
    for href, label in bars:
        rows, sums = rows_behind(page, href)
        stands = amount(said(label, "Monthly recurring revenue"))
        assert sum(rows) == stands, label
        assert all(value > 0 for value in rows)
        if stands:
            assert amount(sums["CNY"]) == stands
    assert stands > 0


def test_each_movement_is_that_of_its_customers(page):
    page.goto(f"{SUBSCRIBERS}?currency=CNY")
    chart = figure(page, "movements")
    bars = links(chart)
    kinds = [(href, amount(text)) for href, text in cells(chart)]
    assert len(bars) == 12
    # Each month has a cell for each kind that occurred in it, which depends on the day on which the simulation ends.
    assert {"new", "churned"} <= {movement for href, _ in kinds for movement in re.findall(r"movement=(\w+)", href)}
    for href, label in bars:
        rows, sums = rows_behind(page, href)
        assert sum(rows) == amount(said(label, "Net change")), label
    for href, value in kinds:
        rows, sums = rows_behind(page, href)
        assert sum(rows) == value == amount(sums["CNY"]), href


def test_subscribers_and_who_came_and_went_are_counted_by_their_rows(page):
    page.goto(SUBSCRIBERS)
    active, changes = links(figure(page, "active")), figure(page, "changes")
    bars = links(changes)
    kinds = [(href, count(text)) for href, text in cells(changes)]
    for href, label in active:
        rows, sums = rows_behind(page, href)
        assert len(rows) == sum(rows) == count(said(label, "Subscribers")) == count(sums["Total"]), label
    for href, label in bars:
        assert sum(rows_behind(page, href)[0]) == count(said(label, "Net change")), label
    assert len(kinds) >= 6
    for href, value in kinds:
        rows, sums = rows_behind(page, href)
        assert sum(rows) == value == count(sums["Total"]), href


def test_churn_is_who_was_lost_of_those_at_the_start(page):
    page.goto(SUBSCRIBERS)
    bars = [(href, label) for href, label in links(figure(page, "churn")) if "Churn" in label]
    assert len(bars) >= 6
    for href, label in bars:
        rows, sums = rows_behind(page, href)
        assert len(rows) == count(sums["Total"])
        assert sums["Churn"] == said(label, "Churn") + "%"


def test_trials_and_what_became_of_them_are_counted_by_their_rows(page):
    page.goto(f"{SUBSCRIBERS}?from=2024-01-01")
    steps = [
        (row.locator("th a").get_attribute("href"), count(row.locator("td").first.inner_text()))
        for row in figure(page, "trials").locator("tbody tr").all()]
    assert len(steps) == 4 and steps[0][1] == sum(value for _, value in steps[1:]) > 0
    for href, value in steps:
        rows, sums = rows_behind(page, href)
        assert sum(rows) == value == count(sums["Total"])


@pytest.mark.parametrize("filter", ["plan=PRO&grain=week", "period=P1Y&from=2025-06-01", "as_of=2030-01-31", "country=CHN"])
def test_rows_are_filtered_as_their_bars_are(page, filter):
    page.goto(f"{SUBSCRIBERS}?currency=CNY&{filter}")
    for name, word in [("mrr", "Monthly recurring revenue"), ("movements", "Net change")]:
        for href, label in links(figure(page, name))[-4:]:
            rows, _ = rows_behind(page, href)
            assert sum(rows) == amount(said(label, word)), (href, label)


@pytest.mark.parametrize("query", ["as_of={}", "to={}"])
def test_what_stood_at_the_end_of_a_day_is_not_said_to_be_now(page, query):
    page.goto(SUBSCRIBERS)
    assert not any("at the end of" in found for found in findings(page))
    day = datetime.date.today().replace(day=1) - datetime.timedelta(days=61)
    page.goto(f"{SUBSCRIBERS}?{query.format(day)}")
    assert all(f" at the end of {day.day} {day:%b %Y}." in found for found in findings(page))


def findings(page):
    found = [figure(page, name).locator(".find").inner_text() for name in ("mrr", "active")]
    assert all(re.search(r"\d", text) for text in found)
    return found


def test_the_files_say_what_the_charts_say(page):
    page.goto(f"{SUBSCRIBERS}?currency=CNY")
    said_by_charts = {
        name: [said(label, word) for _, label in links(figure(page, name))]
        for name, word in [("mrr", "Monthly recurring revenue"), ("movements", "Net change"), ("active", "Subscribers")]}
    files = {}
    for name in ("mrr", "movements", "active", "changes", "churn", "trials"):
        answer = page.request.get(figure(page, name).locator("a[download]").get_attribute("href"))
        assert "attachment" in answer.headers["content-disposition"]
        files[name] = list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))
    months = files["mrr"]
    assert [amount(row["end"]) for row in months] == [amount(text) for text in said_by_charts["mrr"]]
    assert [amount(row["end"]) - amount(row["start"]) for row in months] == [
        amount(text) for text in said_by_charts["movements"]]
    assert [int(row["end"]) for row in files["active"]] == [count(text) for text in said_by_charts["active"]]
    for row in files["mrr"]:
        moved = sum(amount(row[kind]) for kind in ("new", "reactivation", "expansion", "contraction", "churned", "moved"))
        assert amount(row["start"]) + moved == amount(row["end"])
    for row in files["trials"]:
        assert int(row["trials"]) == sum(int(row[kind]) for kind in ("converted", "pending", "abandoned"))


def test_all_currencies_in_one_add_up_from_period_to_period(page):
    page.goto(SUBSCRIBERS)
    assert page.locator("h2[id^='mrr']").count() == 1
    bars, moves = links(figure(page, "mrr")), links(figure(page, "movements"))
    ends = [amount(said(label, "Monthly recurring revenue")) for _, label in bars]
    changes = [amount(said(label, "Net change")) for _, label in moves]
    assert [after - before for before, after in zip(ends, ends[1:])] == changes[1:]
    for (href, _), value in [*zip(bars, ends), *zip(moves, changes)][::5]:
        rows, sums = rows_behind(page, href)
        assert amount(sums.get("Total in CNY", sums.get("CNY", "0"))) == value
        # Nobody is left out, whatever their currency; each row is rounded by itself.
        assert abs(sum(rows) - value) <= len(rows)
    page.goto(f"{SUBSCRIBERS}?currency=CNY")
    only = [amount(said(label, "Monthly recurring revenue")) for _, label in links(figure(page, "mrr"))]
    assert only[-1] <= ends[-1]


def test_what_ended_has_one_colour_in_both_stacks(page):
    page.goto(f"{SUBSCRIBERS}?currency=CNY")
    styles = [
        {item.inner_text(): item.locator("path").get_attribute("class") for item in figure(page, name).locator(".legend li").all()}
        for name in ("movements", "changes")]
    assert {"New", "Churn"} <= styles[0].keys() & styles[1].keys()
    assert all(styles[0][kind] == styles[1][kind] for kind in styles[0].keys() & styles[1].keys())
    assert all(len(set(one.values())) == len(one) for one in styles)


def test_what_ended_says_why(page):
    _, shown, _ = whole(page, f"{SUBSCRIBERS}/rows?metric=changes&movement=churned&from=2020-01-01")
    assert len(shown) > 3
    assert any(row["Reason"] for row in shown)
    assert all(row["Movement"] == "Churn" for row in shown)


@pytest.mark.tasks
def test_a_customer_behind_a_metric_is_opened_and_led_back_from(page):
    page.goto(f"{SUBSCRIBERS}/rows?metric=active")
    page.locator(f"{ROWS} th a").first.click()
    page.wait_for_url("**/dashboard/customers/*")
    page.locator(".crumbs a").click()
    page.wait_for_url("**/dashboard/subscribers/rows?metric=active")


def test_support_sees_neither_rows_nor_files(open_as):
    page = open_as("support")
    for path in (f"{SUBSCRIBERS}/rows", f"{SUBSCRIBERS}/table.csv"):
        assert page.goto(path).status == 403
