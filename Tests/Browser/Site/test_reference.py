"""The API reference, for any visitor."""

import json
import subprocess

import pytest
from playwright.sync_api import expect

from windows import PHONE


@pytest.fixture
def api(open_as):
    document = open_as(None).request.get("/openapi.json").json()
    return [
        (operation, method, path)
        for path, item in document["paths"].items() for method, operation in item.items()]


def test_the_first_page_leads_to_every_operation(open_as, api):
    page = open_as(None)
    page.goto("/docs")
    links = page.locator("main .endpoints a")
    assert links.count() == len(api)
    for operation, method, path in api[::7]:
        page.goto("/docs")
        link = page.locator(f"main a[href$='#{operation['operationId']}']")
        assert link.inner_text().split() == [method.upper(), path]
        link.click()
        heading = page.locator(f"#{operation['operationId']}")
        expect(heading).to_be_in_viewport()
        assert heading.inner_text() == operation["summary"]


def test_a_call_is_copied_whole_and_a_shell_reads_it(open_as):
    page = open_as(None, permissions=["clipboard-read", "clipboard-write"])
    page.goto("/docs/refunds")
    part = page.get_by_role("region", name="Asks for a refund of an order", exact=True)
    part.get_by_role("button", name="Copy example").click()
    part.get_by_role("button", name="Copied", exact=True).wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == part.locator("pre").text_content()
    # A shell function in place of curl prints its arguments.
    words = subprocess.run(
        ["sh", "-c", f"uuidgen() {{ echo one; }}; curl() {{ printf '%s\\0' \"$@\"; }}; {text}"], env={"TOKEN": "pst_1"},
        check=True, capture_output=True, text=True).stdout.split("\0")
    assert words[:2] == ["-X", "POST"] and words[2].endswith("/refunds")
    assert {"Authorization: Bearer pst_1", "Idempotency-Key: one", "Content-Type: application/json"} <= set(words)
    assert {"type", "category", "reason"} <= set(json.loads(words[words.index("-d") + 1]))


def test_without_scripts_the_call_is_there_to_be_selected(open_as):
    page = open_as(None, java_script_enabled=False)
    page.set_viewport_size(PHONE)
    page.goto("/docs/orders")
    assert page.locator("button").count() == 0
    calls = page.locator("pre").all_text_contents()
    assert calls and all(call.startswith("curl -X GET '") for call in calls)
