"""Background jobs: the queues, the failed jobs with their errors, and retries."""

import pytest

import sample_data
from listing import follow

QUEUES = "/dashboard/queues"

pytestmark = pytest.mark.tasks


def row(page, queue):
    return page.locator("main table").first.locator("tbody tr", has=page.get_by_role("rowheader", name=queue, exact=True))


def failed(page, heading):
    return page.locator("section.panel", has=page.locator("h2", has_text=heading))


@pytest.fixture
def dead_letter(server):
    """Makes a report's job that failed for good; its object is gone, so a server finishes it at once."""
    return server.sql(
        """INSERT INTO jobs (id, app_id, kind, subject_id, state, attempt, max_attempts, scheduled_at, last_error, created_at,
            finalized_at)
        SELECT gen_random_uuid(), id, 'report', gen_random_uuid(), 'discarded', 60, 60, now(), 'There is no directory /srv.',
            now(), now()
        FROM apps WHERE slug = 'readmigo' RETURNING id""")[0][0]


def test_each_number_is_how_many_there_are_and_leads_to_them(page, known, server):
    page.goto(QUEUES)
    count = server.sql(
        "SELECT count(*) FROM store_notifications n JOIN apps a ON a.id = n.app_id WHERE a.slug = 'readmigo' AND n.state = 'failed'")
    link = row(page, "Notifications").get_by_role("link", name="failed")
    assert " ".join(link.text_content().split()) in (f"{count[0][0]} failed", f"{count[0][0]}failed")
    follow(page, link)
    assert page.url.endswith(f"{QUEUES}/notifications")
    assert page.locator("table.list tbody tr").count() == min(int(count[0][0]), 25)
    follow(page, page.locator(".crumbs a"))
    assert page.url.endswith(QUEUES)


def test_what_failed_says_why_as_text_and_leads_to_what_it_is_about(page, known):
    answer = page.goto(QUEUES)
    part = failed(page, "Failed bulk jobs")
    assert part.get_by_text(f"The plan is gone. {sample_data.HOSTILE_TEXT}").is_visible()
    assert sample_data.HOSTILE_TEXT not in answer.text()
    follow(page, part.locator("tbody th a").first)
    assert page.url.endswith(f"/dashboard/bulk/{known.undone_job}")


def test_a_job_is_tried_again_with_a_reason_and_that_is_in_the_log(person, known, server, dead_letter):
    admin = person("admin")
    admin.goto(QUEUES)
    line = failed(admin, "Failed reports").locator("tbody tr", has=admin.locator(f"a[href*='{dead_letter}']"))
    assert "There is no directory /srv." in line.inner_text() and "60 of 60" in line.inner_text()
    follow(admin, line.get_by_role("link", name="Try again"))
    assert "60 of 61" in admin.locator("table.change").inner_text()
    admin.get_by_label("Category").select_option("service_failure")
    admin.get_by_label("Reason").fill("The directory is there again.")
    follow(admin, admin.get_by_role("button", name="Try again"))
    assert admin.url.endswith(QUEUES)
    assert "Queued to be tried again." in admin.locator("main .flash").inner_text()
    entries = server.sql(f"SELECT actor, reason FROM audit_entries WHERE action = 'queue.retry' AND object_id = '{dead_letter}'")
    assert entries == [[admin.email, "service_failure: The directory is there again."]]
    assert server.sql(f"SELECT state = 'discarded' FROM jobs WHERE id = '{dead_letter}'") == [["f"]]


def test_support_sees_what_failed_and_who_can_try_it_again(open_as, known):
    page = open_as("support")
    page.goto(QUEUES)
    assert failed(page, "Failed bulk jobs").get_by_text("The plan is gone.").is_visible()
    assert page.get_by_text("Only admins can try failed jobs again.").is_visible()
    assert page.locator("main a[href*='/retries/']").count() == 0
