"""A server behind nginx and HAProxy, configured as in docs/proxy: it knows clients by their own address, nobody can pretend to
another one, and nobody locks everybody out."""

import contextlib
import csv
import io
import ssl
import time
import urllib.error
import urllib.request

import pytest

import ports
from installation import CATALOG, Installation, until
from proxies import HOST, Person, Proxy
from stopwatch import Stopwatch

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"
PRETENCES = {
    "X-Forwarded-For": "203.0.113.9, 127.0.0.1", "Forwarded": "for=203.0.113.9;host=evil.example;proto=http",
    "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
CUSTOMERS = 40_000
# The limit of one address at a time, by the files: requests for nginx, connections for HAProxy.
PEOPLE = {"nginx": 64, "haproxy": 256}

pytestmark = pytest.mark.long


def prepared(**settings):
    made = Installation()
    try:
        made.start(**settings)
        made.do("catalog", "apply", str(CATALOG))
        made.do("staff", "add", EMAIL, "--name", "Ada", "--role", "admin", input=f"{PASSWORD}\n")
    except BaseException:
        made.remove()
        raise
    return made


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def proxy(request):
    port, metrics = ports.take(), ports.take()
    installation = prepared(
        PERENNIAL_PUBLIC_URL=f"https://{HOST}:{port}", PERENNIAL_TRUSTED_PROXIES="127.0.0.1",
        PERENNIAL_METRICS_ADDRESS=f"127.0.0.1:{metrics}")
    try:
        made = Proxy(request.param, port, installation.server.port)
        try:
            made.installation, made.metrics = installation, metrics
            yield made
        finally:
            made.stop()
    finally:
        installation.remove()


def addresses(installation, what):
    return installation.sql(f"SELECT DISTINCT coalesce(address, 'none') FROM {what} ORDER BY 1")


def test_who_signs_in_through_the_proxy_is_known_by_their_own_address(proxy):
    ada = Person(proxy, "127.0.0.2")
    status, headers, _ = ada.sign_in(EMAIL, PASSWORD, PRETENCES)
    assert (status, headers["Location"]) == (303, "/dashboard")
    assert headers["Strict-Transport-Security"]
    assert addresses(proxy.installation, "staff_sessions") == ["127.0.0.2"]
    assert addresses(proxy.installation, "audit_entries WHERE action = 'session.open'") == ["127.0.0.2"]
    assert b"127.0.0.2" in ada.send("GET", "/dashboard/account")[2]


def test_one_who_guesses_passwords_keeps_nobody_else_out(proxy):
    guesser, new, known = (Person(proxy, f"127.0.0.{number}") for number in [3, 4, 5])
    assert known.sign_in(EMAIL, PASSWORD)[0] == 303
    known.cookies.pop("__Host-perennial")
    pretences = ({"X-Forwarded-For": f"198.51.100.{number}", "Forwarded": f"for=198.51.100.{number}"} for number in range(99))
    for number in range(20):
        assert guesser.sign_in(f"user{number}@example.com", "a wrong guess", next(pretences))[0] == 401
    assert guesser.sign_in(EMAIL, PASSWORD, next(pretences))[0] == 429
    assert new.sign_in(EMAIL, PASSWORD)[0] == 303
    # An account that is guessed at from many addresses still opens in its owner's known browser.
    for number in range(5):
        assert Person(proxy, f"127.0.1.{number}").sign_in(EMAIL, "a wrong guess")[0] == 401
    assert Person(proxy, "127.0.1.9").sign_in(EMAIL, PASSWORD)[0] == 429
    assert known.sign_in(EMAIL, PASSWORD)[0] == 303
    proxy.installation.sql("DELETE FROM sign_in_failures")


@pytest.mark.parametrize("path", ["/metrics", "/metrics?x", "//metrics", "/%6detrics", "/metrics/", "/x/../metrics"])
def test_metrics_are_not_to_be_reached_through_the_proxy(proxy, path):
    status, _, body = Person(proxy, "127.0.0.2").send("GET", path, headers={"Authorization": "Bearer x"})
    assert status in (301, 400, 404), body
    assert b"perennial_http" not in body


def test_metrics_are_answered_at_their_own_address_and_nowhere_else(proxy):
    with urllib.request.urlopen(f"http://127.0.0.1:{proxy.metrics}/metrics", timeout=300) as answer:
        assert b"perennial_http_requests_total" in answer.read()
    assert proxy.installation.server.status("/metrics") == 404
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{proxy.metrics}/dashboard", timeout=300)
    assert refused.value.code == 404


def test_a_long_export_that_is_read_slowly_arrives_whole(proxy):
    proxy.installation.sql(
        "INSERT INTO customers (id, app_id, key, name, email, created_at) "
        "SELECT gen_random_uuid(), a.id, 'slow-' || n, 'Customer ' || n, 'c' || n || '@example.com', now() "
        f"FROM apps a, generate_series(1, {CUSTOMERS}) n")
    ada = Person(proxy, "127.0.0.2")
    assert ada.sign_in(EMAIL, PASSWORD)[0] == 303
    with proxy.connect("127.0.0.2") as connection:
        connection.request("GET", "/dashboard/exports/customers", headers={
            "Host": f"{HOST}:{proxy.port}", "Cookie": "; ".join(f"{name}={value}" for name, value in ada.cookies.items())})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        pieces = []
        while piece := answer.read(65536):
            pieces.append(piece)
            time.sleep(0.15)
    rows = list(csv.reader(io.StringIO(b"".join(pieces).decode("utf-8-sig"))))
    assert len({row[0] for row in rows[1:]}) == len(rows) - 1 == CUSTOMERS


def test_a_slow_upload_arrives_whole(proxy):
    def slowly(body):
        """Splits a body into pieces over some ten seconds, as a slow line does."""
        size = -(-len(body) // 20)
        for start in range(0, len(body), size):
            time.sleep(0.5)
            yield body[start:start + size]

    ada = Person(proxy, "127.0.0.2")
    assert ada.sign_in(EMAIL, PASSWORD, pace=slowly)[0] == 303
    boundary = "a-boundary"
    fields = {"csrf": ada.token("/dashboard/bulk/new"), "kind": "grant", "plan": "PRO", "days": "7", "key": "upload",
              "category": "goodwill", "reason": "a week for everybody"}
    parts = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
    lines = "\r\n".join(f"slow-{number}" for number in range(1, 5_001))
    body = (f'{parts}--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="them.csv"\r\n'
            f"Content-Type: text/csv\r\n\r\n{lines}\r\n--{boundary}--\r\n").encode()
    status, headers, answer = ada.send("POST", "/dashboard/bulk", body, {
        "Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(len(body))}, pace=slowly)
    assert status == 303, answer.decode()[-2000:]
    assert proxy.installation.sql("SELECT count(*) FROM bulk_job_items") == ["5000"]


@contextlib.contextmanager
def crowd(proxy, source, path, count, refused):
    """Connects so many clients at one address, each of which sends half of a body; once so many are refused, yields the number that
    wait and the answers to the others."""
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}:{proxy.port}\r\nContent-Length: 100\r\n\r\n{{".encode()
    with contextlib.ExitStack() as connected:
        sockets, told = [], []
        for _ in range(count):
            try:
                sockets.append(connected.enter_context(proxy.connect(source)).sock)
                sockets[-1].sendall(head)
            except OSError:
                told.append(b"")
        for one in sockets:
            one.settimeout(0)

        def look():
            for one in list(sockets):
                try:
                    told.append(one.recv(4096))
                except ssl.SSLWantReadError:
                    continue
                except OSError:
                    told.append(b"")
                sockets.remove(one)
            return len(told) >= refused

        # A later client is answered after them.
        assert Person(proxy, "127.0.0.10").send("GET", "/dashboard/sign-in")[0] == 200
        until(look, f"{refused} refusals", 20)
        yield len(sockets), told


def test_a_crowd_at_one_address_leaves_room_for_others(proxy):
    with crowd(proxy, "127.0.0.7", "/dashboard/sign-in", 400, refused=400 - PEOPLE[proxy.kind]) as (waiting, told):
        # On a slow machine HAProxy has given up the first of them, which send nothing more.
        assert 0 < waiting <= PEOPLE[proxy.kind] and len(told) == 400 - waiting
        assert all(answer == b"" or answer.startswith((b"HTTP/1.1 429 ", b"HTTP/1.1 408 ")) for answer in told)
        clock = Stopwatch()
        assert Person(proxy, "127.0.0.8").send("GET", "/dashboard/sign-in")[0] == 200
        assert clock.seconds < 5


def test_a_store_that_sends_much_at_once_is_not_refused(proxy):
    with crowd(proxy, "127.0.0.9", "/webhooks/apple", 200, refused=0) as (waiting, told):
        # On a slow machine the first of them, which send nothing more, have timed out; that is no refusal.
        assert waiting > 0 and waiting + len(told) == 200
        assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in told), told[:3]
        status = Person(proxy, "127.0.0.9").send("POST", "/webhooks/apple", b"{}", {"Content-Type": "application/json"})[0]
        assert status not in (429, 503)


def test_by_another_name_or_in_clear_nobody_is_answered(proxy):
    with pytest.raises(OSError):
        with proxy.connect(server_name="other.example.com") as connection:
            connection.request("GET", "/dashboard/sign-in", headers={"Host": "other.example.com"})
            answer = connection.getresponse()
            assert answer.status == 421
            raise OSError("refused by HAProxy, which has one certificate for all names")
    request = urllib.request.Request(
        f"http://127.0.0.1:{proxy.plain_port}/dashboard/sign-in?x=1", headers={"Host": HOST})
    opener = urllib.request.build_opener(_NoRedirects)
    with pytest.raises(urllib.error.HTTPError) as moved:
        opener.open(request, timeout=300)
    assert (moved.value.code, moved.value.headers["Location"]) == (308, f"https://{HOST}/dashboard/sign-in?x=1")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def test_doctor_is_content_with_a_proxy_that_is_trusted_and_says_so_of_one_that_is_not(proxy):
    settings = {"PERENNIAL_PUBLIC_URL": proxy.url}
    well = proxy.installation.run("doctor", PERENNIAL_PATIENCE="20", PERENNIAL_TRUSTED_PROXIES="127.0.0.1", **settings).stdout
    assert "ok    no request came through a proxy that is not trusted" in well
    unset = proxy.installation.run("doctor", **settings)
    assert unset.returncode == 1
    assert "wrong PERENNIAL_PUBLIC_URL is https://, so a proxy stands before us, and PERENNIAL_TRUSTED_PROXIES is not set" in (
        unset.stdout)


def test_a_server_notices_that_requests_come_through_a_proxy_it_does_not_know():
    installation = prepared()
    try:
        assert "PERENNIAL_TRUSTED_PROXIES" not in installation.run("doctor").stdout
        request = urllib.request.Request(
            installation.server.url + "/dashboard/sign-in", headers={"X-Forwarded-For": "203.0.113.9"})
        urllib.request.urlopen(request, timeout=300).close()
        until(lambda: "requests come through a proxy that is not trusted" in installation.log.read_text(), "the warning", 10)
        until(
            lambda: "wrong requests come through 127.0.0.1, which is no trusted proxy" in installation.run("doctor").stdout,
            "the doctor's finding", 60)
        trusted = installation.run(
            "doctor", PERENNIAL_TRUSTED_PROXIES="127.0.0.0/8", PERENNIAL_PUBLIC_URL=f"https://{HOST}").stdout
        assert "requests come through" not in trusted
    finally:
        installation.remove()


@pytest.mark.parametrize("settings, told", [
    ({"PERENNIAL_TRUSTED_PROXIES": "127.0.0.1, proxy.local"}, "; proxy.local is invalid: it is no IPv4 or IPv6 address"),
    ({"PERENNIAL_TRUSTED_PROXIES": "10.1.2.3/8"}, "the range is 10.0.0.0/8"),
    ({"PERENNIAL_TRUSTED_PROXIES": "127.0.0.1"}, "PERENNIAL_TRUSTED_PROXIES needs PERENNIAL_PUBLIC_URL"),
    ({"PERENNIAL_METRICS_ADDRESS": "0.0.0.0:9464"}, "PERENNIAL_METRICS_ADDRESS is an address of this machine itself"),
])
def test_a_setting_that_cannot_be_is_refused_in_one_line(settings, told):
    installation = Installation()
    try:
        done = installation.run("serve", **settings)
        assert done.returncode > 0
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        assert len(lines) == 1 and lines[0].startswith("Error: ") and told in lines[0], done.stderr
    finally:
        installation.remove()
