"""The refund desk: dashboard.md, rules 29 to 41, on a copy of real orders."""

import re

import pytest
from playwright.sync_api import expect

from listing import ORDERS
from refunds import REASON, REFUNDS, ask, entries, fill_in_reason, refund, send_twice, type_what_is_asked

pytestmark = pytest.mark.tasks


@pytest.fixture(scope="module")
def fresh(server, known):
    """Returns orders that no test has touched yet: each call gives another one."""
    rows = server.sql(
        "SELECT o.number, o.amount FROM orders o JOIN apps a ON a.id = o.app_id "
        "WHERE a.slug = 'readmigo' AND o.status = 'completed' AND o.amount BETWEEN 1000 AND 9900 "
        "AND o.currency = 'CNY' AND o.environment = 'production' "
        "AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id) ORDER BY o.period_ends_at DESC, o.number")
    orders = iter(rows)
    return lambda: next(orders)[0]


@pytest.fixture(scope="module")
def large(server, known):
    """Returns orders of 100.00 and more."""
    rows = server.sql(
        "SELECT o.number FROM orders o JOIN apps a ON a.id = o.app_id "
        "WHERE a.slug = 'readmigo' AND o.status = 'completed' AND o.amount >= 10000 AND o.currency = 'CNY' "
        "AND o.environment = 'production' "
        "AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id) ORDER BY o.number DESC")
    orders = iter(rows)
    return lambda: next(orders)[0]


@pytest.fixture(scope="module", autouse=True)
def two_admins(server, known, staff):
    """Gives the app a second admin, so that somebody else has to approve."""
    return staff("admin")


@pytest.fixture()
def support(open_as):
    return open_as("support")


def test_support_asks_and_an_admin_approves_in_two_steps(support, page, server, fresh):
    order = fresh()
    number = ask(support, order)
    flash = support.locator(".flash[role=status]")
    assert number in flash.inner_text()
    assert flash.get_by_role("link").get_attribute("href").startswith("/dashboard/audit/")
    support.reload()
    assert support.locator(".flash").count() == 0
    # Support sees the people who decide, but no button to do so.
    assert "Only an admin can approve or reject this." in support.locator("main").inner_text()
    assert support.get_by_role("link", name="Approve…").count() == 0
    page.goto(f"{REFUNDS}/{number}")
    page.get_by_role("link", name="Approve…").click()
    heading = page.get_by_role("heading", level=1).inner_text()
    assert re.fullmatch(rf"Approve refund of about [\d.,]+ CNY for {order}\?", heading)
    button = page.locator("main form button")
    assert button.inner_text() == heading.split(" for ")[0]
    assert page.get_by_role("link", name="Keep request open").is_visible()
    assert page.locator("main .danger").count() == 0
    rows = {row.locator("th").inner_text(): row.locator("td").all_inner_texts()
            for row in page.locator("table.change tbody tr").all()}
    assert rows["Status"] == ["Pending review", "Approved"]
    assert rows["Response to Apple"] == ["none", "full refund"]
    assert {"Refunded", "Access", "Customer notification", "Can be undone"} <= set(rows)
    assert refund(server, number)[0] == "pending"
    fill_in_reason(page)
    type_what_is_asked(page, order)
    button.click()
    expect(page).to_have_url(re.compile(f"{REFUNDS}/{number}$"))
    assert f"Refund {number} approved." in page.locator(".flash").inner_text()
    assert refund(server, number)[0] == "approved"
    assert entries(server, number) == ["refund.request", "refund.approve"]
    # A request that is pending at the store is visible, and cannot be sent again.
    assert "Apple has not asked about this refund. The customer has to ask Apple for it" in page.locator("main").inner_text()
    assert page.get_by_role("link", name="Approve…").count() == 0
    assert page.get_by_role("link", name="Cancel request…").is_visible()
    assert "expires in" in page.locator(".head .sub").inner_text()
    steps = page.get_by_role("region", name="History").locator("li strong").all_inner_texts()
    assert [step.split()[0] for step in steps] == ["Approved", "Requested"]
    # The audit log has the figures of the preview.
    page.locator("main").get_by_role("link", name="History").first.click()
    page.locator("table.list tbody th a").first.click()
    changes = page.get_by_role("region", name="Changes")
    assert changes.get_by_role("row", name="status").locator("td").all_inner_texts() == ["Pending review", "Approved"]


def test_each_kind_says_its_amount_and_the_maximum(support, server, known):
    order = server.sql(
        "SELECT o.number FROM orders o JOIN apps a ON a.id = o.app_id WHERE a.slug = 'readmigo' "
        "AND o.status = 'completed' AND o.amount > 1000 AND o.currency = 'CNY' AND o.environment = 'production' "
        "AND o.period_ends_at > now() + interval '2 days' "
        "AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id) ORDER BY o.number LIMIT 1")[0][0]
    support.goto(f"{ORDERS}/{order}/refund")
    amount, currency = server.sql(
        f"SELECT to_char(amount / 100.0, 'FM999990.00'), currency FROM orders WHERE number = '{order}'")[0]
    assert f"Full refund: {amount} {currency}" in support.locator("fieldset").inner_text()
    assert re.search(r"Prorated refund: [\d.]+ CNY\s+\d+ days? of \d+ days unused", support.locator("fieldset").inner_text())
    assert f"Maximum: {amount} {currency}" in support.locator("fieldset").inner_text()
    number = ask(support, order, "partial", "3.21")
    assert refund(server, number)[:2] == ["pending", "321"]


def test_what_is_used_and_what_is_unused_are_the_whole_period(page, server, known):
    [number] = server.sql(
        "SELECT number FROM refund_requests WHERE status = 'pending' AND kind = 'prorated' ORDER BY number LIMIT 1")[0]
    page.goto(f"{REFUNDS}/{number}/approval")
    text = page.locator("main").inner_text().replace("\n", " ")
    used, whole = map(int, re.search(r"Period used\s+(\d+) of (\d+) days", text).groups())
    unused = int(re.search(r"(\d+) days? of \d+ days are unused", text).group(1))
    assert used + unused == whole


def test_bad_input_is_told_at_the_field_and_on_top_with_what_was_typed_kept(support, server, fresh):
    order = fresh()
    support.goto(f"{ORDERS}/{order}/refund")
    support.locator("input[name=kind][value=partial]").check()
    support.locator("input[name=amount]").fill("1000000")
    support.locator("textarea[name=reason]").fill("too short")
    support.locator("textarea[name=note]").fill("笔记 notu")
    with support.expect_response(lambda answer: answer.request.method == "POST") as answer:
        support.get_by_role("button", name="Request refund").click()
    assert answer.value.status == 422
    expect(support).to_have_title(re.compile("^Error: "))
    summary = support.get_by_role("alert")
    expect(summary).to_be_focused()
    for link in summary.get_by_role("link").all():
        target = support.locator(link.get_attribute("href"))
        assert target.count() == 1
    field = support.locator("textarea[name=reason]")
    assert field.input_value() == "too short"
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby").split()
    assert any("10" in support.locator(f"#{name}").inner_text() for name in described)
    assert support.locator("textarea[name=note]").input_value() == "笔记 notu"
    assert support.locator("input[name=amount]").input_value() == "1000000"
    assert server.sql(f"SELECT count(*) FROM refund_requests r JOIN orders o ON o.id = r.order_id WHERE o.number = '{order}'") == [["0"]]


def test_characters_are_counted_as_people_count_them(support, server, fresh):
    """Ten family emoji are ten characters, though they are seventy code points."""
    order = fresh()
    support.goto(f"{ORDERS}/{order}/refund")
    support.locator("input[name=kind][value=full]").check()
    for text in ("👨‍👩‍👧‍👦" * 9, "长" * 501):
        fill_in_reason(support, text)
        support.get_by_role("button", name="Request refund").click()
        assert support.get_by_role("alert").is_visible()
    support.locator("textarea[name=reason]").fill("买错了想要退款谢谢你们")
    support.get_by_role("button", name="Request refund").click()
    expect(support).to_have_url(re.compile(rf"{REFUNDS}/RF-\d+$"))


def test_the_confirmation_is_typed_from_the_threshold_on_and_not_below(support, page, server, fresh, large):
    order = large()
    # Apple takes no amounts: there what it pays back decides. A store that leaves refunds to us pays what was approved.
    server.sql(f"UPDATE orders SET store = 'google' WHERE number = '{order}'")
    small = ask(support, order, "partial", "99.99")
    server.sql("UPDATE refund_requests SET decided_at = decided_at - interval '2 days' WHERE decided_at IS NOT NULL")
    page.goto(f"{REFUNDS}/{small}/approval")
    assert page.locator("input[name=confirmation]").count() == 0
    page.goto(f"{REFUNDS}/{small}/rejection")
    fill_in_reason(page)
    page.locator("main form button").click()
    number = ask(support, order, "partial", "100.00")
    page.goto(f"{REFUNDS}/{number}/approval")
    fill_in_reason(page)
    page.locator("input[name=confirmation]").fill("nothing")
    page.locator("main form button").click()
    assert page.get_by_role("alert").is_visible()
    assert refund(server, number)[0] == "pending"
    assert page.locator("textarea[name=reason]").input_value() == REASON
    page.locator("input[name=confirmation]").fill(order[-6:])
    page.locator("main form button").click()
    expect(page).to_have_url(re.compile(f"{REFUNDS}/{number}$"))
    assert refund(server, number)[0] == "approved"


def test_whoever_asked_cannot_approve_and_is_told_who_can(page, server, fresh):
    number = ask(page, fresh())
    assert "another admin has to approve it" in page.locator("main").inner_text()
    assert page.get_by_role("link", name="Approve…").count() == 0
    assert page.goto(f"{REFUNDS}/{number}/approval").status == 403
    # A person who sends the form all the same is refused, and the attempt is logged.
    page.goto(f"{REFUNDS}/{number}/rejection")
    fill_in_reason(page)
    page.locator("main form").evaluate("form => { form.action = form.action.replace('rejection', 'approval') }")
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.locator("main form button").click()
    assert answer.value.status == 403
    assert refund(server, number)[0] == "pending"
    assert entries(server, number).count("access.deny") == 1


def test_a_form_sent_twice_has_one_effect(support, page, server, fresh):
    order = fresh()
    support.goto(f"{ORDERS}/{order}/refund")
    support.locator("input[name=kind][value=full]").check()
    fill_in_reason(support)
    number = send_twice(support, server)
    assert entries(server, number) == ["refund.request"]
    for step in ("approval", "payment"):
        page.goto(f"{REFUNDS}/{number}/{step}")
        fill_in_reason(page)
        type_what_is_asked(page, order)
        if step == "payment":
            page.locator("input[name=payer][value=elsewhere]").check()
            page.locator("input[name=reference]").fill("SEPA 79")
        assert send_twice(page, server) == number
    assert entries(server, number) == ["refund.request", "refund.approve", "refund.process"]
    assert server.sql(
        "SELECT count(*) FROM ledger_entries t JOIN orders o ON o.id = t.order_id "
        f"WHERE o.number = '{order}' AND t.kind = 'refund'") == [["1"]]


@pytest.mark.read_only
@pytest.mark.parametrize("tag, word", [("en-GB", "Sandbox"), ("zh-CN", "沙盒")])
def test_a_case_of_the_sandbox_is_marked(page, known, tag, word):
    page.set_extra_http_headers({"Accept-Language": tag})
    page.goto(f"{REFUNDS}?status=cancelled")
    assert page.get_by_role("row", name="RF-000000").locator(".tag.sandbox").inner_text() == word


def test_whoever_is_late_is_shown_what_is_there_now_and_nothing_happens(support, open_as, page, server, fresh):
    number = ask(support, fresh())
    page.goto(f"{REFUNDS}/{number}/approval")
    fill_in_reason(page)
    other = open_as("admin")
    other.goto(f"{REFUNDS}/{number}/rejection")
    fill_in_reason(other, "Used to the very last day of it.")
    other.locator("main form button").click()
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.locator("main form button").click()
    assert answer.value.status == 409
    text = page.locator("main").inner_text()
    assert "Nothing was saved" in text
    assert "Rejected by" in text
    assert "Approve refund of" in text
    assert refund(server, number)[0] == "rejected"
    assert entries(server, number) == ["refund.request", "refund.reject"]


def test_support_takes_its_own_request_back_and_nobody_elses(support, page, server, fresh):
    own = ask(support, fresh())
    support.get_by_role("link", name="Cancel request…").click()
    fill_in_reason(support)
    support.locator("main form button").click()
    expect(support).to_have_url(re.compile(f"{REFUNDS}/{own}$"))
    assert refund(server, own)[0] == "cancelled"
    other = ask(page, fresh())
    support.goto(f"{REFUNDS}/{other}")
    assert support.get_by_role("link", name="Cancel request…").count() == 0
    assert support.goto(f"{REFUNDS}/{other}/cancellation").status == 403
    for step in ("approval", "rejection", "payment"):
        assert support.goto(f"{REFUNDS}/{other}/{step}").status == 403


def test_money_marked_as_paid_is_in_the_ledger_and_the_button_warns(support, page, server, fresh):
    order = fresh()
    number = ask(support, order, "partial", "4.00")
    page.goto(f"{REFUNDS}/{number}/approval")
    fill_in_reason(page)
    type_what_is_asked(page, order)
    page.locator("main form button").click()
    page.get_by_role("link", name="Mark as paid…").click()
    assert page.locator("main .danger").count() == 1
    fill_in_reason(page)
    page.locator("main form button").click()
    assert page.get_by_role("alert").is_visible()
    page.locator("input[name=payer][value=elsewhere]").check()
    page.locator("input[name=reference]").fill("SEPA 77")
    page.locator("main form button").click()
    expect(page).to_have_url(re.compile(f"{REFUNDS}/{number}$"))
    assert "SEPA 77" in page.locator("main").inner_text()
    page.goto(f"{ORDERS}/{order}")
    assert "4.00 refunded" in page.locator("main").inner_text()
    assert page.get_by_role("region", name="Refund requests").get_by_role("link", name=number).is_visible()
    assert server.sql(
        f"SELECT t.amount, t.reference FROM ledger_entries t JOIN orders o ON o.id = t.order_id "
        f"WHERE o.number = '{order}' AND t.kind = 'refund'") == [["-400", f"request:{number}"]]


def test_analysts_see_numbers_and_nothing_that_somebody_wrote(analyst, server, known):
    for path in (REFUNDS, f"{REFUNDS}?status=all"):
        analyst.goto(path)
        forms = analyst.locator("main form").evaluate_all("forms => forms.map(form => form.getAttribute('action'))")
        # The choice of columns, and the search.
        assert set(forms) <= {"/dashboard/columns", REFUNDS}
    number = server.sql("SELECT number FROM refund_requests WHERE internal_note IS NOT NULL LIMIT 1")[0][0]
    reason, note = server.sql(f"SELECT reason, internal_note FROM refund_requests WHERE number = '{number}'")[0]
    source = analyst.goto(f"{REFUNDS}/{number}").text()
    assert reason not in source and note not in source
    assert "support and admins can read it" in source
    assert analyst.goto(f"{ORDERS}/{known.order}/refund").status == 403
    assert analyst.goto(f"{REFUNDS}/{number}/approval").status == 403


def test_the_queue_has_the_urgent_first_and_tells_how_many_wait(page, server, known):
    page.goto(REFUNDS)
    waiting = server.sql(
        "SELECT count(*) FROM refund_requests r JOIN apps a ON a.id = r.app_id "
        "WHERE a.slug = 'readmigo' AND r.status = 'pending'")[0][0]
    nav = page.get_by_role("navigation", name="Main").get_by_role("link", name=re.compile("Refunds"))
    assert nav.inner_text().split("\n")[0].strip().startswith("Refunds")
    assert waiting in nav.inner_text()
    assert page.locator("th[aria-sort]").count() == 1
    assert page.locator("table.list tbody tr").count() == min(25, int(waiting))
    for sort in ("amount", "requested", "deadline"):
        page.goto(f"{REFUNDS}?status=all&sort={sort}")
        assert page.locator("th[aria-sort]").count() == 1
        first = page.locator("table.list tbody th").all_inner_texts()
        page.locator("th[aria-sort] a").click()
        assert page.locator("table.list tbody th").all_inner_texts() != first or len(first) < 2
    assert page.goto(f"{REFUNDS}?status=nonsense&sort=nonsense").status == 200
    assert page.goto(f"{REFUNDS}?after=nonsense").status == 200
    assert page.url.endswith(REFUNDS) and page.get_by_text("This is the first page.").is_visible()
    page.goto(f"{REFUNDS}?status=expired")
    assert page.get_by_text("No refund requests with this status").is_visible()


def test_the_back_link_keeps_the_queue(page, server, known):
    page.goto(f"{REFUNDS}?status=all&sort=amount")
    page.locator("table.list tbody th a").first.click()
    assert page.locator(".crumbs a").get_attribute("href") == f"{REFUNDS}?status=all&sort=amount"


def test_the_whole_way_without_script(server, browser, sessions, fresh):
    windows = {role: browser.new_context(base_url=server.url, storage_state=sessions[role], java_script_enabled=False)
               for role in ("support", "admin")}
    support, admin = windows["support"].new_page(), windows["admin"].new_page()
    order = fresh()
    number = ask(support, order, "partial", "2.50")
    admin.goto(REFUNDS)
    admin.goto(f"{REFUNDS}/{number}")
    admin.get_by_role("link", name="Approve…").click()
    admin.locator("main form button").click()
    assert admin.get_by_role("alert").is_visible()
    fill_in_reason(admin)
    type_what_is_asked(admin, order)
    admin.locator("main form button").click()
    admin.get_by_role("link", name="Mark as paid…").click()
    fill_in_reason(admin)
    admin.locator("input[name=reference]").fill("RE-12")
    admin.locator("main form button").click()
    expect(admin).to_have_url(re.compile(f"{REFUNDS}/{number}$"))
    assert refund(server, number) == ["processed", "250", "250"]
    for window in windows.values():
        window.close()
