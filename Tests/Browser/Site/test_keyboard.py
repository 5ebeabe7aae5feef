"""Single-key shortcuts: their actions, the places where they do nothing, and the way to turn them off (WCAG 2.1.4)."""

import pytest

import looks
from listing import NOTIFICATIONS, ORDERS, links

SEND = """(event) => (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...event }))"""


def focused_row(page):
    return page.evaluate(
        "[...document.querySelectorAll('table.list tbody th a')].indexOf(document.activeElement)")


def is_searching(page):
    return page.evaluate("document.activeElement.id === 'find'")


def test_slash_goes_to_the_search_and_types_nothing(page):
    page.goto("/dashboard/find?q=Pro")
    page.keyboard.press("/")
    assert is_searching(page)
    assert page.get_by_role("searchbox").input_value() == "Pro"
    page.keyboard.type("a/b")
    assert page.get_by_role("searchbox").input_value() == "a/b"


@pytest.mark.parametrize("path", [ORDERS, NOTIFICATIONS])
def test_j_and_k_go_down_and_up_the_rows_and_enter_opens(page, path):
    page.goto(path)
    for key, row in [("j", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0), ("k", 0)]:
        page.keyboard.press(key)
        assert focused_row(page) == row
    page.keyboard.press("j")
    name = links(page)[1]
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}/*")
    assert page.locator("h1").inner_text().split()[0] == name.split()[0]


def test_j_stops_at_the_last_row(page):
    page.goto(f"{ORDERS}?status=refunded")
    last = len(links(page)) - 1
    for _ in range(last + 3):
        page.keyboard.press("j")
    assert focused_row(page) == last


def test_k_starts_at_the_last_row(page):
    page.goto(ORDERS)
    page.keyboard.press("k")
    assert focused_row(page) == 24


@pytest.mark.parametrize("field", ["#find", "#app"])
def test_keys_in_a_field_belong_to_the_field(page, field):
    page.goto(ORDERS)
    page.locator(field).focus()
    for key in ("j", "k", "/"):
        page.keyboard.press(key)
    assert page.locator(field).evaluate("field => field === document.activeElement")


@pytest.mark.parametrize("modifier", ["ctrlKey", "altKey", "metaKey"])
def test_keys_with_a_modifier_are_the_browsers(page, modifier):
    page.goto(ORDERS)
    for key in ("j", "/", "?", "g"):
        assert page.evaluate(SEND, {"key": key, modifier: True}), "the browser's own action was prevented"
    assert focused_row(page) == -1 and not is_searching(page) and page.get_by_role("dialog").count() == 0


def test_keys_that_compose_a_character_are_left_alone(page):
    page.goto(ORDERS)
    for key in ("j", "k", "/", "?", "g"):
        assert page.evaluate(SEND, {"key": key, "isComposing": True})
    assert focused_row(page) == -1 and not is_searching(page) and page.get_by_role("dialog").count() == 0


def test_slash_is_known_by_its_character_not_by_its_place_on_the_keyboard(page):
    page.goto(ORDERS)
    page.evaluate(SEND, {"key": "ö", "code": "Slash"})
    assert not is_searching(page)
    # On a Turkish keyboard "/" is Shift and 7.
    page.evaluate(SEND, {"key": "/", "code": "Digit7", "shiftKey": True})
    assert is_searching(page)


def test_keys_can_be_turned_off_for_good_and_on_again(person):
    page = person()
    page.goto(f"{ORDERS}?status=completed")
    assert page.locator(".top kbd").is_visible()
    page.get_by_role("button", name="Turn off keyboard shortcuts").click()
    page.wait_for_load_state()
    assert page.url.endswith(f"{ORDERS}?status=completed")
    for path in (ORDERS, NOTIFICATIONS):
        page.goto(path)
        for key in ("/", "j", "k", "g", "u"):
            page.keyboard.press(key)
        assert focused_row(page) == -1 and not is_searching(page) and page.url.endswith(path)
        assert page.locator(".top kbd").count() == 0
    page.get_by_role("button", name="Turn on keyboard shortcuts").click()
    page.wait_for_load_state()
    page.keyboard.press("j")
    assert focused_row(page) == 0


@pytest.mark.parametrize("key, place", [
    ("o", "orders"), ("r", "refunds"), ("u", "customers"), ("s", "subscriptions"), ("w", "notifications"), ("a", "audit")])
def test_g_and_a_key_go_to_a_place(page, key, place):
    page.goto("/dashboard/preferences")
    page.keyboard.press("g")
    page.keyboard.press(key)
    page.wait_for_url(f"**/dashboard/{place}")


def test_g_waits_for_one_key_only(page):
    page.goto("/dashboard/preferences")
    for key in ("g", "x", "o"):
        page.keyboard.press(key)
    assert page.url.endswith("/dashboard/preferences")


def test_a_question_mark_lists_the_keys(page):
    page.goto(ORDERS)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    assert keys.is_visible()
    listed = dict(zip(keys.locator("dt").all_inner_texts(), keys.locator("dd").all_inner_texts()))
    assert looks.layout(page, 1280) == []
    assert listed["/"] == "Search" and listed["g o"] == "Orders" and listed["g w"] == "Notifications"
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    assert keys.is_hidden() and focused_row(page) == -1


def test_there_is_no_list_of_keys_that_are_off(person):
    page = person()
    page.get_by_role("button", name="Turn off keyboard shortcuts").click()
    page.wait_for_load_state()
    page.keyboard.press("?")
    assert page.get_by_role("dialog").count() == 0


def test_what_takes_the_focus_in_a_table_that_scrolls_is_seen_whole(page):
    page.goto("/dashboard/subscriptions")
    page.evaluate("document.querySelectorAll('table.list tbody th a').forEach(link => link.append('-'.repeat(40)))")
    region, link = page.locator(".scroll:has(table.list)"), page.locator("table.list tbody th a").first
    # Scroll far to the right, so that only the end of the link is visible.
    region.evaluate("(region, link) => { region.scrollLeft = link.offsetWidth - 20; }", link.element_handle())
    link.focus()
    inside, outside = link.bounding_box(), region.bounding_box()
    assert inside["x"] >= outside["x"], (inside, outside)
