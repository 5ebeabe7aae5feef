"""After a failover two servers take writes, and one of them is a trap: nobody will ever see its data."""

import pytest

from installation import until
from replication import any_of


def writes(server):
    """Returns the number of rows on a server that our program wrote."""
    return server.sql("SELECT (SELECT count(*) FROM staff) + (SELECT count(*) FROM audit_entries)")[0]


def refused(own, *arguments, told, **settings):
    """Runs a command that must end with one error line, which has the reason and the way out; returns the line."""
    done = own.run(*arguments, input="correct horse battery\n", timeout=300, **settings)
    assert done.returncode > 0
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, done.stderr
    assert told in errors[0], done.stderr
    assert ".swift" not in errors[0]
    return errors[0]


ADD = ["staff", "add", "--name", "Ada", "--role", "admin"]


@pytest.fixture
def failed_over(own, group):
    """Runs a server on A; then promotes B, and runs the server on B. A still runs, and takes writes."""
    a = group.primary("a")
    b = group.standby(a, "b")
    own.stop(own.start(PERENNIAL_DATABASE_URL=a.url()))
    a.caught_up(b)
    b.promote()
    own.stop(own.start(PERENNIAL_DATABASE_URL=b.url()))
    return a, b


def test_a_stale_primary_is_refused(own, failed_over):
    a, b = failed_over
    before = writes(a)
    for command in [["serve"], ["work"], ["work", "--once"], ["migrate"], [*ADD, "ada@example.com"],
                    ["backup", str(own.home / "copy")]]:
        told = refused(own, *command, told="the old primary of a failover", PERENNIAL_DATABASE_URL=a.url())
        assert "timeline 1" in told and "timeline 2" in told and str(own.state / "timeline") in told
    assert writes(a) == before, "something was written that nobody will see"
    assert not list(own.home.glob("copy*")), "a copy of what nobody should see was kept"
    doctor = own.run("doctor", PERENNIAL_DATABASE_URL=a.url())
    assert doctor.returncode == 1 and "the old primary of a failover" in doctor.stdout
    own.do(*ADD, "ada@example.com", input="correct horse battery\n", PERENNIAL_DATABASE_URL=b.url())
    # An operator who knows better may go back.
    (own.state / "timeline").unlink()
    own.do("staff", "list", PERENNIAL_DATABASE_URL=a.url())


def test_several_hosts_lead_to_the_new_primary(own, failed_over):
    """libpq takes the first host that accepts writes, which may be the wrong one."""
    a, b = failed_over
    before = writes(a)
    for order in [(a, b), (b, a)]:
        name = f"{order[0].data.name}@example.com"
        own.do(*ADD, name, input="correct horse battery\n", PERENNIAL_DATABASE_URL=any_of(*order))
        assert b.sql(f"SELECT count(*) FROM staff WHERE email = '{name}'") == ["1"]
    assert writes(a) == before
    # pg_dump and pg_restore, which connect by themselves, do not go to the wrong one either.
    own.do("backup", str(own.home / "copy"), "--unchecked", PERENNIAL_DATABASE_URL=any_of(a, b))
    for server in (a, b):
        server.sql("CREATE DATABASE empty", "postgres")
    own.do("restore", str(own.home / "copy"), PERENNIAL_DATABASE_URL=any_of(a, b, database="empty"))
    tables = "SELECT count(*) > 0 FROM pg_tables WHERE schemaname = 'public'"
    assert (a.sql(tables, "empty"), b.sql(tables, "empty")) == (["f"], ["t"])


def test_a_standby_of_another_cluster_and_a_torn_file_are_refused(own, group):
    a = group.primary("a")
    own.stop(own.start(PERENNIAL_DATABASE_URL=a.url()))
    standby = group.standby(a, "b")
    for command in [["staff", "list"], ["backup", str(own.home / "copy")]]:
        refused(own, *command, told="is a standby, which takes no writes", PERENNIAL_DATABASE_URL=standby.url())
    other = group.primary("c")
    told = refused(own, "serve", told="is of another cluster", PERENNIAL_DATABASE_URL=other.url())
    assert f"remove {own.state / 'timeline'}" in told
    assert other.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace") == ["0"]
    (own.state / "timeline").write_text("syst")
    refused(own, "staff", "list", told="is torn", PERENNIAL_DATABASE_URL=a.url())


def test_a_running_server_leaves_the_primary_of_before(own, group):
    """Its pool still has connections to A when the first one to B is opened."""
    a = group.primary("a")
    b = group.standby(a, "b")
    server = own.start(PERENNIAL_DATABASE_URL=any_of(a, b))
    assert a.sql("SELECT newest_timeline FROM installation") == ["1"]
    a.caught_up(b)
    a.stop()
    b.promote()
    server.wait_until_ready(60)
    assert (own.state / "timeline").read_text().split()[-1] == "2"
    a.start()
    before = writes(a)
    ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'perennial'"
    b.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'perennial'")
    until(lambda: b.sql(ours) != ["0"], "coming back", 30)
    server.wait_until_ready(60)
    # A is listed first: each new connection asks it, and is closed when it answers that it is of an older timeline.
    until(lambda: a.sql(ours) == ["0"], "leaving A", 30)
    assert own.stop(server) == 0
    assert writes(a) == before
