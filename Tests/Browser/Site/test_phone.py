"""A phone: the first screen shows a list's contents, and folded parts open without a script."""

import pytest
from playwright.sync_api import expect

import looks
import scale
from listing import ORDERS, follow
from places import CUSTOMERS, REFUNDS, go, role

PHONE = {"width": 390, "height": 844}
TAGS = {"en": "en-GB", "zh-Hans": "zh-CN", "tr": "tr-TR"}
LISTS = [
    "orders", "orders, filtered", "orders for analysts", "refunds", "refunds, all", "refunds for analysts", "customers",
    "customers, filtered", "customers for analysts", "subscriptions", "subscriptions, filtered", "notifications",
    "notifications, failed", "ledger", "ledger, filtered", "access", "access, filtered", "subscriber rows",
    "subscriber rows, movements", "subscriber rows, filtered", "cohort rows, money", "cohort rows, holders",
    "audit log", "audit log, filtered", "queues", "queue", "queue, retried", "staff", "staff, keys", "bulk", "found",
    "found for analysts", "health",
]
# Detail pages whose tables have amounts and states.
DETAILS = [
    "order", "order, failed", "order for analysts", "customer", "customer with a gift", "subscription", "notification",
    "notification, failed", "bulk, ready", "bulk, undone",
]
# Returns the top of the first row of a page's first list that has rows.
FIRST_ROW = """() => [...document.querySelectorAll("main table")].filter(table => table.checkVisibility()
    && table.tBodies[0]?.rows.length).slice(0, 1).map(table => table.tBodies[0].rows[0].getBoundingClientRect().top)[0]"""
# Returns each status and amount in a table that is only visible after scrolling sideways.
ASIDE = """width => [...document.querySelectorAll("main tbody tr")].filter(row => row.checkVisibility()).flatMap(row =>
    [...row.querySelectorAll(".status, td.amount:has(.currency, .muted), td.amount.net")])
    .filter(part => part.getBoundingClientRect().right > width || part.getBoundingClientRect().left < 0)
    .map(part => `${Math.round(part.getBoundingClientRect().right)}: ${part.closest("tr").innerText.slice(0, 120)}`)"""


def languages(name):
    """Returns all languages, or in the sample the one whose turn it is."""
    tags = list(TAGS.values())
    return tags if scale.WHOLE else [tags[scale.turn(name, len(tags))]]


def open_at(page, known, name, tag):
    page.set_extra_http_headers({"Accept-Language": tag})
    go(page, known, name)


@pytest.mark.parametrize("name", LISTS)
def test_the_first_row_of_a_list_is_on_the_first_screen(open_as, known, api, name):
    # The API's caller has a key, which is a row.
    page = open_as(role(name), viewport=PHONE)
    for tag in languages(name):
        open_at(page, known, name, tag)
        top = page.evaluate(FIRST_ROW)
        assert top is not None and top < 300, f"{name}, {tag}: {top}"


@pytest.mark.parametrize("name", LISTS + DETAILS)
def test_how_much_and_which_state_are_seen_without_scrolling_sideways(open_as, known, name):
    page = open_as(role(name), viewport=PHONE)
    for tag in languages(name):
        open_at(page, known, name, tag)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], (name, tag)
        aside = page.evaluate(ASIDE, PHONE["width"])
        assert not aside, f"{name}, {tag}\n" + "\n".join(aside)


@pytest.mark.parametrize("tag", TAGS.values())
def test_how_much_failed_and_is_tried_again_is_seen_beside_each_queue(open_as, known, tag):
    page = open_as("admin", viewport=PHONE)
    open_at(page, known, "queues", tag)
    rows = page.locator("main table").first.locator("tbody tr")
    assert rows.count() >= 3
    assert rows.evaluate_all("rows => Math.max(...rows.map(row => row.cells[2].getBoundingClientRect().right))") <= PHONE["width"]


def test_an_order_that_a_notification_made_keeps_its_status_on_the_screen(open_as, known, server):
    page = open_as("admin", viewport=PHONE)
    [made] = server.sql("SELECT notification_id FROM ledger_entries WHERE reference = 'charge' AND notification_id IS NOT NULL LIMIT 1")[0]
    page.goto(f"/dashboard/notifications/{made}")
    assert page.locator("td .tag, th .tag").count()
    assert not page.evaluate(ASIDE, PHONE["width"])


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_the_menu_opens_leads_on_and_closes_by_keyboard(open_as, known, script):
    page = open_as("admin", viewport=PHONE, java_script_enabled=script)
    page.goto(ORDERS)
    menu = page.get_by_role("button", name="Menu", exact=True)
    main = page.get_by_role("navigation", name="Main")
    expect(main).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Tab")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    expect(main).to_be_visible()
    expect(main.get_by_role("link", name="Orders")).to_have_attribute("aria-current", "page")
    # The opened part comes next.
    page.keyboard.press("Tab")
    expect(main.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(main).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    main.get_by_role("button", name="Close").click()
    expect(main).to_be_hidden()
    menu.click()
    follow(page, main.get_by_role("link", name="Customers"))
    assert page.url.endswith(CUSTOMERS)
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()


def test_the_menu_is_announced_as_a_button_that_opens(open_as, known):
    page = open_as("admin", viewport=PHONE)
    page.goto(ORDERS)
    session = page.context.new_cdp_session(page)

    def expanded():
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        node = next(node for node in nodes if node.get("role", {}).get("value") == "button"
                    and node.get("name", {}).get("value") == "Menu")
        return next(part["value"]["value"] for part in node["properties"] if part["name"] == "expanded")

    assert expanded() is False
    page.get_by_role("button", name="Menu", exact=True).click()
    assert expanded() is True


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name, opener", [
    ("orders, filtered", "Menu"), ("orders, filtered", "Filters"), ("orders, filtered", "Readmigo"), ("customer", "Actions"),
    ("ledger", "Totals"), ("access", "Chart and totals"),
])
def test_what_is_opened_is_good_too(open_as, known, name, opener, scheme):
    page = open_as("admin", viewport=PHONE, color_scheme=scheme, reduced_motion="reduce")
    go(page, known, name)
    page.locator("button.opener", has_text=opener).first.click()
    wrong = looks.axe(page) + looks.layout(page, PHONE["width"]) + looks.colours(page)
    assert not wrong, "\n".join(wrong)


def test_another_app_and_the_way_out_are_behind_the_apps_name(open_as, known):
    page = open_as("admin", viewport=PHONE)
    page.goto(ORDERS)
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    page.get_by_role("button", name="Readmigo").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    expect(page.get_by_label("App", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()


@pytest.mark.parametrize("path, said", [
    (ORDERS, "Filters"),
    (f"{ORDERS}?status=completed&q=Pro", "Filters · Status: Completed · Search: “Pro”"),
    (f"{CUSTOMERS}?plan=PRO&refunds=yes", "Filters · "),
    (REFUNDS, "Filters · Pending review"),
    ("/dashboard/notifications?state=failed", "Filters · Failed"),
    ("/dashboard/audit?action=refund", "Filters · "),
])
def test_filters_fold_away_into_a_button_that_says_which_are_set(open_as, known, path, said):
    page = open_as("admin", viewport=PHONE)
    page.goto(path)
    button = page.locator("button.opener", has_text="Filters")
    text = button.evaluate("""button => [button.firstChild.data.trim(), ...[...button.querySelectorAll(".set")]
        .map(part => part.textContent)].join(" · ")""")
    assert text.startswith(said) and (said.endswith("· ") or text == said)
    form = page.locator("form.filters")
    if form.count():
        expect(form).to_be_hidden()
    button.click()
    expect(page.locator("#filters")).to_be_visible()
    if form.count():
        expect(form).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_list_is_filtered_on_a_phone(open_as, known, script):
    page = open_as("admin", viewport=PHONE, java_script_enabled=script)
    page.goto(CUSTOMERS)
    page.locator("button.opener", has_text="Filters").click()
    page.get_by_role("form", name="Filters").get_by_label("Store").select_option("apple")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.wait_for_load_state()
    assert "store=apple" in page.url
    expect(page.locator("form.filters")).to_be_hidden()
    expect(page.locator("button.opener .set")).to_have_text(["Store: Apple"])


def test_a_wide_screen_folds_nothing(open_as, known):
    page = open_as("admin", viewport={"width": 801, "height": 844})
    page.goto(f"{ORDERS}?status=completed")
    for opener in page.locator(".opener, .closer").all():
        expect(opener).to_be_hidden()
    for part in (".sidebar", "form.filters", ".chips", ".place", ".person"):
        expect(page.locator(part)).to_be_visible()


@pytest.mark.parametrize("name", ["customer", "customer with a gift", "customer for analysts"])
def test_what_a_customer_may_use_now_comes_first(open_as, known, name):
    page = open_as(role(name), viewport=PHONE)
    for tag in TAGS.values():
        open_at(page, known, name, tag)
        panels = page.locator("main .panel")
        assert panels.first.get_attribute("aria-labelledby") == "has"
        top = panels.first.evaluate("panel => panel.getBoundingClientRect().top")
        assert top < 340, (tag, top)


@pytest.mark.parametrize("name", ["order", "customer", "subscription", "refund", "audit entry"])
def test_a_value_is_copied_without_a_pointer_that_hovers(open_as, known, name):
    page = open_as(role(name), viewport=PHONE)
    go(page, known, name)
    buttons = page.locator("main .copy")
    assert buttons.count() > 0
    for button in buttons.all():
        expect(button).to_have_css("opacity", "1")
        box = button.evaluate("button => { const box = button.getBoundingClientRect(); return [box.left, box.right, box.width]; }")
        assert box[0] >= 0 and box[1] <= PHONE["width"] and box[2] >= 24
        # The text that it copies does not cover the button.
        assert button.evaluate("""button => { const box = button.getBoundingClientRect(); button.scrollIntoView({ block: "center" });
            const now = button.getBoundingClientRect();
            return document.elementFromPoint(now.left + now.width / 2, now.top + now.height / 2) === button; }""")
