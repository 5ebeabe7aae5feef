"""Invites people, and changes and disables their accounts."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from demo_server import PASSWORD
from listing import ORDERS
from windows import fill_in_sign_in

pytestmark = pytest.mark.tasks

STAFF = "/dashboard/staff"


def give_reason(page):
    page.get_by_label("Category", exact=True).select_option("other")
    page.get_by_role("textbox", name="Reason").fill("the browser suite wants it")


def stale(server, email):
    """Moves a person's last confirmation of identity far into the past."""
    server.sql(
        "UPDATE staff_sessions SET authenticated_at = now() - interval '11 minutes' "
        f"WHERE staff_id = (SELECT id FROM staff WHERE email = '{email}')")


def test_an_invited_person_sets_a_password_and_comes_in(person, open_as):
    page, email = person(), f"{uuid.uuid4().hex}@example.test"
    page.goto(STAFF)
    page.get_by_role("link", name="Invite teammate").click()
    page.get_by_label("Email", exact=True).fill(email)
    page.get_by_label("Name", exact=True).fill("Ivy Invited")
    page.get_by_role("radio", name="Support").check()
    give_reason(page)
    page.get_by_role("button", name="Create invite link").click()
    link = page.locator("#link").inner_text().split("\n")[0]
    page.goto(STAFF)
    assert "Invited" in page.get_by_role("row", name=email).inner_text()

    newcomer = open_as(None, fresh=True)
    newcomer.goto(link)
    assert newcomer.get_by_label("Email", exact=True).input_value() == email
    assert newcomer.get_by_label("New password", exact=True).get_attribute("autocomplete") == "new-password"
    newcomer.get_by_label("New password", exact=True).fill("short")
    newcomer.get_by_role("button", name="Set password").click()
    assert "12 to 128 characters" in newcomer.get_by_role("alert").inner_text()
    newcomer.get_by_label("New password", exact=True).fill("a good long password")
    newcomer.get_by_role("button", name="Set password").click()
    fill_in_sign_in(newcomer, email, "a good long password")
    newcomer.wait_for_url(f"**{ORDERS}")
    assert newcomer.get_by_role("link", name="Staff", exact=True).count() == 0
    assert newcomer.goto(link).status == 404


def test_a_reason_is_asked_for_and_what_was_chosen_stays(person, staff, server):
    page, email = person(), staff("support")
    page.goto(STAFF)
    page.get_by_role("row", name=email).get_by_role("link").click()
    page.get_by_role("link", name="Change role").click()
    assert page.get_by_role("heading", level=1).inner_text() == f"Change role of {email}?"
    page.get_by_role("radio", name="Analyst").check()
    page.get_by_role("button", name="Change role").click()
    expect(page).to_have_title(re.compile("^Error: "))
    assert page.get_by_role("radio", name="Analyst").is_checked()
    give_reason(page)
    page.get_by_role("button", name="Change role").click()
    assert "Role changed." in page.get_by_role("status").first.inner_text()
    page.get_by_role("link", name="View audit entry").click()
    assert page.get_by_role("row", name="role").inner_text().split() == ["Role", "support", "analyst"]
    assert "the browser suite wants it" in page.locator("main").inner_text()


def test_shutting_an_account_ends_its_sessions(person, open_as):
    page, other = person(), person("support", fresh=True)
    page.goto(STAFF)
    page.get_by_role("row", name=other.email).get_by_role("link").click()
    page.get_by_role("link", name="Deactivate account").click()
    assert page.locator(".danger").count() == 1
    give_reason(page)
    page.get_by_role("button", name="Deactivate account").click()
    assert "Deactivated" in page.get_by_role("heading", level=1).inner_text()
    other.goto(ORDERS)
    assert other.url.split("?")[0].endswith("/dashboard/sign-in")


def test_who_is_there_is_asked_after_ten_minutes_and_the_form_is_kept(person, staff, server, axe):
    page, email = person(), staff("support")
    page.goto(STAFF)
    page.get_by_role("row", name=email).get_by_role("link").click()
    page.get_by_role("link", name="Change role").click()
    page.get_by_role("radio", name="Analyst").check()
    give_reason(page)
    stale(server, page.email)
    page.get_by_role("button", name="Change role").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Confirm it's you"
    assert axe(page) == []
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Continue").click()
    assert "Role changed." in page.get_by_role("status").first.inner_text()
    assert server.sql(f"SELECT role FROM staff WHERE email = '{email}'")[0][0] == "analyst"


def test_one_s_own_account_is_for_another_admin(person, server):
    page = person()
    page.goto(STAFF)
    page.get_by_role("row", name=page.email).get_by_role("link").click()
    assert page.get_by_role("link", name="Deactivate account").count() == 0
    assert "Another admin has to change" in page.locator("main").inner_text()


def test_others_have_no_staff_pages(open_as):
    for role in ("support", "analyst"):
        page = open_as(role)
        assert page.goto(STAFF).status == 403
        page.goto(ORDERS)
        assert page.get_by_role("link", name="Staff", exact=True).count() == 0
