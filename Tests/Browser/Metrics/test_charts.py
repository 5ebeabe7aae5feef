"""Charts, as a browser draws them: readable without a script, by mouse and by key, in every scheme and at every width."""

import re

import pytest
from playwright.sync_api import expect

import looks
from colours import contrast
from demo_server import REPOSITORY
from windows import DESKTOP, PHONE

PAGES = REPOSITORY / "Tests" / "WebTests" / "Pages" / "__Snapshots__" / "ui"
PATH = "/dashboard/charts"
TIPS = """[...document.querySelectorAll(".tip")].filter(tip => getComputedStyle(tip).visibility === "visible")
    .map(tip => tip.textContent)"""
# Returns the texts of a drawing whose letters are less than 10 pixels high.
SMALL = """[...document.querySelectorAll("svg.plot text")].filter(text => {
    const scale = text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width;
    return parseFloat(getComputedStyle(text).fontSize) * scale < 10;
}).map(text => text.textContent)"""
# Returns the texts that leave their drawing; hidden ones are checked as if they were shown.
OUTSIDE = """[...document.querySelectorAll("svg.plot text")].filter(text => {
    const [box, canvas] = [text.getBBox(), text.ownerSVGElement.viewBox.baseVal];
    return box.width > 0 && (box.x < -1 || box.x + box.width > canvas.width + 1 || box.y < -1
        || box.y + box.height > canvas.height + 1);
}).map(text => text.textContent)"""
# Returns the names below a plot that overlap.
OVERLAPS = """[...document.querySelectorAll("svg.plot .names")].flatMap(names => {
    const boxes = [...names.children].map(text => [text.textContent, text.getBBox()]);
    return boxes.flatMap(([name, box], index) => boxes.slice(index + 1).filter(([, other]) =>
        Math.abs(other.y - box.y) < 4 && other.x < box.x + box.width && box.x < other.x + other.width
    ).map(([other]) => `${name}, ${other}`));
})"""


@pytest.fixture
def show(open_as, server):
    """Opens the page of samples with the server's own stylesheet and policy."""

    def open_sample(name="charts", **options):
        page = open_as("admin", **options)
        real = page.request.get("/dashboard/orders")
        own, html = real.text().split("</head>")[0], (PAGES / f"{name}.html").read_text()
        for file in (r'(?<=href=")[^"]+\.css', r'(?<=href=")[^"]+\.svg', r'(?<=src=")[^"]+\.js'):
            html = re.sub(file, re.search(file, own)[0], html, count=1)
        policy = {"content-security-policy": real.headers["content-security-policy"]}
        page.route(f"**{PATH}", lambda route: route.fulfill(
            body=html, content_type="text/html; charset=utf-8", headers=policy))
        page.goto(PATH)
        return page

    return open_sample


@pytest.mark.parametrize("name", ["charts", "charts-bare"])
def test_a_chart_is_accessible_and_well_built(show, name):
    # A running transition would show a colour that nobody sees.
    page = show(name, reduced_motion="reduce")
    assert looks.axe(page, with_contrast=name == "charts") == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert looks.colours(page) == [], scheme
    assert page.evaluate("[...document.querySelectorAll('svg.plot')].every(plot => plot.getAttribute('role') === 'group')")
    links = page.locator("svg.plot a.period")
    assert all(links.nth(index).get_attribute("aria-label") for index in range(links.count()))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", ["charts", "charts-bare"])
def test_the_page_never_scrolls_sideways_and_every_text_can_be_read(show, name, size):
    page = show(name, viewport=size)
    assert looks.layout(page, size["width"]) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(OVERLAPS) == []


def test_what_a_drawing_says_stays_within_it(show):
    page = show()
    for width in [320, 700, 900, 1121, 1280, 1600]:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OUTSIDE) == [], width
        assert page.evaluate(SMALL) == [], width


def test_a_chart_on_a_phone_scrolls_in_its_own_region(show):
    page = show(viewport=PHONE)
    for region in page.get_by_role("region", name=re.compile("^Chart: ")).all():
        assert region.evaluate("region => region.scrollWidth > region.clientWidth")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_pointing_and_tabbing_show_one_value_at_a_time(show, script):
    page = show(java_script_enabled=script)
    hint = page.locator("svg.plot .hint").first
    assert shown(page, "revenue") == [] and hint.is_visible()
    months = page.locator("#revenue ~ .scroll a.period")
    months.nth(3).hover()
    assert shown(page, "revenue") == [
        "Mar 2026 · this year: 35,000.00 CNY · the year before: 32,000.00 CNY · 9.4% more"]
    assert not hint.is_visible()
    months.nth(5).focus()
    assert [text[:8] for text in shown(page, "revenue")] == ["Mar 2026"]
    page.mouse.move(0, 0)
    assert [text[:8] for text in shown(page, "revenue")] == ["May 2026"]
    page.keyboard.press("ArrowRight" if script else "Tab")
    assert [text[:8] for text in shown(page, "revenue")] == ["Jun 2026"]
    assert page.locator("#revenue ~ .scroll a.period:focus-visible .hit").evaluate(
        "hit => getComputedStyle(hit).stroke") not in ("none", "rgba(0, 0, 0, 0)")


def test_a_chart_is_one_stop_of_the_tab_key_and_arrows_lead_through_it(show):
    page = show()
    months = page.locator("#revenue ~ .scroll .period")
    stops = months.locator("xpath=self::*[@tabindex='0']")
    page.locator("#revenue ~ .scroll").focus()
    page.keyboard.press("Tab")
    expect(months.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(months.nth(months.count() - 2)).to_be_focused()
    page.keyboard.press("Home")
    expect(months.first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(months.first).to_be_focused()
    assert stops.count() == 1
    # The way back leads to the same place.
    page.keyboard.press("Tab")
    assert page.locator("#revenue ~ .scroll :focus").count() == 0
    page.keyboard.press("Shift+Tab")
    expect(months.first).to_be_focused()
    page.keyboard.press("End")
    expect(months.last).to_be_focused()


def shown(page, figure):
    """Returns the visible read-outs; read from outside the page, so that it needs no script."""
    tips = page.locator(f"#{figure} ~ .scroll .tip")
    return [text for index, text in enumerate(tips.all_text_contents()) if tips.nth(index).is_visible()]


def test_the_table_is_behind_a_switch_on_a_desktop_and_open_on_a_phone_and_on_paper(show):
    page = show(java_script_enabled=False)
    table = page.locator("#revenue ~ .data table")
    switch = page.locator("#revenue ~ details summary")
    assert not table.is_visible()
    switch.click()
    assert table.is_visible()
    switch.click()
    assert not table.is_visible()
    page.emulate_media(media="print")
    assert table.is_visible() and not switch.is_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 639, "height": 800})
    assert table.is_visible() and not switch.is_visible()


def test_a_table_says_what_the_bars_say(show):
    page = show()
    page.locator("#revenue ~ details summary").click()
    labels = page.locator("#revenue ~ .scroll a.period").evaluate_all(
        "links => links.map(link => [link.getAttribute('href'), link.getAttribute('aria-label')])")
    rows = page.locator("#revenue ~ .data tbody tr").evaluate_all(
        "rows => rows.map(row => [row.querySelector('a').getAttribute('href'), row.cells[1].textContent])")
    assert len(rows) == 12
    for (link, label), (target, amount) in zip(labels, rows):
        assert link == target and f": {amount} CNY" in label
    assert page.locator("#revenue ~ .data tbody tr").last.locator("th").inner_text().endswith("in progress")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_stand_out_from_the_ground_and_from_each_other(show, scheme):
    page = show(color_scheme=scheme)
    ground = page.locator("section.panel").first.evaluate("panel => getComputedStyle(panel).backgroundColor")
    bar = colour(page, "#revenue ~ .scroll .bar", "fill")
    line = colour(page, "#revenue ~ .scroll .line", "stroke")
    assert contrast(bar, ground) >= 3
    assert contrast(line, ground) >= 3
    assert contrast(line, bar) >= 3
    for number in range(2, 6):
        assert contrast(colour(page, f"#movements-k{number} .k{number}", "fill"), ground) >= 3
    for text in (".ticks text", ".names text", "text.hint", "text.tip"):
        assert contrast(colour(page, f"#revenue ~ .scroll {text}", "fill"), ground) >= 4.5


def colour(page, selector, name):
    return page.locator(selector).first.evaluate(f"shape => getComputedStyle(shape).{name}")


def test_series_differ_by_their_pattern_and_not_only_by_their_colour(show):
    page = show(forced_colors="active")
    marks = page.locator("#movements ~ .legend path").evaluate_all(
        "marks => marks.map(mark => mark.getAttribute('fill') ?? mark.getAttribute('class'))")
    assert len(set(marks)) == len(marks) == 6
    patterns = {page.locator(f"#movements-k{number} > :last-child").evaluate("shape => shape.outerHTML")
                + (page.locator(f"#movements-k{number}").get_attribute("patternTransform") or "") for number in range(2, 6)}
    assert len(patterns) == 4


def test_paper_shows_the_shades_of_a_table(show):
    page = show(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    cell = page.locator(".heat .h6").first
    colours = cell.evaluate("""cell => { const style = getComputedStyle(cell);
        return [style.color, style.backgroundColor, style.printColorAdjust]; }""")
    assert contrast(*colours[:2]) >= 4.5 and colours[2] == "exact"


def test_nothing_moves_and_no_policy_is_broken(show):
    # A broken policy is a console error, which every window fails on.
    page = show(reduced_motion="reduce")
    assert page.evaluate("document.querySelectorAll('[style]').length") == 0
    assert page.evaluate("""[...document.querySelectorAll("figure *")].filter(element =>
        getComputedStyle(element).animationName !== "none").length""") == 0


def test_a_heat_map_is_one_stop_of_the_tab_key_and_arrows_lead_through_its_cells(page, known):
    page.goto("/dashboard/cohorts")
    heat = page.locator("#retention ~ .scroll table.heat")
    rows = heat.locator("tbody tr")
    assert rows.count() >= 3 and heat.locator("a[tabindex='0']").count() == 1
    page.locator("#retention ~ .scroll").focus()
    page.keyboard.press("Tab")
    expect(rows.last.locator("a").last).to_be_focused()
    page.keyboard.press("Home")
    expect(rows.last.locator("th a")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(rows.nth(rows.count() - 2).locator("th a")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(rows.nth(rows.count() - 2).locator("td a").first).to_be_focused()
    page.keyboard.press("End")
    expect(rows.nth(rows.count() - 2).locator("a").last).to_be_focused()
    assert heat.locator("a[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert heat.locator(":focus").count() == 0
    page.keyboard.press("Shift+Tab")
    expect(rows.nth(rows.count() - 2).locator("a").last).to_be_focused()


@pytest.mark.parametrize("name, charts", [("revenue", 4), ("subscribers", 5)])
def test_by_day_each_chart_leads_to_its_table_and_back(page, known, name, charts):
    """One page is too small for the drawings and the tables of 28 days."""
    page.goto(f"/dashboard/{name}?grain=day&plan=PRO")
    drawn = page.locator("figure.chart:has(svg.plot)")
    assert drawn.count() == charts and drawn.locator("table").count() == 0
    spoken = drawn.first.locator(".period").evaluate_all("all => all.map(one => one.getAttribute('aria-label').split(':')[0])")
    named = drawn.evaluate_all("all => all.map(one => one.getAttribute('aria-labelledby'))")
    for place, chart in enumerate(named):
        drawn.nth(place).get_by_role("link", name="Table", exact=True).click()
        page.wait_for_url(re.compile(f"tables=yes.*#{chart}$"))
        figure = page.locator(f"figure[aria-labelledby='{chart}']")
        expect(figure.locator("table")).to_be_visible()
        assert page.locator("svg.plot").count() == 0 and page.locator(".chip").count() == 1
        shown = figure.locator("tbody th").evaluate_all("all => all.map(one => one.childNodes[0].textContent.trim())")
        assert len(shown) == 28 and all(said.startswith(day) for said, day in zip(spoken, shown))
        figure.get_by_role("link", name="Chart", exact=True).click()
        page.wait_for_url(re.compile(f"plan=PRO#{chart}$"))
    page.goto(f"/dashboard/{name}?grain=day&tables=yes")
    assert page.get_by_role("link", name="Month").first.get_attribute("href") == f"/dashboard/{name}"
