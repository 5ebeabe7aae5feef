"""Signing in and out."""

import looks
import re

import pytest
from playwright.sync_api import expect

from demo_server import PASSWORD
from listing import FIRST_PAGE, ORDERS
from windows import fill_in_sign_in

pytestmark = pytest.mark.tasks

SIGN_IN = "/dashboard/sign-in"


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.getAttribute('role')")


def test_the_form_helps_password_managers_and_lets_people_paste(open_as):
    visitor = open_as(None, permissions=["clipboard-read", "clipboard-write"])
    visitor.goto(SIGN_IN)
    email, password = visitor.get_by_label("Email"), visitor.get_by_label("Password")
    assert (email.get_attribute("autocomplete"), email.get_attribute("type")) == ("username", "email")
    assert (password.get_attribute("autocomplete"), password.get_attribute("type")) == ("current-password", "password")
    for field in (email, password):
        visitor.evaluate("navigator.clipboard.writeText('pasted@example.test')")
        field.focus()
        visitor.keyboard.press("ControlOrMeta+V")
        assert field.input_value() == "pasted@example.test"


def test_without_a_session_every_page_leads_to_the_form_and_then_on(visitor, staff, known):
    wanted = f"{ORDERS}?status=completed&sort=amount"
    visitor.goto(wanted)
    assert visitor.url.split("?")[0].endswith(SIGN_IN)
    visitor.get_by_label("Email").fill(staff())
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Sign in").click()
    visitor.wait_for_url(f"**{wanted}")


@pytest.mark.parametrize("elsewhere", ["https://evil.example", "//evil.example", "/dashboard/..//evil.example"])
def test_the_form_leads_nowhere_else(visitor, staff, elsewhere):
    visitor.goto(f"{SIGN_IN}?next={elsewhere}")
    assert visitor.locator("input[name=next]").count() == 0


def test_a_wrong_password_says_so_keeps_the_address_and_takes_the_focus(visitor, staff):
    email = staff()
    with visitor.expect_response(lambda response: response.request.method == "POST") as answer:
        fill_in_sign_in(visitor, email, "not the password")
    assert answer.value.status == 401
    expect(visitor).to_have_title(re.compile("^Error: "))
    alert = visitor.get_by_role("alert")
    assert "Incorrect email address or password." in alert.inner_text()
    expect(alert).to_be_focused()
    assert visitor.get_by_label("Email").input_value() == email
    assert visitor.get_by_label("Password").input_value() == ""
    assert visitor.get_by_label("Email").get_attribute("aria-invalid") == "true"
    described = visitor.get_by_label("Email").get_attribute("aria-describedby")
    assert visitor.locator(f"#{described}").inner_text() in alert.inner_text()
    alert.get_by_role("link").click()
    assert focused(visitor) == "email"


def test_what_is_missing_is_named_at_its_field(visitor, staff):
    visitor.goto(SIGN_IN)
    visitor.get_by_label("Email").fill(staff())
    visitor.locator("form").evaluate("form => { form.noValidate = true; }")
    visitor.get_by_role("button", name="Sign in").click()
    visitor.wait_for_load_state()
    alert = visitor.get_by_role("alert")
    assert "Enter your password." in alert.inner_text()
    alert.get_by_role("link").click()
    assert focused(visitor) == "password"


def test_an_unknown_account_reads_like_a_wrong_password(visitor, staff):
    texts = []
    for email in (staff(), "nobody@example.test"):
        fill_in_sign_in(visitor, email, "not the password")
        request = visitor.get_by_role("alert").locator("[data-copy]").text_content().strip()
        texts.append(visitor.locator("main").inner_text().replace(request, ""))
    assert texts[0] == texts[1]


def test_too_many_tries_are_made_to_wait_and_told_how_long(visitor, staff, server):
    email = staff()
    for _ in range(5):
        fill_in_sign_in(visitor, email, "not the password")
    with visitor.expect_response(lambda response: response.request.method == "POST") as answer:
        fill_in_sign_in(visitor, email)
    assert answer.value.status == 429
    assert 1 <= int(answer.value.headers["retry-after"]) <= 60
    alert = visitor.get_by_role("alert")
    assert re.search(r"Wait a minute, then try again", alert.inner_text())
    expect(visitor).to_have_title(re.compile("^Error: Too many attempts"))
    # Other tests on this machine must not wait for it.
    server.sql("DELETE FROM sign_in_failures")


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(visitor, staff):
    fill_in_sign_in(visitor, staff())
    visitor.wait_for_url(FIRST_PAGE)
    cookie = next(cookie for cookie in visitor.context.cookies() if cookie["name"].endswith("perennial"))
    assert cookie["httpOnly"] and cookie["sameSite"] in ("Lax", "Strict") and cookie["path"] == "/"
    assert "perennial=" not in visitor.evaluate("document.cookie")


def test_signing_out_ends_the_session_also_for_the_back_button_and_a_kept_cookie(person):
    page = person()
    kept = page.context.cookies()
    page.goto(ORDERS)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"**{SIGN_IN}")
    page.go_back()
    assert page.locator("table.list").count() == 0
    page.context.add_cookies(kept)
    page.goto(ORDERS)
    assert page.url.split("?")[0].endswith(SIGN_IN)


def test_a_form_filled_in_while_the_session_ended_waits_for_the_sign_in(person, server, known, axe):
    page = person()
    page.goto(f"/dashboard/customers/{known.two_letter_customer}")
    page.get_by_label("New note").fill("Wants a receipt. “Lütfen”, 谢谢 & <b>")
    server.sql(
        f"DELETE FROM staff_sessions WHERE staff_id = (SELECT id FROM staff WHERE email = '{page.email}')")
    page.get_by_role("button", name="Add note").click()
    alert = page.get_by_role("alert")
    assert "Your session has ended" in alert.inner_text()
    expect(alert).to_be_focused()
    assert looks.structure(page, "en") + axe(page) == []
    # An error on the way does not lose it.
    page.get_by_label("Email").fill(page.email)
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    assert page.locator("h1").inner_text() == "Continue where you left off?"
    assert looks.structure(page, "en") + axe(page) == []
    count = "SELECT count(*) FROM customer_notes WHERE text LIKE 'Wants a receipt.%'"
    before = int(server.sql(count)[0][0])
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/dashboard/customers/*")
    assert page.locator("article.written .text").first.inner_text() == "Wants a receipt. “Lütfen”, 谢谢 & <b>"
    assert int(server.sql(count)[0][0]) == before + 1


def test_a_form_of_another_site_is_not_kept(visitor, server):
    answer = visitor.request.post(
        f"{server.url}/dashboard/app", form={"app": "tandem"}, headers={"Origin": "https://evil.example"}, max_redirects=0)
    assert answer.status == 303 and "tandem" not in answer.text()


def test_somebody_signed_in_is_not_asked_again(page):
    page.goto(f"{SIGN_IN}?next=/dashboard/notifications")
    assert page.url.endswith("/dashboard/notifications")


def test_a_form_that_lost_its_cookie_asks_once_more_and_keeps_what_was_typed(visitor, staff):
    email = staff()
    visitor.goto(SIGN_IN)
    visitor.context.clear_cookies()
    visitor.get_by_label("Email").fill(email)
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Sign in").click()
    visitor.get_by_role("alert").wait_for()
    assert visitor.get_by_label("Email").input_value() == email
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Sign in").click()
    visitor.wait_for_url(FIRST_PAGE)
