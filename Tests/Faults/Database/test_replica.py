"""Pages may be read from a replica; when it is down, paused or behind, everybody gets an answer, and people see what they have
just saved."""

import concurrent.futures
import signal
import time
import urllib.error
import urllib.request

import pytest

from desk import Desk
from installation import CATALOG, until
from stopwatch import Stopwatch
from tcp_database import Relay


PASSWORD = "correct horse battery\n"


@pytest.fixture
def settings(own, group):
    """Returns the settings of a server whose screens are read from a standby, at most 8 seconds old."""
    a = group.primary("a")
    b = group.standby(a, "b")
    settings = {
        "PERENNIAL_DATABASE_URL": a.url(), "PERENNIAL_READ_DATABASE_URL": b.url(), "PERENNIAL_READ_MAX_AGE": "8",
        "PERENNIAL_METRICS_TOKEN": "metrics-of-the-tests"}
    own.do("migrate", **settings)
    own.do("catalog", "apply", str(CATALOG), **settings)
    own.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input=PASSWORD, **settings)
    return settings


class Caller:
    """A program that reads the admin API and the pages."""

    def __init__(self, server, own, settings):
        self.server = server
        self.token = own.do("staff", "token", "ada@example.com", "--name", "replica", **settings).split()[-1]

    def read(self, path="/admin/orders?app=readmigo"):
        """Reads a path; returns the status, the seconds that it took, and the text."""
        clock = Stopwatch()
        request = urllib.request.Request(self.server.url + path, headers={"Authorization": f"Bearer {self.token}"})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.status, clock.seconds, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, clock.seconds, error.read().decode()

    def readiness(self):
        with urllib.request.urlopen(self.server.url + "/readyz", timeout=300) as answer:
            return answer.status, answer.read().decode()

    def metrics(self):
        request = urllib.request.Request(
            self.server.url + "/metrics", headers={"Authorization": "Bearer metrics-of-the-tests"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            lines = [line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if line.startswith("perennial_replica")]
        return {name: float(value) for name, value in lines}

    def uses_replica(self):
        return self.metrics().get("perennial_replica_used") == 1


def test_a_replica_that_is_away_turns_nobody_away(own, group, settings):
    a, b = group.servers
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    assert caller.read()[0] == 200
    doctor = own.run("doctor", PERENNIAL_PATIENCE="20", **settings)
    assert "ok    the replica follows" in doctor.stdout, doctor.stdout

    b.stop("immediate")
    answers = [caller.read() for _ in range(40)]
    assert {status for status, _, _ in answers} == {200}
    until(lambda: not caller.uses_replica(), "leaving the replica", 10)
    assert max(caller.read()[1] for _ in range(10)) < 4.5
    assert caller.readiness() == (
        200, "ready; pages are read from the primary: the replica does not answer, or is refused; perennial doctor says why\n")
    doctor = own.run("doctor", **settings)
    assert doctor.returncode == 1
    assert "wrong pages are read from the primary, not from the replica" in doctor.stdout
    assert "pages are read from the primary, not from the replica" in own.log.read_text()

    b.start()
    until(caller.uses_replica, "coming back to the replica", 60)
    assert caller.read()[0] == 200 and caller.readiness() == (200, "ready\n")
    # The server also starts while the replica is down.
    b.stop("immediate")
    own.stop(server)
    server = own.start(**settings)
    assert Caller(server, own, settings).read()[0] == 200


def test_a_replica_that_hangs_turns_nobody_away(own, group, settings):
    a, b = group.servers
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    b.signal(signal.SIGSTOP)
    try:
        answers = [caller.read() for _ in range(20)]
        assert {status for status, _, _ in answers} == {200}
        until(lambda: not caller.uses_replica(), "leaving the replica", 15)
        assert max(caller.read()[1] for _ in range(10)) < 4.5
    finally:
        b.signal(signal.SIGCONT)
    until(caller.uses_replica, "coming back to the replica", 60)
    assert own.stop(server) == 0


def test_a_replica_that_stands_still_hides_nothing_from_who_saved_it(own, group, settings):
    a, b = group.servers
    own.do("staff", "add", "bob@example.com", "--name", "Bob", "--role", "admin", input=PASSWORD, **settings)
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    ada, bob = (Desk(own, f"{name}@example.com", PASSWORD.strip()) for name in ("ada", "bob"))
    a.caught_up(b)
    b.sql("SELECT pg_wal_replay_pause()")
    ada.send("/dashboard/views/new?list=orders", "/dashboard/views", name="Ours and nobody else's")
    assert "Ours and nobody else" in ada.page("/dashboard/orders")
    file = ada.submit("/dashboard/audit", "/dashboard/audit/exports").read().decode()
    assert "view.save" in file, file
    # For others the replica still answers, with its age.
    until(lambda: " seconds old" in bob.page("/dashboard/orders"), "a page that says its age", 20)
    page = ada.page("/dashboard/orders")
    assert "Ours and nobody else" in page and " seconds old" not in page
    # At the limit the primary answers everybody.
    until(lambda: not caller.uses_replica(), "leaving the replica", 20)
    assert " seconds old" not in bob.page("/dashboard/orders")
    doctor = own.run("doctor", **settings)
    assert "replay is paused" in doctor.stdout and "pg_wal_replay_resume()" in doctor.stdout, doctor.stdout
    assert caller.metrics()["perennial_replica_age_seconds"] >= 8
    b.sql("SELECT pg_wal_replay_resume()")
    until(caller.uses_replica, "coming back to the replica", 30)
    a.caught_up(b)
    assert "Ours and nobody else" in ada.page("/dashboard/orders")
    assert own.stop(server) == 0


def test_a_replica_of_another_cluster_is_not_read(own, group, settings):
    other = group.primary("c")
    other.sql("CREATE TABLE orders (id int)")
    settings = settings | {"PERENNIAL_READ_DATABASE_URL": other.url()}
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    assert caller.read()[0] == 200 and not caller.uses_replica()
    assert own.stop(server) == 0
    assert "is of another cluster" in own.run("doctor", **settings).stdout


def test_a_standby_that_was_promoted_is_no_replica(own, group, settings):
    """Its data says nothing of its new timeline: we never wrote to it."""
    a, b = group.servers
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    a.caught_up(b)
    b.promote()
    until(lambda: not caller.uses_replica(), "leaving it", 5)
    assert "it takes writes of its own" in caller.readiness()[1]
    # Restarted, it no longer knows how far it replayed, and its connections are new.
    b.stop()
    b.start()
    ada = Desk(own, "ada@example.com", PASSWORD.strip())
    ada.send("/dashboard/views/new?list=orders", "/dashboard/views", name="Ours and nobody else's")
    end = time.monotonic() + 6
    while time.monotonic() < end:
        assert "Ours and nobody else" in ada.page("/dashboard/orders") and not caller.uses_replica()
    assert own.stop(server) == 0
    assert "the server was promoted: it takes writes on timeline 2" in own.run("doctor", **settings).stdout


def test_the_primary_may_be_named_as_its_own_replica(own, group, settings):
    a, _ = group.servers
    settings = settings | {"PERENNIAL_READ_DATABASE_URL": a.url()}
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    assert caller.read()[0] == 200 and caller.uses_replica()
    assert own.stop(server) == 0


def test_what_was_saved_is_seen_after_a_crash_of_the_primary(own, group, settings):
    a, b = group.servers
    settings = settings | {"PERENNIAL_READ_MAX_AGE": "60"}
    server = own.start(**settings)
    caller = Caller(server, own, settings)
    until(caller.uses_replica, "use of the replica", 30)
    ada = Desk(own, "ada@example.com", PASSWORD.strip())
    a.caught_up(b)
    b.sql("SELECT pg_wal_replay_pause()")
    ada.send("/dashboard/views/new?list=orders", "/dashboard/views", name="Ours and nobody else's")
    a.stop("immediate")
    a.start()
    assert a.sql("SELECT count(*) FROM staff_writes") == ["1"]
    server.wait_until_ready(60)
    for _ in range(10):
        assert "Ours and nobody else" in ada.page("/dashboard/orders")
    # Writes that could not be noted may be missing, so for the others it has to catch up as well.
    until(lambda: not caller.uses_replica(), "leaving the replica", 10)
    assert "Ours and nobody else" in ada.page("/dashboard/orders")
    b.sql("SELECT pg_wal_replay_resume()")
    until(caller.uses_replica, "coming back to the replica", 30)
    assert "Ours and nobody else" in ada.page("/dashboard/orders")
    assert own.stop(server) == 0


def test_of_several_servers_behind_one_address_none_hides_what_was_saved(own, group, settings):
    a, b = group.servers
    c = group.standby(a, "c")
    balancer = Relay(b.port, c.port)
    settings = settings | {
        "PERENNIAL_READ_DATABASE_URL": f"host=127.0.0.1 port={balancer.port} user=postgres dbname=perennial"}
    server = own.start(**settings)
    try:
        caller = Caller(server, own, settings)
        until(caller.uses_replica, "use of the replica", 30)
        ada = Desk(own, "ada@example.com", PASSWORD.strip())
        a.caught_up(c)
        c.sql("SELECT pg_wal_replay_pause()")
        ada.send("/dashboard/views/new?list=orders", "/dashboard/views", name="Ours and nobody else's")
        a.caught_up(b)
        with concurrent.futures.ThreadPoolExecutor(8) as people:
            pages = list(people.map(lambda _: ada.page("/dashboard/orders"), range(48)))
        assert ["Ours and nobody else" in page for page in pages] == [True] * 48
        for _ in range(4):
            assert "view.save" in ada.submit("/dashboard/audit", "/dashboard/audit/exports").read().decode()
        ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'perennial'"
        assert b.sql(ours, "postgres") != ["0"] and c.sql(ours, "postgres") != ["0"]
        assert own.stop(server) == 0
    finally:
        balancer.close()


def test_doctor_says_that_asynchronous_standbys_lose_what_was_answered(own, group, settings):
    a, b = group.servers
    told = own.run("doctor", **settings).stdout
    assert "wrong 1 standby, and none is synchronous: a failover may lose notifications that the stores were told are kept" in told
    assert "synchronous_standby_names = 'ANY 1 (*)'" in told
    a.sql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
    a.reload()
    until(lambda: a.sql("SELECT sync_state FROM pg_stat_replication") == ["quorum"], "a synchronous standby", 20)
    assert "ok    1 standby, and a commit waits for a synchronous one" in own.run("doctor", PERENNIAL_PATIENCE="20", **settings).stdout
    a.sql("ALTER DATABASE perennial SET synchronous_commit = 'local'")
    assert "wrong synchronous_commit is local, which waits for no standby" in own.run("doctor", **settings).stdout
    a.sql("ALTER DATABASE perennial SET synchronous_commit = 'remote_write'")
    told = own.run("doctor", **settings).stdout
    assert "wrong synchronous_commit is remote_write, which does not wait for the standby's disk" in told
