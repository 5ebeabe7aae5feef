"""The errors of commands: one clear line, an exit code, and no internals."""

import concurrent.futures
import socket
import threading

import pytest

from installation import CATALOG, Installation
from stopwatch import Stopwatch

NOWHERE = "host=/nonexistent connect_timeout=2"
ERRORS = {
    "a port that is none": (["serve"], {"PERENNIAL_PORT": "http"}, "PERENNIAL_PORT is a number from 0 to 65535"),
    "a port out of range": (["migrate"], {"PERENNIAL_PORT": "65536"}, "PERENNIAL_PORT is a number from 0 to 65535"),
    "a log level that is none": (["doctor"], {"PERENNIAL_LOG_LEVEL": "loud"}, "PERENNIAL_LOG_LEVEL is one of"),
    "a public URL that is none": (["serve"], {"PERENNIAL_PUBLIC_URL": "ftp://shop"}, "must begin with https://"),
    "a host for everybody without HTTPS": (["serve"], {"PERENNIAL_HOST": "0.0.0.0"}, "needs a public URL"),
    "a database that is not there": (["migrate"], {"PERENNIAL_DATABASE_URL": NOWHERE}, "database cannot be reached"),
    "a database URL that is none": (["migrate"], {"PERENNIAL_DATABASE_URL": "nonsense"}, "database"),
    "a connection string that is none": (
        ["migrate"], {"PERENNIAL_DATABASE_URL": "host=127.0.0.1 prt=5"}, 'cannot be used: invalid connection option "prt"'),
    "a backup below a file": (["backup", "/etc/hostname/x"], {}, "cannot be made: Not a directory. Name a new directory"),
    "rates that are not there": (["rates", "import", "/nowhere.csv"], {}, "There is no file /nowhere.csv"),
    "rates that are a directory": (["rates", "import", "/etc"], {}, "/etc cannot be read"),
    "rates that are none": (["rates", "import", "/bin/true"], {}, "not a file of comma-separated values"),
    "a state directory that is a file": (["migrate"], {"PERENNIAL_STATE": "/etc/hostname/state"}, "/etc/hostname"),
    "a catalogue that is not there": (["catalog", "apply", "/nowhere.yaml"], {}, "/nowhere.yaml cannot be read"),
    "a catalogue that is a directory": (["catalog", "apply", "/etc"], {}, "/etc cannot be read"),
    "a catalogue that is no YAML": (["catalog", "apply", "/bin/true"], {}, "is not the YAML of a catalogue"),
    "a root that is not there": (["catalog", "apply", str(CATALOG), "--simulator", "/no.der"], {}, "/no.der cannot be read"),
    "a root that is no certificate": (
        ["catalog", "apply", str(CATALOG), "--simulator", "/etc/hostname"], {}, "not a DER certificate"),
    "a change that rows forbid": (["catalog", "apply", str(CATALOG)], {}, "apple.environment cannot change"),
    "a role that is none": (
        ["staff", "add", "b@example.com", "--name", "B", "--role", "king"], {}, "A role is one of support, admin, analyst"),
    "an address that is none": (["staff", "add", "b", "--name", "B", "--role", "admin"], {}, "address"),
    "a weak password": (["staff", "password", "ada@example.com"], {"input": "short\n"}, "assword"),
    "no password": (["staff", "password", "ada@example.com"], {"input": ""}, "A password is needed"),
    "an account that is there": (
        ["staff", "add", "ada@example.com", "--name", "A", "--role", "admin"], {}, "already"),
    "an account that is not there": (["staff", "token", "nobody@example.com", "--name", "t"], {}, "nobody@example.com"),
    "a day that is none": (["simulate", "apple", "--to", "http://127.0.0.1:1", "--until", "soon"], {}, "--until"),
    "an address to send to that is none": (["simulate", "apple", "--to", "nowhere", "--customers", "1"], {}, "nowhere"),
    "a port of the App Store that is none": (["simulate", "apple-server", "--port", "0"], {}, "--port"),
    "an address for notifications that is none": (["simulate", "apple-server", "--webhook", "nowhere"], {}, "nowhere"),
    "a port of WeChat Pay that is none": (["simulate", "wechat", "serve", "--port", "65536"], {}, "--port"),
    "an address of pushes that is none": (["simulate", "google", "serve", "--webhook", "nowhere"], {}, "nowhere"),
    "a simulated store that is not there": (
        ["simulate", "alipay", "buy", "A1", "--at", "http://127.0.0.1:1"], {}, "No simulated store answers at http://127.0.0.1:1"),
    "nothing to change": (["simulate", "wechat", "change"], {}, "Nothing is to change"),
    "a store that is none": (["reconcile", "steam"], {}, "There is no store steam"),
    "a store that cannot be asked": (["reconcile", "apple"], {}, "no catalogue has a key for that"),
    "an app that is not there": (["reconcile", "apple", "--app", "nobody"], {}, "There is no app nobody"),
    "an app without a key": (["reconcile", "apple", "--app", "readmigo"], {}, "its catalogue has no key for that"),
    "more days than Apple remembers": (["reconcile", "apple", "--days", "181"], {}, "--days is from 1 to 180"),
    "days that are no number": (["reconcile", "apple", "--days", "1.5"], {}, "--days"),
    "a command that is none": (["frobnicate"], {}, "frobnicate"),
    "a flag that is none": (["serve", "--fast"], {}, "--fast"),
}


def test_a_port_that_is_taken(installation):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = installation.run("simulate", "apple-server", "--port", str(port), "--customers", "1")
    assert done.returncode == 1 and f"Port {port} cannot be listened on." in done.stderr, done.stderr


@pytest.mark.parametrize("name", ERRORS)
def test_errors(installation, traded, token, name):
    arguments, settings, told = ERRORS[name]
    settings = {"input": "a password that is long\n"} | settings
    before = installation.counts()
    done = installation.run(*arguments, **settings)
    assert done.returncode not in (0, None) and done.returncode > 0, "it did not fail, or crashed"
    assert told in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    usage = [line for line in lines if not line.startswith(("Help:", "Usage:", "  See '"))]
    assert len(usage) == 1, done.stderr
    assert lines[0].startswith("Error: ")
    assert not any(inside in done.stderr for inside in [".swift", "Fatal", "underlying", "Stack", "0x"]), done.stderr
    assert installation.counts() == before


def test_a_port_that_is_taken(installation, payloads):
    done = installation.run("serve", PERENNIAL_DATABASE_URL=installation.database_url())
    assert done.returncode > 0
    assert str(installation.server.port) in done.stderr.splitlines()[-1], done.stderr
    assert ".swift" not in done.stderr.splitlines()[-1]
    installation.server.wait_until_ready(10)


def test_migrating_several_times_at_once(installation):
    installation.sql("CREATE DATABASE several")
    url = installation.database_url("several")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: installation.run("migrate", PERENNIAL_DATABASE_URL=url), range(4)))
    assert [run.returncode for run in runs] == [0] * 4, [run.stderr for run in runs]
    said = sorted(run.stdout.strip() for run in runs)
    assert said[0].startswith("Applied 0001")
    assert said[1:] == ["The schema is current."] * 3
    assert installation.sql("SELECT count(*) = count(DISTINCT name) AND count(*) > 5 FROM schema_migrations", "several") == ["t"]


def test_a_database_that_is_newer(installation):
    installation.sql("CREATE DATABASE newer")
    url = installation.database_url("newer")
    installation.do("migrate", PERENNIAL_DATABASE_URL=url)
    installation.sql("INSERT INTO schema_migrations VALUES ('9999_later', '0')", "newer")
    done = installation.run("serve", PERENNIAL_DATABASE_URL=url)
    assert done.returncode > 0
    assert "9999_later" in done.stderr and "the database is newer" in done.stderr


def one_line(done):
    """Returns the error of a command: one line, without internal codes."""
    assert done.returncode > 0
    lines = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1 and done.stderr.strip().endswith(lines[0]), done.stderr
    assert not any(inside in lines[0] for inside in [".swift", "NSError", "Domain=", "UserInfo", "CREATE ", "underlying"]), lines[0]
    return lines[0]


COMMANDS = [["serve"], ["work"], ["work", "--once"], ["migrate"], ["staff", "list"]]


def test_another_programs_database_is_refused_before_anything_is_made_in_it(installation):
    installation.sql("CREATE DATABASE blog")
    installation.sql("CREATE TABLE posts (id int); CREATE VIEW recent AS SELECT * FROM posts", "blog")
    relations = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
    for command in COMMANDS:
        told = one_line(installation.run(
            *command, PERENNIAL_PORT="0", PERENNIAL_DATABASE_URL=installation.database_url("blog")))
        assert "belongs to another program (it has posts)" in told and "a database of its own" in told
    doctor = installation.run("doctor", PERENNIAL_DATABASE_URL=installation.database_url("blog"))
    assert doctor.returncode == 1 and "belongs to another program" in doctor.stdout
    assert installation.sql(relations, "blog") == ["posts", "recent"]
    # A schema of its own beside it will do.
    installation.sql("CREATE SCHEMA perennial; ALTER DATABASE blog SET search_path = perennial, public", "blog")
    installation.do("migrate", PERENNIAL_DATABASE_URL=installation.database_url("blog"))
    assert installation.sql(relations, "blog") == ["posts", "recent"]


def test_a_migration_that_fails_says_why_and_what_to_do(installation):
    installation.sql("CREATE DATABASE owned; CREATE ROLE guest LOGIN")
    url = installation.database_url("owned").replace("user=postgres", "user=guest")
    told = one_line(installation.run("migrate", PERENNIAL_DATABASE_URL=url))
    assert "permission denied for schema public" in told and "owner" in told, told
    installation.sql("DROP DATABASE owned; DROP ROLE guest")


def test_a_refused_connection_is_told_at_once(installation):
    """A retry does not help: somebody has to change a setting."""
    rules = installation.cluster / "data" / "pg_hba.conf"
    before = rules.read_text()
    reload = "SELECT pg_reload_conf()"
    installation.sql("CREATE ROLE stranger LOGIN PASSWORD 'a'; CREATE ROLE keyed LOGIN PASSWORD 'b'; CREATE ROLE plain LOGIN")
    installation.sql("CREATE DATABASE closed")
    installation.sql("REVOKE CONNECT ON DATABASE closed FROM PUBLIC")
    try:
        rules.write_text("local all stranger reject\nlocal all keyed scram-sha-256\n" + before)
        installation.sql(reload)
        url = installation.database_url()
        cases = {
            url.replace("user=postgres", "user=stranger"): "pg_hba.conf",
            url.replace("user=postgres", "user=keyed password=wrong"): "Set the role's password",
            url.replace("user=postgres", "user=keyed"): "no password supplied. Set the role's password",
            installation.database_url("closed").replace("user=postgres", "user=plain"): "GRANT CONNECT ON DATABASE",
            installation.database_url("nowhere"): "Create it (createdb)",
        }
        for wrong, told in cases.items():
            for command in COMMANDS:
                clock = Stopwatch()
                line = one_line(installation.run(*command, PERENNIAL_PORT="0", PERENNIAL_DATABASE_URL=wrong, PERENNIAL_PATIENCE="60"))
                assert line.startswith("Error: The database refuses the connection: ") and told in line, line
                assert clock.seconds < 60, "it waited"
    finally:
        rules.write_text(before)
        installation.sql(reload + "; DROP ROLE stranger; DROP ROLE keyed; DROP ROLE plain; DROP DATABASE closed")


def test_a_private_cluster_that_lets_nobody_in_ends_with_its_reason():
    closed = Installation()
    try:
        closed.start()
        closed.stop(closed.server)
        (closed.cluster / "data" / "pg_hba.conf").write_text("local all all reject\n")
        for command in (["serve"], ["staff", "list"]):
            told = one_line(closed.run(*command, timeout=300))
            assert "pg_hba.conf rejects connection" in told and "local all postgres trust" in told, told
    finally:
        closed.remove()


def test_tls_that_the_server_does_not_have_is_told_at_once(installation):
    def answer():
        while True:
            client, _ = listener.accept()
            with client:
                client.recv(8)
                client.sendall(b"N")

    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=answer, daemon=True).start()
    url = f"host=127.0.0.1 port={listener.getsockname()[1]} user=postgres dbname=x sslmode=require"
    clock = Stopwatch()
    told = one_line(installation.run("staff", "list", PERENNIAL_DATABASE_URL=url, PERENNIAL_PATIENCE="60"))
    assert "server does not support SSL" in told and "sslmode and certificates have to fit the server" in told
    assert clock.seconds < 60, "it waited"


def test_a_role_without_rights_is_told_which_it_needs(installation):
    installation.sql("CREATE ROLE poor LOGIN")
    url = installation.database_url().replace("user=postgres", "user=poor")
    told = one_line(installation.run("staff", "list", PERENNIAL_DATABASE_URL=url))
    assert "permission denied" in told and "the owner of the schema and its tables" in told
    installation.sql("DROP ROLE poor")


def test_a_host_that_does_not_resolve_is_named(installation, payloads):
    told = one_line(installation.run(
        "serve", PERENNIAL_DATABASE_URL=installation.database_url(), PERENNIAL_HOST="no.such.host.invalid", PERENNIAL_PORT="0",
        PERENNIAL_PUBLIC_URL="https://office.example.com"))
    assert told.startswith("Error: no.such.host.invalid is no address") and "set PERENNIAL_HOST" in told


def test_a_state_directory_that_cannot_be_made_is_named(installation, payloads):
    installation.sql("CREATE DATABASE elsewhere")
    told = one_line(installation.run(
        "serve", PERENNIAL_STATE="/etc/hostname/state", PERENNIAL_PORT="0",
        PERENNIAL_DATABASE_URL=installation.database_url("elsewhere")))
    assert "/etc/hostname/state" in told and "PERENNIAL_STATE" in told


def test_doctor_finds_all_well(installation, traded, token):
    installation.settle()
    done = installation.run("doctor")
    assert done.returncode == 0, done.stdout
    assert all(line.startswith("ok ") for line in done.stdout.splitlines()), done.stdout
    assert "readmigo takes in com.readmigo.app from a simulator" in done.stdout


def test_doctor_says_what_is_wrong(installation, payloads, token):
    installation.sql("CREATE DATABASE bare")
    url = installation.database_url("bare")
    empty = installation.run("doctor", PERENNIAL_DATABASE_URL=url)
    assert empty.returncode == 1
    assert "wrong there is no Perennial in this database" in empty.stdout
    installation.do("migrate", PERENNIAL_DATABASE_URL=url)
    bare = installation.run("doctor", PERENNIAL_DATABASE_URL=url)
    assert bare.returncode == 1
    assert "wrong there is no app\n      perennial catalog apply Catalogs/readmigo.yaml" in bare.stdout
    assert "wrong nobody can sign in as admin\n      perennial staff add" in bare.stdout

    away = installation.run("doctor", PERENNIAL_DATABASE_URL=NOWHERE)
    assert away.returncode == 1
    assert "wrong The database cannot be reached" in away.stdout
    assert "check PERENNIAL_DATABASE_URL" in away.stdout
    assert ".swift" not in away.stdout

    installation.sql(
        "INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, signed_at, "
        "received_at, signed_payload, state, scheduled_at, finalized_at, last_error) "
        "SELECT gen_random_uuid(), id, 'apple', 'production', 'planted', 'TEST', now(), now(), 'a.b.c', 'failed', now(), "
        "now(), 'planted' FROM apps")
    failed = installation.run("doctor")
    installation.sql("DELETE FROM store_notifications WHERE notification_uuid = 'planted'")
    assert failed.returncode == 1
    assert "wrong 1 notification" in failed.stdout
    assert "perennial work --retry-failed" in failed.stdout


def test_work_once(installation, payloads):
    """A worker that runs the present jobs, and ends."""
    installation.settle()
    assert installation.do("work", "--once").splitlines()[-1] == "0 notifications were taken."
