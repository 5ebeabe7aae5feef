"""The common rules of all lists: the state is the address, also on the second page and after opening a row."""

import base64
import html
import re
import urllib.parse

import pytest

from listing import NOTIFICATIONS, ORDERS, follow, pages, parse_range
from places import PLACES

LISTS = {
    "orders": f"{ORDERS}?status=completed&sort=amount",
    "customers": "/dashboard/customers?dir=asc",
    "subscriptions": "/dashboard/subscriptions?store=apple&sort=end&dir=asc",
    "notifications": f"{NOTIFICATIONS}?state=processed",
    "audit": "/dashboard/audit?from=2025-01-01",
    "ledger": "/dashboard/ledger?currency=CNY",
}
# Every list and report, with parameters that its address may have.
ADDRESSES = [
    "orders", "refunds", "customers", "subscriptions", "notifications", "bulk", "staff", "ledger", "subscribers",
    "subscribers/rows", "cohorts", "cohorts/rows", "access", "revenue", "health", "audit", "queues", "queues/notifications",
]
UNKNOWN = (
    "status=odd&state=odd&sort=colour&dir=up&store=shop&environment=moon&renews=soon&refunds=maybe&kind=odd&from=soon"
    "&to=never&customer=nobody&currency=shells&period=P9Z&as_of=then&metric=none&grain=eon&show=odd&by=odd&in=odd&span=age"
    "&movement=odd&cause=odd&direction=odd&month=odd&columns=odd&page=99999&unheard=of"
)
# Collects the links and fields that carry a page's marker, apart from the links to the neighbouring pages and those that lead back.
MARKERS = """() => [...document.querySelectorAll("main a[href]:not([rel]), form input")].filter(element =>
    ["after", "before"].includes(element.name)
    || element.href && ["after", "before"].some(name => new URL(element.href).searchParams.has(name))
).map(element => element.outerHTML.slice(0, 150))"""


def first_row(page):
    return page.locator("table.list").last.locator("tbody th").first


@pytest.mark.tasks
@pytest.mark.parametrize("name", LISTS)
def test_a_second_page_is_an_address_of_its_own_that_one_comes_back_to(page, known, name):
    page.goto(LISTS[name])
    title, first = page.title(), first_row(page).inner_text()
    assert parse_range(page.locator("main [role=status]").first.inner_text())[:2] == (1, 25)
    follow(page, page.get_by_role("link", name="Next"))
    address, listed = page.url, first_row(page).inner_text()
    assert page.title() != title and listed is not None
    assert set(LISTS[name].split("?")[1].split("&")) < set(address.split("?")[1].split("&"))
    # Filters and orders begin at the top.
    assert page.evaluate(MARKERS) == []
    follow(page, first_row(page).get_by_role("link"))
    assert page.url != address
    back = page.locator(".crumbs a").first
    page.go_back()
    assert page.url == address and first_row(page).inner_text() == listed
    page.go_forward()
    follow(page, back)
    assert page.url == address and first_row(page).inner_text() == listed
    follow(page, page.get_by_role("link", name="Previous"))
    assert page.title() == title and first_row(page).inner_text() == first


@pytest.mark.parametrize("name", [
    "orders?sort=amount", "refunds?status=all&sort=amount", "customers", "subscriptions?sort=end", "notifications", "audit",
    "subscribers/rows", "cohorts/rows?metric=customers", "queues/notifications"])
def test_all_pages_together_are_all_rows_once(page, known, name):
    found = list(pages(page, f"/dashboard/{name}"))
    addresses = [address for read in found for address in read["addresses"]]
    assert len(set(addresses)) == len(addresses) == parse_range(found[0]["range"])[2]
    assert all(len(read["addresses"]) == 25 for read in found[:-1])


@pytest.mark.parametrize("name", ["orders", "customers", "subscriptions", "notifications", "audit", "ledger"])
def test_a_marker_behind_the_end_leads_to_the_first_page(page, known, name):
    page.goto(f"/dashboard/{name}")
    query = urllib.parse.parse_qs(urllib.parse.urlparse(page.locator("main a[rel=next]").first.get_attribute("href")).query)
    marker = base64.urlsafe_b64decode(query["after"][0] + "==")
    # Its kind and its count stay; no row is older than its time.
    beyond = base64.urlsafe_b64encode(marker[:1] + bytes(8) + marker[9:13] + bytes(16)).decode().rstrip("=")
    query["after"] = [beyond]
    page.goto(f"/dashboard/{name}?{urllib.parse.urlencode(query, doseq=True)}")
    assert "after=" not in page.url
    assert page.locator("main .flash").inner_text() == "That page of the list is no longer there. This is the first page."
    assert parse_range(page.locator("main .head [role=status]").first.inner_text())[0] == 1
    page.reload()
    assert page.locator("main .flash").count() == 0


@pytest.mark.parametrize("path", ["/dashboard/customers", "/dashboard/subscriptions", "/dashboard/refunds?status=all"])
def test_each_order_is_said_by_one_heading_and_the_caption_and_turns_around(page, known, path):
    page.goto(path)
    for place in range(page.locator("table.list thead a").count()):
        said = []
        for _ in range(2):
            follow(page, page.locator("table.list thead a").nth(place))
            heading = page.locator("th[aria-sort]")
            assert heading.count() == 1
            said.append((heading.get_attribute("aria-sort"), page.locator("table.list caption").text_content()))
        assert {order for order, _ in said} == {"ascending", "descending"}
        assert said[0][1] != said[1][1]


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_that_says_what_nobody_knows_is_the_list_as_it_is_and_says_so(page, known, name):
    def read(query):
        answer = page.request.get(f"/dashboard/{name}{query}")
        assert answer.status == 200
        text = html.unescape(answer.text())
        return re.search("<title>(.*)</title>", text).group(1), re.findall('<p class="note ignored">(.*)</p>', text)

    title, said = read(f"?{UNKNOWN}")
    assert (title, []) == read("")
    # Each part of the address is an unknown filter, or an unknown value of a known one.
    parts = urllib.parse.parse_qsl(UNKNOWN)
    assert said[0].startswith("This page does not know the filter")
    unknown = re.findall("“(.*?)”", said[0])
    assert {"page", "unheard"} <= set(unknown)
    values = [re.findall("“(.*?)”", sentence) for sentence in said[1:]]
    assert sorted(unknown + [name for name, _ in values]) == sorted(name for name, _ in parts)
    assert {tuple(value) for value in values} < set(parts)


@pytest.mark.parametrize("day", ["2026-99-99", "2027-02-30", "20270230", "9999-01-01"])
def test_a_day_that_does_not_exist_is_refused_by_its_field(page, known, day):
    answer = page.request.get(f"/dashboard/revenue?from={day}")
    assert answer.status == 422
    assert day in html.unescape(answer.text()) or "from" in answer.text()


def test_a_filter_of_another_list_and_a_value_of_another_filter_are_named(page, known):
    page.goto(f"{ORDERS}?store=apple&from=2026-01-01&status=completed")
    assert page.locator(".ignored").all_inner_texts() == ["This page does not know the filters “store”, “from”."]
    assert page.locator(".chip").count() == 1
    page.goto(f"{ORDERS}?status=nonsense")
    assert page.locator(".ignored").all_inner_texts() == ["The filter “status” has no value “nonsense”, so it was not applied."]
    page.goto("/dashboard/customers?from=2026-01-01")
    assert page.locator(".ignored").count() == 0


@pytest.mark.parametrize("who", sorted({place[0] for place in PLACES.values() if place[0]}))
def test_every_page_and_every_form_names_what_it_does_not_know(open_as, known, who):
    request, silent = open_as(who).request, []
    for name, (role, path) in PLACES.items():
        if role != who or name.startswith("error"):
            continue
        address = path(known)
        answer = request.get(f"{address}{'&' if '?' in address else '?'}unheard=of")
        assert answer.status in (200, 422), name
        if "“unheard”" not in html.unescape(answer.text()):
            silent.append(f"{name}: {address}")
    assert not silent, "\n".join(silent)


def test_a_column_that_a_list_does_not_have_is_named_and_the_others_are_shown(page, known):
    page.goto(f"{ORDERS}?columns=amount.cats.status.uuid")
    assert page.locator(".ignored").all_inner_texts() == ["The filter “columns” has no value “cats.uuid”, so it was not applied."]
    shown = page.locator("table.list thead th").all_inner_texts()
    assert len(shown) < 7 and {"Amount", "Status"} <= {text.split("\n")[0].strip() for text in shown}
