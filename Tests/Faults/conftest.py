"""One installation for the whole campaign: it is not made anew after a fault, but has to recover. `own` and `group` belong to a
single test."""

import pytest

import load
from installation import CATALOG, Installation
from replication import Group


@pytest.fixture
def own():
    """Makes an installation of one test, not started."""
    made = Installation()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def group():
    """Makes PostgreSQL servers of one test that follow each other."""
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
    """Returns signed notifications of two years of 60 customers; the app trusts the simulator that signed them."""
    signed = load.simulated(installation, customers=60, months=24, seed=11)
    installation.do("catalog", "apply", str(CATALOG), "--simulator", str(installation.authority / "root.der"))
    return signed


@pytest.fixture(scope="session")
def journal():
    return load.Journal()


@pytest.fixture(scope="session")
def traded(installation, payloads, journal):
    """Sends the first of the notifications."""
    with load.Load(dict(list(payloads.items())[:60]), [installation.server.port], journal, copies=1) as sending:
        sending.join()


@pytest.fixture(scope="session")
def token(installation, payloads):
    """Returns a token of the admin API."""
    installation.do(
        "staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
    return installation.do("staff", "token", "ada@example.com", "--name", "faults")
