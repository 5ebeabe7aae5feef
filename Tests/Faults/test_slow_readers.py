"""People who request an export and do not read it: each holds only their own place, and nobody else notices."""

import http.client
import re
import socket
import time

import pytest

import ports
import scale
from desk import Desk
from installation import CATALOG, Installation, until
from stopwatch import Stopwatch
from tcp_database import TCPDatabase

pytestmark = pytest.mark.long

PASSWORD = "correct horse battery"
PATH = "/dashboard/exports/customers"
ROWS = scale.of(60_000, 30_000)
PEOPLE = 6
AT_ONCE = 2  # of one person
IN_TOTAL = 8
IDLE_IN_TRANSACTION = 15  # seconds, after which PostgreSQL ends a session of ours
PEER_TIMEOUT = 20  # seconds, after which one side of a TCP connection to PostgreSQL gives up the other

CUSTOMERS = f"""
    INSERT INTO customers (id, app_id, key, name, created_at)
    SELECT gen_random_uuid(), apps.id, 'reader-' || number, repeat('Zeynep ', 50), now() - number * interval '1 s'
    FROM apps, generate_series(1, {ROWS}) AS number
    WHERE slug = 'readmigo'
"""
JOB = "00000000-0000-7000-8000-00000000000b"
LINES = f"""
    INSERT INTO bulk_jobs (id, app_id, kind, reason, state, requested_by, requested_at, finished_at)
    SELECT '{JOB}', apps.id, 'revoke', 'They are gone.', 'done', staff.id, now(), now()
    FROM apps, staff
    WHERE slug = 'readmigo' AND email = 'reader0@example.com';
    INSERT INTO bulk_job_items (job_id, line, input, state)
    SELECT '{JOB}', number, 'reader-' || number || repeat(' Zeynep', 50), 'not_found' FROM generate_series(1, {ROWS}) AS number
"""


@pytest.fixture(scope="module")
def office():
    """Makes an installation with more customers than all buffers between the database and a reader hold."""
    made = Installation()
    try:
        made.start(PERENNIAL_LOG_LEVEL="info")
        made.do("catalog", "apply", str(CATALOG))
        made.sql(CUSTOMERS)
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def far_office():
    """Makes the same installation with a database that is reached by TCP."""
    database, made = TCPDatabase(), Installation()
    made.environment["PERENNIAL_DATABASE_URL"] = database.url()
    try:
        made.start()
        made.do("catalog", "apply", str(CATALOG))
        database.sql(CUSTOMERS)
        yield made
    finally:
        made.remove()
        database.remove()


@pytest.fixture(scope="module")
def people(office):
    """Returns the cookies of several people who may export."""
    return [cookie(office, f"reader{number}") for number in range(PEOPLE)]


def cookie(office, name):
    email = f"{name}@example.com"
    office.do("staff", "add", email, "--name", name, "--role", "admin", input=PASSWORD + "\n")
    return Desk(office, email, PASSWORD).cookie


class Reader:
    """A reader of a file, who reads the head of the answer and then as little as a test says."""

    def __init__(self, office, cookie, path=PATH, server=None):
        self.socket = socket.socket()
        # The system's buffer for a reader is small, so that a few megabytes are enough to fill it.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        self.socket.settimeout(300)
        self.socket.connect(("127.0.0.1", (server or office.server).port))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        self.answer = http.client.HTTPResponse(self.socket, method="GET")
        self.answer.begin()
        self.status = self.answer.status
        self.retry_after = self.answer.headers["Retry-After"]

    def take(self, size):
        """Reads so many bytes more."""
        return self.answer.read(size)

    def rest(self):
        """Reads all that is left; raises `http.client.IncompleteRead` or an `OSError` if it was cut off."""
        return self.answer.read()

    def close(self):
        self.answer.close()
        self.socket.close()


@pytest.fixture
def readers(office):
    """Opens readers; at the test's end they are closed, and the server has noticed."""
    opened = []

    def read(cookie, path=PATH):
        opened.append(Reader(office, cookie, path))
        return opened[-1]

    yield read
    for reader in opened:
        reader.close()
    until(lambda: running(office) == 0, "the end of all exports", 30)


def running(office):
    """Returns the number of exports that the database works on."""
    return int(office.sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state = 'active'")[0])


def get(office, cookie, path):
    """Returns the status of a page, and the seconds that it took."""
    connection = http.client.HTTPConnection("127.0.0.1", office.server.port, timeout=300)
    clock = Stopwatch()
    connection.request("GET", path, headers={"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, clock.seconds


def log_of(office):
    return office.log.read_text(errors="replace")


def written_down(office):
    """Returns the logged rows of each export, and whether it was complete; the newest is the last."""
    return office.sql(
        "SELECT after ->> 'rows', after ->> 'complete' FROM audit_entries JOIN audit_chain ON entry_id = id "
        "WHERE action IN ('list.export', 'bulk.export') ORDER BY number")


def test_a_third_export_of_one_person_is_refused_before_its_first_byte(office, people, readers):
    taken = [readers(people[0]) for _ in range(AT_ONCE)]
    assert [reader.status for reader in taken] == [200] * AT_ONCE
    refused = readers(people[0])
    assert refused.status == 429 and int(refused.retry_after) > 0
    assert b"still downloading" in refused.rest()
    assert readers(people[1]).status == 200, "somebody else is not refused"


def test_slow_readers_block_neither_pages_nor_each_other(office, people, readers):
    """Nine and more readers: those within the limits get their file, the others a reason at once, and pages answer."""
    asked = [readers(people[number // AT_ONCE]) for number in range(PEOPLE * AT_ONCE)]
    taken = [reader for reader in asked if reader.status == 200]
    refused = [reader for reader in asked if reader.status != 200]
    assert len(taken) == IN_TOTAL and len(refused) == PEOPLE * AT_ONCE - IN_TOTAL
    for reader in refused:
        assert reader.status == 503 and int(reader.retry_after) > 0
        assert b"others are downloading" in reader.rest()
    for path in ["/dashboard/customers", "/dashboard/orders", "/dashboard/audit"]:
        status, seconds = get(office, people[-1], path)
        assert status == 200 and seconds < 20
    office.server.wait_until_ready(10)
    taken[0].close()
    fresh = until(lambda: (new := readers(people[-1])).status == 200 and new, "room for one more", 30)
    assert fresh.rest().count(b"\r\n") == ROWS + 1, "all of it"
    assert taken[1].rest().count(b"\r\n") == ROWS + 1, "all of it, however late"


def test_a_reader_who_takes_the_tail_late_gets_it_and_keeps_no_transaction_open(office, people, readers):
    """PostgreSQL is done long before: the rest waits in our buffers for as long as the reader needs."""
    whole = len(readers(people[0]).rest())
    reader, before = readers(people[0]), len(written_down(office))
    taken = reader.take(whole - 1_500_000)
    until(lambda: running(office) == 0, "the end of the database's work", 10)
    open_ones = office.sql(
        "SELECT state FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND pid <> pg_backend_pid() AND xact_start IS NOT NULL")
    assert open_ones == []
    time.sleep(IDLE_IN_TRANSACTION + 3)
    taken += reader.rest()
    assert len(taken) == whole and taken.count(b"reader-") == ROWS
    until(lambda: len(written_down(office)) > before, "the entry in the audit log", 10)
    assert written_down(office)[-1] == f"{ROWS}|true"


def test_a_reader_who_pauses_gets_all_of_it_also_from_a_database_over_tcp(far_office):
    """The database cannot send meanwhile, but does not take the server for gone."""
    reader = Reader(far_office, cookie(far_office, "reader0"))
    try:
        taken = reader.take(500_000)
        time.sleep(PEER_TIMEOUT + 5)
        assert (taken + reader.rest()).count(b"reader-") == ROWS
    finally:
        reader.close()


BREAK = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state = 'active'"
RENAME = "ALTER TABLE bulk_job_items RENAME COLUMN {} TO {}"


@pytest.mark.parametrize("kind, path, prepare, fail, mend", [
    ("customers", PATH, "", BREAK, ""),
    ("bulk", f"/dashboard/bulk/{JOB}/result.csv", LINES, RENAME.format("input", "gone"), RENAME.format("gone", "input")),
])
def test_an_export_that_fails_behind_its_head_is_cut_off_and_logged_with_its_rows(
        office, people, readers, kind, path, prepare, fail, mend):
    office.sql(prepare)
    reader = readers(people[0], path)
    assert reader.status == 200
    if kind == "customers":
        until(lambda: running(office) == 1, "the export", 10)
    before, entries = len(log_of(office)), len(written_down(office))
    office.sql(fail)
    try:
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            reader.rest()
        line = until(lambda: re.search(r"error.*an export broke off.*", log_of(office)[before:]), "a line in the log", 10)
    finally:
        office.sql(mend)
    rows = int(re.search(r"rows=(\d+)", line[0])[1])
    assert f"list={kind}" in line[0] and 0 < rows < ROWS
    until(lambda: len(written_down(office)) > entries, "the entry in the audit log", 10)
    assert written_down(office)[-1] == f"{rows}|false"


def test_an_export_that_a_stopping_server_breaks_off_is_an_error_with_its_rows(office, people):
    """The log must not say that the reader had left."""
    second = office.start(
        PERENNIAL_PORT=str(ports.take()), PERENNIAL_SHUTDOWN_SECONDS="4", PERENNIAL_LOG_LEVEL="info")
    reader = Reader(office, people[0], server=second)
    try:
        assert reader.status == 200
        until(lambda: running(office) == 1, "the export", 10)
        before = len(log_of(office))
        office.stop(second)
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            reader.rest()
    finally:
        reader.close()
        if second in office.servers:
            office.kill(second)
    said = log_of(office)[before:]
    line = re.search(r"error.*an export broke off.*", said)
    assert line and "list=customers" in line[0] and int(re.search(r"rows=(\d+)", line[0])[1]) > 0
    assert "not taken to its end" not in said


def test_a_failure_before_the_first_row_is_no_file(office, people):
    """Nothing was sent yet, so the answer says what is wrong."""
    office.sql("ALTER TABLE customers RENAME COLUMN external_id TO gone")
    try:
        assert get(office, people[0], PATH)[0] == 500
    finally:
        office.sql("ALTER TABLE customers RENAME COLUMN gone TO external_id")
    assert get(office, people[0], PATH)[0] == 200


def test_an_export_to_http_1_0_that_fails_is_seen_to_be_incomplete(office, people):
    """HTTP/1.0 has no chunks: the end of the connection is the end of the file, unless it is a reset."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        connection.settimeout(300)
        connection.connect(("127.0.0.1", office.server.port))
        connection.sendall(f"GET {PATH} HTTP/1.0\r\nHost: localhost\r\nCookie: {people[0]}\r\n\r\n".encode())
        head = connection.recv(1024)
        assert head.startswith(b"HTTP/1.0 200 ") and b"chunked" not in head
        until(lambda: running(office) == 1, "the export", 10)
        office.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state = 'active'")
        with pytest.raises(ConnectionResetError):
            while connection.recv(65536):
                pass


@pytest.mark.parametrize("version, field", [("1.0", "Host: localhost"), ("1.1", "Host: localhost\r\nConnection: close")])
def test_a_slow_reader_of_the_last_answer_of_a_connection_gets_all_of_it(office, people, version, field):
    """The rest arrives, however much is under way when the server has written everything."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        connection.settimeout(300)
        connection.connect(("127.0.0.1", office.server.port))
        connection.sendall(f"GET {PATH} HTTP/{version}\r\n{field}\r\nCookie: {people[0]}\r\n\r\n".encode())
        received = bytearray()
        while piece := connection.recv(1024 * 1024):
            received += piece
            # Read more slowly once the server may have written all of it.
            time.sleep(0.005 if len(received) > ROWS * 300 else 0)
        assert received.endswith(b"0\r\n\r\n" if version == "1.1" else b"\r\n")
        assert received.split(b"\r\n\r\n", 1)[1].count(b"reader-") == ROWS
