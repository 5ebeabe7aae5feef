"""One server whose ledger is a random history, and the history itself."""

import datetime
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Faults"))

from books import Books, import_rates  # noqa: E402
from history import DAYS, EVENTS, START, History  # noqa: E402


@pytest.fixture(scope="module")
def books():
    """Makes books for one file of tests: rebuilt rollups know less of what was known when."""
    books = Books(History(EVENTS, seed=4))
    yield books
    books.stop()


@pytest.fixture(scope="session")
def days():
    """Returns the first and the last day of the history, with some to spare."""
    first = START.date() - datetime.timedelta(days=1)
    return first, first + datetime.timedelta(days=DAYS + 90)


@pytest.fixture(scope="module")
def rates(books, tmp_path_factory):
    """Imports rates of most days: none at weekends, none at all for two weeks, none of the yen before September 2025."""
    def is_missing(day):
        return day.weekday() >= 5 or datetime.date(2025, 3, 1) <= day < datetime.date(2025, 3, 16)

    return import_rates(
        books, tmp_path_factory, datetime.date(2024, 10, 1), is_missing,
        lambda code, day: code == "JPY" and day < datetime.date(2025, 9, 1))
