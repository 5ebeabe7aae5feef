"""The routes and the access to them, taken from the tables that the Swift tests hold against the program's router, and the
names of all parameters that its sources read."""

import dataclasses
import functools
import itertools
import pathlib
import re
import urllib.parse

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ROLES = ["admin", "support", "analyst"]


@dataclasses.dataclass(frozen=True)
class Route:
    method: str
    path: str
    """With its variable parts in braces."""
    access: str
    """`open`, `signedIn`, `staff`, `token`, `store`, `operatorOnly`."""
    permission: str

    def __str__(self):
        return f"{self.method} {self.path}"

    @property
    def parts(self):
        return self.path.strip("/").split("/")

    def may(self, role):
        """Returns true if a person of this role may use the route, signed in or with a token."""
        return not self.permission or self.permission in permissions()[role]


@functools.cache
def routes():
    """Returns every route; one that is missing fails "every route of the router has an entry"."""
    found = re.findall(r'^\s+"([A-Z]+) (/\S*)": \.(\w+)(?:\(\.(\w+)\))?', _table(), re.MULTILINE)
    assert len(found) > 150
    return [Route(*each) for each in found]


@functools.cache
def permissions():
    """Returns the permissions of each role."""
    table = _table()
    everything = {route.permission for route in routes()} - {""}
    listed = dict(re.findall(r"^\s+\.(\w+): (?:Set\(Permission.allCases\)\.subtracting\(|)\[([^\]]*)\]", table, re.MULTILINE))
    named = {role: set(re.findall(r"\.(\w+)", listed[role])) for role in ("support", "analyst")}
    assert {"viewMetrics", "manageStaff"} <= named["support"] and "viewMetrics" in named["analyst"]
    return {"admin": everything, "support": everything - named["support"], "analyst": named["analyst"]}


def _table():
    return (REPOSITORY / "Tests/WebTests/HTTP/Authentication/PermissionTests+Table.swift").read_text()


@functools.cache
def _by_length():
    found = {}
    for route in routes():
        found.setdefault((route.method, len(route.parts)), []).append((route, route.parts))
    return found


def route_of(method, path):
    """Returns the route of a path; None if there is none."""
    parts = path.strip("/").split("/")
    fitting = [
        route for route, wanted in _by_length().get((method, len(parts)), [])
        if all(want == part or want.startswith("{") for want, part in zip(wanted, parts))
    ]
    open_ended = (route for route in routes() if route.path.endswith("/**") and path.startswith(route.path[:-2]))
    return min(fitting, key=lambda route: route.path.count("{"), default=None) or next(open_ended, None)


@functools.cache
def parameter_names():
    """Returns every text by which the sources name a parameter or a field."""
    pattern = re.compile(
        r"""(?:\b(?:value|single|search|named|of|name|QueryText|FormField|Hidden|question\.\w+)\((?:of:\s|name:\s)?|\[)
            "([a-z][A-Za-z_]{0,30})\"""",
        re.VERBOSE,
    )
    names = set()
    for file in itertools.chain.from_iterable((REPOSITORY / "Sources" / door).rglob("*.swift") for door in ("HTTP", "API", "Desk")):
        # Names that are only written as JSON are no parameters.
        if file.parent.name != "JSON":
            names.update(pattern.findall(file.read_text()))
    assert {"paid_period", "after", "from", "version", "renews", "days", "columns"} <= names
    return sorted(names - {"csrf"})


def split(address):
    """Splits an address into its path and its pairs."""
    parts = urllib.parse.urlsplit(address)
    return parts.path, urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
