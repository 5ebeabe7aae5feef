"""Values that nobody means to send: the edges of numbers, dates and texts, and page markers with such numbers."""

import base64
import json
import re
import struct
import urllib.parse
import uuid

import site_map

INT16, INT32, INT64 = 2**15, 2**31, 2**63
NOBODY = "00000000-0000-0000-0000-000000000000"
# A long text for an address, which has at most 8 KiB.
LONG = "A" * 6_000
TEXTS = ["", "'", "%", "\\", "\u202e\U0001f468\u200d\U0001f469", LONG]
WHOLE = [0, -1, 3650, INT16, INT32 - 1, INT32, INT64 - 1, INT64, -INT64, -INT64 - 1, 10**30]
NO_WHOLE = ["1.5", "1e308", "NaN"]
DAYS = ["0001-01-01", "1582-10-10", "1969-12-31", "3000-01-01", "9999-12-31", "10000-01-01", "2026-02-30"]
MONTHS = ["0001-01", "9999-12", "2026-13"]
MOMENTS = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00", "10000-01-01T00:00:00Z"]
PERIODS = ["P0D", "P9999Y", "P99999M", "P9223372036854775808D"]
AMOUNTS = ["99999999999999999.99", "92233720368547758.07", "92233720368547758.08", "-0.01", "0.001", "1e400"]
ORDERS = ["ORD-00010101-0001", "ORD-99991231-9223372036854775807", "ORD-9999", "215-99999999"]
REFUNDS = ["RF-9223372036854775808", "RF-000000"]
SOURCES = ["subscription:ffffffff-ffff-ffff-ffff-ffffffffffff", f"grant:{NOBODY}", "grant:", ":"]
# Parts of an address that decode to no text.
RAW = ["%00", "%ff%fe", "%zz", "%"]
# The beginnings of the years 0 and 1, the end of the year 9999, and later times.
MILLISECONDS = [-62_167_219_200_000, -62_135_596_800_000, 253_402_300_799_000, 253_402_300_800_000, 2**53]

_KINDS = [
    (r"-?\d+", r"days|version|within|paid_period|renews\w*|limit|step|attempts", [*WHOLE, *NO_WHOLE]),
    (r"\d{4}-\d\d-\d\d", "from|to|as_?[oO]f|until", DAYS),
    (r"\d{4}-\d\d", "month", MONTHS),
    (r"\d{4}-\d\d-\d\dT.*", "since|at", [*MOMENTS, *DAYS[:1]]),
    (r"P\d+[DWMY]", "period", PERIODS),
    (r"-?\d+\.\d+", "amount|shown_left", AMOUNTS),
    (r"ORD-.*", "number", ORDERS),
    (r"RF-.*", "refund", REFUNDS),
    (r"\w+:[0-9a-f-]{36}", "of", SOURCES),
    (r"[0-9a-f-]{36}", "id|key|customer|receiver|session|view|note", [NOBODY, "ffffffff-ffff-ffff-ffff-ffffffffffff"]),
]
_TEXT = ["'", LONG]
_ANY = ["", str(INT64)]


def kind_of(name, value):
    """Returns the edges of the kind that a parameter's value, or else its name, suggests."""
    for shape, names, found in _KINDS:
        if re.fullmatch(shape, value) or not value and re.fullmatch(names, name):
            return [str(edge) for edge in found]
    return _TEXT


def is_text(name, value=""):
    """Returns true if a parameter holds free text, which is never wrong."""
    return kind_of(name, value) == _TEXT


def of(name, value=""):
    """Returns the edges of a parameter, as texts: those of its kind, and a few others."""
    return list(dict.fromkeys([*kind_of(name, value), *_ANY]))


def addressed(name, value=""):
    """Returns the edges of a parameter, encoded for an address or a form."""
    return [urllib.parse.quote(text, safe="") for text in of(name, value)]


def paths(pattern, path):
    """Returns the path for each of its variable parts with each edge."""
    parts, found = path.split("/"), []
    for index, part in enumerate(pattern.split("/")):
        if part.startswith("{"):
            found += ["/".join([*parts[:index], edge or "%20", *parts[index + 1:]]) for edge in addressed("id", parts[index])]
    return found


def few():
    """Returns the edges of all kinds at which most goes wrong, encoded for an address."""
    chosen = [INT32, INT64 - 1, INT64, -INT64 - 1, "1e308", "0001-01-01", "9999-12-31", NOBODY, "", LONG]
    return [*(urllib.parse.quote(str(text), safe="") for text in chosen), *RAW]


def json_values(name, kind):
    """Returns the edges of a member of a type, each as the text of a JSON value."""
    others = ["null", "true", "[]", "{}", "1" + "0" * 400, '"\\u0000"']
    if kind == "date":
        return [*map(str, [*MILLISECONDS, *WHOLE]), "1e300", "1.5", *others]
    if kind in ("integer", "number"):
        return [*map(str, WHOLE), "1.5", "1e308", "1e309", "-0", '"7"', *others]
    texts = ["", LONG, "\u202e\U0001f468\u200d\U0001f469", *(() if is_text(name) else of(name))]
    return [*map(json.dumps, dict.fromkeys(texts)), '"\\ud800"', str(INT64), "1.5", *others]


def marker(kind, value, rows=2**32 - 1, row=2**128 - 1):
    """Returns a page marker as the server writes it: kind, sort value, rows before it, row (HTTP/Parts/PageCursor+Text.swift)."""
    packed = struct.pack(">BqI", kind, value, rows) + uuid.UUID(int=row).bytes
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def markers():
    """Returns page markers by kind: the first as the server writes it, and others with numbers that it never writes."""
    kinds = re.findall(r"case \w+ = (\d+)", (site_map.REPOSITORY / "Sources/Storage/Lists/PageCursor.swift").read_text())
    assert len(kinds) > 10
    values = (0, 1, -INT64, INT64 - 1, 253_402_300_799_000_000)
    return [[marker(kind, 0, rows=0, row=0), *(marker(kind, value) for value in values)] for kind in map(int, kinds)]


def no_markers():
    """Returns texts that are no marker of any kind."""
    return [marker(255, 0), marker(1, 0)[:-4], marker(1, 0) + "AAAA", marker(1, 0)[:-1] + "/", *addressed("limit")]
