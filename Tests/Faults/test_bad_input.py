"""Bad input to a running server: the right status at once, nothing stored, no internals disclosed, nothing broken (F15, F16)."""

import json
import pathlib
import socket
import sys

import pytest

from stopwatch import Stopwatch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Interop"))
import apple_chain  # noqa: E402
import apple_signs  # noqa: E402

MEBIBYTE = 1024 * 1024
DEEP = 100_000


def exchange(server, request, within=120):
    """Sends bytes; returns the received bytes up to the end of the connection or of one answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=within) as connection:
        try:
            connection.sendall(request)
        except OSError:
            pass  # It answered and hung up before it had read all; the answer is there to be read.
        answer = b""
        try:
            while b"\r\n\r\n" not in answer or len(answer.split(b"\r\n\r\n", 1)[1]) < _length(answer):
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
        except OSError:
            pass
        return answer


def _length(answer):
    for line in answer.split(b"\r\n\r\n", 1)[0].lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.split(b":")[1])
    return 0


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def post(body, path="/webhooks/apple", headers=()):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
             f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def get(path, *headers):
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers]).encode() + b"\r\n\r\n"


def signed(**bent):
    """Returns a notification signed by a stranger, about an app of ours unless given otherwise."""
    chain = apple_chain.Chain()
    return {"signedPayload": chain.sign(apple_signs.notification(
        chain, data={"bundleId": "com.readmigo.app", "appAppleId": 1600000001}, **bent))}


def deep_token():
    """Returns a token whose payload is nothing but brackets."""
    part = apple_chain.base64url(b"[" * DEEP)
    return {"signedPayload": f"{apple_chain.base64url(b'{}')}.{part}.AAAA"}


REFUSED_NOTIFICATIONS = {
    "no body": (post(b""), 400),
    "not JSON": (post(b"{signedPayload"), 400),
    "not JSON behind the end": (post(b'{"signedPayload":"a.b.c"}}'), 400),
    "not UTF-8": (post(b'{"signedPayload":"\xff\xfe"}'), 400),
    "a list": (post([1, 2]), 422),
    "a number": (post(12), 422),
    "null": (post(None), 422),
    "no field": (post({}), 422),
    "another field": (post({"payload": "a.b.c"}), 422),
    "field of the wrong type": (post({"signedPayload": 1}), 422),
    "field that is null": (post({"signedPayload": None}), 422),
    "empty field": (post({"signedPayload": ""}), 422),
    "a NUL": (post({"signedPayload": "a.b\0.c"}), 422),
    "no token": (post({"signedPayload": "a.b.c"}), 401),
    "100,000 characters": (post({"signedPayload": "A" * 100_000}), 401),
    "100,000 parts": (post({"signedPayload": "." * 100_000}), 401),
    "just under 1 MiB": (post({"signedPayload": "A" * (MEBIBYTE - 100)}), 401),
    "over 1 MiB": (post({"signedPayload": "A" * MEBIBYTE}), 413),
    "over 1 MiB by its own word": (
        b"POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n", 413),
    "over 1 MiB in chunks": (
        b"POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" + (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 20 + b"0\r\n\r\n", 413),
    "100,000 levels": (post(b"[" * DEEP + b"]" * DEEP), 400),
    "100,000 levels in the field": (post(b'{"signedPayload":' + b"[" * DEEP + b"]" * DEEP + b"}"), 400),
    "100,000 levels that never end": (post(b'{"a":' * DEEP), 400),
    "100,000 levels in the token": (post(deep_token()), 401),
    "signed by a stranger": (post(signed()), 401),
    "signed for another app": (
        post({"signedPayload": (chain := apple_chain.Chain()).sign(apple_signs.notification(chain))}), 403),
    "the algorithm none": (
        post({"signedPayload": chain.sign(apple_signs.notification(chain), algorithm="none")}), 401),
    "another media type": (post({}, headers=["Content-Type: text/plain"]).replace(
        b"Content-Type: application/json\r\n", b""), 415),
}

REFUSED_REQUESTS = {
    "10,000 header fields": (get("/healthz", *(f"X-Field-{n}: value" for n in range(10_000))), 431),
    "a header of 1 MB": (get("/healthz", "X-Long: " + "A" * 1_000_000), 431),
    "a URL of 100,000 characters": (get("/healthz?" + "a" * 100_000), 414),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), 400),
    "a NUL in a header": (get("/healthz", "X-Nul: a\0b"), 400),
    "no host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two hosts": (get("/healthz", "Host: localhost"), 400),
    "a host that is none": (b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    "two lengths": (b"POST /webhooks/apple HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}}", 400),
    "length and chunks": (
        b"POST /webhooks/apple HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\n", 400),
    "a length that is none": (b"POST /webhooks/apple HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n", 400),
    "TRACE": (b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    "GET of the webhook": (get("/webhooks/apple"), 405),
    "no such path": (get("/nowhere"), 404),
    "a path upwards": (get("/assets/../../../../etc/passwd"), 404),
    "a path upwards, escaped": (get("/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd"), 404),
    "the admin API without a key": (get("/admin/orders"), 401),
    "the admin API with a wrong key": (get("/admin/orders", "Authorization: Bearer pst_" + "0" * 64), 401),
    "a key of 8,000 characters": (get("/admin/orders", "Authorization: Bearer " + "A" * 8_000), 401),
}

REFUSED_QUESTIONS = {
    "an unknown order": ("/admin/orders/ORD-20990101-0001", 404),
    "an order called NUL": ("/admin/orders/%00", 400),
    "a cursor from nowhere": ("/admin/orders?after=nowhere", 422),
    "a cursor of 5,000 characters": ("/admin/orders?after=" + "A" * 5_000, 422),
    "a cursor of another list": ("/admin/orders?after=bjE", 422),
    "a page of nothing": ("/admin/orders?limit=0", 422),
    "a page of everything": ("/admin/orders?limit=99999999999999999999", 422),
    "an unknown status": ("/admin/orders?status=odd", 422),
    "an unknown parameter": ("/admin/orders?color=red", 422),
    "a parameter twice": ("/admin/orders?limit=1&limit=2", 400),
    "a search of 5,000 characters": ("/admin/orders?q=" + "a" * 5_000, 422),
    "a search for a NUL": ("/admin/orders?q=%00", 400),
    "a search that is no UTF-8": ("/admin/orders?q=%ff%fe", 400),
    "an escape that is none": ("/admin/orders?q=%zz", 400),
    "a customer that is no id": ("/admin/orders?customer=1%20OR%201=1", 422),
}


@pytest.fixture(scope="module")
def server(installation, traded, token):
    installation.settle()
    return installation.server


@pytest.fixture(autouse=True)
def nothing_happens(installation, server):
    """Asserts after each test that no row has appeared, and that the server is as healthy as before."""
    before = installation.counts()
    yield
    assert installation.counts() == before
    assert server.process.poll() is None, "the server is gone"
    assert server.status("/healthz") == 200
    server.wait_until_ready(10)


def check(server, request, expected):
    clock = Stopwatch()
    answer = exchange(server, request)
    assert status(answer) == expected, answer[:600]
    # The next limit is that of a body, of half a minute.
    assert clock.seconds < 25
    for inside in [b".swift", b"Fatal", b"Optional(", b"SQLSTATE", b"NSCocoa", b"0x0000", b"/work", b"Sources/"]:
        assert inside not in answer, answer[-2000:]


@pytest.mark.parametrize("name", REFUSED_NOTIFICATIONS)
def test_refused_notifications(server, name):
    check(server, *REFUSED_NOTIFICATIONS[name])


@pytest.mark.parametrize("name", REFUSED_REQUESTS)
def test_refused_requests(server, name):
    check(server, *REFUSED_REQUESTS[name])


@pytest.mark.parametrize("name", REFUSED_QUESTIONS)
def test_refused_questions(server, token, name):
    path, expected = REFUSED_QUESTIONS[name]
    check(server, get(path, f"Authorization: Bearer {token}", "X-App: readmigo"), expected)


def test_searches_that_look_like_sql(server, token):
    for text in ["'", "%25", "_", "%27%3B+DROP+TABLE+orders%3B--", "%5C", "%E2%80%AE", "a%27%20OR%20%271%27=%271"]:
        answer = exchange(server, get(f"/admin/orders?q={text}", f"Authorization: Bearer {token}", "X-App: readmigo"))
        assert status(answer) == 200, answer[:600]


def test_memory_after_large_input(server):
    """The memory of requests of a megabyte, and of deep ones, is given back."""
    def resident():
        text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1])

    large = post({"signedPayload": "A" * (MEBIBYTE - 100)})
    deep = post(b"[" * DEEP + b"]" * DEEP)
    for request in [large, deep] * 10:
        exchange(server, request)
    before = resident()
    for request in [large, deep] * 30:
        exchange(server, request)
    assert resident() - before < 50 * 1024, "KiB more than before"
