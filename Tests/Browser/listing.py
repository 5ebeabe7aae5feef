"""Reading lists as they stand on a page."""

import re

ORDERS = "/dashboard/orders"
NOTIFICATIONS = "/dashboard/notifications"
# Who sees figures starts with the overview, everybody else with the orders.
FIRST_PAGE = re.compile(r"/dashboard(/orders)?$")

_ROWS = """table => {
    const names = [...table.tHead.rows[0].cells].map(cell => cell.innerText.trim().replace(/\\s*[↑↓]$/, ""));
    return [...table.tBodies[0].rows].map(row =>
        Object.fromEntries([...row.cells].map((cell, index) => [names[index], cell.innerText.trim()])));
}"""


def rows(page):
    """The rows of the list, each as a dictionary from heading to text."""
    return page.locator("table.list").evaluate(_ROWS)


def links(page):
    """The texts of the rows' links: order numbers, or types of notifications."""
    return [text.strip() for text in page.locator("table.list tbody th a").all_text_contents()]


def shown(page):
    """The first row's place, the last row's place and the total, as the range above the list says."""
    text = page.get_by_role("status").inner_text()
    match = re.match(r"(?:([\d,]+)–)?([\d,]+) of ([\d,]+) · ", text)
    assert match, text
    first, last, total = match.groups()
    return tuple(int(number.replace(",", "")) for number in (first or last, last, total))


def walk(page, path):
    """Goes from a list's first page to its last by Next, and gives each page once it is open."""
    page.goto(path)
    following = page.get_by_role("link", name="Next")
    while True:
        yield page
        if following.count() == 0:
            return
        following.click()
        page.wait_for_load_state()


def follow(page, link):
    """Clicks a link and waits for the page it leads to."""
    link.click()
    page.wait_for_load_state()
    return page
