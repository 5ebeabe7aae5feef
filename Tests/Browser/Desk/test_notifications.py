"""The inbox of store notifications, and the page of one of them."""

import base64
import json

import pytest

import sample_data
from listing import NOTIFICATIONS, follow, links, pages, parse_range, rows, shown

pytestmark = pytest.mark.tasks

COLUMNS = ["Type", "Status", "Received", "Store", "Notification UUID", "Attempts", "Last error", "Order"]
STATES = ["Received", "Processing", "Processed", "Ignored", "Failed"]
IN_APP = "FROM store_notifications n JOIN apps a ON a.id = n.app_id WHERE a.slug = 'readmigo'"


def uuids(server, condition="true"):
    found = server.sql(
        f"SELECT n.notification_uuid {IN_APP} AND {condition} ORDER BY n.received_at DESC, n.id DESC")
    return [row[0] for row in found]


def test_the_columns_say_when_what_and_how_it_went(page):
    page.goto(NOTIFICATIONS)
    assert page.locator("table.list thead th").all_inner_texts() == COLUMNS
    assert page.locator("th[aria-sort]").inner_text() == "Received"


@pytest.mark.read_only
@pytest.mark.parametrize("suffix, condition", [("", "true"), ("?state=ignored", "n.state = 'ignored'")])
def test_all_pages_together_are_the_inbox_newest_first_and_once(page, server, suffix, condition):
    expected = uuids(server, condition)
    assert len(expected) > 50
    seen = []
    for read in pages(page, NOTIFICATIONS + suffix):
        here = [row["Notification UUID"] for row in read["rows"]]
        assert parse_range(read["range"]) == (len(seen) + 1, len(seen) + len(here), len(expected))
        assert (read["previous"] is None) == (not seen)
        seen += here
    assert seen == expected


def test_each_state_lists_its_own_and_says_so(page, server):
    for word in STATES:
        page.goto(NOTIFICATIONS)
        tabs = page.get_by_role("navigation", name="Status")
        follow(page, tabs.get_by_role("link", name=word, exact=True))
        assert tabs.locator("[aria-current]").all_inner_texts() == [word]
        assert {row["Status"] for row in rows(page)} == {word}
        assert shown(page)[2] == len(uuids(server, f"n.state = '{word.lower()}'"))
        assert word.lower() in page.title()


def test_an_unknown_state_shows_the_whole_inbox(page, server):
    assert page.goto(f"{NOTIFICATIONS}?state=odd&page=7").status == 200
    assert shown(page)[2] == len(uuids(server))


def test_the_number_of_failures_stands_in_the_navigation_with_its_meaning(page, server):
    page.goto(NOTIFICATIONS)
    failed = len(uuids(server, "n.state = 'failed'"))
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Notifications")
    assert " ".join(link.text_content().split()) in (f"Notifications{failed} failed", f"Notifications {failed} failed")
    assert link.locator(".count").is_visible()


def test_a_failed_notification_shows_its_last_error_in_list_and_page(page):
    page.goto(f"{NOTIFICATIONS}?state=failed")
    error = f"No product com.example.unknown in this app. {sample_data.HOSTILE_TEXT}"
    assert {row["Last error"] for row in rows(page)} == {error}
    follow(page, page.locator("table.list tbody th a").first)
    assert page.locator(".problem").get_by_text(error).is_visible()
    assert page.locator("main img, main script").count() == 0


def test_the_attempts_are_listed_one_by_one(page, server, known):
    expected = server.sql(
        "SELECT attempt, result, coalesce(error, 'none') FROM notification_attempts "
        f"WHERE notification_id = '{known.failed_notification}' ORDER BY attempt")
    words = {"retried": "Requeued", "failed": "Failed"}
    page.goto(f"{NOTIFICATIONS}/{known.failed_notification}")
    table = page.get_by_role("region", name="Attempt table")
    told = [
        [cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in table.locator("tbody tr").all()
    ]
    assert [[row[0], row[1], row[4]] for row in told] == [
        [number, words[result], error] for number, result, error in expected]
    assert {row[3] for row in told} == {"14 ms"}


def test_what_waits_says_when_it_is_tried_again(page, known):
    page.goto(f"{NOTIFICATIONS}/{known.waiting_notification}")
    assert page.locator("h1 .status").inner_text() == "Received"
    assert "Next attempt" in page.get_by_role("region", name="Details").inner_text()
    page.goto(f"{NOTIFICATIONS}/{known.processed_notification}")
    assert "Next attempt" not in page.get_by_role("region", name="Details").inner_text()


def test_what_was_signed_is_shown_decoded_and_is_exactly_what_came(page, server, known):
    payload = server.sql(
        f"SELECT signed_payload FROM store_notifications WHERE id = '{known.processed_notification}'")[0][0]
    page.goto(f"{NOTIFICATIONS}/{known.processed_notification}")
    decoded = page.get_by_role("region", name="Decoded payload")
    assert json.loads(decoded.inner_text()) == content(payload)
    raw = page.get_by_role("region", name="Signed payload")
    assert not raw.is_visible()
    page.locator("summary").click()
    assert raw.inner_text().strip() == payload


def test_a_payload_that_tries_to_leave_its_element_is_shown_as_text(page, known):
    answer = page.goto(f"{NOTIFICATIONS}/{known.failed_notification}")
    assert sample_data.HOSTILE_TEXT in page.get_by_role("region", name="Decoded payload").inner_text()
    assert sample_data.HOSTILE_TEXT not in answer.text()
    assert page.locator("main script, main img").count() == 0


def test_a_payload_that_is_none_is_shown_as_it_came(page, server):
    unreadable = server.sql("SELECT id FROM store_notifications WHERE signed_payload = 'not.a.payload'")[0][0]
    page.goto(f"{NOTIFICATIONS}/{unreadable}")
    assert page.get_by_text("can't be shown as JSON").is_visible()
    page.locator("summary").click()
    assert page.get_by_role("region", name="Signed payload").inner_text().strip() == "not.a.payload"


def test_a_notification_leads_to_the_order_and_back_to_the_same_page_of_the_inbox(page):
    page.goto(f"{NOTIFICATIONS}?state=processed")
    follow(page, page.get_by_role("link", name="Next"))
    listed = page.url
    row = page.locator("table.list tbody tr").first
    number = row.get_by_role("link").last.inner_text()
    follow(page, row.get_by_role("link").last)
    assert page.locator("h1").inner_text().startswith(number)
    assert page.locator(".crumbs").inner_text().strip().endswith("Notifications")
    follow(page, page.locator(".crumbs a"))
    assert page.url == listed
    kind = links(page)[0]
    follow(page, page.locator("table.list tbody th a").first)
    assert page.locator("h1").inner_text().split()[0] == kind.split()[0]
    follow(page, page.locator(".crumbs a"))
    assert page.url == listed


def test_it_says_what_it_changed(page, server, known):
    before, after = server.sql(
        "SELECT state_before, state_after FROM subscription_events "
        "WHERE state_before = 'pending' AND state_after = 'active' LIMIT 1")[0]
    notification = server.sql(
        f"SELECT notification_id FROM subscription_events WHERE state_before = '{before}' AND state_after = '{after}' "
        "AND notification_id IS NOT NULL LIMIT 1")[0][0]
    page.goto(f"{NOTIFICATIONS}/{notification}")
    assert "Pending became Active" in " ".join(
        page.get_by_role("region", name="Changes").inner_text().replace("→", "").split())
    page.goto(f"{NOTIFICATIONS}/{known.waiting_notification}")
    assert "No changes yet" in page.get_by_role("region", name="Changes").inner_text()


def test_what_applying_again_would_do_is_said_before(page, known):
    """A failed notification may be applied now; an applied one counts once."""
    for notification, effect in (
        (known.failed_notification, "Applies its event if the rules now allow it"),
        (known.processed_notification, "None. It was already applied"),
    ):
        page.goto(f"{NOTIFICATIONS}/{notification}/replays/new")
        assert effect in page.locator("table.change").get_by_role("row", name="Effect").inner_text()
        for term in ("Can it be undone?", "Notifications"):
            assert page.locator("main dt", has_text=term).count() == 1


def test_a_notification_is_applied_again_beside_what_was_tried_before(page, server, known):
    notification = known.processed_notification
    kept = (
        "SELECT md5(signed_payload), (SELECT md5(string_agg(a::text, ',' ORDER BY attempt)) FROM notification_attempts a "
        f"WHERE notification_id = n.id AND attempt <= {{}}), attempt FROM store_notifications n WHERE id = '{notification}'")
    state_of_all = "SELECT md5(string_agg(s::text, ',' ORDER BY id)) FROM subscriptions s"
    attempts = int(server.sql(kept.format(0))[0][2])
    before, subscriptions = server.sql(kept.format(attempts))[0], server.sql(state_of_all)
    page.goto(f"{NOTIFICATIONS}/{notification}")
    follow(page, page.get_by_role("link", name="Replay…"))
    page.get_by_label("Category").select_option("service_failure")
    page.get_by_label("Reason").fill("Looked at again after the outage.")
    follow(page, page.get_by_role("button", name="Replay"))
    assert page.locator(".flash[role=status]").inner_text().startswith("Notification queued for replay")
    entry = page.locator(".flash a").get_attribute("href").rsplit("/", 1)[1]
    assert server.sql(f"SELECT action, object_id FROM audit_entries WHERE id = '{entry}'") == [["notification.replay", notification]]
    table = page.get_by_role("region", name="Attempt table").locator("tbody tr")
    state = page.locator("h1 .status")
    for _ in range(2_000):
        if table.count() == attempts + 1 and state.inner_text() == "Processed":
            break
        page.wait_for_timeout(50)
        page.goto(f"{NOTIFICATIONS}/{notification}")
    assert state.inner_text() == "Processed"
    assert table.count() == attempts + 1
    assert server.sql(kept.format(attempts))[0][:2] == before[:2]
    assert server.sql(state_of_all) == subscriptions


def content(signed):
    """Returns the contents of a signed payload; signed texts in it are decoded as well."""
    body = signed.split(".")[1]
    told = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))

    def read(value):
        if isinstance(value, dict):
            return {key: read(inner) for key, inner in value.items()}
        if isinstance(value, str) and value.startswith("ey") and value.count(".") == 2:
            return content(value)
        return value

    return read(told)
