"""Backups: made while the server works, restored once before they are called one, and put back only where nothing is."""

import json
import os

import pytest

import load
from installation import CATALOG, Installation

COUNTS = "SELECT count(*) FROM orders", "SELECT count(*) FROM store_notifications", "SELECT count(*) FROM audit_entries"




@pytest.fixture(scope="module")
def source():
    """An installation with books, whose server runs."""
    made = Installation()
    try:
        server = made.start()
        signed = load.simulated(made, customers=20, months=12, seed=5)
        made.do("catalog", "apply", str(CATALOG), "--simulator", str(made.authority / "root.der"))
        with load.Load(signed, [server.port], load.Journal(), copies=1) as sending:
            sending.join()
        made.settle()
        made.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def backup(source):
    directory = source.home / "backup"
    said = source.do("backup", str(directory), "--with-secret", timeout=120)
    assert "It was restored once and is the same." in said
    return directory


@pytest.fixture
def target():
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


def files(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_backup_is_whole_private_and_leaves_nothing_else(source, backup):
    assert files(backup) == ["database.dump", "manifest.json", "secret"]
    assert [path.stat().st_mode & 0o077 for path in [backup, *backup.iterdir()]] == [0] * 4
    manifest = json.loads((backup / "manifest.json").read_text())
    assert manifest["isChecked"] is True
    assert manifest["facts"]["rows"]["public.orders"] == int(source.sql(COUNTS[0])[0]) > 0
    assert manifest["facts"]["auditMark"] in source.do("audit", "verify")
    assert not list(source.state.glob("perennial-backup-check-*")), "the cluster of the check is still there"
    assert source.server.status("/readyz") == 200


def test_a_backup_is_restored_with_its_secret_and_served(source, backup, target):
    said = target.do("restore", str(backup), timeout=120)
    assert "is the same as what was copied" in said and "The secret is restored, too." in said
    assert (target.state / "secret").read_bytes() == (source.state / "secret").read_bytes()
    server = target.start()
    assert [target.sql(count) for count in COUNTS] == [source.sql(count) for count in COUNTS]
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
    copy = target.home / "copy"
    copy.mkdir()
    for name in files(backup):
        (copy / name).write_bytes((backup / name).read_bytes())
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
    said = target.do("restore", str(directory), timeout=120)
    assert "The backup has no secret: put it back before the next start" in said
    done = target.run("serve")
    assert done.returncode > 0 and "is missing, and the database holds what was sealed with it" in done.stderr
    server = target.start(PERENNIAL_SECRET=(source.state / "secret").read_text())
    assert target.stop(server) == 0


def test_a_database_of_ones_own_is_copied_and_restored(source, backup):
    source.sql("CREATE DATABASE elsewhere")
    url = source.database_url("elsewhere")
    source.do("restore", str(backup), PERENNIAL_DATABASE_URL=url, timeout=120)
    again = source.home / "again"
    assert "restored once" in source.do("backup", str(again), PERENNIAL_DATABASE_URL=url, timeout=120)
    facts = [json.loads((path / "manifest.json").read_text())["facts"] for path in (backup, again)]
    assert facts[0] == facts[1]
