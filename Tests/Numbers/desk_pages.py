"""The figures of pages and files as an analyst of the dashboard reads them."""

import csv
import decimal
import io
import re
import urllib.parse

import html5lib
from desk import Desk


class Pages:
    """An analyst's browser, which looks at one app at a time."""

    def __init__(self, installation, email, password):
        self.desk, self.app = Desk(installation, email, password), None

    def choose(self, app):
        if app != self.app:
            self.desk.submit("/dashboard", "/dashboard/app", app=app)
            self.app = app

    def read(self, path, **parameters):
        """Returns a page as elements."""
        return html5lib.parse(self.desk.page(address(path, parameters)), namespaceHTMLElements=False)

    def file(self, path, **parameters):
        """Returns the rows of a file as dictionaries."""
        text = self.desk.page(address(path, parameters))
        assert text.startswith("\ufeff")
        return list(csv.DictReader(io.StringIO(text[1:])))


def address(path, parameters):
    query = urllib.parse.urlencode({name: value for name, value in parameters.items() if value is not None})
    return f"{path}?{query}" if query else path


def text(element):
    return " ".join("".join(element.itertext()).split())


def figure(page, id):
    """Returns the chart with an id."""
    return next(found for found in page.iter("figure") if found.get("aria-labelledby") == id)


def table(element):
    """Returns the headings of the last table in an element, its rows and its totals; a row is its name and its cells."""
    found = list(element.iter("table"))[-1]
    heads = [text(cell) for cell in found.find("thead").iter("th")]
    parts = [[(text(row.find("th")), [text(cell) for cell in row.findall("td")]) for row in part.iter("tr")] if part is not None else []
             for part in (found.find("tbody"), found.find("tfoot"))]
    return heads, *parts


def number(text):
    """Returns a number as a page shows it; None for none."""
    if text in ("", "–"):
        return None
    return decimal.Decimal(text.replace("−", "-").replace("+", "").replace(",", "").removesuffix("%"))


def amounts(sentence):
    """Returns the amounts of a sentence by their currency."""
    return {code: number(amount) for amount, code in re.findall(r"([−\d,.]*\d) ([A-Z]{3})\b", sentence)}


def hints(page):
    """Returns what a page says above its figures."""
    return [text(element) for element in page.iter("p") if "hint" in (element.get("class") or "").split()]
