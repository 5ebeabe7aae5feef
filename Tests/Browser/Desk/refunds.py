"""Requests refunds, and reads their state."""

import concurrent.futures
import re
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from listing import ORDERS

REFUNDS = "/dashboard/refunds"
REASON = "Bought by mistake and asked within the day."


def ask(page, order, kind="full", amount=None):
    """Requests a refund through the form; returns the request's number."""
    page.goto(f"{ORDERS}/{order}")
    page.get_by_role("link", name="Request a refund…").click()
    page.locator(f"input[name=kind][value={kind}]").check()
    if amount:
        page.locator("input[name=amount]").fill(amount)
    fill_in_reason(page)
    page.get_by_role("button", name="Request refund").click()
    expect(page).to_have_url(re.compile(rf"{REFUNDS}/RF-\d{{6}}$"))
    return page.url.rsplit("/", 1)[1]


def fill_in_reason(page, text=REASON):
    page.locator("select[name=category]").select_option("mistaken_purchase")
    page.locator("textarea[name=reason]").fill(text)


def type_what_is_asked(page, order):
    """Types the confirmation if the page asks for one: an admin's approvals of a day add up to the threshold."""
    if page.locator("input[name=confirmation]").count():
        page.locator("input[name=confirmation]").fill(order[-6:])


def refund(server, number):
    return server.sql(f"SELECT status, requested_amount, approved_amount FROM refund_requests WHERE number = '{number}'")[0]


def entries(server, number):
    return [row[0] for row in server.sql(
        f"SELECT action FROM audit_entries WHERE object_type = 'refund' AND object_id = '{number}' ORDER BY at")]


def send_twice(page, server):
    """Sends the filled-in form of a page twice at once; returns the request's number in both answers."""
    address = page.url
    fields = [tuple(field) for field in page.evaluate("[...new FormData(document.querySelector('main form'))]")]
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in page.context.cookies())

    def send(_):
        request = urllib.request.Request(
            address, urllib.parse.urlencode(fields).encode(), {"Cookie": cookies, "Origin": server.url})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.status, urllib.parse.urlparse(answer.url).path

    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        sent = list(threads.map(send, range(2)))
    assert sent[0] == sent[1] and sent[0][0] == 200, sent
    return sent[0][1].rsplit("/", 1)[1]
