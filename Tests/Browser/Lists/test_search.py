"""The search of the list of orders: its results, by role, in any spelling."""

import pytest

from listing import ORDERS, links, rows, shown

pytestmark = pytest.mark.tasks


def search(page, text, start=ORDERS):
    page.goto(start)
    page.locator("#filter-q").fill(text)
    page.locator("#filter-q").press("Enter")
    page.wait_for_load_state()


def people(page):
    return {row["Customer"].split("\n")[0] for row in rows(page)}


def test_the_field_says_what_it_searches(page, analyst):
    page.goto(ORDERS)
    label = page.locator("label[for=filter-q]").inner_text().lower()
    for word in ("number", "transaction id", "product", "customer id", "name", "email"):
        assert word in label
    analyst.goto(ORDERS)
    assert "name" not in analyst.locator("label[for=filter-q]").inner_text()


def test_a_whole_order_number_pasted_with_spaces_opens_the_order(page, known):
    search(page, f"  {known.order.lower()}\t ")
    assert page.url.split("?")[0].endswith(f"{ORDERS}/{known.order}")


def test_a_whole_transaction_id_pasted_with_spaces_opens_the_order(page, known, api):
    transaction = api(f"orders/{known.order}")["appleTransactionId"]
    search(page, f" {transaction} ")
    assert page.locator("h1").inner_text().startswith(known.order)


def test_the_way_back_from_an_exact_hit_is_the_list_of_that_search(page, known):
    search(page, known.order)
    back = page.locator(".crumbs a").get_attribute("href")
    assert back == f"{ORDERS}?q={known.order}"


def test_a_part_of_a_number_lists_the_orders_that_have_it(page, server):
    search(page, "ord-20260106-90")
    assert shown(page)[2] == int(
        server.sql("SELECT count(*) FROM orders WHERE number LIKE 'ORD-20260106-90%'")[0][0])
    assert all("ORD-20260106-90" in number for number in links(page))
    assert page.locator("#filter-q").input_value() == "ord-20260106-90"


@pytest.mark.parametrize(
    "text", ["ibrahim", "İBRAHİM", "İbrahim", "IBRAHIM", "ıbrahım", "i̇brahim", "ibrahim çelik", "ÇELİK"])
def test_ibrahim_is_found_however_his_i_is_written(page, text):
    search(page, text)
    assert "İbrahim Çelik" in people(page)


@pytest.mark.parametrize("text", ["Işıl Aydın", "IŞIL AYDIN", "ışıl aydın", "işil aydin", "İŞİL AYDIN"])
def test_isil_is_found_however_her_i_is_written(page, text):
    search(page, text)
    assert people(page) == {"Işıl Aydın"}


def test_a_name_of_two_characters_finds_the_people_who_are_called_so(page):
    search(page, "李娜")
    assert "李娜" in people(page)
    assert "李娜娜" not in people(page)
    search(page, "李娜娜")
    assert people(page) == {"李娜娜"}


def test_a_text_that_is_too_short_says_what_to_type_instead(page):
    search(page, "x")
    assert page.get_by_text("Type three or more characters").is_visible()


@pytest.mark.read_only
@pytest.mark.parametrize("text", ["100%", "ORD_2026", "%%%", "\\\\\\", "'; DROP TABLE orders; --"])
def test_characters_with_a_meaning_in_databases_are_only_characters(page, text):
    page.goto(ORDERS)
    answer = page.goto(f"{ORDERS}?q=" + "".join(f"%{byte:02X}" for byte in text.encode()))
    assert answer.status == 200
    assert page.get_by_text("No orders match").is_visible()


def test_markup_in_a_search_stays_text(page):
    text = "\"><script>alert(1)</script>"
    search(page, text)
    assert page.locator("#filter-q").input_value() == text
    assert page.locator(".chip").inner_text().startswith(f"Search: “{text}”")
    assert page.locator("main script").count() == 0


def test_a_very_long_text_finds_nothing_and_breaks_nothing(page):
    answer = page.goto(f"{ORDERS}?q={'x' * 5000}")
    assert answer.status == 200
    assert page.get_by_text("No orders match").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_analysts_cannot_find_people_by_name_or_address(analyst, server, known):
    name, email, number = server.sql(
        "SELECT c.name, c.email, o.number FROM orders o JOIN customers c ON c.id = o.customer_id "
        "WHERE c.email LIKE 'ibrahim%' LIMIT 1")[0]
    for text in (name, email, "ibrahim", "example.com"):
        search(analyst, text)
        assert analyst.get_by_text("No orders match").is_visible()
    search(analyst, number)
    assert analyst.locator("h1").inner_text().startswith(number)
