"""One installation for the whole campaign: it is not made anew after a fault, it has to get over it. `own` and `group` are one
test's alone."""

import pytest

import load
from installation import CATALOG, Installation
from replication import Group


@pytest.fixture
def own():
    """An installation of one test, not started."""
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def group():
    """PostgreSQL servers of one test that follow each other."""
    made = Group()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="session")
def installation():
    made = Installation()
    try:
        made.start()
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="session")
def payloads(installation):
    """Two years of 60 customers, signed; the app trusts the simulator that signed them."""
    signed = load.simulated(installation, customers=60, months=24, seed=11)
    installation.do("catalog", "apply", str(CATALOG), "--simulator", str(installation.authority / "root.der"))
    return signed


@pytest.fixture(scope="session")
def journal():
    return load.Journal()


@pytest.fixture(scope="session")
def traded(installation, payloads, journal):
    """The first of the notifications are in."""
    with load.Load(dict(list(payloads.items())[:60]), [installation.server.port], journal, copies=1) as sending:
        sending.join()


@pytest.fixture(scope="session")
def token(installation, payloads):
    """A key to the admin API."""
    installation.do(
        "staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
    return installation.do("staff", "token", "ada@example.com", "--name", "faults")
