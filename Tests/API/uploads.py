"""A form with a file (RFC 7578), with one thing wrong at a time."""

import edges

BOUNDARY = "perennial-form"
NAMES = ["", "'", "\\", "\x00", "\u202e\U0001f468", "A" * 300, "a\"; filename=\"b", "../../x.csv"]


def bent(fields):
    """Yields the Content-Type and the body of each; the first is correct."""
    whole = form(fields)
    usual = f"multipart/form-data; boundary={BOUNDARY}"
    yield usual, whole
    for content in _contents():
        yield usual, form(fields, content)
    for name in NAMES:
        yield usual, form(fields, name=name)
        yield usual, form(fields | {name: "1"})
    for field in fields:
        for edge in edges.of(field, fields[field]):
            yield usual, form(fields | {field: edge})
    middle = len(whole) // 2
    for cut in (0, 1, len(BOUNDARY), len(BOUNDARY) + 2, middle, len(whole) - 1, len(whole) - 4, len(whole) - len(BOUNDARY)):
        yield usual, whole[:cut]
        yield usual, whole[cut:]
    for old, new in [(b"\r\n\r\n", b"\r\n"), (b"\r\n", b"\n"), (b"\r\n", b""), (b"form-data", b""), (b'name="', b"name="),
                     (b"Content-Disposition", b"content-disposition"), (b"--", b"-"), (b"nobody", b"\xff\xfe")]:
        yield usual, whole.replace(old, new)
    quoted = f'"{BOUNDARY}"; charset=utf-7'
    for boundary in ["", '""', "A" * 70, "A" * 71, "-", "--", BOUNDARY + "x", BOUNDARY[:-1], quoted, "=", ";"]:
        yield f"multipart/form-data; boundary={boundary}", whole
    for other in ["form-data", f"mixed; boundary={BOUNDARY}", ""]:
        yield f"multipart/{other}", whole
    for other in ["application/x-www-form-urlencoded", "text/csv", ";"]:
        yield other, whole
    yield usual, form({str(number): "1" for number in range(2_000)})
    yield usual, b"--" + BOUNDARY.encode() + b"\r\n" * 10_000


def form(fields, content="nobody-of-this-name\n", name="people.csv"):
    parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
             for field, value in fields.items() if field != "file"]
    if "file" in fields:
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
                     f"Content-Type: text/csv\r\n\r\n{content}\r\n")
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()


def _contents():
    """Returns contents of a file of customers, one a line."""
    return [
        "", "\n", "\r", "\r\n" * 1_000, "\ufeffcustomer\n", "\ufeff", "customer\ncustomer\n", ",\n,\n", "a,b;c\td",
        '"', '"a', '""', '"a""b",c', "a\x00b", "--", f"--{BOUNDARY}", "A" * 501, "\u202e\U0001f468\u200d\U0001f469" * 100,
        "\n".join(map(str, edges.WHOLE)), "\n".join(edges.TEXTS), "x\n" * 20_000,
    ]
