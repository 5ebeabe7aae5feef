"""The audit log of staff actions."""

import csv
import io
import re

import pytest

from listing import FIRST_PAGE, NOTIFICATIONS, ORDERS, follow
from windows import fill_in_sign_in

pytestmark = pytest.mark.tasks

AUDIT = "/dashboard/audit"


def test_filters_stand_in_the_address_and_are_removed_one_by_one(page, known):
    page.goto(AUDIT)
    page.get_by_role("combobox", name="Action").select_option(label="Signed in")
    page.get_by_role("textbox", name="Actor").fill("admin@demo.test")
    page.get_by_role("button", name="Filter").click()
    assert "actor=admin%40demo.test" in page.url and "action=session.open" in page.url
    actions = page.locator("table.list tbody th").all_inner_texts()
    assert actions and all(action.startswith("Signed in") for action in actions)
    page.get_by_role("link", name="Remove filter Action: Signed in").click()
    assert "action=" not in page.url and "actor=" in page.url
    page.get_by_role("link", name="Clear all").click()
    assert page.url.endswith(AUDIT)


def test_days_narrow_the_log(page, server, known):
    (day, count), *_ = server.sql(
        "SELECT (e.at AT TIME ZONE a.time_zone)::date, count(*) FROM audit_entries e JOIN apps a ON a.id = e.app_id "
        "WHERE a.slug = 'readmigo' GROUP BY 1 ORDER BY 1 LIMIT 1")
    page.goto(AUDIT)
    page.get_by_label("From", exact=True).fill(day)
    page.get_by_label("To", exact=True).fill(day)
    follow(page, page.get_by_role("button", name="Filter"))
    times = page.locator("table.list tbody time").evaluate_all("all => all.map(one => one.dateTime.slice(0, 10))")
    assert times and set(times) == {day}


def test_an_entry_shows_who_what_and_where(page, known):
    page.goto(f"{AUDIT}?action=session.open&actor=admin@demo.test")
    page.locator("table.list tbody th a").first.click()
    facts = page.get_by_role("region", name="Details").inner_text()
    assert "admin@demo.test" in facts and "127.0.0.1" in facts
    page.locator("main").get_by_role("link", name="Audit log").first.click()
    assert "action=session.open" in page.url


def test_an_order_leads_to_its_history(page, known):
    page.goto(f"{ORDERS}/{known.order}")
    page.get_by_role("link", name="History").click()
    assert page.get_by_label("Object ID", exact=True).input_value() == known.order


def test_a_notification_leads_to_its_history(page, known):
    page.goto(f"{NOTIFICATIONS}/{known.failed_notification}")
    follow(page, page.get_by_role("link", name="History"))
    assert page.get_by_label("Object ID", exact=True).input_value() == known.failed_notification


def test_what_was_refused_is_told_with_who_which_role_why_when_and_the_request(analyst, page, server):
    answer = analyst.goto(f"{AUDIT}?refused=here")
    assert answer.status == 403
    page.goto(f"{AUDIT}?action=access.deny&actor=analyst@demo.test")
    follow(page, page.locator("table.list tbody th a").first)
    facts = page.locator("dl.facts").evaluate(
        "list => Object.fromEntries([...list.querySelectorAll('dt')].map(term => [term.innerText,"
        " (term.nextElementSibling.querySelector('a') ?? term.nextElementSibling.firstChild).textContent.trim()]))")
    assert facts["Actor"] == "analyst@demo.test"
    assert facts["Request"] == answer.headers["x-request-id"]
    assert "analyst" in facts.values() and AUDIT in facts.values()
    assert "role doesn’t allow" in page.get_by_role("region", name="Reason").inner_text()
    assert page.locator(".head time").count() == 1


def test_the_export_is_what_is_filtered_and_is_written_down(page, server, known):
    page.goto(f"{AUDIT}?action=session.open")
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(r"^Export CSV \(\d+ rows?\)$")).click()
    with open(download.value.path(), newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    expected = server.sql("SELECT count(*) FROM audit_entries WHERE action = 'session.open'")[0][0]
    assert len(rows) == int(expected) and {row["action"] for row in rows} == {"session.open"}
    page.goto(f"{AUDIT}?action=list.export&object=audit")
    page.locator("table.list tbody th a").first.click()
    changes = page.get_by_role("region", name="Changes")
    assert changes.get_by_role("row", name="rows").locator("td").last.inner_text() == expected
    assert "action=session.open" in changes.inner_text()


def test_the_log_has_views_and_columns_like_the_other_lists(visitor, staff):
    page, email = visitor, staff()
    fill_in_sign_in(page, email)
    page.wait_for_url(FIRST_PAGE)
    page.goto(f"{AUDIT}?action=session")
    page.locator("summary", has_text="Columns").click()
    for name in ("App", "Reason"):
        page.get_by_role("checkbox", name=name).uncheck()
    follow(page, page.get_by_role("button", name="Apply columns"))
    fewer = ["When", "Action", "Actor", "Object"]
    assert page.locator("table.list thead th").all_inner_texts() == fewer
    follow(page, page.get_by_role("link", name="Save view…"))
    page.get_by_label("Name", exact=True).fill("Sign-ins")
    follow(page, page.get_by_role("button", name="Save view"))
    page.goto(AUDIT)
    follow(page, page.get_by_role("navigation", name="Views").get_by_role("link", name="Sign-ins"))
    assert page.locator(".chip").inner_text().startswith("Action: Sign-in")
    assert page.locator("table.list thead th").all_inner_texts() == fewer
    page.get_by_role("textbox", name="Actor").fill(email)
    follow(page, page.get_by_role("button", name="Filter"))
    assert page.locator("table.list thead th").all_inner_texts() == fewer
    # The view has to keep the present filters.
    follow(page, page.get_by_role("link", name="Save view…"))
    follow(page, page.get_by_role("link", name="Update “Sign-ins”…"))
    assert page.locator("h1").inner_text() == "Update view “Sign-ins”?"
    assert f"actor={email}" in page.get_by_role("row", name="Filters and sorting").locator("td").last.inner_text()
    follow(page, page.get_by_role("button", name="Update view"))
    page.goto(AUDIT)
    follow(page, page.get_by_role("navigation", name="Views").get_by_role("link", name="Sign-ins"))
    assert page.locator(".chip").count() == 2


def test_the_log_has_no_control_that_changes_it(page, known):
    page.goto(AUDIT)
    actions = page.locator("main form[method=post]").evaluate_all("forms => forms.map(form => form.action)")
    assert {action.split("/dashboard/")[1] for action in actions} == {"audit/exports", "columns"}
    page.locator("table.list tbody th a").first.click()
    assert page.locator("main form").count() == 0
    for path in (AUDIT, page.url.split("?")[0]):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert page.request.fetch(path, method=method).status == 405, (method, path)


def test_analysts_have_no_log_and_support_sees_no_accounts(open_as, known):
    assert open_as("analyst").goto(AUDIT).status == 403
    support = open_as("support")
    support.goto(f"{AUDIT}?action=staff")
    assert support.get_by_text("No entry matches").is_visible()


def test_the_chain_is_whole_after_everything_the_suite_did(server, known):
    assert "The audit log is whole." in server.run("audit", "verify")
