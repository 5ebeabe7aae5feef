"""Detail pages: the order of their parts, and the way back."""

import html
import re
import urllib.parse

import pytest

from listing import NOTIFICATIONS, ORDERS, follow

AUDIT = "/dashboard/audit"
DETAILS = {
    "order": lambda known: f"{ORDERS}/{known.refunded_order}",
    "customer": lambda known: f"/dashboard/customers/{known.granted_customer}",
    "subscription": lambda known: f"/dashboard/subscriptions/{known.subscription}",
    "refund": lambda known: f"/dashboard/refunds/{known.refunds['processed']}",
    "notification": lambda known: f"{NOTIFICATIONS}/{known.processed_notification}",
    "audit entry": lambda known: f"/dashboard/audit/{known.entry}",
}
ELSEWHERE = ["https://evil.example/dashboard", "//evil.example", "/\\evil.example", "/dashboard/../../evil"]
# From the top: the headline, the actions, the facts, the history.
PARTS = """() => Object.fromEntries(["h1", ".head .sub", "main .button", "dl.facts", ".timeline"].map(part => {
    const found = [...document.querySelectorAll(`${part.startsWith("main") ? "" : "main "}${part}`)];
    const box = found.find(element => element.checkVisibility())?.getBoundingClientRect();
    return [part, box ? [box.top, box.bottom] : null];
}))"""


@pytest.mark.parametrize("name", DETAILS)
def test_what_it_is_comes_first_then_what_can_be_done_then_facts_then_history(page, known, name):
    page.goto(DETAILS[name](known))
    parts = page.evaluate(PARTS)
    assert parts["h1"] and parts[".head .sub"] and parts["dl.facts"]
    tops = [box[0] for box in parts.values() if box]
    assert parts["main .button"] is None or parts["main .button"][1] <= parts["dl.facts"][0]
    assert parts["h1"][0] == min(tops)
    assert parts["dl.facts"][0] < 720 and parts[".head .sub"][1] < 720
    assert parts[".timeline"] is None or parts["dl.facts"][0] < parts[".timeline"][0]


@pytest.mark.parametrize("name", DETAILS)
def test_the_way_back_stays_in_the_dashboard(page, known, name):
    for elsewhere in ELSEWHERE:
        query = urllib.parse.urlencode({"from": elsewhere})
        source = page.request.get(f"{DETAILS[name](known)}?{query}").text()
        back = re.search('<p class="crumbs"><a href="([^"]*)"', source).group(1)
        assert re.fullmatch("/dashboard/[a-z]+", html.unescape(back)), back
        assert all(link.startswith(("/", "#")) for link in re.findall(' (?:href|action)="([^"]*)"', source))


@pytest.mark.parametrize("kind, path", [
    ("order", lambda known: f"{ORDERS}/{known.order}"),
    ("refund", lambda known: f"/dashboard/refunds/{known.refunds['approved']}"),
    ("customer", lambda known: f"/dashboard/customers/{known.granted_customer}"),
    ("notification", lambda known: f"{NOTIFICATIONS}/{known.failed_notification}"),
    ("bulk", lambda known: f"/dashboard/bulk/{known.job}"),
    ("staff", lambda known: f"/dashboard/staff/{known.colleague}"),
])
def test_whatever_has_a_history_leads_to_it_and_its_entries_lead_back(page, known, kind, path):
    address = path(known)
    page.goto(address)
    follow(page, page.locator(f"main a[href^='{AUDIT}?type=']").first)
    assert page.get_by_role("combobox", name="Object", exact=True).input_value() == kind
    assert page.get_by_label("Object ID", exact=True).input_value() == address.rsplit("/", 1)[1]
    # Some of these objects have no entries; the entries of the others link to them.
    if kind in ("refund", "customer"):
        follow(page, page.locator("table.list tbody th a").first)
        assert page.get_by_role("region", name="Details").locator(f"a[href='{address}']").count() == 1
