"""The private cluster: whose it is, where it is, and what is not made or replaced silently."""

import contextlib
import os
import pathlib

import pytest

from installation import CATALOG, Installation, free_port, until

COMMANDS = {
    "audit verify": [], "catalog apply": [str(CATALOG)], "doctor": [], "migrate": [], "reports list": [], "rollups verify": [],
    "secret forget": ["--reason", "nothing is here to forget"], "staff list": [], "upgrade-cluster": [], "work": [],
    "work --once": [],
}


@pytest.fixture
def own():
    """An installation of one's own, not started."""
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


def sockets(process):
    """The sockets that a process has open."""
    found = set()
    for name in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            target = os.readlink(name)
            if target.startswith("socket:"):
                found.add(target)
    return found


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_server_outlives_the_one_that_started_its_cluster(own, end):
    starter = own.start()
    other = own.start(PERENNIAL_PORT=str(free_port()))
    before = own.postmaster()
    getattr(own, end)(starter)
    other.wait_until_ready(30)
    assert own.postmaster() not in (None, before)
    assert own.sql("SELECT count(*) > 0 FROM schema_migrations") == ["t"]
    assert own.stop(other) == 0
    assert own.postmaster() is None


def test_a_server_outlives_the_worker_that_started_its_cluster(own):
    own.stop(own.start())
    worker = own.popen("work")
    until(own.postmaster, "the cluster of the worker", 30)
    server = own.start()
    worker.terminate()
    assert worker.wait(30) == 0
    server.wait_until_ready(30)
    assert own.stop(server) == 0


def test_the_database_holds_none_of_the_servers_sockets(own):
    """Else the port of a killed server would go on accepting, and never answer."""
    server = own.start()
    mine = sockets(server.process.pid)
    assert mine
    assert mine & sockets(own.postmaster()) == set()
    own.kill(server)
    assert own.start().status("/healthz") == 200


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_make_no_installation(own, command):
    done = own.run(*command.split(), *COMMANDS[command])
    assert done.returncode > 0
    assert str(own.state) in done.stdout + done.stderr
    assert "perennial serve" in done.stdout + done.stderr, done.stdout + done.stderr
    assert not own.state.exists()


def refusal(own):
    """What a server says that does not start."""
    done = own.run("serve", timeout=60)
    assert done.returncode > 0
    return done.stderr.strip().splitlines()[-1]


def test_a_secret_is_never_replaced_silently(own):
    own.stop(own.start())
    secret = own.state / "secret"
    kept = secret.read_bytes()

    secret.unlink()
    assert "is missing, and the database holds what was sealed with it" in refusal(own)
    assert not secret.exists()

    secret.write_bytes(kept[:7])
    assert "is torn (7 bytes are left of it)" in refusal(own)
    assert secret.read_bytes() == kept[:7]

    secret.write_bytes(b"another secret, as long as it has to be")
    assert "is not the secret of this database" in refusal(own)
    doctor = own.run("doctor")
    assert doctor.returncode == 1 and "is not the secret of this database" in doctor.stdout

    secret.write_bytes(kept)
    own.stop(own.start())

    secret.unlink()
    assert own.do("secret", "forget", "--reason", "the disk with it is gone") == "The secret is forgotten."
    server = own.start()
    assert secret.read_bytes() != kept
    assert own.sql("SELECT reason FROM audit_entries WHERE action = 'secret.forget'") == ["other: the disk with it is gone"]
    assert own.stop(server) == 0


def test_a_state_directory_moves_with_all_that_is_in_it(own):
    own.stop(own.start())
    own.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
    moved = own.home / "elsewhere" / "state"
    moved.parent.mkdir(mode=0o711)
    own.state.rename(moved)
    assert "ada@example.com" in own.do("staff", "list", PERENNIAL_STATE=str(moved))


def test_a_state_directory_without_its_database_starts_nothing_anew(own):
    own.state.mkdir()
    (own.state / "secret").write_bytes(b"a secret, as long as it has to be, of before")
    assert "holds the secret of an installation, but not its database" in refusal(own)
    assert not own.cluster.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL runs as somebody else")
def test_a_directory_that_postgres_cannot_enter_is_refused(own):
    own.home.chmod(0o700)
    said = refusal(own)
    assert f"PostgreSQL runs as the user postgres, who may not enter {own.home}: set PERENNIAL_STATE" in said
    assert not own.cluster.exists()
