"""Staff actions for a customer: form, preview, action, message, undo."""

import datetime
import re
import sample_data

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.tasks

REASON = "The reader crashed all day."


@pytest.fixture
def somebody(server):
    """Returns a customer who bought nothing."""
    return sample_data.new_customers(server, name="Nur Ada")[0][0]


@pytest.fixture
def subscriber(server):
    """Returns a customer who has paid for PRO, or more, for some time ahead."""
    rows = server.sql(
        """
        SELECT customer_id FROM subscriptions
        WHERE state = 'active' AND period_ends_at > now() + interval '2 days'
            AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = subscriptions.id)
        ORDER BY id LIMIT 1
        """
    )
    return rows[0][0]


def give(page, customer, plan="PRO", days="7"):
    page.goto(f"/dashboard/customers/{customer}/grants/new")
    page.locator(f"input[name=plan][value={plan}]").check()
    page.get_by_label("Days", exact=True).fill(days)
    page.get_by_role("button", name="Review changes").click()


def confirm(page, text=REASON):
    page.get_by_label("Category").select_option("goodwill")
    page.get_by_label("Reason").fill(text)
    page.locator("main button").click()


def test_a_plan_is_given_extended_and_both_are_undone(open_as, server, somebody):
    page = open_as("admin")
    page.goto(f"/dashboard/customers/{somebody}")
    before = page.locator(".timeline > li").count()
    page.get_by_role("link", name="Grant access").click()
    give(page, somebody)
    assert page.locator("h1").inner_text() == "Grant PRO to Nur Ada?"
    shown = page.locator("table.change tbody tr").count()
    assert server.sql(f"SELECT count(*) FROM grants WHERE customer_id = '{somebody}'") == [["0"]]
    confirm(page)
    page.wait_for_url(f"**/dashboard/customers/{somebody}")
    assert page.locator(".flash").inner_text().startswith("Access granted.")
    entry = page.locator(".flash[role=status] a").get_attribute("href")
    assert entry.startswith("/dashboard/audit/")
    # The timeline has one more event on top, and its link is the entry's.
    moments = page.locator(".timeline > li")
    assert moments.count() == before + 1
    assert "Granted " in moments.first.inner_text() and "staff" in moments.first.inner_text()
    assert moments.first.get_by_role("link").get_attribute("href").split("?")[0] == entry
    kept = server.sql(
        f"""SELECT count(*) FROM audit_entries, jsonb_object_keys(after)
        WHERE action = 'access.grant' AND object_id = '{somebody}'"""
    )
    assert kept == [[str(shown)]]
    page.reload()
    assert page.locator(".flash").count() == 0

    page.get_by_role("link", name="Extend access").click()
    page.get_by_label("Days", exact=True).fill("3")
    page.get_by_role("button", name="Review changes").click()
    until, then = [datetime.datetime.strptime(re.search(r"\d+ \w{3} \d{4}", text).group(), "%d %b %Y")
                   for text in page.get_by_role("row", name="Until").locator("td").all_inner_texts()]
    assert then - until == datetime.timedelta(days=3)
    confirm(page)
    page.wait_for_url(f"**/dashboard/customers/{somebody}")
    for _ in range(2):
        page.get_by_role("link", name="Undo last action").click()
        confirm(page, "That was a mistake of mine.")
        page.wait_for_url(f"**/dashboard/customers/{somebody}")
    assert server.sql(f"SELECT count(*) FROM grants WHERE customer_id = '{somebody}' AND ended_at IS NULL") == [["0"]]


def test_what_is_paid_is_revoked_only_with_what_was_to_be_typed_and_restored(page, server, subscriber):
    page.goto(f"/dashboard/customers/{subscriber}/revocations/new")
    page.locator("input[name=of]").first.check()
    page.get_by_role("button", name="Review changes").click()
    assert page.locator(".danger").count() == 1
    confirm(page)
    expect(page).to_have_title(re.compile("^Error: "))
    expect(page.get_by_role("alert")).to_be_focused()
    assert page.get_by_label("Reason").input_value() == REASON
    page.get_by_label(f"Type {subscriber[-6:]} to confirm").fill(subscriber[-6:])
    page.locator("main form button").click()
    page.wait_for_url(f"**/dashboard/customers/{subscriber}")
    # The undo is one click away.
    assert page.get_by_role("link", name="Undo last action").is_visible()
    page.get_by_role("link", name="Restore access").click()
    page.locator("input[name=of]").first.check()
    page.get_by_role("button", name="Review changes").click()
    confirm(page)
    page.wait_for_url(f"**/dashboard/customers/{subscriber}")
    assert server.sql("SELECT count(*) FROM suspensions WHERE lifted_at IS NULL") == [["0"]]


@pytest.mark.needs_scripts("only a script keeps a form from being sent again")
def test_a_button_that_is_pressed_twice_sends_once(page, somebody, server):
    give(page, somebody)
    page.get_by_label("Category").select_option("goodwill")
    page.get_by_label("Reason").fill(REASON)
    with page.expect_navigation():
        goes_again = page.locator("main form").evaluate(
            "form => { form.requestSubmit(); return form.dispatchEvent(new SubmitEvent('submit', { cancelable: true })); }")
    assert not goes_again
    assert server.sql(f"SELECT count(*) FROM grants WHERE customer_id = '{somebody}'") == [["1"]]


def test_two_windows_one_is_told_that_it_was_slower(open_as, server, somebody):
    first, second = open_as("admin"), open_as("admin")
    give(first, somebody)
    give(second, somebody, days="9")
    confirm(first)
    first.wait_for_url(f"**/dashboard/customers/{somebody}")
    confirm(second)
    assert "This changed after you opened it" in second.get_by_role("alert").inner_text()
    assert server.sql(f"SELECT count(*) FROM grants WHERE customer_id = '{somebody}'") == [["1"]]


def test_support_gives_up_to_its_limit_and_is_told_who_can_do_more(open_as, somebody):
    page = open_as("support")
    give(page, somebody, days="31")
    assert "Ask an admin" in page.locator("main").inner_text()
    page.goto(f"/dashboard/customers/{somebody}")
    assert page.get_by_role("link", name="Revoke access").count() == 0
    assert "Only admins can revoke access" in page.locator("main").inner_text()
