"""Reads lists as they are on a page."""

import re

ORDERS = "/dashboard/orders"
NOTIFICATIONS = "/dashboard/notifications"
# A person who sees metrics starts with the overview, everybody else with the orders.
FIRST_PAGE = re.compile(r"/dashboard(/orders)?$")

_ROWS = """table => {
    const names = [...table.tHead.rows[0].cells].map(cell => cell.innerText.trim().replace(/\\s*[↑↓]$/, ""));
    return [...table.tBodies[0].rows].map(row =>
        Object.fromEntries([...row.cells].map((cell, index) => [names[index], cell.innerText.trim()])));
}"""

# Reads a list's page from its markup: the range of its rows, the texts of each row's cells, by heading, and of its link, the
# sums, and the next page.
_READ = """markup => {
    const page = new DOMParser().parseFromString(markup, "text/html");
    const text = element => element.textContent.replace(/\\s+/g, " ").trim();
    const table = page.querySelector("main table.list:not(#sums)");
    const names = table ? [...table.tHead.rows[0].cells].map(cell => text(cell).replace(/\\s*[↑↓]$/, "")) : [];
    const sums = page.querySelector("#sums");
    const columns = sums?.tHead ? [...sums.tHead.rows[0].cells].slice(1).map(text) : [""];
    return {
        title: page.title,
        heading: text(page.querySelector("h1")),
        range: text(page.querySelector("[role=status]") ?? page.createElement("p")),
        footers: [...page.querySelectorAll("footer")].map(text),
        links: [...page.querySelectorAll("main table.list:not(#sums) tbody th a")].map(text),
        addresses: [...page.querySelectorAll("main table.list:not(#sums) tbody th a")].map(link => link.getAttribute("href").split("?")[0]),
        rows: [...table?.tBodies[0].rows ?? []].map(row =>
            Object.fromEntries([...row.cells].map((cell, index) => [names[index], text(cell)]))),
        sums: Object.fromEntries([...sums?.tBodies[0].rows ?? []].map(row =>
            [text(row.cells[0]), Object.fromEntries([...row.cells].slice(1).map((cell, index) => [columns[index], text(cell)]))])),
        following: page.querySelector("main a[rel=next]")?.getAttribute("href"),
        previous: page.querySelector("main a[rel=prev]")?.getAttribute("href"),
    };
}"""


def rows(page):
    """Returns the rows of the list, each as a dictionary from heading to text."""
    return page.locator("table.list").evaluate(_ROWS)


def links(page):
    """Returns the texts of the rows' links: order numbers, or types of notifications."""
    return [text.strip() for text in page.locator("table.list tbody th a").all_text_contents()]


def shown(page):
    """Returns the first row's place, the last row's place and the total, from the range above the list."""
    return parse_range(page.get_by_role("status").inner_text())


def parse_range(text):
    """Returns the same as `shown`, from the range's text."""
    match = re.match(r"(?:([\d,]+)–)?([\d,]+) of ([\d,]+)(?: · |$)", text)
    assert match, text
    first, last, total = match.groups()
    return tuple(int(number.replace(",", "")) for number in (first or last, last, total))


def walk(page, path):
    """Goes from a list's first page to its last by Next, and yields each page once it is open."""
    page.goto(path)
    following = page.get_by_role("link", name="Next")
    while True:
        yield page
        if following.count() == 0:
            return
        following.click()
        page.wait_for_load_state()


def follow(page, link):
    """Clicks a link and waits for the page that it leads to."""
    link.click()
    page.wait_for_load_state()
    return page


def pages(page, path):
    """Yields a list's pages from the first to the last as they are sent, requested with a window's session without being shown in
    it. One page of a list is enough to be opened and clicked."""
    while path:
        answer = page.request.get(path)
        assert answer.status == 200, path
        read = page.evaluate(_READ, answer.text())
        yield read
        path = read["following"]


def whole(page, path):
    """Returns a list's heading, its rows from the first to the last, and its own sums."""
    rows = []
    for read in pages(page, path):
        rows += read["rows"]
    return read["heading"], rows, read["sums"]
