"""The cost of a page: its size, its headers, and the files that it may load."""

import gzip

import pytest

from listing import NOTIFICATIONS, ORDERS
from places import MAIN, go, role

SHIFTS = """window.shift = 0;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("name", MAIN)
def test_a_first_view_keeps_to_its_budget(open_as, known, name):
    page = open_as(role(name), fresh=True)
    finished = []
    page.on("requestfinished", lambda request: finished.append(request))
    go(page, known, name)
    page.wait_for_load_state("networkidle")
    sizes = {request.url: request.sizes()["responseBodySize"] for request in finished}
    kinds = {kind: sum(size for url, size in sizes.items() if url.endswith(kind)) for kind in (".css", ".js")}
    document = sizes[page.url]
    assert document <= 30_000
    assert kinds[".css"] <= 12_000
    assert kinds[".js"] <= 8_000
    assert len(finished) <= 5
    assert sum(sizes.values()) <= 50_000
    assert all(request.resource_type != "font" for request in finished)
    assert page.evaluate("document.getElementsByTagName('*').length") <= 1_500


# The elements at which the Tab key stops.
STOPS = """[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")]
    .filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility()).length"""
CHARTS = ["/dashboard/revenue", "/dashboard/revenue?grain=week", "/dashboard/revenue?grain=day", "/dashboard/subscribers",
          "/dashboard/subscribers?grain=week", "/dashboard/subscribers?grain=day", "/dashboard/cohorts",
          *(f"/dashboard/{name}?grain=day&tables=yes" for name in ("revenue", "subscribers"))]


@pytest.mark.parametrize("path", CHARTS)
def test_a_page_of_charts_stays_small_and_is_soon_tabbed_through(page, known, path):
    page.goto(path)
    assert page.locator("figure.chart").count() >= 4
    assert page.evaluate("document.getElementsByTagName('*').length") <= 1_500
    # A table of many periods is read row by row.
    assert page.evaluate(STOPS) <= (80 if "tables" not in path else 400)


def test_the_log_is_soon_tabbed_through(page, known):
    page.goto("/dashboard/audit")
    assert page.locator("table.list tbody tr").count() == 25
    assert page.evaluate(STOPS) <= 80


@pytest.mark.parametrize("path", [ORDERS, NOTIFICATIONS])
def test_pages_and_their_files_travel_compressed(open_as, path):
    page = open_as("admin", fresh=True)
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    texts = [answer for answer in answers if not answer.url.endswith(".svg")]
    assert len(texts) == 3
    for answer in texts:
        assert answer.headers["content-encoding"] in ("gzip", "deflate"), answer.url
        assert answer.request.sizes()["responseBodySize"] < 1.3 * len(gzip.compress(answer.body()))


def test_a_second_page_loads_nothing_but_itself(open_as, known):
    page = open_as("admin", fresh=True)
    page.goto(ORDERS)
    page.wait_for_load_state("networkidle")
    answered, kept = {}, set()
    protocol = page.context.new_cdp_session(page)
    protocol.send("Network.enable")
    protocol.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    protocol.on("Network.responseReceived", lambda event: answered.update({event["requestId"]: event["response"]}))
    page.goto(f"{ORDERS}/{known.order}")
    page.wait_for_load_state("networkidle")
    loaded = [
        answer["url"] for request, answer in answered.items() if request not in kept and not answer["fromDiskCache"]]
    assert loaded == [page.url]
    assert len(answered) >= 3


def test_files_keep_for_a_year_under_a_name_of_their_content(page):
    page.goto(ORDERS)
    files = page.evaluate(
        "[...document.querySelectorAll('link[href], script[src]')].map(file => file.href ?? file.src)")
    assert len(files) == 3
    for path in files:
        answer = page.request.get(path)
        assert answer.status == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert page.request.get(path, headers={"If-None-Match": answer.headers["etag"]}).status == 304


@pytest.mark.parametrize("name", MAIN)
def test_nothing_moves_while_a_page_loads(open_as, known, name):
    page = open_as(role(name), fresh=True)
    page.add_init_script(SHIFTS)
    # A slow computer reads a page in many pieces.
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 10})
    go(page, known, name)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("shift") == 0


def test_the_policy_is_in_force(browser, server):
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    page.goto("/dashboard/sign-in")
    blocked = page.evaluate("""() => new Promise(resolve => {
        document.addEventListener("securitypolicyviolation", event => resolve(event.effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.wasRun = true";
        document.head.append(script);
    })""")
    assert blocked.startswith("script-src")
    assert page.evaluate("window.wasRun") is None
    context.close()
