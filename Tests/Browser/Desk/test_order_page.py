"""The page of one order."""

import datetime
import re
import urllib.parse

import pytest

import sample_data
from listing import NOTIFICATIONS, ORDERS, follow, links, rows

pytestmark = pytest.mark.tasks

ELSEWHERE = [
    "https://evil.example/dashboard", "//evil.example", "/\\evil.example", "javascript:alert(1)",
    "/dashboard//evil.example",
    "/dashboard/../../evil", "/dashboardevil", "/dashboard/orders\r\nX: y", "dashboard/orders", "", "/",
]


def test_the_header_answers_what_whose_how_much_which_state_and_since_when_above_the_fold(page, known, api):
    order = api(f"orders/{known.order}")
    page.goto(f"{ORDERS}/{known.order}")
    head = page.locator(".head")
    money = page.get_by_role("region", name="Payment").locator("header")
    for text in (known.order, order["productName"], "李娜", "Completed"):
        assert text in head.inner_text()
    since = head.locator("time").get_attribute("datetime")
    assert datetime.datetime.fromisoformat(since) == datetime.datetime.fromisoformat(order["createdAt"]).replace(
        microsecond=0)
    assert f"{order['amount']:.2f} {order['currency']}" in money.inner_text()
    for part in (head, money):
        box = part.bounding_box()
        assert box["y"] + box["height"] < 720


@pytest.mark.read_only
def test_the_facts_are_those_of_the_json_api(page, known, api):
    for number in (known.order, known.refunded_order, known.partly_refunded_order, known.sandbox_order):
        order = api(f"orders/{number}")
        page.goto(f"{ORDERS}/{number}")
        facts = page.locator("dl.facts").evaluate_all("""lists => Object.fromEntries(lists.flatMap(list =>
            [...list.querySelectorAll("dt")].map(term => [term.innerText,
                [...term.nextElementSibling.childNodes].filter(node => !node.matches?.("button"))
                    .map(node => node.textContent).join("").trim()])))""")
        assert facts["Transaction"] == order["appleTransactionId"]
        assert facts["Original transaction"] == order["appleOriginalTransactionId"]
        assert facts["Product"] == order["productId"]
        assert facts["Environment"].upper() == order["appleEnvironment"]
        kept = order["amount"] - (order["refundedAmount"] or 0)
        assert f"{kept:.2f} {order['currency']} net" in page.get_by_role("region", name="Payment").inner_text()
        entries = page.get_by_role("region", name="Ledger entries").locator("tbody tr")
        assert entries.count() == len(order["transactions"])
        amounts = [
            float(text.split()[0].replace("−", "-").replace(",", ""))
            for text in entries.locator("td.amount").all_inner_texts()
        ]
        assert round(sum(amounts), 2) == round(kept, 2)


def test_the_way_back_keeps_the_lists_query(page):
    address = f"{ORDERS}?q=monthly&status=completed&sort=amount"
    page.goto(address)
    follow(page, page.get_by_role("link", name="Next"))
    listed = page.url
    follow(page, page.locator("table.list tbody th a").nth(3))
    back = page.locator(".crumbs a")
    assert urllib.parse.urljoin(page.url, back.get_attribute("href")) == listed
    follow(page, back)
    assert page.url == listed


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_the_way_back_never_leads_out_of_the_dashboard(page, known, elsewhere):
    query = urllib.parse.urlencode({"from": elsewhere})
    for path, home in (
        (f"{ORDERS}/{known.order}", ORDERS),
        (f"{NOTIFICATIONS}/{known.processed_notification}", NOTIFICATIONS),
    ):
        page.goto(f"{path}?{query}")
        assert page.locator(".crumbs a").get_attribute("href") == home
        hosts = page.evaluate(
            "[...document.querySelectorAll('a[href], form[action]')].map(e => new URL(e.href ?? e.action).origin)")
        assert set(hosts) == {page.evaluate("location.origin")}


def test_the_customers_part_says_what_she_has_until_when_and_what_follows(page, server, known):
    states = {
        "active": ("Active", r"\d+ \w{3} \d{4} \d\d:\d\d UTC\+8 \(.* left\)", "renews"),
        "expired": ("FREE, expired", None, "a new purchase restarts it"),
        "revoked": ("FREE, revoked", None, "a new purchase restarts it"),
    }
    seen = []
    for state, (words, until, following) in states.items():
        found = server.sql(
            f"""SELECT min(o.number) FROM orders o JOIN subscriptions s ON s.id = o.subscription_id
                WHERE o.environment = 'production' AND s.state = '{state}' AND s.customer_id IN
                    (SELECT customer_id FROM subscriptions GROUP BY customer_id HAVING count(*) = 1)
                    AND NOT EXISTS (SELECT FROM grants g WHERE g.customer_id = s.customer_id)
                HAVING count(*) > 0""")
        if not found:
            continue
        page.goto(f"{ORDERS}/{found[0][0]}")
        customer = page.get_by_role("region", name="Customer").inner_text()
        assert words.lower() in customer.lower()
        assert following in customer
        assert bool(re.search(r"^Until", customer, re.MULTILINE)) == bool(until)
        assert not until or re.search(until, customer)
        seen.append(state)
    assert "active" in seen and len(seen) >= 2


def test_all_orders_of_the_customer_are_one_link_away(page, server, known):
    page.goto(f"{ORDERS}/{known.order}")
    follow(page, page.get_by_role("link", name="All orders of this customer"))
    expected = server.sql(
        f"SELECT number FROM orders WHERE customer_id = '{known.two_letter_customer}' "
        "ORDER BY purchased_at DESC, id DESC LIMIT 25")
    assert links(page) == [row[0] for row in expected]
    assert {row["Customer"].split("\n")[0] for row in rows(page)} == {"李娜"}


def test_the_same_subscriptions_orders_are_listed_newest_first(page, server, known):
    expected = [row[0] for row in server.sql(
        f"SELECT number FROM orders WHERE subscription_id = (SELECT subscription_id FROM orders "
        f"WHERE number = '{known.order}') ORDER BY purchased_at DESC, id DESC LIMIT 200")]
    page.goto(f"{ORDERS}/{known.order}")
    subscription = page.get_by_role("region", name="Orders of the same subscription")
    listed = [text.split()[0] for text in subscription.locator("tbody th").all_inner_texts()]
    assert listed == expected
    assert subscription.get_by_role("rowheader").filter(has_text="this order").inner_text().startswith(known.order)
    assert subscription.get_by_role("link").count() == len(expected) - 1


def test_what_the_store_said_stands_newest_first_by_the_moment_it_was_signed(page, server, known):
    expected = server.sql(
        f"""SELECT n.id, n.type, extract(epoch FROM date_trunc('second', n.signed_at))::bigint
            FROM store_notifications n JOIN orders o USING (app_id, original_transaction_id)
            WHERE o.number = '{known.order}' ORDER BY n.signed_at DESC, n.id DESC LIMIT 200""")
    page.goto(f"{ORDERS}/{known.order}")
    timeline = page.get_by_role("region", name="Store notifications")
    entries = timeline.locator("li")
    assert [href.split("?")[0].split("/")[-1] for href in entries.locator("a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))")] == [row[0] for row in expected]
    shown = entries.locator("time").evaluate_all("times => times.map(time => time.dateTime)")
    signed = [int(datetime.datetime.fromisoformat(moment).timestamp()) for moment in shown]
    assert signed == [int(row[2]) for row in expected]
    received = entries.first.evaluate("entry => entry.innerText + entry.querySelector('time').title")
    assert "eceived" in received


def test_a_notification_that_failed_stands_out_by_shape_and_words(page, known):
    page.goto(f"{ORDERS}/{known.order}")
    entries = page.get_by_role("region", name="Store notifications").locator("li")
    failed = entries.filter(has_text="failed").first
    other = entries.filter(has_text="processed").first
    mark = "entry => { const mark = getComputedStyle(entry, '::before'); return mark.borderRadius + mark.transform; }"
    assert failed.evaluate(mark) != other.evaluate(mark)
    assert "No product com.example.unknown" in failed.inner_text()


def test_an_order_leads_to_the_notification_that_made_it_and_back(page, known, server):
    page.goto(f"{ORDERS}?status=refunded")
    listed = page.url
    follow(page, page.get_by_role("link", name=known.refunded_order))
    timeline = page.get_by_role("region", name="Store notifications")
    made = timeline.locator("li").filter(has_text="created this order").get_by_role("link")
    follow(page, made)
    assert page.locator("h1").inner_text().split()[0] in ("SUBSCRIBED", "DID_RENEW", "OFFER_REDEEMED")
    linked = page.get_by_role("row").filter(has_text="created by this").get_by_role("link")
    assert linked.inner_text() == known.refunded_order
    follow(page, linked)
    assert page.locator("h1").inner_text().startswith(known.refunded_order)
    follow(page, page.locator(".crumbs a"))
    assert page.url == listed


def test_a_refund_stands_in_the_timeline_of_its_order(page, known):
    page.goto(f"{ORDERS}/{known.refunded_order}")
    changed = page.get_by_role("region", name="Store notifications").locator("li").filter(has_text="changed this order")
    assert changed.filter(has_text=re.compile("REFUND|REVOKE")).count() >= 1


def test_sandbox_and_production_say_which_they_are(page, known):
    page.goto(f"{ORDERS}/{known.sandbox_order}")
    assert page.get_by_text("Sandbox: no money moved").is_visible()
    assert page.get_by_role("region", name="Apple").locator(".tag").inner_text() == "Sandbox"
    page.goto(f"{ORDERS}/{known.order}")
    assert page.get_by_text("Sandbox").count() == 0
    assert page.get_by_role("region", name="Apple").locator(".tag").inner_text() == "Production"


def test_a_failed_charge_says_why(page, known):
    page.goto(f"{ORDERS}/{known.failed_order}")
    entry = page.get_by_role("region", name="Ledger entries").get_by_role("row").filter(has_text="Failed")
    assert f"The bank declined the card. {sample_data.HOSTILE_TEXT}" in entry.inner_text()
    assert "No charge" in page.get_by_role("region", name="Payment").inner_text()


def test_a_customer_known_by_key_alone_is_named_by_the_key(page, server, known):
    key = server.sql(
        f"SELECT c.key FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.number = '{known.keyless_order}'"
    )[0][0]
    page.goto(f"{ORDERS}/{known.keyless_order}")
    assert key in page.locator(".head").inner_text()
    assert "Name" not in page.get_by_role("region", name="Customer").locator("dt").all_inner_texts()
