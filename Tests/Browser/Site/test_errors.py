"""Error pages: the error, the way out, and the id under which the log has it."""

import json
import re

import pytest
from playwright.sync_api import expect

import looks
from listing import NOTIFICATIONS, ORDERS, follow

GETS = {
    "an address that is none": ("/dashboard/nothing-here", 404),
    "an order that is not there": (f"{ORDERS}/ORD-19990101-0001", 404),
    "a notification that is not there": (f"{NOTIFICATIONS}/00000000-0000-0000-0000-000000000000", 404),
    "a notification's id that is none": (f"{NOTIFICATIONS}/x%00y", 400),
    "an address that is only posted to": ("/dashboard/sign-out", 405),
    "a NUL in the address": (f"{ORDERS}?q=%00", 400),
}
# The session is not looked up for an address that belongs to no page.
WITHOUT_FRAME = {"an address that is none", "an address that is only posted to"}


@pytest.mark.parametrize("name", GETS)
def test_it_has_the_right_status_the_usual_frame_a_request_id_and_a_way_on(page, name):
    path, status = GETS[name]
    answer = page.goto(path)
    assert answer.status == status
    expect(page).to_have_title(re.compile("^Error: "))
    assert page.locator("h1").inner_text() in page.title()
    if name not in WITHOUT_FRAME:
        assert page.get_by_role("navigation", name="Main").is_visible()
    assert f"Error {status}" in page.locator("main").inner_text()
    assert page.locator("[data-copy='Copy request ID']").text_content().strip() == answer.headers["x-request-id"]
    assert answer.headers["cache-control"] == "no-store"
    follow(page, page.locator("main").get_by_role("link"))
    assert page.locator("table.list").count() == 1


def test_a_page_marker_from_nowhere_leads_to_the_first_page_of_its_own_list(page):
    for path, marker in ((f"{NOTIFICATIONS}?state=failed", "&after=nonsense"), (ORDERS, "?after=bm90IG91cnM"),
                         (NOTIFICATIONS, "?before=AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")):
        assert page.goto(path + marker).status == 200
        assert page.url.endswith(path)
        assert page.locator("main .flash").inner_text() == (
            "That page of the list is no longer there. This is the first page.")


def test_a_method_that_an_address_does_not_take_names_those_it_takes(page):
    answer = page.goto("/dashboard/sign-out")
    assert answer.headers["allow"] == "POST"
    answer = page.request.post(ORDERS)
    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD"


def test_a_form_without_its_token_is_refused_and_changes_nothing(page, server):
    page.goto(ORDERS)
    before = server.sql("SELECT theme FROM staff WHERE email = 'admin@demo.test'")
    page.locator("form.display").evaluate("form => form.querySelector('[name=csrf]').remove()")
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        page.get_by_role("button", name="Dark").click()
    assert answer.value.status == 403
    assert page.locator("h1").inner_text() == "You don't have permission"
    assert server.sql("SELECT theme FROM staff WHERE email = 'admin@demo.test'") == before


def test_a_form_with_a_value_that_is_none_is_refused(page):
    page.goto(ORDERS)
    page.get_by_role("button", name="Dark").evaluate("button => { button.value = 'mauve'; }")
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        page.get_by_role("button", name="Dark").click()
    assert answer.value.status == 422
    expect(page).to_have_title(re.compile("^Error: "))


def test_an_address_that_is_too_long_is_refused(page):
    answer = page.request.get(f"{ORDERS}?q={'x' * 9000}")
    assert answer.status == 414


def test_a_visitor_who_is_lost_gets_a_page_too(visitor):
    answer = visitor.goto("/nothing-here")
    assert answer.status == 404
    assert visitor.locator("h1").count() == 1
    assert visitor.locator("[data-copy='Copy request ID']").text_content() == answer.headers["x-request-id"]
    assert visitor.get_by_role("navigation").count() == 0


def test_no_error_page_tells_how_the_server_is_made(page):
    for path, _ in GETS.values():
        text = page.request.get(path).text()
        for trace in ("Swift", "Sources/", "SELECT ", "Optional(", "fatal", ".swift"):
            assert trace not in text


@pytest.mark.parametrize("language, tag", [("en", "en-GB"), ("zh-Hans", "zh-CN"), ("tr", "tr-TR")])
def test_what_the_server_cannot_do_is_said_in_every_language(page, server, language, tag):
    page.set_extra_http_headers({"Accept-Language": tag})
    server.sql("ALTER TABLE saved_views RENAME TO saved_views_away")
    try:
        answer = page.goto(ORDERS)
        assert answer.status == 500
        assert looks.structure(page, language) == []
        assert page.locator("main [data-copy]").text_content().strip() == answer.headers["x-request-id"]
        for trace in ("saved_views", "SELECT", "42P01", ".swift"):
            assert trace not in answer.text()
    finally:
        server.sql("ALTER TABLE saved_views_away RENAME TO saved_views")
    assert page.goto(ORDERS).status == 200


def test_programs_get_a_problem_instead_of_a_page(page):
    answer = page.request.get("/admin/orders", headers={"Accept": "text/html"})
    assert answer.status == 401
    assert answer.headers["content-type"].startswith("application/problem+json")
    problem = json.loads(answer.text())
    assert problem["status"] == 401 and problem["requestId"] == answer.headers["x-request-id"]
