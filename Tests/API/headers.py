"""Headers with values that no browser, proxy or program sends."""

import edges

_HOPS = [
    "1.2.3.4, 5.6.7.8", "999.999.999.999", "::", "[::1", "[::1]:99999999", "unknown, _x", "," * 500, "1.2.3.4 " * 200,
    "fe80::1%25eth0",
]
_LANGUAGES = [
    "en;q=1e309, tr;q=-1, *;q=NaN", "zh-Hans-CN-x-a", "tr;q=", ";q=1", "*", ",".join(["en"] * 500), "en-" + "a" * 500,
]
_COOKIES = [
    "perennial", "perennial=", "=", ";;;=;", "perennial=" + "0" * 64, "perennial=" + "g" * 64, "a=b; " * 500,
    f"perennial-done={edges.NOBODY}", "perennial-done=x", "perennial-theme=\\", "perennial=a; perennial=b",
]
# A length beyond every limit, or none at all: with any other the server waits for a body that does not come.
_LENGTHS = [
    "-1", "abc", "1e3", "+5", "0x10", "5, 5", "5, 6", "", *map(str, (edges.INT64 - 1, edges.INT64, 2 * edges.INT64 - 1)),
    "1" + "0" * 400,
]
_OWN = {
    "Cookie": _COOKIES, "Accept-Language": _LANGUAGES, "X-Forwarded-For": _HOPS,
    "Forwarded": [*(f"for={hop}" for hop in _HOPS), 'for="[::1]:80";by=_x', 'for="', "for", ";=;"],
    "Content-Length": _LENGTHS, "Transfer-Encoding": ["chunked", "gzip", "chunked, chunked", "identity", "x"],
    "Host": ["", "a b", "[::1", "a:99999999", "%zz", "a" * 300, "evil.example"],
    "Authorization": ["", "Bearer", "Bearer ", "Bearer pst_", "Bearer pst_" + "0" * 64, "Basic Og==", "bearer  x"],
    "Content-Type": ["", ";", "application/json; charset=utf-16", "multipart/form-data; boundary=", "text/" + "a" * 500],
    "Range": ["bytes=0-0", "bytes=-1", f"bytes={edges.INT64}-", "bytes=5-1", "items=0-1"],
    "If-None-Match": ["*", '"', 'W/"' + "a" * 500, ",,,"],
    "If-Modified-Since": ["Thu, 01 Jan 0001 00:00:00 GMT", str(edges.INT64)],
    "Expect": ["100-continue", "200-ok"], "Connection": ["close", "upgrade", "x"], "Upgrade": ["h2c", "websocket"],
}
_OTHERS = [
    "X-App", "Idempotency-Key", "X-Request-ID", "User-Agent", "Accept-Encoding", "Accept", "Origin", "Sec-Fetch-Site", "Referer",
    "X-Forwarded-Proto",
]
# After these headers, the start of the next request is undefined.
FRAMING = {"Content-Length", "Transfer-Encoding", "Expect", "Connection", "Upgrade"}


def bent():
    """Yields the name and the value of each header."""
    texts = [
        "", "'", "%00", "\\", "\t", str(edges.INT64), "1e308", "a" * 6_000, "\xff\xfe", edges.NOBODY, "gzip;q=NaN",
        "*/*;q=1e309",
    ]
    for name, values in [*_OWN.items(), *((name, texts) for name in _OTHERS)]:
        for value in values:
            yield name, value.encode("latin-1")
