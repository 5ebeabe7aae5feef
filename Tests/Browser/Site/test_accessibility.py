"""Pages with a keyboard and assistive technology; test_walk.py has the rules of every page."""

import pytest

from colours import contrast
from listing import ORDERS
from places import MAIN, go, role

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
