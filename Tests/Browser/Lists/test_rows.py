"""The contents of a row: one link, amounts, times and states, each written in one way."""

import datetime
import re
import zoneinfo

import pytest

import sample_data
from listing import NOTIFICATIONS, ORDERS, links, rows, whole

pytestmark = pytest.mark.tasks

SHANGHAI = zoneinfo.ZoneInfo("Asia/Shanghai")
DIGITS = {"JPY": 0, "KWD": 3}
STATES = ["pending", "trial", "active", "grace", "failed", "cancelled", "paused", "expired", "revoked"]
SHAPE = """element => {
    const mark = getComputedStyle(element, "::before");
    const isFilled = mark.backgroundColor !== "rgba(0, 0, 0, 0)" ? "filled" : "";
    const isHalf = mark.backgroundImage !== "none" ? "half" : "";
    return [mark.width, mark.height, mark.borderTopLeftRadius, mark.borderTopWidth, mark.borderLeftWidth,
        mark.transform, isFilled, isHalf].join(" ");
}"""


@pytest.fixture(scope="module")
def every_row(windows):
    """Returns all rows of the list of orders, from all its pages."""
    window = windows.borrow("admin")
    _, found, _ = whole(window.page, f"{ORDERS}?sort=amount&dir=asc")
    assert not windows.give_back(window)
    return found


def amount_pattern(currency, sign="−?"):
    digits = DIGITS.get(currency, 2)
    return rf"{sign}\d{{1,3}}(,\d{{3}})*" + (rf"\.\d{{{digits}}}" if digits else "")


def test_a_row_has_one_link_named_by_the_order_number(page):
    page.goto(ORDERS)
    table = page.locator("table.list")
    for row in table.locator("tbody tr").all():
        assert row.get_by_role("link").count() == 1
        heading = row.get_by_role("rowheader")
        assert heading.get_attribute("scope") == "row"
        name = heading.get_by_role("link").inner_text()
        assert re.fullmatch(r"ORD-\d{8}-\d{4,}", name)
        assert heading.get_by_role("link", name=name, exact=True).get_attribute("href").startswith(f"{ORDERS}/{name}")


def test_beside_its_link_a_row_leads_nowhere(page):
    page.goto(ORDERS)
    address = page.url
    page.locator("table.list tbody tr").first.locator("td.amount").click()
    assert page.url == address and page.locator("table.list").is_visible()


def test_a_link_opens_a_tab_with_the_control_key(page):
    page.goto(ORDERS)
    number = links(page)[0]
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=number).click(modifiers=["ControlOrMeta"])
    opened.value.wait_for_load_state()
    assert opened.value.locator("h1").inner_text().startswith(number)
    assert page.url.endswith(ORDERS)


def test_amounts_have_their_currencys_decimals_and_are_those_of_the_database(every_row, server):
    stored = {
        number: (int(amount), currency)
        for number, amount, currency in server.sql("SELECT number, amount, currency FROM orders")
    }
    currencies = set()
    for row in every_row:
        amount, currency = row["Amount"].split()
        assert re.fullmatch(amount_pattern(currency), amount), row
        assert (int(re.sub(r"[,.]", "", amount)), currency) == stored[row["Order"]]
        currencies.add(currency)
    assert currencies >= {"CNY", "EUR", "JPY", "KWD", "TRY", "USD"}


@pytest.mark.read_only
@pytest.mark.parametrize("place", ["list", "order", "notification"])
def test_amounts_are_right_aligned_in_figures_of_one_width(page, known, place):
    page.goto({
        "list": ORDERS,
        "order": f"{ORDERS}/{known.refunded_order}",
        "notification": f"{NOTIFICATIONS}/{known.processed_notification}",
    }[place])
    cells = page.locator("td.amount").filter(has=page.locator(".currency"))
    assert cells.count() > 0
    styles = cells.evaluate_all(
        "cells => cells.map(cell => [getComputedStyle(cell).textAlign, getComputedStyle(cell).fontVariantNumeric])")
    assert {tuple(style) for style in styles} == {("right", "tabular-nums")}


def test_what_was_paid_back_has_a_minus_sign(page, known):
    page.goto(f"{ORDERS}/{known.refunded_order}")
    refund = page.get_by_role("region", name="Ledger entries").get_by_role("row").filter(has_text="Refund")
    amount, currency = refund.locator("td.amount").inner_text().split()
    assert re.fullmatch(amount_pattern(currency, sign="−"), amount)
    charge = page.get_by_role("region", name="Ledger entries").locator("td.amount").first.inner_text()
    assert re.fullmatch(amount_pattern(currency, sign=r"\+"), charge.split()[0])


@pytest.mark.read_only
def test_every_moment_has_a_machine_readable_time_with_an_offset(page, known):
    seen = 0
    for path in (ORDERS, f"{ORDERS}/{known.order}", NOTIFICATIONS, f"{NOTIFICATIONS}/{known.failed_notification}"):
        page.goto(path)
        times = page.locator("time").evaluate_all(
            "times => times.map(time => [time.dateTime, time.innerText, time.title])")
        for machine, text, hover in times:
            moment = datetime.datetime.fromisoformat(machine)
            assert moment.utcoffset() == datetime.timedelta(hours=8), machine
            # An end also says how far away it is.
            words = " ".join(text.split()).split(" UTC")[0]
            day = f"{moment.day} {moment:%b %Y}"
            assert words in (f"{day} {moment:%H:%M}", f"{day} {moment:%H:%M:%S}"), text
            assert f"{moment.astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S} UTC" in hover
            seen += 1
        assert page.get_by_text("UTC+8").first.is_visible()
    assert seen > 60


def test_moments_are_those_of_the_database(page, server):
    page.goto(f"{ORDERS}?status=completed")
    stored = dict(server.sql(
        "SELECT number, extract(epoch FROM date_trunc('second', purchased_at))::bigint FROM orders"))
    moments = page.locator("table.list time").evaluate_all("times => times.map(time => time.dateTime)")
    shown = [int(datetime.datetime.fromisoformat(moment).timestamp()) for moment in moments]
    assert shown == [int(stored[number]) for number in links(page)]


@pytest.mark.read_only
def test_moments_do_not_depend_on_the_browsers_zone(open_as, known):
    def texts(zone):
        page = open_as("admin", timezone_id=zone)
        found = []
        for path in (ORDERS, f"{ORDERS}/{known.order}", NOTIFICATIONS):
            page.goto(path)
            found += page.locator("time").all_inner_texts()
        return found

    assert texts("America/New_York") == texts("Asia/Shanghai")


def test_order_numbers_carry_the_day_of_the_business_zone(page):
    page.goto(ORDERS)
    for row, machine in zip(rows(page), page.locator("table.list time").evaluate_all(
            "times => times.map(time => time.dateTime)"), strict=True):
        day = datetime.datetime.fromisoformat(machine).astimezone(SHANGHAI)
        if not row["Order"].split("-")[2].startswith("9"):
            assert row["Order"].split("-")[1] == f"{day:%Y%m%d}"


@pytest.mark.parametrize("place, words", [
    (ORDERS, ["Completed", "Pending", "Partially refunded", "Refunded", "Failed", "Cancelled"]),
    (NOTIFICATIONS, ["Received", "Processing", "Processed", "Ignored", "Failed"]),
])
def test_states_differ_in_word_and_shape_not_only_in_colour(page, place, words):
    shapes = {}
    for word in words:
        page.goto(place)
        page.get_by_role("navigation", name="Status").get_by_role("link", name=word, exact=True).click()
        page.wait_for_load_state()
        status = page.locator("table.list .status").first
        assert status.inner_text() == word
        shapes[word] = status.evaluate(SHAPE)
    assert len(set(shapes.values())) == len(shapes), shapes


@pytest.mark.read_only
def test_each_decision_on_a_refund_and_each_state_of_a_subscription_has_a_shape_of_its_own(page, known):
    page.goto("/dashboard/refunds?status=all")
    shapes = {}
    for status in page.locator("table.list .status").all():
        shapes.setdefault(status.inner_text(), status.evaluate(SHAPE))
    assert len(set(shapes.values())) == len(shapes) >= 4, shapes
    # Not every state occurs; the stylesheet knows all of them.
    status = page.locator("table.list .status").first
    drawn = [status.evaluate(f"status => {{ status.className = 'status {state}'; return ({SHAPE})(status); }}") for state in STATES]
    assert len(set(drawn)) == len(STATES), list(zip(STATES, drawn))


@pytest.mark.read_only
@pytest.mark.parametrize("eyes", ["achromatopsia", "deuteranopia", "forced colours"])
def test_pictures_of_the_states_differ_for_those_who_see_no_colours(open_as, eyes):
    is_forced = eyes == "forced colours"
    page = open_as("admin", fresh=True, forced_colors="active" if is_forced else "none")
    if not is_forced:
        page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    page.goto(ORDERS)
    status = page.locator("table.list .status").first
    # The marks alone, each at the same place.
    status.evaluate("""status => {
        status.textContent = "";
        Object.assign(status.style, { position: "fixed", left: 0, top: 0, width: "24px", height: "24px", background: "Canvas", zIndex: 9 });
    }""")

    def picture(state):
        status.evaluate(f"status => {{ status.className = 'status {state}'; }}")
        return page.screenshot(clip={"x": 0, "y": 0, "width": 24, "height": 24})

    drawn = {state: picture(state) for state in STATES}
    assert picture(STATES[0]) == drawn[STATES[0]], "the same state looks the same"
    assert len(set(drawn.values())) == len(STATES)


def test_a_state_has_the_same_word_and_shape_on_every_page(page, known):
    page.goto(f"{ORDERS}?status=refunded")
    listed = page.locator("table.list .status").first
    expected = (listed.inner_text(), listed.evaluate(SHAPE))
    page.goto(f"{ORDERS}/{known.refunded_order}")
    headline = page.locator("h1 .status")
    assert (headline.inner_text(), headline.evaluate(SHAPE)) == expected


def test_names_with_markup_are_shown_as_they_are(page, server, known):
    page.goto(f"{ORDERS}/{known.hostile_order}")
    assert page.get_by_text(sample_data.HOSTILE_NAME, exact=True).first.is_visible()
    number = server.sql("SELECT id FROM customers WHERE name LIKE '<img%'")[0][0]
    page.goto(f"{ORDERS}?customer={number}")
    assert rows(page)[0]["Customer"] == sample_data.HOSTILE_NAME
    assert page.locator("main img").count() == 0


def test_sandbox_orders_are_marked_and_only_they(every_row, server):
    sandbox = {row[0] for row in server.sql("SELECT number FROM orders WHERE environment = 'sandbox'")}
    assert {row["Order"] for row in every_row if "Sandbox" in row["Store"]} == sandbox
    assert sandbox
