"""A full disk of the database: no answer claims that lost data is stored, and answers, /readyz and the log say what is wrong."""

import collections
import http.client
import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

import load
from installation import CATALOG, until
from replication import PostgresServer


@pytest.fixture
def disk():
    """Mounts a file system of 200 MB in memory, which can be filled."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-disk-"))
    try:
        mounting = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=200m,mode=0755", "tmpfs", home], capture_output=True, text=True)
        refusal = mounting.stderr.strip() if mounting.returncode else None
    except OSError as error:
        refusal = str(error)
    if refusal is not None:
        home.rmdir()
        pytest.skip(f"no file system can be mounted here: {refusal}")
    try:
        shutil.chown(home, "postgres")
        yield home
    finally:
        subprocess.run(["umount", home], check=True)
        home.rmdir()


@pytest.fixture
def database(disk):
    made = PostgresServer(disk, "a")
    try:
        made.sql("CREATE DATABASE perennial", "postgres")
        yield made
    finally:
        made.stop("immediate")


def fill(file):
    """Fills the rest of the disk, to the last page."""
    with open(file, "wb", buffering=0) as filling:
        try:
            while True:
                filling.write(b"x" * 4096)
        except OSError:
            return


def readiness(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    connection.request("GET", "/readyz")
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def send(server, payload):
    return load.post(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300), payload)


def test_a_full_disk_is_said_by_every_answer_and_by_readyz(own, disk, database):
    own.environment["PERENNIAL_DATABASE_URL"] = database.url()
    own.do("migrate")
    signed = list(load.simulated(own, customers=40, months=12, seed=21).items())
    own.do("catalog", "apply", str(CATALOG), "--simulator", str(own.authority / "root.der"))
    server = own.start()
    assert send(server, signed[0][1]) == 200
    # The WAL goes on in a new file, which has its full size already; without room for the next, PostgreSQL would end.
    database.sql("SELECT pg_switch_wal()", "postgres")
    database.sql("CHECKPOINT", "postgres")
    fill(disk / "filling")

    # A row that is updated in place is still written, which proves nothing; that is known before any store has sent anything.
    full = "Nothing can be stored: the database has no space left on its disk."
    until(lambda: readiness(server)[0] == 503, "not ready", 20)
    assert full in readiness(server)[1]
    kept, answers = {signed[0][0]}, collections.Counter()
    for name, payload in signed[1:]:
        status = send(server, payload)
        answers[status] += 1
        if status == 200:
            kept.add(name)
        if answers[503] == 40:
            break
    assert answers[503] == 40 and set(answers) <= {200, 503}
    for _ in range(3):
        status, text = readiness(server)
        assert status == 503 and full in text
        time.sleep(2.5)
    assert server.status("/healthz") == 200

    (disk / "filling").unlink()
    until(lambda: readiness(server)[0] == 200, "ready again", 30)
    assert [send(server, payload) for _, payload in signed[:80]] == [200] * 80
    stored = set(database.sql("SELECT lower(notification_uuid) FROM store_notifications"))
    assert kept | {name for name, _ in signed[:80]} <= stored
    assert own.stop(server) == 0
