"""The pages of each role, and the data that analysts must not see."""

import html
import re

import html5lib
import pytest

import sample_data
from listing import NOTIFICATIONS, ORDERS
from places import PLACES

pytestmark = pytest.mark.tasks

FRAME_FORMS = {"/dashboard/preferences", "/dashboard/sign-out", "/dashboard/app"}
LIST_FORMS = FRAME_FORMS | {"/dashboard/columns"}


def sources(page, paths):
    for path in paths:
        answer = page.request.get(path)
        assert answer.status == 200, path
        # Join the letters around places where a line may break.
        yield path, html.unescape(answer.text().replace("<wbr>", ""))


@pytest.fixture(scope="module")
def personal_data(server, known):
    return sample_data.personal_data(server)


@pytest.fixture(scope="module")
def every_customers_pages(server, known):
    """Returns the pages of an order of each customer, and of a notification of each subscription."""
    orders = server.sql("SELECT DISTINCT ON (customer_id) number FROM orders")
    notifications = server.sql(
        "SELECT DISTINCT ON (subscription_id) n.id FROM store_notifications n JOIN apps a ON a.id = n.app_id "
        "WHERE a.slug = 'readmigo'")
    return [f"{ORDERS}/{row[0]}" for row in orders] + [f"{NOTIFICATIONS}/{row[0]}" for row in notifications]


@pytest.mark.read_only
def test_no_page_holds_a_name_or_an_address_for_analysts(
    analyst, page, server, known, personal_data, every_customers_pages
):
    lists = [ORDERS, f"{ORDERS}?q=Pro", NOTIFICATIONS] + [
        f"{ORDERS}?customer={row[0]}" for row in server.sql("SELECT id FROM customers")]
    for path, source in sources(analyst, lists + every_customers_pages):
        leaked = {text for text in personal_data if text in source}
        assert not leaked, f"{path} shows {leaked}"
    # For other roles the same pages do have them: the search above can find something.
    seen = {
        text
        for _, source in sources(page, [path for path in every_customers_pages if path.startswith(ORDERS)])
        for text in personal_data
        if text in source
    }
    assert len(seen) > len(personal_data) * 0.9


def test_analysts_see_customers_by_key_and_are_told_why(analyst, server, known):
    key = server.sql(f"SELECT key FROM customers WHERE id = '{known.turkish_customer}'")[0][0]
    number = server.sql(f"SELECT number FROM orders WHERE customer_id = '{known.turkish_customer}' LIMIT 1")[0][0]
    analyst.goto(f"{ORDERS}?customer={known.turkish_customer}")
    assert analyst.locator("table.list .key").first.inner_text() == key
    assert key in analyst.locator(".chip").inner_text()
    analyst.goto(f"{ORDERS}/{number}")
    customer = analyst.get_by_role("region", name="Customer")
    assert key in customer.inner_text()
    assert "Names and email addresses are visible to support and admins only." in customer.inner_text()


def test_analysts_do_not_see_what_the_store_sent_word_for_word(analyst, page, server, known):
    path = f"{NOTIFICATIONS}/{known.processed_notification}"
    payload = server.sql(
        f"SELECT signed_payload FROM store_notifications WHERE id = '{known.processed_notification}'")[0][0]
    answer = analyst.goto(path)
    assert payload not in answer.text()
    assert "appAccountToken" not in answer.text()
    assert "support and admins can read it" in analyst.get_by_role("region", name="Payload").inner_text()
    assert payload in page.goto(path).text()


@pytest.mark.read_only
@pytest.mark.parametrize("role", ["admin", "support", "analyst"])
def test_every_role_sees_who_it_is_and_only_the_forms_it_may_send(open_as, known, role):
    page = open_as(role)
    for path in (ORDERS, f"{ORDERS}/{known.order}", NOTIFICATIONS, f"{NOTIFICATIONS}/{known.failed_notification}"):
        page.goto(path)
        assert role in page.locator(".person").inner_text()
        actions = page.locator("form[method=post]").evaluate_all(
            "forms => forms.map(form => new URL(form.action).pathname)")
        assert set(actions) == (LIST_FORMS if path in (ORDERS, NOTIFICATIONS) else FRAME_FORMS)


def test_another_apps_orders_are_not_there(open_as, known):
    newcomer = open_as("newcomer")
    for path in (f"{ORDERS}/{known.order}", f"{NOTIFICATIONS}/{known.processed_notification}"):
        assert newcomer.goto(path).status == 404
    newcomer.goto(f"{ORDERS}?q={known.order}")
    assert newcomer.get_by_text("No orders match").is_visible()


@pytest.mark.read_only
def test_following_every_link_changes_nothing(page, server, known):
    def fingerprint():
        # The server's own records go on: the times of visits, its health, metrics and leases.
        tables = server.sql(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE ALL "
            "(ARRAY['staff_sessions', 'service_metrics_hourly', 'heartbeats', 'rollup%'])")
        assert len(tables) > 30
        return server.sql("; ".join(
            f"SELECT '{table}', md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM {table} t"
            for (table,) in tables))

    before = fingerprint()
    links = set()
    for place, (role, path) in PLACES.items():
        if role == "admin":
            document = html5lib.parse(page.request.get(path(known)).text(), namespaceHTMLElements=False)
            links |= {link.get("href") for link in document.iter("a")}
    # Exports are left out, for they are logged; apart from that they change nothing either.
    links = {
        link for link in links
        if link and link.startswith("/") and not link.startswith("/dashboard/exports/") and ".csv" not in link}
    assert len(links) > 500
    # One of the links that differ only in an id or a value.
    for link in {re.sub(r"=[^&]*|/[^/?]*\d[^/?]*", "=", link): link for link in links}.values():
        assert page.request.get(link).status == 200, link
    assert fingerprint() == before
