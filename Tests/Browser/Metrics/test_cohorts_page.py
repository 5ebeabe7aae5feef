"""Cohorts, and access gained and lost: the table, the file and the rows behind them agree."""

import csv
import io
import re

import pytest

from listing import whole

COHORTS, ACCESS = "/dashboard/cohorts", "/dashboard/access"


def number(text):
    return int(text.replace(",", "").replace("−", "-"))


def file_of(page, figure):
    answer = page.request.get(figure.locator("a[download]").get_attribute("href"))
    return list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))


def figure(page, name):
    return page.locator("figure.chart", has=page.locator(f"#{name}"))


@pytest.mark.parametrize("name, counted", [("retention", "subscriptions"), ("conversion", "customers")])
def test_the_triangle_and_the_file_say_the_same(page, name, counted):
    page.goto(COHORTS)
    rows = figure(page, name).locator("table.heat tbody tr").all()
    assert rows
    shown = []
    for row in rows:
        size = number(row.locator("td").first.inner_text())
        cells = [cell for cell in row.locator("td").all()[1:] if cell.inner_text().strip()]
        shown.append((size, [number(cell.locator("small").inner_text()) for cell in cells],
                      [" open" in cell.get_attribute("class") for cell in cells]))
    told = {}
    for line in file_of(page, figure(page, name)):
        told.setdefault(line["cohort_from"], []).append(line)
    # A share of an empty cohort is none.
    told = [[line for line in lines[:24] if line.get("eligible") != "0"] for _, lines in sorted(told.items()) if lines[0][counted] != "0"]
    assert [size for size, _, _ in shown] == [int(lines[0][counted]) for lines in told]
    assert [paid for _, paid, _ in shown] == [[int(line["paid"]) for line in lines] for lines in told]
    if name == "retention":
        assert [open_ for _, _, open_ in shown] == [[line["is_partial"] == "yes" for line in lines] for lines in told]
        assert all(paid[0] >= paid[-1] for _, paid, _ in shown)


@pytest.mark.tasks
def test_retention_is_of_one_billing_period_and_says_which(page):
    page.goto(COHORTS)
    assert "1 month at a time" in figure(page, "retention").locator(".find").inner_text()
    page.goto(f"{COHORTS}?period=P1Y")
    assert "1 year at a time" in figure(page, "retention").locator(".find").inner_text()


@pytest.mark.parametrize("name, column", [("arpu", "arpu"), ("arppu", "arppu"), ("ltv", "per_customer"), ("ltv-payers", "per_payer")])
def test_what_customers_bring_is_in_the_file(page, name, column):
    page.goto(COHORTS)
    table = figure(page, name).locator(".data tbody tr").all()
    shown = [row.locator("td").first.text_content().replace(",", "") for row in table]
    told = [line[column] for line in file_of(page, figure(page, name))]
    assert [float(text) for text in shown if re.match(r"-?\d", text)] == [float(text) for text in told if text]


def test_each_bar_of_gained_and_lost_access_leads_to_its_changes(page):
    page.goto(ACCESS)
    months = {line["from"]: line for line in file_of(page, figure(page, "access-changes"))}
    hrefs = [link.get_attribute("href") for link in figure(page, "access-changes").locator("svg a").all()]
    assert len(hrefs) == len(months) == 12
    for href, month in list(zip(hrefs, sorted(months)))[-2:]:
        seen = [(row["Before"], row["After"]) for row in whole(page, href)[1]]
        line = months[month]
        assert sum(before == "None" for before, _ in seen) == int(line["gained"]) + int(line["regained"])
        assert sum(after == "None" for _, after in seen) == int(line["lost"])
        assert len(seen) == sum(int(line[name]) for name in ("gained", "regained", "lost", "raised", "lowered")) > 0


@pytest.mark.tasks
def test_a_change_says_whose_it_is_from_what_to_what_why_and_by_whom(open_as):
    page = open_as("analyst")
    page.goto(f"{ACCESS}?cause=granted")
    row = page.locator("main table.list:not(#sums) tbody tr").first
    customer = row.locator("th").inner_text()
    assert re.fullmatch(r"[0-9a-f-]{36}", customer.lower())
    before, after, cause, doer = row.locator("td").all_inner_texts()[1:]
    assert before != after and cause == "Granted" and doer
    assert "@" not in page.locator("main").inner_text()
