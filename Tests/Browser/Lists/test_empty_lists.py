"""A list without rows says which of three reasons it has, and where to go."""

import pytest

from listing import NOTIFICATIONS, ORDERS, follow


def empty(page, path):
    page.goto(path)
    assert page.locator("table.list").count() == 0
    return page.locator("main .empty")


@pytest.mark.tasks
def test_nothing_yet_nothing_found_and_no_such_page_read_differently(open_as, page):
    newcomer = open_as("newcomer")
    nothing_yet = empty(newcomer, ORDERS)
    nothing_found = empty(page, f"{ORDERS}?q=zzzzzz&status=refunded")
    texts = [nothing_yet.inner_text(), nothing_found.inner_text()]
    assert "first purchase" in texts[0]
    assert "“zzzzzz”" in texts[1] and "refunded" in texts[1]
    follow(newcomer, nothing_yet.get_by_role("link"))
    assert newcomer.url.endswith(NOTIFICATIONS)
    follow(page, nothing_found.get_by_role("link"))
    assert page.url.endswith(ORDERS) and page.locator("table.list").count() == 1

    page.goto(f"{ORDERS}/ORD-19990101-0001")
    texts.append(page.locator("main").inner_text())
    assert page.locator("[data-copy='Copy request ID']").inner_text()
    follow(page, page.locator("main").get_by_role("link"))
    assert page.locator("h1").inner_text() == "Orders"
    assert len(set(texts)) == 3


def test_an_empty_inbox_and_an_inbox_without_failures_read_differently(open_as):
    newcomer = open_as("newcomer")
    texts = []
    for path in (NOTIFICATIONS, f"{NOTIFICATIONS}?state=failed", f"{NOTIFICATIONS}?state=ignored"):
        state = empty(newcomer, path)
        texts.append(state.inner_text())
        assert state.get_by_role("link").count() == 1
    assert len(set(texts)) == 3
    assert "No failed notifications" in texts[1]


@pytest.mark.parametrize("path", ["/dashboard/customers", "/dashboard/subscriptions"])
def test_other_lists_tell_nothing_yet_from_nothing_found(open_as, page, path):
    nothing_yet = empty(open_as("newcomer"), path).inner_text()
    nothing_found = empty(page, f"{path}?q=zzzzzz&plan=PRO")
    assert "“zzzzzz”" in nothing_found.inner_text() and "yet" in nothing_yet and "yet" not in nothing_found.inner_text()
    assert page.locator(".chip").count() == 2
    follow(page, nothing_found.get_by_role("link"))
    assert page.url.endswith(path) and page.locator("table.list").count() == 1


def test_an_empty_list_counts_nothing(open_as):
    newcomer = open_as("newcomer")
    newcomer.goto(ORDERS)
    assert newcomer.get_by_role("status").inner_text() == "No orders"
    assert newcomer.title() == "Orders – Tandem – Perennial"
