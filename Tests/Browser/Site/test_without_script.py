"""The whole dashboard with JavaScript turned off."""

import pytest

from listing import FIRST_PAGE, NOTIFICATIONS, ORDERS, follow, links, rows, shown, walk
from windows import PHONE, fill_in_sign_in


@pytest.fixture
def plain(open_as):
    return open_as("admin", java_script_enabled=False)


def test_a_day_at_work_needs_no_script(open_as, staff, server, known):
    page = open_as(None, java_script_enabled=False)
    page.goto(f"{ORDERS}?status=refunded")
    email = staff()
    fill_in_sign_in(page, email, "wrong password")
    assert page.get_by_role("alert").is_visible()
    fill_in_sign_in(page, email)
    page.wait_for_url(FIRST_PAGE)
    follow(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Orders"))

    # Find, filter, sort, page, open, go back.
    follow(page, page.get_by_role("navigation", name="Status").get_by_role("link", name="Completed"))
    follow(page, page.get_by_role("columnheader", name="Amount").get_by_role("link"))
    follow(page, page.get_by_role("link", name="Next"))
    listed, first = page.url, links(page)[0]
    follow(page, page.get_by_role("link", name=first))
    assert page.locator("h1").inner_text().startswith(first)
    follow(page, page.locator(".crumbs a"))
    assert (page.url, links(page)[0]) == (listed, first)

    # From an order to its notification, and to its customer's other orders.
    page.get_by_role("searchbox").fill(f" {known.refunded_order} ")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(f"**{known.refunded_order}*")
    made = page.get_by_role("region", name="Store notifications").locator("li").filter(has_text="created this order")
    follow(page, made.get_by_role("link"))
    page.locator("summary").click()
    assert page.get_by_role("region", name="Signed payload").is_visible()
    follow(page, page.get_by_role("row").filter(has_text="created by this").get_by_role("link"))
    follow(page, page.get_by_role("link", name="All orders of this customer"))
    assert known.refunded_order in links(page)

    # Choose the colours and another app, and leave.
    page.get_by_role("button", name="Dark").click()
    page.wait_for_load_state()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_label("App", exact=True).select_option("tandem")
    page.get_by_role("button", name="Switch app").click()
    page.wait_for_load_state()
    assert page.get_by_role("status").inner_text() == "No orders"
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/dashboard/sign-in")


def test_all_pages_of_a_list_can_be_walked(plain, server):
    expected = server.sql("SELECT number FROM orders WHERE status = 'cancelled' ORDER BY purchased_at DESC, id DESC")
    seen = [number for page in walk(plain, f"{ORDERS}?status=cancelled") for number in links(page)]
    assert seen == [row[0] for row in expected]


def test_the_inbox_tells_the_same(plain, page):
    for window in (plain, page):
        window.goto(f"{NOTIFICATIONS}?state=failed")
    assert rows(plain) == rows(page)
    assert shown(plain) == shown(page)


def test_nothing_on_a_page_waits_for_a_script(plain, known):
    for path in (ORDERS, f"{ORDERS}/{known.order}", NOTIFICATIONS, f"{NOTIFICATIONS}/{known.failed_notification}"):
        plain.goto(path)
        assert plain.locator("button:not(form button, [popovertarget])").count() == 0
        assert plain.locator("[hidden], noscript").count() == 0


def test_an_error_takes_the_focus_and_its_link_leads_to_the_field(open_as, staff):
    page = open_as(None, java_script_enabled=False, viewport=PHONE)
    fill_in_sign_in(page, staff(), "wrong password")
    assert page.get_by_role("alert").evaluate("alert => alert === document.activeElement")
    page.get_by_role("alert").get_by_role("link").click()
    page.keyboard.type("typed")
    assert page.get_by_label("Email").input_value().endswith("typed") or page.evaluate("location.hash") == "#email"
