"""Backups: made while the server works, verified by a restore, and restored only into an empty place."""

import json
import os
import signal

import pytest

import load
from installation import CATALOG, Installation, until

COUNTS = "SELECT count(*) FROM orders", "SELECT count(*) FROM store_notifications"
WHOLE = ("SELECT action FROM audit_entries JOIN audit_chain ON entry_id = id "
         "WHERE action IN ('schema.migrate', 'backup.make', 'backup.restore') ORDER BY number")




@pytest.fixture(scope="module")
def source():
    """Makes an installation with data, whose server runs."""
    made = Installation()
    try:
        server = made.start()
        signed = load.simulated(made, customers=20, months=12, seed=5)
        made.do("catalog", "apply", str(CATALOG), "--simulator", str(made.authority / "root.der"))
        with load.Load(signed, [server.port], load.Journal(), copies=1) as sending:
            sending.join()
        made.settle()
        made.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
        made.sql("INSERT INTO staff_writes SELECT id, 'FF/0' FROM staff")
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def backup(source):
    directory = source.home / "backup"
    said = source.do("backup", str(directory), "--with-secret", timeout=300)
    assert "It was restored once and is the same." in said
    return directory


@pytest.fixture
def target():
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


def copied(backup, directory):
    """Copies the files of a backup to another directory, to be changed there."""
    directory.mkdir()
    for name in files(backup):
        (directory / name).write_bytes((backup / name).read_bytes())
    return directory


def files(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_backup_is_whole_private_and_leaves_nothing_else(source, backup):
    assert files(backup) == ["database.dump", "manifest.json", "secret"]
    assert [path.stat().st_mode & 0o077 for path in [backup, *backup.iterdir()]] == [0] * 4
    manifest = json.loads((backup / "manifest.json").read_text())
    assert manifest["isChecked"] is True and manifest["isAuditChecked"] is True
    assert manifest["facts"]["rows"]["public.orders"] == int(source.sql(COUNTS[0])[0]) > 0
    # The log goes on from the end of the copy's: with the entry of the backup.
    assert "The audit log is whole" in source.do("audit", "verify", "--mark", manifest["facts"]["auditMark"])
    assert not list(source.state.glob("perennial-backup-check-*")), "the cluster of the check is still there"
    source.server.wait_until_ready(10)


def test_a_backup_is_restored_with_its_secret_and_served(source, backup, target):
    said = target.do("restore", str(backup), timeout=300)
    assert "is the same as what was copied" in said and "The secret is restored, too." in said
    assert (target.state / "secret").read_bytes() == (source.state / "secret").read_bytes()
    server = target.start()
    assert [target.sql(count) for count in COUNTS] == [source.sql(count) for count in COUNTS]
    # The log is the copy's, and tells then of the restore; the copy was made before its own entry.
    assert target.sql(WHOLE) == ["schema.migrate", "backup.restore"]
    assert source.sql(WHOLE)[:2] == ["schema.migrate", "backup.make"]
    [line] = target.do("audit", "--action", "backup.restore").splitlines()
    assert "(command line)" in line.split("\t")[1] and '"backup"' in line
    # A log position of the copied server means nothing in this one's log.
    assert source.sql("SELECT count(*) FROM staff_writes") == ["1"] and target.sql("SELECT count(*) FROM staff_writes") == ["0"]
    assert "ada@example.com" in target.do("staff", "list")
    assert "The audit log is whole" in target.do("audit", "verify")
    assert target.stop(server) == 0


def test_a_restore_goes_over_nothing(backup, source):
    before = source.counts()
    done = source.run("restore", str(backup))
    assert done.returncode > 0
    assert "the database is not empty" in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert source.counts() == before


def test_a_backup_goes_over_nothing(backup, source):
    done = source.run("backup", str(backup))
    assert done.returncode > 0
    assert f"{backup} is there already" in done.stderr
    assert files(backup) == ["database.dump", "manifest.json", "secret"]


def test_what_was_changed_is_not_restored(backup, target):
    copy = copied(backup, target.home / "copy")
    with open(copy / "database.dump", "r+b") as dump:
        dump.seek(-5, os.SEEK_END)
        byte = dump.read(1)[0]
        dump.seek(-5, os.SEEK_END)
        dump.write(bytes([byte ^ 1]))
    done = target.run("restore", str(copy))
    assert done.returncode > 0
    assert "is not the file that was written" in done.stderr
    assert not target.state.exists()
    (copy / "manifest.json").unlink()
    assert "is no backup" in target.run("restore", str(copy)).stderr


def test_a_backup_without_its_secret_says_so_and_the_server_waits_for_it(source, target):
    directory = source.home / "without"
    assert "It was not restored to check it." in source.do("backup", str(directory), "--unchecked")
    assert files(directory) == ["database.dump", "manifest.json"]
    said = target.do("restore", str(directory), timeout=300)
    assert "The backup has no secret: put it back before the next start" in said
    done = target.run("serve")
    assert done.returncode > 0 and "is missing, and the database holds what was sealed with it" in done.stderr
    server = target.start(PERENNIAL_SECRET=(source.state / "secret").read_text())
    assert target.stop(server) == 0


def test_a_database_of_ones_own_is_copied_and_restored(source, backup):
    source.sql("CREATE DATABASE elsewhere")
    url = source.database_url("elsewhere")
    source.do("restore", str(backup), PERENNIAL_DATABASE_URL=url, timeout=300)
    again = source.home / "again"
    assert "restored once" in source.do("backup", str(again), PERENNIAL_DATABASE_URL=url, timeout=300)
    facts = [json.loads((path / "manifest.json").read_text())["facts"] for path in (backup, again)]
    logs = {"public.audit_entries", "public.audit_chain"}
    for found in facts:
        found["rows"] = {table: count for table, count in found["rows"].items() if table not in logs}
        found.pop("auditMark")
    assert facts[0] == facts[1]
    assert source.sql(WHOLE, "elsewhere") == ["schema.migrate", "backup.restore", "backup.make"]


def test_an_installation_in_a_schema_of_its_own_is_copied_and_restored(source):
    """The tables of another program beside it stay out of the backup."""
    source.sql("CREATE DATABASE shared; CREATE DATABASE for_two")
    source.sql("CREATE TABLE posts (id int); CREATE SCHEMA perennial; ALTER DATABASE shared SET search_path = perennial, public", "shared")
    settings = {"PERENNIAL_DATABASE_URL": source.database_url("shared")}
    source.do("migrate", **settings)
    source.do("staff", "add", "zoe@example.com", "--name", "Zoe", "--role", "admin", input="correct horse battery\n", **settings)
    directory = source.home / "schema"
    assert "restored once" in source.do("backup", str(directory), timeout=300, **settings)
    facts = json.loads((directory / "manifest.json").read_text())["facts"]
    assert facts["schema"] == "perennial" and facts["rows"]["perennial.staff"] == 1
    assert all(name.startswith("perennial.") for name in facts["rows"])

    settings = {"PERENNIAL_DATABASE_URL": source.database_url("for_two")}
    source.sql("CREATE TABLE posts (id int)", "for_two")
    refused = source.run("restore", str(directory), **settings)
    assert refused.returncode > 0 and "ALTER DATABASE … SET search_path = perennial" in refused.stderr
    assert source.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'perennial'", "for_two") == ["0"]
    source.sql("ALTER DATABASE for_two SET search_path = perennial, public", "for_two")
    source.do("restore", str(directory), timeout=300, **settings)
    assert "zoe@example.com" in source.do("staff", "list", **settings)
    assert source.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", "for_two") == ["1"]


def test_a_schema_of_another_version_is_copied_and_what_was_not_computed_is_said(source):
    source.sql("CREATE DATABASE older; CREATE DATABASE older_again")
    url = source.database_url("older")
    source.do("migrate", PERENNIAL_DATABASE_URL=url)
    source.sql("DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)", "older")
    directory = source.home / "older"
    said = source.do("backup", str(directory), PERENNIAL_DATABASE_URL=url, timeout=300)
    assert "restored once" in said and "not computed anew" in said
    assert source.sql(WHOLE, "older") == ["schema.migrate", "backup.make"]
    said = source.do("restore", str(directory), PERENNIAL_DATABASE_URL=source.database_url("older_again"), timeout=300)
    assert source.sql(WHOLE, "older_again") == ["schema.migrate", "backup.restore"]
    assert "not computed anew" in said and "perennial audit verify" in said


def test_a_wrong_secret_is_neither_copied_nor_restored(source, backup, target):
    wrong = "not the secret of this installation at all"
    done = source.run("backup", str(source.home / "wrong"), "--with-secret", "--unchecked", PERENNIAL_SECRET=wrong)
    assert done.returncode > 0 and "PERENNIAL_SECRET is not the secret of this database" in done.stderr
    assert not list(source.home.glob("wrong*"))
    copy = copied(backup, target.home / "copy")
    (copy / "secret").write_text(wrong)
    done = target.run("restore", str(copy))
    assert done.returncode > 0 and "is not the secret of this backup" in done.stderr
    assert not target.state.exists(), "the database was filled"


def test_a_backup_for_cron_prints_nothing(source):
    assert source.do("backup", str(source.home / "quiet"), "--unchecked", "--quiet") == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_backup_that_is_ended_leaves_no_copy_for_ever(source, number):
    def checks(path=""):
        return list(source.state.glob("perennial-backup-check-*" + path))

    running = source.popen("backup", str(source.home / "ended"))
    until(lambda: checks("/data/postmaster.pid"), "the check", 60)
    assert source.run("backup", str(source.home / "ended"), "--unchecked").returncode > 0, "two backups write to one directory"
    running.send_signal(number)
    _, errors = running.communicate(timeout=300)
    assert running.returncode != 0
    if number == signal.SIGTERM:
        assert b"Error: the backup was told to stop" in errors
    else:
        until(lambda: not checks("/data/postmaster.pid"), "the end of the check's server", 30)
        assert "holds a copy of the database, left by a backup that was killed" in source.run("doctor").stdout
        source.do("backup", str(source.home / f"after-{number}"), "--unchecked")
    assert not checks() and not list(source.home.glob("ended*"))
    assert "left by a backup" not in source.run("doctor").stdout
