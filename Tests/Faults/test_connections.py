"""Many clients that connect and then send nothing, or half a request: nobody else waits for them, and their memory and descriptors
are given back."""

import http.client
import pathlib
import resource
import socket
import urllib.request

import pytest

import ports
from installation import Installation, until
from stopwatch import Stopwatch

DESCRIPTORS = 4_352
CONNECTIONS = DESCRIPTORS - 256
FEW_DESCRIPTORS = 600
FEW_CONNECTIONS = FEW_DESCRIPTORS - 256
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def office():
    """Starts a server with few descriptors, which may have some more; this process may have all it needs."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    made = Installation()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
        made.start(below=["bash", "-c", f'ulimit -Sn 1024; ulimit -Hn {DESCRIPTORS}; exec "$@"', "limited"])
        yield made
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        made.remove()


@pytest.fixture(scope="module")
def small_office():
    """Starts a server with room for few connections, and with metrics at an address of their own."""
    made, metrics = Installation(), ports.take()
    try:
        made.start(
            below=["bash", "-c", f'ulimit -Sn {FEW_DESCRIPTORS}; ulimit -Hn {FEW_DESCRIPTORS}; exec "$@"', "limited"],
            PERENNIAL_METRICS_ADDRESS=f"127.0.0.1:{metrics}")
        made.metrics = metrics
        yield made
    finally:
        made.remove()


@pytest.fixture
def crowd(office):
    """Connects as many clients as a test asks for; each has had an answer and keeps its connection."""
    sockets = []

    def gather(count):
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", office.server.port), timeout=300)
            connection.sendall(REQUEST)
            assert b" 200 " in connection.recv(4096)
            sockets.append(connection)
        return sockets

    yield gather
    for connection in sockets:
        connection.close()


def newcomer(office):
    """Returns the seconds for which a new client waits for an answer."""
    clock = Stopwatch()
    connection = http.client.HTTPConnection("127.0.0.1", office.server.port, timeout=300)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    return clock.seconds


def descriptors(office):
    return len(list(pathlib.Path(f"/proc/{office.server.process.pid}/fd").iterdir()))


def resident(office):
    """Returns the memory of the server, in MiB."""
    status = pathlib.Path(f"/proc/{office.server.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def test_the_limit_of_descriptors_is_raised_at_the_start(office):
    assert resource.prlimit(office.server.process.pid, resource.RLIMIT_NOFILE) == (DESCRIPTORS, DESCRIPTORS)


def test_a_newcomer_is_answered_at_once_when_idle_connections_have_all_places(office, crowd):
    newcomer(office)
    before = resident(office)
    sockets = crowd(CONNECTIONS + 200)
    assert CONNECTIONS - 50 < descriptors(office) < DESCRIPTORS
    assert max(newcomer(office) for _ in range(20)) < 5
    # The connections that were idle longest made room; the last ones are still served.
    sockets[-1].sendall(REQUEST)
    assert b" 200 " in sockets[-1].recv(4096)
    assert sockets[0].recv(4096) == b""
    full = resident(office)
    for connection in sockets:
        connection.close()
    until(lambda: descriptors(office) < 200, "the end of the connections", 30)
    until(lambda: resident(office) - before < (full - before) / 2, "memory that is given back", 30)


HALVES = {
    "idle": (REQUEST, b" 200 "),
    "half of the headers": (b"GET /healthz HTTP/1.1\r\nHost: local", None),
    "half of a body": (
        b"POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        None),
    "an answer, and the body owed": (b"POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n", b" 404 "),
}


@pytest.mark.parametrize("sent, answered", HALVES.values(), ids=HALVES.keys())
def test_who_keeps_the_server_waiting_keeps_nobody_out(small_office, sent, answered):
    newcomer(small_office)
    sockets = []
    try:
        for _ in range(FEW_CONNECTIONS + 20):
            sockets.append(socket.create_connection(("127.0.0.1", small_office.server.port), timeout=300))
            sockets[-1].sendall(sent)
            if answered:
                assert answered in sockets[-1].recv(4096)
        assert max(newcomer(small_office) for _ in range(20)) < 5
    finally:
        for connection in sockets:
            connection.close()


def test_connections_that_nobody_uses_do_not_keep_monitoring_out(small_office):
    sockets = []
    try:
        for _ in range(40):
            sockets.append(socket.create_connection(("127.0.0.1", small_office.metrics), timeout=300))
            sockets[-1].sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in sockets[-1].recv(4096)
        clock = Stopwatch()
        with urllib.request.urlopen(f"http://127.0.0.1:{small_office.metrics}/metrics", timeout=300) as answer:
            assert b"perennial_http_requests_total" in answer.read()
        assert clock.seconds < 5
    finally:
        for connection in sockets:
            connection.close()
