"""The service health page: it says in words which targets are met, and its table, file and rows agree."""

import csv
import io
import re
import time

import pytest

from listing import shown

HEALTH = "/dashboard/health"
METRICS = ["sign-ins", "payments", "answers", "synced", "applied", "failed", "queue-age"]


def number(text):
    return int(text.replace(",", ""))


@pytest.fixture(scope="module")
def counted(server, sessions):
    """Waits until something of each kind was counted and written."""
    wanted = {"request", "sign_in", "applied", "queue_age", "failed_notifications"}
    end = time.monotonic() + 400
    while not wanted <= {row[0] for row in server.sql("SELECT DISTINCT measure FROM service_metrics_hourly")}:
        assert time.monotonic() < end, "not everything was counted"
        time.sleep(0.5)


def file_of(page, href):
    answer = page.request.get(href)
    assert answer.status == 200
    return list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))


def row(page, metric):
    return page.locator("table.health tbody tr", has=page.locator(f'th a[href="#{metric}"]'))


def figure(page, metric):
    return page.locator("figure.chart", has=page.locator(f"h2#{metric}"))


def routes(page):
    return page.get_by_role("region", name="Table: response times by route")


def test_each_metric_has_its_target_and_says_whether_it_is_met(page, counted):
    page.goto(HEALTH)
    assert page.locator("table.health tbody tr").count() == len(METRICS)
    for metric in METRICS:
        cells = row(page, metric).locator("td")
        state, target = cells.nth(1).inner_text(), cells.nth(2).inner_text()
        assert re.match(r"(above|below|at most) \d", target), target
        finding = figure(page, metric).locator(".find").inner_text()
        assert target in finding and state.lower() in finding
        value = cells.nth(0).inner_text().split()[0]
        assert (value == "–") == (state == "No data")
    assert "not met" in figure(page, "failed").locator(".find").inner_text()
    assert row(page, "failed").locator(".status").inner_text() == "Not met"


def test_tries_to_sign_in_are_counted_by_how_they_ended(page, server, counted):
    page.goto(HEALTH)
    cells = row(page, "sign-ins").locator("td")
    good, count = map(number, re.search(r"([\d,]+) of ([\d,]+)", cells.nth(0).inner_text()).groups())
    told = server.sql("SELECT sum(good), sum(count) FROM service_metrics_hourly WHERE measure = 'sign_in'")[0]
    assert 0 < good <= int(told[0]) and 0 < count <= int(told[1])
    assert cells.nth(1).inner_text() == ("Met" if good / count > 0.95 else "Not met")


def test_failed_notifications_lead_to_as_many_rows(page, counted):
    page.goto(HEALTH)
    link = row(page, "failed").get_by_role("link", name="Failed notifications").last
    failed = number(row(page, "failed").locator("td").first.inner_text().split()[0])
    page.goto(link.get_attribute("href"))
    assert failed > 0 and shown(page)[2] == failed


def test_payments_lead_to_the_charges_that_succeeded(page, counted):
    page.goto(f"{HEALTH}?span=month")
    cell = row(page, "payments").locator("td").first
    charged, tried = map(number, re.search(r"([\d,]+) of ([\d,]+)", cell.inner_text()).groups())
    assert 0 < charged < tried, "some renewals of the demo's customers cannot be charged"
    page.goto(cell.get_by_role("link", name="Charges").get_attribute("href"))
    assert shown(page)[2] == charged


def test_the_tables_and_the_files_say_the_same(page, counted):
    for span, periods in (("day", 24), ("week", 7)):
        page.goto(f"{HEALTH}?span={span}")
        for metric in METRICS:
            chart = figure(page, metric)
            if chart.locator(".empty").count():
                continue
            lines = file_of(page, chart.locator("a[download]").get_attribute("href"))
            assert len(lines) == (2 if (metric, span) == ("payments", "day") else periods)
            cells = chart.locator(".data tbody tr").all()
            assert len(cells) == len(lines)
            for cell, line in zip(cells, lines):
                text = cell.locator("td").first.text_content().strip()
                value = line.get("share_percent") or line.get("seconds") or line.get("highest") or ""
                assert bool(re.match(r"\d", text)) == bool(value), (metric, text, line)
                if metric in ("sign-ins", "payments") and value:
                    assert text == f"{value}%"
            assert [line["is_partial"] for line in lines] == ["no"] * (len(lines) - 1) + ["yes"]


def test_routes_are_told_as_in_their_file_in_either_order(page, counted):
    page.goto(f"{HEALTH}?sort=busiest")
    seen = [(cells[0].locator(".mono").inner_text(), cells[1].inner_text(), number(cells[2].inner_text()), number(cells[3].inner_text()))
            for cells in (line.locator("th, td").all() for line in routes(page).locator("tbody tr").all())]
    lines = file_of(page, page.locator("section", has=routes(page)).locator("a[download]").get_attribute("href"))
    told = {(line["route"], line["method"]): line for line in lines}
    assert seen and not {"/healthz", "/assets/**", "NotFound"} & {route for route, *_ in seen}
    # The readings themselves count as well, and may be written between the two.
    assert {(route, method) for route, method, *_ in seen} <= told.keys()
    assert all(count <= int(told[route, method]["requests"]) for route, method, count, _ in seen)
    assert [count for *_, count, _ in seen] == sorted((count for *_, count, _ in seen), reverse=True)
    assert routes(page).locator("[aria-sort]").inner_text().startswith("Requests")
    routes(page).get_by_role("link", name=re.compile("p95")).click()
    page.wait_for_url(HEALTH)
    slowest = [float(line["p95_seconds"]) for line in file_of(page, f"{HEALTH}/table.csv?table=routes")]
    assert slowest == sorted(slowest, reverse=True)


def test_a_span_is_in_the_address_and_marks_what_is_under_way(page, counted):
    page.goto(HEALTH)
    page.get_by_role("link", name="Last 30 days").click()
    page.wait_for_url(f"{HEALTH}?span=month")
    assert page.locator(".tabs [aria-current]").inner_text() == "Last 30 days"
    assert figure(page, "answers").locator(".data tbody tr .tag").count() == 1


def test_programs_read_the_same(api, page, counted):
    report = api("metrics/health", span="week")
    assert [metric["metric"] for metric in report["metrics"]] == METRICS
    failed = next(metric for metric in report["metrics"] if metric["metric"] == "failed")
    page.goto(f"{HEALTH}?span=week")
    assert failed["value"] == number(row(page, "failed").locator("td").first.inner_text().split()[0])
    assert failed["isMet"] is False and failed["target"] == {"kind": "atMost", "limit": 0}
    assert {"GET", "POST"} <= {route["method"] for route in report["routes"]}


def test_an_app_without_anything_says_so(open_as, counted):
    page = open_as("newcomer")
    page.goto(HEALTH)
    assert row(page, "payments").locator("td").nth(1).inner_text() == "No data"
    assert row(page, "failed").locator("td").nth(1).inner_text() == "Met"
