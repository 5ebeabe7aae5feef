"""Bulk actions: a list, a dry run, a job, a result, an undo."""

import csv
import io
import re

import pytest

import sample_data

pytestmark = pytest.mark.tasks


@pytest.fixture
def people(server):
    return [key for _, key in sample_data.new_customers(server, 30)]


def wait_for(page, state):
    page.locator("h1 .status", has_text=re.compile(f"^{state}$")).wait_for(timeout=120_000)


def test_a_file_is_tried_dry_run_and_undone(open_as, server, people):
    page = open_as("admin")
    page.goto("/dashboard/bulk")
    page.get_by_role("link", name="New job").first.click()
    page.locator("input[name=kind][value=grant]").check()
    page.get_by_label("Plan", exact=True).select_option("PRO")
    page.get_by_label("Days", exact=True).fill("7")
    lines = "\r\n".join(["customer", *people, "nobody"])
    page.get_by_label("File").set_input_files(
        {"name": "users.csv", "mimeType": "text/csv", "buffer": lines.encode()}
    )
    page.get_by_label("Category").select_option("goodwill")
    page.get_by_label("Reason").fill("A week for everybody who was here before.")
    page.get_by_role("button", name="Start dry run").click()
    wait_for(page, "Ready to start")
    assert page.get_by_role("link", name="Will change 30").count() == 1
    assert page.get_by_role("link", name="Not found 1").count() == 1
    keys = ", ".join(f"'{key}'" for key in people)
    count = f"""SELECT count(*) FROM grants g JOIN customers c ON c.id = g.customer_id
        WHERE c.key IN ({keys}) AND g.ended_at IS NULL"""
    assert server.sql(count) == [["0"]]

    page.get_by_role("link", name="Start job").click()
    page.get_by_role("button", name="Start job").click()
    wait_for(page, "Done")
    assert server.sql(count) == [["30"]]
    with page.expect_download() as download:
        page.get_by_role("link", name="Download results (CSV)").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    assert [row["result"] for row in rows] == ["applied"] * 30 + ["not_found"]

    page.get_by_role("link", name="Undo job").click()
    page.get_by_role("button", name="Undo job").click()
    wait_for(page, "Undone")
    assert server.sql(count) == [["0"]]


def test_the_lines_of_a_job_can_be_paged(page, people):
    page.goto("/dashboard/bulk/new")
    page.locator("input[name=kind][value=grant]").check()
    page.get_by_label("Plan", exact=True).select_option("PRO")
    page.get_by_label("Days", exact=True).fill("7")
    page.get_by_label("Or paste customers").fill("\n".join(people))
    page.get_by_label("Category").select_option("testing")
    page.get_by_label("Reason").fill("Only looked at, never started.")
    page.get_by_role("button", name="Start dry run").click()
    wait_for(page, "Ready to start")
    first = page.locator("tbody th").all_inner_texts()
    page.get_by_role("link", name="Next").click()
    assert first + page.locator("tbody th").all_inner_texts() == people
    page.get_by_role("link", name="Previous").click()
    assert page.locator("tbody th").all_inner_texts() == first
    page.get_by_role("link", name="Cancel job").click()
    page.get_by_role("button", name="Cancel job").click()
    wait_for(page, "Cancelled")


def test_nobody_approves_their_own(page, server, people):
    server.sql("UPDATE apps SET bulk_approval_from = 10 WHERE slug = 'readmigo'")
    try:
        page.goto("/dashboard/bulk/new")
        page.locator("input[name=kind][value=grant]").check()
        page.get_by_label("Plan", exact=True).select_option("PRO")
        page.get_by_label("Days", exact=True).fill("7")
        page.get_by_label("Or paste customers").fill("\n".join(people))
        page.get_by_label("Category").select_option("testing")
        page.get_by_label("Reason").fill("Waits for a second person.")
        page.get_by_role("button", name="Start dry run").click()
        wait_for(page, "Ready to start")
        page.get_by_role("link", name="Send for approval").click()
        page.get_by_role("button", name="Send for approval").click()
        wait_for(page, "Pending approval")
        assert page.get_by_role("link", name="Approve and start").count() == 0
        assert "another admin has to approve" in page.locator("main").inner_text()
    finally:
        server.sql("UPDATE apps SET bulk_approval_from = 100 WHERE slug = 'readmigo'")
