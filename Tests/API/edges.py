"""What nobody means to send: the edges of numbers, dates and texts, and page markers with such numbers in them."""

import base64
import json
import pathlib
import re
import struct
import urllib.parse
import uuid

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"

INT16, INT32, INT64 = 2**15, 2**31, 2**63
WHOLE = [0, -1, INT16, INT32 - 1, INT32, -INT32, -INT32 - 1, INT64 - 1, INT64, -INT64, -INT64 - 1, 10**30]
DOUBLES = ["1.5", "1e308", "-1e308", "5e-324", "1e309", "-0"]
NO_NUMBERS = ["NaN", "-Infinity", "0x7fffffff"]
DAYS = ["0000-01-01", "0001-01-01", "1582-10-10", "1969-12-31", "3000-01-01", "9999-12-31", "2026-02-30"]
MONTHS = ["0001-01", "9999-12"]
MOMENTS = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "10000-01-01T00:00:00Z"]
PERIODS = ["P0D", "P9999Y", "P99999M"]
AMOUNTS = ["99999999999999999.99", "92233720368547758.08", "-0.01"]
NAMES = [
    "ORD-00010101-0001", "ORD-99991231-9223372036854775807", "ORD-9999", "215-99999999", "RF-9223372036854775808",
    "00000000-0000-0000-0000-000000000000", "subscription:ffffffff-ffff-ffff-ffff-ffffffffffff",
]
LONG = "A" * 100_000
TEXTS = ["", "'", "%", "\\", "\u202e\U0001f468\u200d\U0001f469", LONG]
# As they stand in an address, and are no text.
RAW = ["%00", "%ff%fe", "%zz", "%"]


def texts():
    """Every edge as a text."""
    return [*map(str, WHOLE), *DOUBLES, *NO_NUMBERS, *DAYS, *MONTHS, *MOMENTS, *PERIODS, *AMOUNTS, *NAMES, *TEXTS]


def addressed():
    """Every edge as it stands in an address or a form."""
    return [*(urllib.parse.quote(text, safe="") for text in texts()), *RAW]


def few():
    """Of these those at which most goes wrong, for what takes long."""
    chosen = [INT32, INT64 - 1, -INT64, -INT64 - 1, "1e308", "1.5", "0001-01-01", "9999-12-31", NAMES[5], "", LONG]
    return [*(urllib.parse.quote(str(text), safe="") for text in chosen), *RAW[:2]]


def json_values():
    """Every edge as the text of a JSON value."""
    strings = [*DAYS, *MOMENTS, *AMOUNTS, *NAMES, *TEXTS]
    others = ["null", "true", "[]", "{}", "[[1]]", '"\\u0000"', '"\\ud800"', "1" + "0" * 400]
    return [*map(str, WHOLE), *DOUBLES, *map(json.dumps, strings), *others]


def markers():
    """Page markers of every kind as the server writes them, with numbers that it never writes."""
    kinds = re.findall(r"case \w+ = (\d+)", (SOURCES / "Storage/Screens/PageCursor.swift").read_text())
    assert len(kinds) > 10
    for kind in kinds:
        for value in [-INT64, INT64 - 1, 253_402_300_799_000_000, 0]:
            marker = struct.pack(">BqI", int(kind), value, 2**32 - 1) + uuid.UUID(int=2**128 - 1).bytes
            yield base64.urlsafe_b64encode(marker).decode().rstrip("=")
