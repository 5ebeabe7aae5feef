"""What there is to be asked: the routes, taken from the table that the Swift tests hold against the program's router, the names
of all parameters that its sources read, and the links and forms of its own pages."""

import html.parser
import pathlib
import re
import urllib.parse

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def routes():
    """(method, path pattern) of every route; a route that is not here fails "every route of the router has an entry"."""
    text = (REPOSITORY / "Tests/WebTests/Door/PermissionTests.swift").read_text()
    found = re.findall(r'^\s+"([A-Z]+) (/\S*)": \.\w+', text, re.MULTILINE)
    assert len(found) > 150
    return found


def parameter_names():
    """Every text that stands where the sources name a parameter or a field."""
    pattern = re.compile(
        r"""(?:\b(?:value|single|search|named|of|name|QueryText|FormField|Hidden|question\.\w+)\((?:of:\s|name:\s)?|\[)
            "([a-z][A-Za-z_]{0,30})\"""",
        re.VERBOSE,
    )
    names = set()
    for file in (REPOSITORY / "Sources/Web").rglob("*.swift"):
        # What is written as JSON is not read.
        if file.parent.name != "JSON":
            names.update(pattern.findall(file.read_text()))
    assert {"paid_period", "after", "from", "version", "renews", "days", "columns"} <= names
    return sorted(names - {"csrf"})


def pattern_of(path, known):
    """Which of the patterns a path is of."""
    parts = path.strip("/").split("/")
    fitting = [
        pattern for pattern in known
        if len(split := pattern.strip("/").split("/")) == len(parts)
        and all(wanted == part or wanted.startswith("{") for wanted, part in zip(split, parts))
    ]
    return min(fitting, key=lambda pattern: pattern.count("{"), default=None)


class Page(html.parser.HTMLParser):
    """The links and forms of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.forms, self._form, self._select = [], [], None, None
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        attributes = {name: value or "" for name, value in pairs}
        if tag == "a" and attributes.get("href", "").startswith("/"):
            self.links.append(attributes["href"])
        elif tag == "form":
            self._form = {"method": attributes.get("method", "get").upper(), "action": attributes.get("action", ""), "fields": {}}
            self.forms.append(self._form)
        elif self._form is not None and "name" in attributes and tag in ("input", "textarea", "select", "button"):
            chosen = attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes
            self._form["fields"].setdefault(attributes["name"], attributes.get("value", ""))
            if chosen:
                self._form["fields"][attributes["name"]] = attributes.get("value", "")
            self._select = attributes["name"] if tag == "select" else None
        elif tag == "option" and self._select and attributes.get("value") and not self._form["fields"].get(self._select):
            self._form["fields"][self._select] = attributes["value"]

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None


def split(address):
    """An address as its path and its pairs."""
    parts = urllib.parse.urlsplit(address)
    return parts.path, urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
