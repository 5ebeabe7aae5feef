"""Light and dark, narrow and wide, on paper, and under people's browser settings."""

import pytest
from playwright.sync_api import expect

import looks
import sample_data
from colours import contrast
from listing import FIRST_PAGE, ORDERS
from places import MAIN, go, role
from windows import DESKTOP, PHONE, fill_in_sign_in

GROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(246, 247, 245)", "rgb(14, 19, 16)"
# WCAG 1.4.12: all spacing that a reader may set, at once.
TEXT_SPACING = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }"""
CUT_OFF = """[...document.querySelectorAll("body *")].filter(element => {
    const style = getComputedStyle(element);
    if (element.matches(".visually-hidden, .visually-hidden *, .skip")) return false;
    const hides = value => value === "hidden" || value === "clip";
    return (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
        || (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 1);
}).map(element => element.outerHTML.slice(0, 150))"""


def width(page):
    return page.evaluate("document.documentElement.scrollWidth")


def choose(page, theme):
    page.get_by_role("button", name=theme).click()
    page.wait_for_load_state()


@pytest.mark.parametrize("name", MAIN)
def test_colours_follow_the_system(open_as, known, name):
    for scheme, ground in (("light", LIGHT), ("dark", DARK)):
        page = open_as(role(name), color_scheme=scheme)
        go(page, known, name)
        assert page.evaluate(GROUND) == ground


@pytest.mark.parametrize("name", ["orders", "notifications", "staff", "subscriptions"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_row_under_the_pointer_can_be_read(open_as, known, scheme, name):
    page = open_as(role(name), color_scheme=scheme)
    go(page, known, name)
    row = page.locator("table.list tbody tr").filter(has=page.locator("small, .quiet, .currency")).first
    ground = row.evaluate("row => getComputedStyle(row).backgroundColor")
    row.hover()
    expect(row).not_to_have_css("background-color", ground)
    assert looks.colours(page) == []


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_chosen_scheme_stays_against_the_system_and_comes_from_the_server(person, script):
    page = person(color_scheme="light", java_script_enabled=script)
    choose(page, "Dark")
    assert FIRST_PAGE.search(page.url)
    # The page itself says so before any style or script has loaded, so nothing flashes.
    answer = page.goto("/dashboard/notifications")
    head = answer.text().split("<body>")[0]
    assert 'data-theme="dark"' in head.split("<head>")[0]
    assert head.count('rel="stylesheet"') == 1 and "media=" not in head
    assert page.evaluate(GROUND) == DARK
    assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"
    # The cookie says so where nobody is signed in.
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/dashboard/sign-in")
    assert page.evaluate(GROUND) == DARK


def test_a_chosen_scheme_is_the_persons_own_on_every_machine(person, open_as):
    page = person(color_scheme="dark")
    choose(page, "Light")
    elsewhere = open_as(None, color_scheme="dark")
    fill_in_sign_in(elsewhere, page.email)
    elsewhere.wait_for_url(FIRST_PAGE)
    assert elsewhere.evaluate(GROUND) == LIGHT
    choose(elsewhere, "System")
    assert elsewhere.evaluate(GROUND) == DARK


def test_the_first_thing_painted_has_the_chosen_colour(person):
    page = person(fresh=True, color_scheme="light")
    choose(page, "Dark")
    page.add_init_script("""window.firstGround = new Promise(resolve => new PerformanceObserver(list => {
        resolve(getComputedStyle(document.body).backgroundColor);
    }).observe({ type: "paint", buffered: true }));""")
    page.goto(ORDERS)
    assert page.evaluate("firstGround") == DARK


@pytest.mark.parametrize("name", MAIN)
def test_nothing_scrolls_sideways_at_twice_the_size(open_as, known, name):
    # A zoom of 200 % on 1280 pixels is the same as 640 pixels of twice the density.
    page = open_as(role(name), viewport={"width": 640, "height": 360}, device_scale_factor=2)
    go(page, known, name)
    assert width(page) <= 640


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", MAIN)
def test_wider_spaced_text_is_not_cut_off(open_as, known, name, size):
    page = open_as(role(name), viewport=size, bypass_csp=True)
    go(page, known, name)
    page.add_style_tag(content=TEXT_SPACING)
    assert page.evaluate(CUT_OFF) == []
    assert width(page) <= size["width"]


def test_long_names_and_searches_wrap(open_as, server, known):
    number = server.sql(
        "SELECT o.number FROM orders o JOIN customers c ON c.id = o.customer_id "
        f"WHERE c.name = '{sample_data.LONG_NAME}' LIMIT 1")[0][0]
    for size in (DESKTOP, PHONE):
        page = open_as("admin", viewport=size)
        for path in (f"{ORDERS}/{number}", f"{ORDERS}?q={sample_data.LONG_NAME}", f"{ORDERS}?q={'x' * 200}"):
            page.goto(path)
            assert width(page) <= size["width"], path


def test_a_wide_table_scrolls_in_its_own_region(open_as, known):
    page = open_as("admin", viewport=PHONE)
    page.goto(ORDERS)
    region = page.get_by_role("region", name="Order table")
    assert region.evaluate("region => region.scrollWidth > region.clientWidth")
    region.evaluate("""region => { window.scrolled = new Promise(resolve => {
        region.addEventListener("scroll", () => resolve(region.scrollLeft), { once: true });
        setTimeout(() => resolve(0), 5000);
    }); }""")
    region.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("scrolled") > 0


@pytest.mark.parametrize("name", ["orders, filtered", "order", "notifications", "notification, failed"])
def test_on_paper_there_is_no_navigation_and_every_table_repeats_its_head(page, known, name):
    go(page, known, name)
    headline = page.title().split(",")[0].split(" (")[0]
    page.emulate_media(media="print")
    for part in (".sidebar", ".top", ".tabs", ".skip", "footer nav"):
        for element in page.locator(part).all():
            assert not element.is_visible(), part
    for element in page.locator("button, input, select").all():
        assert not element.is_visible()
    assert page.locator("h1").inner_text().startswith(headline)
    assert page.locator("thead").first.evaluate("head => getComputedStyle(head).display") == "table-header-group"
    assert page.locator("tbody tr").first.evaluate("row => getComputedStyle(row).breakInside") == "avoid"
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF-") and len(paper) > 5_000


def test_paper_says_what_it_is_whose_and_when(page, known):
    go(page, known, "orders, filtered")
    line = page.locator(".printed")
    assert not line.is_visible()
    page.emulate_media(media="print")
    text = line.inner_text()
    assert line.is_visible()
    for part in ("Readmigo", "Lin Wei", "/dashboard/orders?q=Pro&status=completed&sort=amount", "UTC+8"):
        assert part in text
    assert page.locator(".chip").first.is_visible()


@pytest.mark.parametrize("chosen", ["by the system", "by the person"])
def test_paper_is_white_also_for_people_who_like_it_dark(person, chosen):
    page = person(color_scheme="dark" if chosen == "by the system" else "light")
    if chosen == "by the person":
        choose(page, "Dark")
    page.goto(f"{ORDERS}?status=refunded")
    page.emulate_media(media="print", color_scheme="dark" if chosen == "by the system" else "light")
    assert page.evaluate(GROUND) in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")
    colours = page.evaluate(
        "[...document.querySelectorAll('h1, td, th, .status, .currency')].map(part => getComputedStyle(part).color)")
    assert all(contrast(colour, "rgb(255, 255, 255)") >= 4.5 for colour in colours)
    assert page.locator(".scroll").evaluate("region => getComputedStyle(region).overflowX") == "visible"


def test_forced_colours_keep_states_choices_and_focus_apart(open_as, known):
    page = open_as("admin", forced_colors="active")
    page.goto(f"{ORDERS}?status=completed")
    border = "element => getComputedStyle(element).borderTopStyle + getComputedStyle(element).borderTopWidth"
    assert page.locator("table.list .status").first.evaluate(border) == "solid1px"
    tabs = page.get_by_role("navigation", name="Status")
    assert tabs.locator("[aria-current]").evaluate(border) == "solid1px"
    assert tabs.locator("a:not([aria-current])").first.evaluate(border) != "solid1px"
    assert page.get_by_role("button", name="System").evaluate(border) == "solid1px"
    page.keyboard.press("j")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    mark = page.locator("table.list .status").first.evaluate(
        "status => [getComputedStyle(status, '::before').backgroundColor, getComputedStyle(status).backgroundColor]")
    assert mark[0] != mark[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whoever_wants_more_contrast_gets_it(open_as, known, scheme):
    page = open_as("admin", fresh=True, color_scheme=scheme)
    page.emulate_media(contrast="more")
    go(page, known, "orders")
    colours = page.evaluate("""() => {
        const probe = document.body.appendChild(document.createElement("i"));
        const read = name => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
        return Object.fromEntries(["--ink", "--ink-2", "--ink-3", "--line", "--line-strong", "--accent", "--link", "--focus",
            "--danger", "--warn", "--ok", "--info", "--ground", "--surface", "--sunken", "--danger-soft", "--warn-soft",
            "--ok-soft", "--info-soft", "--mute-soft"].map(name => [name, read(name)]));
    }""")
    for ground in ("--ground", "--surface", "--sunken"):
        for ink in ("--ink", "--ink-2", "--ink-3", "--accent", "--link", "--danger"):
            assert contrast(colours[ink], colours[ground]) >= 7, (ink, ground)
        for line in ("--line", "--line-strong"):
            assert contrast(colours[line], colours[ground]) >= 3, (line, ground)
    for state in ("--danger", "--warn", "--ok", "--info"):
        assert contrast(colours[state], colours[f"{state}-soft"]) >= 7, state
    assert contrast(colours["--ink-2"], colours["--mute-soft"]) >= 7
    assert page.locator("table.list .status").first.evaluate("status => getComputedStyle(status).outlineStyle") == "solid"
    assert looks.colours(page) == []


def test_whoever_wants_less_motion_gets_none(open_as, known):
    moving = """[...document.querySelectorAll("*")].filter(element =>
        getComputedStyle(element).transitionDuration.split(", ").some(time => parseFloat(time) > 0)
        || getComputedStyle(element).animationName !== "none").length"""
    page = open_as("admin", reduced_motion="reduce")
    for path in (ORDERS, f"{ORDERS}/{known.order}"):
        page.goto(path)
        assert page.evaluate(moving) == 0
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
