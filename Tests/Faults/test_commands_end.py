"""A command that has done its work ends well, even while connections that it did not need are still being opened."""

import collections
import concurrent.futures

import pytest

import scale
from installation import Installation
from tcp_database import TCPDatabase

pytestmark = pytest.mark.long

RUNS = scale.of(120, 30)


@pytest.fixture(scope="module")
def database():
    made = TCPDatabase()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def elsewhere(database):
    """Makes an installation whose database is reached by TCP with a password."""
    made = Installation()
    made.environment["PERENNIAL_DATABASE_URL"] = database.url()
    made.do("migrate")
    yield made
    made.remove()


def test_commands_against_tcp_with_a_password_end_well(elsewhere):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        codes = collections.Counter(pool.map(lambda _: elsewhere.run("staff", "list").returncode, range(RUNS)))
    assert codes == {0: RUNS}
