"""The private cluster: its owner, its place, and the things that are never made or replaced silently."""

import contextlib
import json
import os
import pathlib

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import ports
from installation import CATALOG, Installation, until

WHY = ["--reason", "nothing is here to change"]
WHOM = ["ada@example.com"]
# Every command that works on an installation, with arguments; HOME is a directory of the test's own.
COMMANDS = {
    "app-key issue": ["readmigo", "--name", "till", "--scope", "usage:write"], "app-key list": ["readmigo"],
    "app-key revoke": ["readmigo", "01920000-0000-7000-8000-000000000000", *WHY],
    "apple extend": ["1", "--app", "readmigo", "--days", "7", *WHY],
    "apple lookup-order": ["MK5TTTVWJH", "--app", "readmigo"],
    "apple set-account-token": [
        "1000000000000001", "--token", "01920000-0000-7000-8000-000000000000", "--app", "readmigo", *WHY],
    "audit list": [], "audit verify": [], "backup": ["HOME/copy"], "catalog apply": [str(CATALOG)], "catalog preview": [str(CATALOG)],
    "customer tester": ["--app", "readmigo", "--customer", "01920000-0000-7000-8000-000000000000"], "doctor": [], "migrate": [],
    "rates import": ["HOME/rates.csv"],
    "reconcile": ["apple"],
    "reports add": ["sums", "--app", "readmigo", "--what", "revenue", "--every", "day", "--to", "HOME"],
    "reports list": [], "reports remove": ["sums"], "reports run": ["sums"], "rollups rebuild": [], "rollups verify": [],
    "secret forget": WHY, "staff add": [*WHOM, "--name", "Ada", "--role", "admin"], "staff apps": [*WHOM, *WHY],
    "staff disable": [*WHOM, *WHY], "staff enable": [*WHOM, *WHY],
    "staff invite": [*WHOM, "--name", "Ada", "--role", "admin", *WHY], "staff list": [], "staff password": WHOM,
    "staff reset": [*WHOM, *WHY], "staff role": [*WHOM, "--role", "support", *WHY], "staff sessions": WHOM,
    "staff token issue": [*WHOM, "--name", "till"], "staff token list": [],
    "staff token revoke": ["01920000-0000-7000-8000-000000000000", *WHY], "staff two-factor off": [*WHOM, *WHY],
    "token": ["--app", "readmigo", "--customer", "u1"],
    "upgrade-cluster": [], "work": [], "work --once": [], "work --retry-failed": [],
}
# The commands that make an installation, or need none.
OTHERS = {"serve", "demo", "restore", "simulate apple-server", "help"}
OTHERS |= {f"simulate {store} {verb}" for store, verbs in {
    "apple": "send keys buy renew cancel restart grace retry expire refund",
    "wechat": "serve buy refund settle change answer spoil refuse bills fault clock deliver list",
    "alipay": "serve scan buy refund finish answer spoil bills fault clock deliver list",
    "google": "serve buy live refund message answer spoil fault clock deliver list",
}.items() for verb in verbs.split()}
# In an operator's own database `migrate` begins an installation; `upgrade-cluster` is for the private cluster alone.
ELSEWHERE = sorted(set(COMMANDS) - {"migrate", "upgrade-cluster"})


@pytest.fixture
def own():
    """Makes an installation of the test's own, not started."""
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def empty(installation):
    """Returns an installation whose PostgreSQL has an empty database."""
    installation.sql("CREATE DATABASE nothing")
    yield installation
    installation.sql("DROP DATABASE nothing WITH (FORCE)")


def leaves(command, above=()):
    """Returns the names of a command's subcommands that have none of their own."""
    path = [*above, command["commandName"]]
    below = command.get("subcommands") or []
    return set().union(*(leaves(one, path) for one in below)) if below else {" ".join(path[1:])}


def run(own, command, **settings):
    """Runs one of COMMANDS; returns its exit code and all its output."""
    (own.home / "rates.csv").write_text("Date,USD\n2026-11-20,1.0850\n")
    words = [word.replace("HOME", str(own.home)) for word in COMMANDS[command]]
    done = own.run(*command.split(), *words, input="correct horse battery\n", **settings)
    return done.returncode, done.stdout + done.stderr


def sockets(process):
    """Returns the sockets that a process has open."""
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
    other = own.start(PERENNIAL_PORT=str(ports.take()))
    before = own.postmaster()
    getattr(own, end)(starter)
    # Its last finding is good for five seconds: it may say that it is ready before it has noticed.
    until(lambda: own.postmaster() not in (None, before), "the takeover", 30)
    other.wait_until_ready(30)
    assert own.sql("SELECT count(*) > 0 FROM schema_migrations") == ["t"]
    assert own.stop(other) == 0
    assert own.postmaster() is None


def test_a_server_outlives_the_worker_that_started_its_cluster(own):
    own.stop(own.start())
    worker = own.popen("work")
    until(own.postmaster, "the cluster of the worker", 30)
    server = own.start()
    worker.terminate()
    assert worker.wait(300) == 0
    server.wait_until_ready(30)
    assert own.stop(server) == 0


def test_the_database_holds_none_of_the_servers_sockets(own):
    """Otherwise the port of a killed server would go on accepting connections, and never answer."""
    server = own.start()
    mine = sockets(server.process.pid)
    assert mine
    assert mine & sockets(own.postmaster()) == set()
    own.kill(server)
    assert own.start().status("/healthz") == 200


def test_no_command_is_forgotten_here(own):
    named = {" ".join(word for word in command.split() if not word.startswith("-")) for command in COMMANDS}
    all_of_them = leaves(json.loads(own.do("--experimental-dump-help"))["command"])
    assert named | OTHERS == all_of_them and not named & OTHERS


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_make_no_installation(own, command):
    code, said = run(own, command)
    assert code > 0
    assert str(own.state) in said
    assert "perennial serve" in said, said
    assert not own.state.exists()
    assert not (own.home / "copy").exists()


@pytest.mark.parametrize("command", ELSEWHERE)
def test_commands_make_no_installation_in_an_empty_database(own, empty, command):
    own.state.mkdir()
    code, said = run(own, command, PERENNIAL_DATABASE_URL=empty.database_url("nothing"))
    assert code > 0
    told = [line for line in said.splitlines() if "there is no Perennial in this database" in line]
    assert len(told) == 1 and told[0].startswith(("Error: ", "wrong ")), said
    assert "is PERENNIAL_DATABASE_URL right?" in told[0] and "`perennial migrate` or `perennial serve`" in told[0]
    assert empty.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace", "nothing") == ["0"]
    assert list(own.state.iterdir()) == [] and not (own.home / "copy").exists()


def refusal(own):
    """Returns the error of a server that does not start."""
    done = own.run("serve", timeout=300)
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


def seal(secret, owner):
    """Returns a person's second factor, sealed as by a server with that secret."""
    key = HKDF(hashes.SHA256(), 32, None, b"perennial vault 1").derive(secret)
    nonce = os.urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, b"the key of an authenticator", owner.encode())


def test_a_secret_of_before_there_were_fingerprints_is_told_by_what_it_sealed(own):
    server = own.start()
    own.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
    secret = own.state / "secret"
    kept = secret.read_bytes()
    [owner] = own.sql("SELECT id FROM staff")
    own.sql(
        "UPDATE installation SET secret_fingerprint = NULL; "
        "INSERT INTO staff_two_factor (staff_id, sealed_secret, created_at, last_step) "
        f"VALUES ('{owner}', decode('{seal(kept, owner).hex()}', 'hex'), now(), 0)")
    own.stop(server)

    secret.unlink()
    assert "is missing, and the database holds what was sealed with it" in refusal(own)
    assert not secret.exists()

    secret.write_bytes(b"0" * 64)
    assert "is not the secret of this database" in refusal(own)

    secret.write_bytes(kept)
    server = own.start()
    assert own.sql("SELECT secret_fingerprint IS NOT NULL FROM installation") == ["t"]
    assert own.stop(server) == 0


def test_a_torn_secret_is_not_taken_for_the_first_one(own):
    server = own.start()
    own.sql("UPDATE installation SET secret_fingerprint = NULL")
    own.stop(server)
    secret = own.state / "secret"
    torn = secret.read_bytes()[:40]
    secret.write_bytes(torn)
    assert "is torn (40 bytes of 64), and nothing is sealed with it" in refusal(own)
    assert secret.read_bytes() == torn


def test_an_upgrade_that_was_cut_short_says_what_to_rename(own):
    own.stop(own.start())
    data, kept = own.cluster / "data", own.cluster / "data.postgresql-15"
    data.rename(kept)
    for command in [["serve"], ["staff", "list"], ["upgrade-cluster"], ["doctor"]]:
        done = own.run(*command)
        said = done.stdout + done.stderr
        assert done.returncode > 0
        assert f"an upgrade that was cut short left {kept}: rename that to `data`" in said, said
        assert not any(other in said for other in ["To begin anew", "is PERENNIAL_STATE right?", "install PostgreSQL"]), said
    kept.rename(data)
    assert own.stop(own.start()) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL runs as somebody else")
def test_a_strict_umask_keeps_nobody_out(own):
    strict = ["sh", "-c", 'umask 077; exec "$@"', "sh"]
    server = own.start(below=strict, PERENNIAL_STATE=str(own.home / "var" / "lib" / "perennial"))
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
