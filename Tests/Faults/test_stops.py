"""SIGTERM ends a server at any time: while nobody reads its log, while it starts, as the first process of a container."""

import contextlib
import os
import pathlib
import signal
import subprocess
import threading

import pytest

from installation import BINARY, REPOSITORY, Installation, until
from stopwatch import Stopwatch
from tcp_database import TCPDatabase

# The advisory lock that migrators of one database share.
TURN = 0x706572656E6E6961
CONTAINER = ["unshare", "--pid", "--fork", "--kill-child"]


def makes_containers():
    try:
        return subprocess.run([*CONTAINER, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.fixture(scope="module")
def database():
    made = TCPDatabase()
    yield made
    made.remove()


@pytest.fixture
def own():
    """Makes an installation of the test's own, not started."""
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def elsewhere(own, database):
    """Makes the same installation with an empty database of another server."""
    database.sql("DROP DATABASE IF EXISTS perennial WITH (FORCE)", "postgres")
    database.sql("CREATE DATABASE perennial", "postgres")
    own.environment["PERENNIAL_DATABASE_URL"] = database.url()
    return own


@contextlib.contextmanager
def turn_of_somebody_else(database):
    """Holds the migrators' lock in another session."""
    holder = database.psql()
    holder.stdin.write(f"SELECT pg_advisory_lock({TURN});\n")
    holder.stdin.flush()
    until(lambda: database.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == ["1"], "the lock", 30)
    try:
        yield
    finally:
        holder.stdin.close()
        holder.wait(300)


def start(own, *command, below=(), **settings):
    """Starts a command whose output goes to the installation's log."""
    with open(own.log, "wb") as log:
        return subprocess.Popen(
            [*below, BINARY, *command], cwd=REPOSITORY, env=own.environment | settings, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log)


def wait_for_turn(own):
    until(lambda: "waiting for another program to bring the schema forward" in own.log.read_text(), "the wait", 60)


def fill(pipe):
    """Fills a pipe until it takes nothing more."""
    again = os.open(f"/proc/self/fd/{pipe}", os.O_WRONLY | os.O_NONBLOCK)
    for size in (4096, 1):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(again, b"." * size)
    os.close(again)


def test_a_log_that_nobody_reads_keeps_no_server(own):
    reader, writer = os.pipe()
    is_read = threading.Event()

    def read():
        while not is_read.is_set():
            os.read(reader, 65536)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    server = own.start(output=os.fdopen(writer, "wb"), PERENNIAL_LOG_LEVEL="trace", PERENNIAL_SHUTDOWN_SECONDS="4")
    is_read.set()
    # This text ends its last read.
    fill(writer)
    reading.join(300)
    fill(writer)
    try:
        clock = Stopwatch()
        assert own.stop(server) == 1
        assert clock.seconds < 20
    finally:
        server.process.kill()
        os.close(reader)


@pytest.mark.parametrize("below", [
    (), pytest.param(CONTAINER, marks=pytest.mark.skipif(not makes_containers(), reason="there are no containers here"))])
def test_sigterm_ends_a_server_that_starts(elsewhere, database, below):
    with turn_of_somebody_else(database):
        process = start(elsewhere, "serve", below=below)
        try:
            wait_for_turn(elsewhere)
            target = process.pid
            if below:
                [target] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(int(target), signal.SIGTERM)
            assert process.wait(300) == 0
            assert "told to stop before it had started" in elsewhere.log.read_text()
        finally:
            process.kill()
    assert database.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace") == ["0"]


def test_who_waits_for_a_migrator_says_for_whom_and_goes_on_after_it(elsewhere, database):
    with turn_of_somebody_else(database):
        process = start(elsewhere, "migrate")
        wait_for_turn(elsewhere)
        assert "(application_name psql)" in elsewhere.log.read_text()
    assert process.wait(300) == 0
    assert "Applied 0001" in elsewhere.log.read_text()
    with turn_of_somebody_else(database):
        # There is nothing to do, so nobody waits.
        assert elsewhere.do("staff", "list", timeout=300) == ""
        server = elsewhere.start()
        assert elsewhere.stop(server) == 0


def test_a_database_that_is_read_only_is_read(elsewhere, database):
    elsewhere.do("migrate")
    server = elsewhere.start()
    elsewhere.stop(server)
    database.sql("ALTER DATABASE perennial SET default_transaction_read_only = on", "postgres")
    assert elsewhere.do("staff", "list") == ""
    assert "its schema is current" in elsewhere.run("doctor").stdout
