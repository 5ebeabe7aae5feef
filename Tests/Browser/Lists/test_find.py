"""The search box of every page: numbers and ids open their object, parts give groups, and nobody sees too much."""

import pytest

from listing import NOTIFICATIONS, ORDERS

pytestmark = pytest.mark.tasks

FIND = "/dashboard/find"
CUSTOMERS = "/dashboard/customers"


def find(page, text, start=ORDERS):
    page.goto(start)
    page.get_by_role("searchbox").fill(text)
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_load_state()


def test_the_box_says_what_it_searches(page, analyst):
    page.goto(ORDERS)
    label = page.get_by_role("search").locator("label").inner_text()
    for word in ("order and refund numbers", "transaction IDs", "products", "customer IDs", "names", "email"):
        assert word in label
    analyst.goto(ORDERS)
    assert "names" not in analyst.get_by_role("search").locator("label").inner_text()
    assert "mail" not in analyst.get_by_role("searchbox").get_attribute("placeholder")


def test_the_box_works_from_every_page_and_the_way_back_is_the_search(page, known):
    for start in (f"{ORDERS}/{known.order}", NOTIFICATIONS, CUSTOMERS, "/dashboard/subscriptions", f"{ORDERS}/none"):
        find(page, f"  {known.sandbox_order.lower()}\t", start=start)
        assert page.locator("h1").inner_text().startswith(known.sandbox_order)
        assert page.locator(".crumbs a").get_attribute("href").startswith(f"{FIND}?q=")


def test_an_address_opens_its_customer(page, server):
    email = server.sql(
        "SELECT email FROM customers WHERE email IS NOT NULL GROUP BY email HAVING count(*) = 1 ORDER BY email LIMIT 1")[0][0]
    find(page, email.upper())
    assert page.url.split("?")[0].startswith(page.url.split("/dashboard")[0] + CUSTOMERS + "/")
    assert email in page.locator(".head").inner_text()


def test_a_refunds_number_opens_its_request_and_the_queue_is_searched(page, server):
    number, order = server.sql(
        "SELECT r.number, o.number FROM refund_requests r JOIN orders o ON o.id = r.order_id JOIN apps a ON a.id = r.app_id "
        "WHERE a.slug = 'readmigo' AND r.status <> 'pending' ORDER BY r.number DESC LIMIT 1")[0]
    find(page, f" {number.lower()} ")
    assert page.url.split("?")[0].endswith(f"/dashboard/refunds/{number}")
    page.goto("/dashboard/refunds")
    page.locator("form.filters input[name=q]").fill(order)
    page.locator("form.filters input[name=q]").press("Enter")
    page.wait_for_load_state()
    assert "No results" in page.locator("main").inner_text()
    page.get_by_role("link", name="Search every status").click()
    page.wait_for_load_state()
    assert number in page.locator("table.list").inner_text()
    assert set(page.locator("tbody a.mono[href*='/orders/']").all_inner_texts()) == {order}
    page.locator(".chips a").first.click()
    page.wait_for_load_state()
    assert "q=" not in page.url and page.locator("tbody tr").count() > 1


def test_a_persons_id_opens_their_page(page, server, known):
    customer = known.two_letter_customer
    (key,) = server.sql(f"SELECT key FROM customers WHERE id = '{customer}'")[0]
    for text in (f"  {key} ", customer):
        find(page, text)
        assert page.url.split("?")[0].endswith(f"{CUSTOMERS}/{customer}")


def test_a_part_gives_groups_whose_rest_is_a_list(page):
    find(page, "Pro")
    assert page.get_by_role("region", name="Search results: Orders").is_visible()
    page.get_by_role("link", name="All orders").click()
    page.wait_for_load_state()
    assert page.url.endswith(f"{ORDERS}?q=Pro")
    assert page.locator(".chip").inner_text().startswith("Search: “Pro”")


@pytest.mark.parametrize("text", ["ibrahim", "İBRAHİM", "ıbrahım", "ÇELİK", "ib"])
def test_ibrahim_is_found_however_his_i_is_written(page, text):
    find(page, text)
    assert "İbrahim Çelik" in page.get_by_role("region", name="Search results: Customers").inner_text()


def test_short_texts_say_what_they_find(page):
    find(page, "x")
    assert page.get_by_text("Type three or more").is_visible()


@pytest.mark.parametrize("text", ["100%", "%%%", "\\\\\\", "'; DROP TABLE orders; --", "\"><script>alert(1)</script>"])
def test_odd_texts_find_nothing_and_break_nothing(page, text):
    find(page, text)
    assert page.get_by_text("No results for").is_visible()
    assert page.get_by_role("searchbox").input_value() == text
    assert page.locator("main script").count() == 0


def test_analysts_find_nobody_by_name_or_address(analyst, server, known):
    name, email, number = server.sql(
        "SELECT c.name, c.email, o.number FROM orders o JOIN customers c ON c.id = o.customer_id "
        "WHERE c.email LIKE 'ibrahim%' LIMIT 1")[0]
    for text in (name, email, "ibrahim", "example.com"):
        find(analyst, text)
        assert analyst.get_by_text("No results for").is_visible()
    find(analyst, number)
    assert analyst.locator("h1").inner_text().startswith(number)


def test_what_is_in_another_app_says_so_and_opens_that_app(person, known):
    page = person()
    page.get_by_label("App", exact=True).select_option("tandem")
    page.get_by_role("button", name="Switch app").click()
    page.wait_for_load_state()
    find(page, known.order)
    assert page.get_by_text("opens Readmigo").first.is_visible()
    page.locator("main").get_by_role("button", name=known.order).first.click()
    page.wait_for_load_state()
    assert page.locator("h1").inner_text().startswith(known.order)
    assert page.get_by_label("App", exact=True).input_value() == "readmigo"


def test_a_group_has_a_column_of_states_where_its_rows_have_one(page, known):
    find(page, "chen")
    headings = {name: page.locator(f"section[aria-labelledby='{name}'] thead th").all_inner_texts() for name in ("customers", "orders")}
    assert "Status" in headings["orders"] and "Status" not in headings["customers"]
