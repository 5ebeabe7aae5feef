"""Customers and subscriptions: their lists, their pages, and a customer's timeline."""

import re

import pytest

import sample_data
from listing import follow, links, shown, walk

pytestmark = pytest.mark.tasks

CUSTOMERS = "/dashboard/customers"
SUBSCRIPTIONS = "/dashboard/subscriptions"
IN_APP = "JOIN apps a ON a.id = c.app_id WHERE a.slug = 'readmigo'"


@pytest.fixture(scope="module")
def busy(server, known):
    """Returns the customer with the most orders."""
    return server.sql("SELECT customer_id FROM orders GROUP BY customer_id ORDER BY count(*) DESC, 1 LIMIT 1")[0][0]


def test_the_pages_of_the_list_are_all_customers_once(page, server):
    found = []
    for current in walk(page, f"{CUSTOMERS}?environment=ALL"):
        found += current.locator("table.list tbody th a").evaluate_all(
            "links => links.map(link => new URL(link.href).pathname.split('/').pop())")
        assert shown(current)[2] == len(server.sql(f"SELECT c.id FROM customers c {IN_APP}"))
    expected = server.sql(f"SELECT c.id FROM customers c {IN_APP} ORDER BY c.created_at DESC, c.id DESC")
    assert found == [row[0] for row in expected]


def test_who_is_only_in_the_sandbox_is_marked_and_not_among_those_of_production(page, server):
    page.goto("/dashboard")
    customers = page.locator("figure.chart", has=page.locator("#holders")).locator(".find").inner_text()
    page.goto(CUSTOMERS)
    production = shown(page)[2]
    assert customers.startswith(f"{production:,} customers")
    assert page.locator("table.list .tag.sandbox").count() == 0
    page.get_by_label("Environment").select_option(label="Sandbox")
    page.get_by_role("form", name="Filters").get_by_role("button", name="Filter").click()
    page.wait_for_load_state()
    rows, testers = page.locator("table.list tbody tr").count(), shown(page)[2]
    assert page.locator("table.list tbody .tag.sandbox").count() == rows > 0
    assert production + testers == len(server.sql(f"SELECT c.id FROM customers c {IN_APP}"))


def test_filters_are_chips_and_each_can_be_taken_away(page):
    page.goto(CUSTOMERS)
    page.get_by_role("form", name="Filters").get_by_label("Store").select_option("apple")
    page.get_by_label("Has refunds").check()
    page.get_by_role("button", name="Filter").click()
    page.wait_for_load_state()
    assert [chip.strip().split("\n")[0].rstrip(" ×") for chip in page.locator(".chip").all_inner_texts()] == [
        "Store: Apple", "Has refunds"]
    follow(page, page.get_by_role("link", name="Remove filter Store: Apple"))
    assert page.url.endswith("?refunds=yes")


def test_a_customers_page_says_who_what_and_until_when_above_the_fold(page, busy):
    page.goto(f"{CUSTOMERS}/{busy}?from=%2Fdashboard%2Fcustomers%3Frefunds%3Dyes")
    for name in ("h1", "#has"):
        box = page.locator(name).bounding_box()
        assert box["y"] + box["height"] < 720
    assert page.locator(".crumbs a").get_attribute("href") == f"{CUSTOMERS}?refunds=yes"
    for term in ("Plan", "Falls back to"):
        assert page.get_by_role("region", name="Current access").get_by_text(term, exact=True).is_visible()


@pytest.mark.read_only
@pytest.mark.parametrize("state, word", [("trial", "Trial"), ("grace_period", "Grace period"), ("active", "Apple")])
def test_the_card_says_where_a_plan_comes_from_until_when_and_what_is_next(page, server, known, state, word):
    customer = sample_data.new_customers(server)[0][0]
    server.sql(
        f"""INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
            product_id, started_at, period_starts_at, period_ends_at, renews_automatically, grace_period_ends_at, created_at, updated_at)
        SELECT gen_random_uuid(), p.app_id, '{customer}', 'apple', 'production', gen_random_uuid()::text, '{state}', p.id,
            now() - interval '9 days', now() - interval '9 days', now() + interval '5 days', true,
            CASE '{state}' WHEN 'grace_period' THEN now() + interval '5 days' END, now(), now()
        FROM products p JOIN apps a ON a.id = p.app_id WHERE a.slug = 'readmigo' AND p.store = 'apple' ORDER BY p.id LIMIT 1""")
    page.goto(f"{CUSTOMERS}/{customer}")
    card = page.get_by_role("region", name="Current access").inner_text()
    assert word in card and "Apple" in card and re.search(r"[45] days left", card), card


@pytest.mark.read_only
def test_the_card_says_what_was_given(page, known):
    page.goto(f"{CUSTOMERS}/{known.granted_customer}")
    card = page.get_by_role("region", name="Current access").inner_text()
    assert "left" in card and re.search("granted|given|gift", card, re.I), card


@pytest.mark.read_only
def test_secrets_in_what_a_store_said_are_masked(page, known):
    source = page.goto(f"{CUSTOMERS}/{known.turkish_customer}").text()
    assert "s3cret" not in source and "eyJ.eyJ.sig" not in source and "•••" in source


def test_the_timeline_is_newest_first_and_tells_who_without_colour(page, busy):
    page.goto(f"{CUSTOMERS}/{busy}")
    times = page.locator(".timeline > li > time").evaluate_all("all => all.map(one => Date.parse(one.dateTime))")
    assert times == sorted(times, reverse=True) and len(times) > 3
    words = set(page.locator(".timeline .actor").all_inner_texts())
    assert words <= {"store", "staff", "system"} and "store" in words
    follow(page, page.get_by_role("navigation", name="Show").get_by_role("link", name="Money"))
    titles = page.locator(".timeline > li strong").all_inner_texts()
    assert titles and all(re.search("charged|failed|pending|cancelled|Refund|Revocation", title) for title in titles)


def test_a_note_is_written_once_shown_in_the_timeline_and_withdrawn_by_its_author(person, busy):
    author = person("support")
    author.goto(f"{CUSTOMERS}/{busy}")
    text = "Prefers e-mail. </p><script>alert(1)</script>"
    author.get_by_label("New note").fill(text)
    author.get_by_role("button", name="Add note").click()
    author.wait_for_load_state()
    note = author.locator("article.written").filter(has_text="Prefers e-mail.")
    assert note.locator(".text").inner_text() == text
    assert "Added a note" in author.locator(".timeline > li").first.inner_text()
    other = person("admin")
    other.goto(f"{CUSTOMERS}/{busy}")
    assert other.locator("article.written").filter(has_text="Prefers e-mail.").get_by_role("link").count() == 0
    follow(author, note.get_by_role("link", name="Delete"))
    author.get_by_role("button", name="Delete note").click()
    author.wait_for_load_state()
    assert author.locator("article.written").filter(has_text="Prefers e-mail.").count() == 0
    assert "Deleted a note" in author.locator(".timeline > li").first.inner_text()


def test_analysts_see_no_notes_payloads_or_names(analyst, busy, server):
    analyst.goto(f"{CUSTOMERS}/{busy}")
    name, key = server.sql(f"SELECT name, key FROM customers WHERE id = '{busy}'")[0]
    source = analyst.content()
    assert key in source and (not name or name not in source)
    assert analyst.get_by_label("New note").count() == 0
    assert analyst.locator("main form[method=post]").count() == 0
    assert analyst.locator("main pre").count() == 0


def test_subscriptions_are_filtered_by_what_they_are_now(page, server):
    page.goto(f"{SUBSCRIPTIONS}?state=expired")
    if page.locator("table.list").count():
        assert set(page.locator("table.list tbody .status").all_inner_texts()) == {"Expired"}
    page.goto(SUBSCRIPTIONS)
    first = links(page)[0]
    follow(page, page.locator("table.list tbody th a").first)
    assert first in page.locator("main").inner_text()
    assert page.get_by_role("region", name="Event table").is_visible()
    follow(page, page.get_by_role("region", name="Details").get_by_role("link"))
    assert page.url.split("?")[0].split("/dashboard/")[1].startswith("customers/")


def test_what_ended_early_ended_on_one_day_wherever_it_is_told(page, server):
    """A refund ends a subscription before the end of its paid period."""
    customer, subscription = server.sql(f"""
        SELECT s.customer_id, s.original_transaction_id FROM subscriptions s JOIN customers c ON c.id = s.customer_id {IN_APP}
            AND s.state = 'revoked' AND s.ended_at < s.period_ends_at - interval '2 days' AND s.environment = 'production'
            AND NOT EXISTS (SELECT FROM grants g WHERE g.customer_id = c.id)
            AND (SELECT count(*) FROM subscriptions o WHERE o.customer_id = c.id) = 1
        ORDER BY s.id LIMIT 1""")[0]
    page.goto(f"{CUSTOMERS}/{customer}")
    told = re.findall(r"ended (\d+ \w+ \d{4})", page.locator("main").inner_text().replace("\n", " "))
    assert len(told) >= 2 and len(set(told)) == 1, told
    page.goto(f"{SUBSCRIPTIONS}?q={subscription}")
    assert "period until" in page.locator("table.list tbody tr").first.inner_text()
