"""Tokens of the admin API on the command line: their list, a revocation, and the effect of a new password."""

import os
import pty
import select
import subprocess
import urllib.error
import urllib.request

import pytest

from installation import BINARY, REPOSITORY, Installation

EMAIL = "kim@example.com"
PASSWORD = "correct horse battery\n"


@pytest.fixture(scope="module")
def office():
    made = Installation()
    try:
        made.start()
        made.do("catalog", "apply", str(REPOSITORY / "Catalogs" / "readmigo.yaml"))
        made.do("staff", "add", EMAIL, "--name", "Kim", "--role", "admin", input=PASSWORD)
        yield made
    finally:
        made.remove()


def issue(office, name):
    return office.do("staff", "token", EMAIL, "--name", name)


def status(office, key):
    request = urllib.request.Request(office.server.url + "/admin/orders", headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def listed(office, *arguments):
    """Returns the columns of each token, by its name."""
    lines = office.do("staff", "token", "list", *arguments).splitlines()
    return {line.split("\t")[2]: line.split("\t") for line in lines}


def test_one_key_is_revoked_and_the_others_go_on(office):
    lost, kept = issue(office, "lost"), issue(office, "kept")
    assert status(office, lost) == status(office, kept) == 200
    before = listed(office, EMAIL)
    assert before["lost"][3:5] == ["everything", "good"]
    assert before["lost"][5].startswith("used 20")
    assert lost not in str(before)
    unused = issue(office, "unused")
    assert listed(office)["unused"][5] == "never used"
    told = office.do("staff", "token", "revoke", before["lost"][0], "--reason", "the laptop was stolen")
    assert told == f"The key lost of {EMAIL} is revoked."
    assert (status(office, lost), status(office, kept), status(office, unused)) == (401, 200, 200)
    assert listed(office)["lost"][4].startswith("revoked 20")
    assert office.sql("SELECT reason FROM audit_entries WHERE action = 'token.revoke'") == ["other: the laptop was stolen"]
    again = office.run("staff", "token", "revoke", before["lost"][0], "--reason", "the laptop was stolen")
    assert again.returncode > 0 and "revoked already" in again.stderr


@pytest.mark.parametrize("arguments, told", [
    (["token", "revoke", "nonsense", "--reason", "long enough here"], "There is no key nonsense"),
    (["token", "revoke", "00000000-0000-7000-8000-000000000001", "--reason", "long enough here"], "There is no key 0000"),
    (["token", "revoke", "00000000-0000-7000-8000-000000000001"], "--reason"),
    (["token", "list", "nobody@example.com"], "There is no account nobody@example.com"),
    (["password", EMAIL, "--keep-keys", "--revoke-keys"], "keys"),
])
def test_what_cannot_be_is_refused_and_changes_nothing(office, arguments, told):
    before = office.counts()
    done = office.run("staff", *arguments, input=PASSWORD)
    assert done.returncode > 0 and told in done.stderr, done.stderr
    assert office.counts() == before


@pytest.mark.parametrize("flags, is_kept", [([], False), (["--revoke-keys"], False), (["--keep-keys"], True)])
def test_a_new_password_revokes_the_keys_unless_they_are_kept(office, flags, is_kept):
    key = issue(office, "reset")
    told = office.do("staff", "password", EMAIL, *flags, input="another good password\n")
    assert ("revoked" in told) == (not is_kept)
    assert status(office, key) == (200 if is_kept else 401)


@pytest.mark.parametrize("answer, is_kept", [("\n", False), ("y\n", False), ("n\n", True)])
def test_at_a_terminal_it_asks(office, answer, is_kept):
    office.do("staff", "password", EMAIL, "--revoke-keys", input=PASSWORD)
    key = issue(office, "asked")
    here, there = pty.openpty()
    process = subprocess.Popen(
        [BINARY, "staff", "password", EMAIL], cwd=REPOSITORY, env=office.environment, stdin=there, stdout=there, stderr=there,
        start_new_session=True, preexec_fn=lambda: __import__("fcntl").ioctl(there, __import__("termios").TIOCSCTTY, 0))
    os.close(there)
    said = b""

    def read_until(text):
        nonlocal said
        while text not in said:
            assert select.select([here], [], [], 60)[0], said
            said += os.read(here, 4096)

    try:
        read_until(b"Password: ")
        os.write(here, b"one more good password\n")
        read_until(b"has 1 API key. Revoke too? [Y/n] ")
        os.write(here, answer.encode())
        read_until(b"is set")
        assert process.wait(300) == 0
    finally:
        process.kill()
        os.close(here)
    assert status(office, key) == (200 if is_kept else 401)
