"""Every bar, cell, part and card with a metric opens the rows that add up to it, and their total is the metric."""

import datetime
import html
import re
import urllib.parse

import pytest

from listing import whole

# The demo's history was recorded as it happened, so each of its days knows some.
BEFORE = datetime.date.today() - datetime.timedelta(days=200)

PAGES = {
    "overview": "/dashboard",
    "usage": "/dashboard/usage",
    "net revenue by plan": "/dashboard/revenue?by=plan&currency=CNY",
    "gross revenue by country": "/dashboard/revenue?show=gross&by=country",
    "refunds by store, by the week": "/dashboard/revenue?show=refunds&by=store&currency=CNY&grain=week&from=2026-01-01",
    "net revenue by product, as it was known": f"/dashboard/revenue?currency=CNY&as_of={BEFORE}",
    "subscribers": "/dashboard/subscribers?currency=CNY",
    "subscribers, all in one currency": "/dashboard/subscribers",
    "subscribers of a plan, as they were known": f"/dashboard/subscribers?currency=CNY&plan=PRO&as_of={BEFORE}",
    "cohorts": "/dashboard/cohorts",
    "cohorts of a plan": "/dashboard/cohorts?plan=PRO",
    "cohorts by the year, as they were known": f"/dashboard/cohorts?period=P1Y&from=2025-01-01&as_of={BEFORE}",
    "gained and lost access": "/dashboard/access",
    "gained and lost access, as it was known": f"/dashboard/access?as_of={BEFORE}",
}

# Collects a page's metrics: the link, the value and the name of each; a metric without a link has none.
COLLECT = """() => {
    const found = [];
    const add = (kind, link, text, name) => found.push({ kind, href: link && link.getAttribute("href"), text, name });
    for (const card of document.querySelectorAll(".cards .card"))
        add("card", card, card.querySelector(".value").textContent, card.querySelector(".label").textContent);
    for (const chart of document.querySelectorAll("figure.chart")) {
        for (const period of chart.querySelectorAll("svg .period")) {
            const first = period.getAttribute("aria-label").match(/^[^:]*: ([^:]+): ([^·]+)/);
            if (first) add("bar", period.localName === "a" ? period : null, first[2], first[1]);
        }
        for (const row of chart.querySelectorAll("table.heat tbody tr")) {
            add("cohort", row.querySelector("th a"), row.querySelector("td").textContent, "Total");
            for (const cell of row.querySelectorAll("td:has(small)"))
                add("cell", cell.querySelector("a"), cell.querySelector("small").textContent, "Total");
        }
        for (const table of chart.querySelectorAll(".data table:has(td a)")) {
            const names = [...table.querySelectorAll("thead th")].map(cell => cell.textContent);
            for (const row of table.querySelectorAll("tbody tr"))
                [...row.cells].slice(1, -1).forEach((cell, index) =>
                    add("part", cell.querySelector("a"), cell.textContent, names[index + 1]));
        }
        if (!chart.querySelector("svg.plot, table.heat"))
            for (const row of chart.querySelectorAll("tbody tr"))
                add("share", row.querySelector("th a"), row.querySelector("td").textContent, row.querySelector("th").textContent);
    }
    return found;
}"""
UNNAMED = {"Others"}


def number(text):
    """Returns the digits of "−1,284.50 CNY" as a number; None if a text has none."""
    found = re.search(r"[−+-]?[\d,]+(\.\d+)?", text)
    return float(found.group().replace(",", "").replace("−", "-")) if found else None


def sums(text):
    """Returns the table of sums of a list: {row: {column: text}}, with the column "" where there is only one."""
    table = re.search(r'id="sums".*?</table>', text, re.S)
    if not table:
        return {}
    plain = lambda cell: html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()  # noqa: E731
    columns = [plain(cell) for cell in re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table.group())][1:] or [""]
    return {
        plain(name): dict(zip(columns, [plain(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", cells, re.S)]))
        for name, cells in re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', table.group(), re.S)}


def length(text):
    """Returns the number of all rows of a list."""
    found = re.search(r'role="status">[^<]*? of ([\d,]+)', text)
    return int(found.group(1).replace(",", "")) if found else 0


def total(href, text, name):
    """Returns a list's own total for the metric that led to it."""
    address = urllib.parse.urlsplit(href)
    query = dict(urllib.parse.parse_qsl(address.query))
    if address.path == "/dashboard/usage":
        return number(re.search(r'id="usage-finding">([^<]*) units?,', text).group(1))
    table, metric = sums(text), query.get("metric", "mrr")
    if address.path == "/dashboard/refunds" or query.get("kind") == "orders":
        return length(text)
    if not table:
        return 0
    # The total in the app's currency, unless the metric is filtered by one.
    all_in_one = next((row for row in table if row.startswith("Total in")), next(iter(table)))
    money = query.get("currency", all_in_one)
    if address.path == "/dashboard/ledger":
        row = table[money]
        if name == "Refund rate":
            return round(number(row["Refunds"]) / number(row["Gross revenue"]) * 100, 2)
        column = {"charges": "Gross revenue", "refunds": "Refunds"}.get(query.get("kind"), "Net revenue")
        return number(row[column])
    if address.path == "/dashboard/access":
        return number(table[name][""])
    if address.path == "/dashboard/cohorts/rows":
        return number(table[name if name.startswith("Per ") else "Total"][""])
    assert address.path == "/dashboard/subscribers/rows", href
    if metric in ("mrr", "movements"):
        return number(table[money][""]) if money in table else 0
    return number(table["Churn" if metric == "lost" else "Total"][""])


@pytest.mark.parametrize("place", PAGES)
def test_everything_that_shows_a_metric_opens_rows_whose_total_it_is(page, place):
    page.goto(PAGES[place])
    found = page.evaluate(COLLECT)
    wrong, followed = [], {}
    for item in found:
        shown = number(item["text"])
        if not item["href"]:
            assert not shown or item["name"] in UNNAMED, f"{item} leads nowhere"
            continue
        if shown is None:
            continue
        answer = page.request.get(item["href"])
        assert answer.ok, item
        said = total(item["href"], answer.text(), item["name"])
        if said != shown:
            wrong.append((item, said))
        followed[item["kind"]] = followed.get(item["kind"], 0) + (shown != 0)
    assert not wrong, f"{len(wrong)} of {len(found)}: {wrong[:5]}"
    assert sum(followed.values()) > 3, followed


@pytest.mark.parametrize("place, kinds", [
    ("overview", ["card", "bar", "share"]), ("net revenue by plan", ["bar", "part"]), ("subscribers", ["bar", "part", "share"]),
    ("cohorts", ["bar", "cell", "cohort"]), ("gained and lost access", ["bar", "part"])])
def test_each_kind_is_opened_with_a_click(page, place, kinds):
    selectors = {
        "card": ".cards .card", "bar": "figure.chart svg a.period:has(path)", "cell": "table.heat td a", "cohort": "table.heat th a",
        "part": ".data td a", "share": "figure.chart:not(:has(svg.plot)) tbody th a"}
    for kind in kinds:
        page.goto(PAGES[place])
        if kind == "part":
            page.locator("figure.chart:has(.data td a) summary").first.click()
        item = next(item for item in page.evaluate(COLLECT) if item["kind"] == kind and item["href"] and number(item["text"]))
        link = page.locator(f"{selectors[kind]}[href='{item['href']}']").first
        link.click()
        page.wait_for_url(lambda url, href=item["href"]: url.endswith(href))
        assert total(item["href"], page.content(), item["name"]) == number(item["text"]), kind


def test_a_list_with_another_filter_says_another_total(page):
    """Shows that the comparison above can fail: the number differs between filters."""
    page.goto(PAGES["cohorts"])
    cells = [item for item in page.evaluate(COLLECT) if item["kind"] == "cell" and item["href"]]
    told = {item["href"]: number(item["text"]) for item in cells}
    href, value = next((href, value) for href, value in told.items() if "within=7" in href and value)
    for change in (("within=7", "within=7&paid=no"), ("metric=conversion", "metric=conversion&country=XXX"), ("month=20", "month=19")):
        other = href.replace(*change)
        assert total(other, page.request.get(other).text(), "Total") != value, other


def test_those_who_paid_and_those_who_did_not_are_the_cohort(page):
    page.goto(PAGES["cohorts"])
    cells = [item for item in page.evaluate(COLLECT) if item["kind"] == "cell" and item["href"]]
    checked = 0
    for item in cells:
        if checked == 8:
            break
        others = item["href"].replace("&period=", "&paid=no&period=") if "metric=retention" in item["href"] else item["href"] + "&paid=no"
        paid, unpaid = (page.request.get(href).text() for href in (item["href"], others))
        whole = number(sums(paid)["Out of"][""])
        assert total(item["href"], paid, "Total") + total(others, unpaid, "Total") == whole
        assert length(unpaid) <= total(others, unpaid, "Total")
        checked += length(unpaid) > 0
    assert checked > 1


def test_the_rows_of_a_cohort_add_up_to_what_their_page_says(page):
    page.goto(PAGES["cohorts"])
    money = [item for item in page.evaluate(COLLECT) if item["kind"] == "bar" and item["href"] and number(item["text"])]
    for item in money[-1:] + money[:3]:
        _, rows, told = whole(page, item["href"])
        said = {name: number(columns[""]) for name, columns in told.items()}
        brought = sum(number(row["Net revenue, CNY"]) for row in rows)
        assert sum(number(row["Customers"]) for row in rows) == said["Total"]
        # Each row is rounded, while the sum is rounded once.
        assert abs(brought - said["Net revenue"]) <= 0.005 * len(rows) + 0.005
