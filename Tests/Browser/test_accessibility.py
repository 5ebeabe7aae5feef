"""What assistive technology, keyboards and fingers meet (WCAG 2.2 AA), on every page."""

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe

from colours import contrast
from listing import ORDERS
from places import MAIN, PLACES, go, role
from windows import DESKTOP, PHONE

AXE = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input, select, summary")].filter(element => {
    if (element.closest("svg") || element.type === "hidden" || element.matches(".skip:not(:focus)")) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.width < 24 || box.height < 24);
}).map(element => `${element.outerHTML.slice(0, 120)} ${JSON.stringify(element.getBoundingClientRect())}`)"""
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const boxes = [...element.getClientRects()];
    const at = boxes.map(box => document.elementFromPoint(
        Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1),
        Math.min(Math.max(box.y + box.height / 2, 0), innerHeight - 1)));
    let ground = element.parentElement;
    while (ground && getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
    return {
        name: `${element.tagName} ${element.id} ${element.innerText?.slice(0, 30) ?? ""}`,
        outline: [style.outlineStyle, parseFloat(style.outlineWidth), style.outlineColor],
        ground: getComputedStyle(ground ?? document.body).backgroundColor,
        isOnTop: at.some(found => found && (element.contains(found) || found.contains(element))),
        isInView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""


# The main pages in every combination; the others so that each sees both schemes, both widths, and no script.
EVERY = list(itertools.product(["light", "dark"], [DESKTOP, PHONE], [True, False]))
PAIRS = [("light", DESKTOP, True), ("dark", PHONE, False)]


@pytest.mark.parametrize("name", PLACES)
def test_axe_finds_nothing(open_as, known, name):
    # A transition that runs while axe looks would be a colour that nobody sees.
    page = open_as(role(name), reduced_motion="reduce")
    variants = EVERY if name in MAIN else PAIRS
    for with_script in (True, False):
        if not with_script:
            # axe is a script itself, so the page's own one is left out instead of turning all off.
            page.route("**/assets/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        go(page, known, name)
        for scheme, size, _ in (variant for variant in variants if variant[2] == with_script):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            found = Axe().run(page, options=AXE)
            where = f"{scheme}, {size['width']} px, {'with' if with_script else 'without'} script"
            assert found.violations_count == 0, f"{where}\n{found.generate_report()}"


def test_axe_finds_what_is_wrong(open_as, known):
    page = open_as("admin")
    go(page, known, "orders")
    page.evaluate("document.querySelector('#find').previousElementSibling.remove()")
    page.evaluate("document.querySelector('#find').removeAttribute('placeholder')")
    page.evaluate("document.querySelector('h1').remove()")
    broken = {violation["id"] for violation in Axe().run(page, options=AXE).response["violations"]}
    assert {"label", "page-has-heading-one"} <= broken


@pytest.mark.parametrize("name", PLACES)
def test_a_page_has_one_title_one_headline_one_main_part_and_a_language(open_as, known, name):
    page = open_as(role(name))
    go(page, known, name)
    assert page.locator("h1").count() == 1
    assert page.get_by_role("main").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title().endswith("Perennial") and page.title() != "Perennial"
    levels = [int(level) for level in page.locator("main h1, main h2, main h3").evaluate_all(
        "headings => headings.map(heading => heading.tagName[1])")]
    assert levels[0] == 1 and all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    if role(name):
        assert page.get_by_role("banner").count() == 1
        assert page.get_by_role("search").count() == 1
        navigation = page.get_by_role("navigation").evaluate_all("parts => parts.map(part => part.ariaLabel)")
        assert "Main" in navigation and len(set(navigation)) == len(navigation)


def test_the_navigation_says_where_one_is(page, known):
    for name, word in (("orders", "Orders"), ("order", "Orders"), ("notifications", "Notifications")):
        go(page, known, name)
        current = page.get_by_role("navigation", name="Main").locator("[aria-current=page]")
        assert current.count() == 1
        assert current.inner_text().startswith(word)


def test_the_first_key_offers_to_skip_the_navigation(page):
    page.goto(ORDERS)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    assert skip.evaluate("link => link === document.activeElement")
    box = skip.bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0 and box["height"] >= 24
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", MAIN)
def test_whatever_has_the_focus_shows_it_and_is_not_covered(open_as, known, name, scheme):
    page = open_as(role(name), color_scheme=scheme)
    go(page, known, name)
    seen = set()
    for _ in range(45):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        style, width, colour = focused["outline"]
        assert style != "none" and width >= 2, focused
        assert contrast(colour, focused["ground"]) >= 3, focused
        assert focused["isInView"] and focused["isOnTop"], focused
        seen.add(focused["name"])
    assert len(seen) >= 3


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", PLACES)
def test_whatever_is_clicked_is_at_least_24_pixels_wide_and_high(open_as, known, name, size):
    page = open_as(role(name), viewport=size)
    go(page, known, name)
    assert page.evaluate(SMALL_TARGETS) == []


def test_tables_that_scroll_are_regions_that_the_keyboard_reaches(page, known):
    for name in ("orders", "order", "notifications", "notification, failed"):
        go(page, known, name)
        for region in page.locator(".scroll").all():
            assert region.get_attribute("tabindex") == "0"
            assert region.get_attribute("role") == "region"
            assert region.get_attribute("aria-label")


def test_tables_have_captions_and_their_headings_scopes(page, known):
    for name in ("orders", "order", "notifications", "notification, failed"):
        go(page, known, name)
        for table in page.locator("table").all():
            assert table.locator("caption").count() == 1
            assert table.locator("th:not([scope])").count() == 0
