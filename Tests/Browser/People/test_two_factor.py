"""Two-factor sign-in, and a person's own sessions and password."""

import looks
import re

import pytest
from playwright.sync_api import expect

from demo_server import PASSWORD
from listing import FIRST_PAGE, ORDERS
from totp import App
from windows import fill_in_sign_in

pytestmark = pytest.mark.tasks

ACCOUNT = "/dashboard/account"


def is_good(page, axe):
    """Asserts the rules of test_walk.py for a page that it does not reach."""
    wrong = looks.structure(page, "en") + axe(page)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        wrong += looks.layout(page, width) + looks.colours(page)
    assert wrong == []


def begin(page):
    page.goto(ACCOUNT)
    page.get_by_role("link", name="Set up two-factor authentication").click()
    page.get_by_role("button", name="Set up two-factor authentication").click()


def turn_on(page, has_begun=False):
    """Sets the second factor up; returns the authenticator app and the recovery codes."""
    if not has_begun:
        begin(page)
    assert page.locator("svg.qr").bounding_box()["width"] > 150
    app = App(page.locator("#secret").inner_text().split("\n")[0])
    page.get_by_label("Code", exact=True).fill(app.code())
    page.get_by_role("button", name="Turn on two-factor authentication").click()
    codes = page.locator("ol.mono li").all_inner_texts()
    assert len(set(codes)) == 10
    return app, codes


def test_it_is_set_up_asked_for_and_turned_off(person, open_as):
    page = person()
    app, codes = turn_on(page)
    page.get_by_role("link", name="I've saved my codes").click()
    assert "On since" in page.get_by_role("region", name="Two-factor authentication").inner_text()

    other = open_as(None, fresh=True)
    fill_in_sign_in(other, page.email)
    assert other.url.split("?")[0].endswith("/dashboard/sign-in/code")
    other.goto(ORDERS)
    assert other.url.split("?")[0].endswith("/dashboard/sign-in")
    other.goto("/dashboard/sign-in/code")
    other.get_by_label("Code", exact=True).fill("000000")
    other.get_by_role("button", name="Sign in").click()
    assert "Incorrect or already used code" in other.get_by_role("alert").inner_text()
    expect(other).to_have_title(re.compile("^Error: "))
    assert other.evaluate("document.activeElement.getAttribute('role')") == "alert"
    other.get_by_label("Code", exact=True).fill(app.code())
    other.get_by_role("button", name="Sign in").click()
    other.wait_for_url(FIRST_PAGE)

    third = open_as(None, fresh=True)
    fill_in_sign_in(third, page.email)
    third.get_by_label("Code", exact=True).fill(codes[3].upper())
    third.get_by_role("button", name="Sign in").click()
    third.wait_for_url(FIRST_PAGE)
    third.goto(ACCOUNT)
    assert "9 recovery codes left" in third.locator("main").inner_text()

    page.goto(f"{ACCOUNT}/two-factor/removal")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Code", exact=True).fill(app.code())
    page.get_by_role("button", name="Turn off two-factor authentication").click()
    assert "Two-factor authentication turned off." in page.get_by_role("status").first.inner_text()


def test_the_code_field_is_one_that_phones_fill(person, open_as, axe):
    page = person()
    turn_on(page)
    other = open_as(None, fresh=True)
    fill_in_sign_in(other, page.email)
    field = other.get_by_label("Code", exact=True)
    assert field.get_attribute("autocomplete") == "one-time-code"
    is_good(other, axe)


def test_pages_that_only_a_second_factor_shows_are_good(person, axe):
    page = person()
    begin(page)
    page.locator("svg.qr").wait_for()
    is_good(page, axe)
    turn_on(page, has_begun=True)
    is_good(page, axe)
    for path in (ACCOUNT, f"{ACCOUNT}/two-factor", f"{ACCOUNT}/two-factor/removal"):
        page.goto(path)
        is_good(page, axe)


def test_sessions_are_listed_and_ended(person, open_as):
    page = person()
    other = open_as(None, fresh=True, user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1")
    fill_in_sign_in(other, page.email)
    other.wait_for_url(FIRST_PAGE)
    page.goto(ACCOUNT)
    row = page.get_by_role("row", name="Safari on iPhone")
    assert "127.0.0.1" in row.inner_text()
    page.get_by_role("button", name="Sign out Safari on iPhone").click()
    assert "Session signed out." in page.get_by_role("status").first.inner_text()
    other.goto(ORDERS)
    assert other.url.split("?")[0].endswith("/dashboard/sign-in")


def test_the_password_changes_and_a_mistake_says_where(person, open_as):
    page = person()
    page.goto(ACCOUNT)
    page.get_by_label("Current password", exact=True).fill("not the password")
    page.get_by_label("New password", exact=True).fill("another good password")
    page.get_by_role("button", name="Change password").click()
    alert = page.get_by_role("alert")
    expect(page).to_have_title(re.compile("^Error: "))
    alert.get_by_role("link", name="Incorrect password.").click()
    assert page.evaluate("document.activeElement.id") == "old"
    page.get_by_label("Current password", exact=True).fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("another good password")
    page.get_by_role("button", name="Change password").click()
    assert "Password changed" in page.get_by_role("status").first.inner_text()
    other = open_as(None, fresh=True)
    fill_in_sign_in(other, page.email, "another good password")
    other.wait_for_url(FIRST_PAGE)
