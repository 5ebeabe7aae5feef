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

# What a list's page says, of its markup: the texts of each row's cells, by heading, what they add up to, and the next page.
_READ = """markup => {
    const page = new DOMParser().parseFromString(markup, "text/html");
    const text = element => element.textContent.replace(/\\s+/g, " ").trim();
    const table = page.querySelector("main table.list:not(#sums)");
    const names = table ? [...table.tHead.rows[0].cells].map(cell => text(cell).replace(/\\s*[↑↓]$/, "")) : [];
    const sums = page.querySelector("#sums");
    const columns = sums?.tHead ? [...sums.tHead.rows[0].cells].slice(1).map(text) : [""];
    return {
        heading: text(page.querySelector("h1")),
        rows: [...table?.tBodies[0].rows ?? []].map(row =>
            Object.fromEntries([...row.cells].map((cell, index) => [names[index], text(cell)]))),
        sums: Object.fromEntries([...sums?.tBodies[0].rows ?? []].map(row =>
            [text(row.cells[0]), Object.fromEntries([...row.cells].slice(1).map((cell, index) => [columns[index], text(cell)]))])),
        following: page.querySelector("main a[rel=next]")?.getAttribute("href"),
    };
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


def whole(page, path):
    """A list from its first row to its last, and what it says that its rows add up to: as its pages are, asked for with the
    session of a window without being shown in it. To be opened and clicked, a list needs no more than one of its pages."""
    rows, following = [], path
    while following:
        answer = page.request.get(following)
        assert answer.status == 200, following
        read = page.evaluate(_READ, answer.text())
        rows += read["rows"]
        following = read["following"]
    return read["heading"], rows, read["sums"]
