"""Refund cases that Apple opens, the consent that an answer needs, and renewals that Apple postpones."""

import re

import pytest
from playwright.sync_api import expect

import sample_data
from listing import ORDERS
from places import SUBSCRIPTIONS
from refunds import REFUNDS, fill_in_reason, refund

pytestmark = pytest.mark.tasks
CUSTOMERS = "/dashboard/customers"


@pytest.fixture(scope="module")
def case(server, known):
    """Returns a case that Apple opened two hours ago about an order that no test has touched."""
    number = "RF-800001"
    server.sql(f"""
    INSERT INTO refund_requests (id, app_id, order_id, number, kind, status, requested_amount, currency, reason_category, reason,
        requested_as, requested_at, opened_by_store, consumption_requested_at, consumption_last_requested_at, consumption_due_at,
        consumption_reason, expires_at, updated_at)
    SELECT gen_random_uuid(), o.app_id, o.id, '{number}', 'full', 'pending', o.amount, o.currency, 'customer_request',
        'UNSATISFIED_WITH_PURCHASE', 'apple', now() - interval '2 hours', true, now() - interval '2 hours',
        now() - interval '1 hour', now() + interval '10 hours', 'UNSATISFIED_WITH_PURCHASE', now() + interval '30 days', now()
    FROM orders o JOIN apps a ON a.id = o.app_id
    WHERE a.slug = 'readmigo' AND o.status = 'completed' AND o.amount BETWEEN 1000 AND 9900 AND o.environment = 'production'
        AND o.store = 'apple' AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id)
    ORDER BY o.period_ends_at DESC, o.number LIMIT 1""")
    return number


def test_a_case_stands_in_the_queue_with_its_clock_and_any_admin_decides_it(page, server, case):
    page.goto(f"{REFUNDS}?opener=store")
    row = page.get_by_role("row").filter(has_text=case)
    expect(row).to_contain_text("left to respond to Apple")
    expect(row).to_contain_text("Apple")
    page.goto("/dashboard")
    expect(page.get_by_role("link", name=re.compile("to answer the store about"))).to_be_visible()

    page.goto(f"{REFUNDS}/{case}")
    text = page.locator("main").inner_text()
    assert "The customer asked Apple for a refund" in text and "The customer was not satisfied with it." in text
    assert "Last asked again" in text and "Answer to Apple" in text and "No consent recorded" in text
    page.get_by_role("link", name="Reject…").click()
    expect(page.locator("main")).to_contain_text("No consent recorded")
    fill_in_reason(page)
    page.get_by_role("button", name=re.compile("^Reject refund")).click()
    expect(page).to_have_url(re.compile(rf"{REFUNDS}/{case}$"))
    assert refund(server, case)[0] == "rejected"


def test_consent_is_recorded_with_a_reason_and_withdrawn(open_as, server, known):
    support = open_as("support")
    customer = f"{CUSTOMERS}/{known.turkish_customer}"
    for choice, shown in [("given", "Consent given"), ("withdrawn", "Consent withdrawn")]:
        support.goto(customer)
        support.get_by_role("link", name="Record consent…").click()
        support.get_by_role("button", name="Record consent").click()
        expect(support.locator("[role=alert]")).to_be_visible()
        support.locator(f"input[name=consent][value={choice}]").check()
        fill_in_reason(support, "They said so in the chat.")
        support.get_by_role("button", name="Record consent").click()
        expect(support).to_have_url(re.compile(f"{customer}$"))
        expect(support.locator("section[aria-labelledby=consent]")).to_contain_text(shown)
    assert server.sql(
        f"SELECT is_given, source FROM consumption_consents WHERE customer_id = '{known.turkish_customer}' "
        "ORDER BY recorded_at") == [["t", "staff"], ["f", "staff"]]


@pytest.mark.needs_scripts("only a script copies")
def test_who_asks_for_a_refund_of_an_apple_order_is_told_that_the_customer_asks_apple(open_as, known):
    support = open_as("support")
    support.goto(f"{ORDERS}/{known.order}/refund")
    text = support.locator("main").inner_text()
    assert "the customer has to ask Apple" in text
    assert "https://reportaproblem.apple.com" in text
    assert "GRANT_FULL" in text and "GRANT_PRORATED" in text
    expect(support.get_by_role("button", name="Copy address")).to_be_visible()


def test_an_extension_says_what_is_wrong_and_then_waits_for_the_store(page, server, known):
    page.goto(f"/dashboard/subscriptions/{known.subscription}/extension")
    page.get_by_role("button", name="Extend at Apple").click()
    expect(page.locator("[role=alert]")).to_be_visible()
    page.locator("input[name=days]").fill("91")
    page.locator("input[name=reasonCode][value=OTHER]").check()
    fill_in_reason(page, "Could not read for a week.")
    page.get_by_role("button", name="Extend at Apple").click()
    expect(page.locator("[role=alert]")).to_contain_text("Days")
    page.locator("input[name=days]").fill("7")
    page.get_by_role("button", name="Extend at Apple").click()
    expect(page).to_have_url(re.compile(f"{CUSTOMERS}/[0-9a-f-]+$"))
    expect(page.locator("main .flash")).to_contain_text("The store is asked to extend.")
    expect(page.locator("section[aria-labelledby=extensions]")).to_contain_text("Being sent")
    mine = f"subscription_id = '{known.subscription}'"
    assert server.sql(f"SELECT state, days, reason_code FROM renewal_extensions WHERE {mine}") == [["sending", "7", "2"]]
    # The sample's store does not exist: a request that nobody answers must not stay in the queues that other tests read.
    server.sql(f"""
    UPDATE jobs SET state = 'cancelled', attempted_by = NULL, lease_ends_at = NULL, finalized_at = now()
    WHERE kind = 'extension_request' AND subject_id IN (SELECT id FROM renewal_extensions WHERE {mine});
    DELETE FROM renewal_extensions WHERE {mine}""")


def test_whom_a_store_did_not_extend_is_listed_with_the_extension_that_nobody_here_requested(page, known):
    page.goto("/dashboard/extensions")
    row = page.get_by_role("row").filter(has_text="1,204 extended, 30 not")
    expect(row).to_contain_text("Not requested here")
    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/dashboard/extensions/{known.extension}"))
    expect(page.locator("aside")).to_contain_text(sample_data.HOSTILE_TEXT)
    failures = page.locator("section[aria-labelledby=failures]")
    expect(failures.locator("tbody tr")).to_have_count(25)
    failures.get_by_role("link", name="Next").click()
    expect(failures.locator("tbody tr")).to_have_count(5)
    failures.locator("tbody a").first.click()
    expect(page).to_have_url(re.compile(f"{SUBSCRIPTIONS}/[0-9a-f-]+"))
    page.locator(".crumbs a").first.click()
    expect(page).to_have_url(re.compile(f"/dashboard/extensions/{known.extension}"))


def test_what_a_store_refused_stands_in_the_list_as_text(page, server, known):
    answer = page.goto("/dashboard/extensions")
    row = page.get_by_role("row").filter(has_text="Not now.")
    expect(row).to_contain_text(f"Not now. {sample_data.HOSTILE_TEXT}")
    expect(row).to_contain_text("(CHN USA)")
    assert sample_data.HOSTILE_TEXT not in answer.text()
