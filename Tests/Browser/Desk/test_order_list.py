"""The list of orders: its state is its address, and its pages together are the whole list, once."""

import base64
import urllib.parse

import pytest

from listing import ORDERS, follow, links, pages, parse_range, rows, shown, walk

pytestmark = pytest.mark.tasks

IN_APP = "FROM orders o JOIN apps a ON a.id = o.app_id WHERE a.slug = 'readmigo'"
LISTS = {
    "all, newest first": ("", "true", "o.purchased_at DESC, o.id DESC"),
    "all, largest first": ("?sort=amount", "true", "o.worth DESC, o.id DESC"),
    "cancelled, oldest first": ("?status=cancelled&dir=asc", "o.status = 'cancelled'", "o.purchased_at, o.id"),
    "cancelled, smallest first": (
        "?status=cancelled&sort=amount&dir=asc", "o.status = 'cancelled'", "o.worth, o.id",
    ),
    "completed, by product": (
        "?q=Premium&status=completed", "o.status = 'completed' AND o.product_name LIKE 'Premium%'",
        "o.purchased_at DESC, o.id DESC",
    ),
}


def numbers(server, condition, order):
    return [row[0] for row in server.sql(f"SELECT o.number {IN_APP} AND {condition} ORDER BY {order}")]


def query(page):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))


def go_to_page(page, number):
    for _ in range(number - 1):
        follow(page, page.get_by_role("link", name="Next"))


def test_filters_survive_opening_an_order_and_going_back(page):
    page.goto(f"{ORDERS}?q=monthly&status=completed&sort=amount&dir=asc")
    go_to_page(page, 2)
    address, first = page.url, links(page)[0]
    follow(page, page.locator("table.list tbody th a").first)
    assert page.locator("h1").inner_text().startswith(first)
    page.go_back()
    assert page.url == address
    assert links(page)[0] == first
    assert page.locator("#filter-q").input_value() == "monthly"
    assert page.locator("nav[aria-label=Status] [aria-current]").inner_text() == "Completed"
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"


def test_unknown_values_fall_back_to_the_defaults(page):
    page.goto(ORDERS)
    expected = links(page)
    answer = page.goto(f"{ORDERS}?status=odd&sort=colour&dir=up&customer=nobody&page=99999&page=x&unheard=of")
    assert answer.status == 200
    assert links(page) == expected


def test_a_filter_chosen_on_page_three_starts_at_the_top_of_the_whole_list(page, server):
    page.goto(ORDERS)
    go_to_page(page, 3)
    assert "after" in query(page)
    follow(page, page.get_by_role("navigation", name="Status").get_by_role("link", name="Cancelled"))
    assert query(page) == {"status": "cancelled"}
    assert links(page)[0] == numbers(server, "o.status = 'cancelled'", "o.purchased_at DESC, o.id DESC")[0]
    assert shown(page)[0] == 1


def test_an_order_chosen_on_page_three_sorts_the_whole_list(page, server):
    page.goto(f"{ORDERS}?status=completed")
    go_to_page(page, 3)
    follow(page, page.get_by_role("columnheader", name="Amount").get_by_role("link"))
    assert query(page) == {"status": "completed", "sort": "amount"}
    largest = numbers(server, "o.status = 'completed'", "o.worth DESC, o.id DESC")
    assert links(page) == largest[:25]


@pytest.mark.read_only
@pytest.mark.parametrize("name", LISTS)
def test_all_pages_together_are_the_list_in_its_order_and_once(page, server, name):
    suffix, condition, order = LISTS[name]
    expected = numbers(server, condition, order)
    assert len(expected) > 25
    seen, titles = [], []
    for read in pages(page, ORDERS + suffix):
        first, last, total = parse_range(read["range"])
        assert (first, last, total) == (len(seen) + 1, len(seen) + len(read["links"]), len(expected))
        assert any(read["range"] in footer for footer in read["footers"])
        assert f"({first}–{last} of {total})" in read["title"] or first == last
        assert (read["previous"] is None) == (not seen)
        titles.append(read["title"])
        seen += read["links"]
    assert seen == expected
    assert len(set(seen)) == len(seen)
    assert len(set(titles)) == len(titles)


def test_previous_leads_back_over_the_same_rows(page):
    seen = [links(page) for page in walk(page, f"{ORDERS}?status=cancelled&sort=amount")]
    previous = page.get_by_role("link", name="Previous")
    back = [links(page)]
    while previous.count():
        follow(page, previous)
        back.append(links(page))
    assert back[::-1] == seen
    assert shown(page)[0] == 1


def test_the_json_api_has_the_same_orders_in_the_same_order(page, api):
    listed = [number for page in walk(page, f"{ORDERS}?status=cancelled") for number in links(page)]
    told, after = [], {}
    while True:
        answer = api("orders", status="CANCELLED", limit=40, **after)
        told += [order["orderNumber"] for order in answer["orders"]]
        if not answer["next"]:
            break
        after = {"after": answer["next"]}
    assert listed == told


def test_a_list_of_one_page_has_no_page_links(page, server):
    page.goto(f"{ORDERS}?status=refunded")
    assert links(page) == numbers(server, "o.status = 'refunded'", "o.purchased_at DESC, o.id DESC")
    assert page.get_by_role("navigation", name="Pages").count() == 0


def test_a_marker_behind_the_end_leads_to_a_page_that_exists(page):
    # Kind 1 (by creation), the moment 0, 500 rows before, id 0: no order is older.
    beyond = base64.urlsafe_b64encode(bytes([1]) + bytes(8) + (500).to_bytes(4, "big") + bytes(16)).decode().rstrip("=")
    page.goto(f"{ORDERS}?status=completed&after={beyond}")
    assert query(page) == {"status": "completed"}
    assert page.locator("main .flash").inner_text().startswith("That page of the list is no longer there.")
    page.reload()
    assert shown(page)[0] == 1


def test_exactly_one_column_says_how_the_list_is_sorted(page):
    page.goto(ORDERS)
    seen = []
    for column, times in (("Created", 2), ("Amount", 2)):
        for _ in range(times):
            follow(page, page.get_by_role("columnheader", name=column).get_by_role("link"))
            sorted_column = page.locator("th[aria-sort]")
            assert sorted_column.count() == 1
            assert sorted_column.inner_text().startswith(column)
            caption = page.locator("table.list caption").text_content()
            seen.append((column, sorted_column.get_attribute("aria-sort"), caption.split(", ")[1].split(";")[0]))
    assert seen == [
        ("Created", "ascending", "oldest first"),
        ("Created", "descending", "newest first"),
        ("Amount", "descending", "largest amount first"),
        ("Amount", "ascending", "smallest amount first"),
    ]


def test_a_chip_removes_its_own_filter_and_nothing_else(page, known):
    page.goto(f"{ORDERS}?q=Pro&status=completed&customer={known.two_letter_customer}&sort=amount&dir=asc")
    chips = page.locator(".chip")
    assert [text.split("×")[0].strip() for text in chips.all_inner_texts()][:2] == [
        "Status: Completed", "Search: “Pro”",
    ]
    left = query(page)
    for label, parameter in (("Search", "q"), ("Status", "status"), ("Customer", "customer")):
        follow(page, page.get_by_role("link", name=f"Remove filter {label}"))
        del left[parameter]
        assert query(page) == left
    assert chips.count() == 0


def test_clear_all_shows_every_order(page, server):
    page.goto(f"{ORDERS}?q=Pro&status=completed")
    follow(page, page.get_by_role("link", name="Clear all"))
    assert query(page) == {}
    assert shown(page)[2] == len(numbers(server, "true", "o.id"))


def test_the_chosen_status_is_marked_and_every_row_has_it(page):
    for word in ("Completed", "Pending", "Partially refunded", "Refunded", "Failed", "Cancelled"):
        page.goto(ORDERS)
        tabs = page.get_by_role("navigation", name="Status")
        follow(page, tabs.get_by_role("link", name=word, exact=True))
        assert tabs.locator("[aria-current]").all_inner_texts() == [word]
        assert {row["Status"] for row in rows(page)} == {word}
        assert word.lower() in page.title()


def test_the_title_names_the_filters_the_page_the_app_and_the_product(page):
    page.goto(f"{ORDERS}?q=Pro&status=completed")
    first, last, total = shown(page)
    assert page.title() == f"Orders, completed, “Pro” ({first}–{last} of {total}) – Readmigo – Perennial"
