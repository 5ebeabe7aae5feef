"""One server whose ledger is a random history, and the history itself."""

import datetime
import decimal
import json
import pathlib
import sys
import urllib.parse
import urllib.request

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Faults"))

import ledger  # noqa: E402
import reference  # noqa: E402
from history import APPS, DAYS, EVENTS, START, History  # noqa: E402
from installation import Installation  # noqa: E402


class Books:
    """A running product, and the history from which its books were made."""

    def __init__(self):
        self.history = History(EVENTS, seed=4)
        self.installation = Installation()
        self.installation.environment["PERENNIAL_PATIENCE"] = "20"
        self.server = self.installation.start()
        self.url = {"PERENNIAL_DATABASE_URL": self.installation.database_url()}
        script = "".join(f"{statement};\n" for part in (ledger.catalogue(), ledger.statements(self.history)) for statement in part)
        process = self.installation.psql()
        _, errors = process.communicate(script, timeout=600)
        assert process.returncode == 0, errors[:2_000]
        self.installation.do("staff", "add", "ana@demo.test", "--name", "Ana", "--role", "analyst",
                             input="correct horse battery\n", **self.url)
        self.token = self.installation.do("staff", "token", "ana@demo.test", "--name", "numbers", **self.url).split()[-1]
        self.entries = {app: [e for e in self.history.entries if e.order.app == app] for app in APPS}
        for app, (zone, _) in APPS.items():
            reference.place(self.entries[app], zone)

    def ask(self, app, path, **parameters):
        # Stores and environments are in capitals.
        query = urllib.parse.urlencode({
            name: value.upper() if name in ("store", "environment") else value
            for name, value in parameters.items() if value is not None})
        request = urllib.request.Request(
            f"{self.server.url}{path}?{query}", headers={"Authorization": f"Bearer {self.token}", "X-App": app})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer, parse_float=decimal.Decimal)

    def stop(self):
        self.installation.remove()


@pytest.fixture(scope="module")
def books():
    """Makes books for one file of tests: rebuilt rollups know less of what was known when."""
    books = Books()
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
    file = tmp_path_factory.mktemp("rates") / "eurofxref-hist.csv"
    lines, known = ["Date,USD,JPY,CNY,TRY,KWD,"], {}
    day = datetime.date(2024, 10, 1)
    while day < datetime.date(2026, 12, 1):
        is_missing = day.weekday() >= 5 or datetime.date(2025, 3, 1) <= day < datetime.date(2025, 3, 16)
        if not is_missing:
            number = day.toordinal()
            values = {"USD": f"1.{number % 997:04}", "CNY": f"7.{number % 991:04}", "TRY": f"4{number % 9}.{number % 983:04}",
                      "KWD": f"0.3{number % 977:03}",
                      "JPY": "N/A" if day < datetime.date(2025, 9, 1) else f"16{number % 9}.{number % 97:02}"}
            lines.append(",".join([str(day), *(values[code] for code in ("USD", "JPY", "CNY", "TRY", "KWD")), ""]))
            known |= {(code, day): decimal.Decimal(value) for code, value in values.items() if value != "N/A"}
        day += datetime.timedelta(days=1)
    file.write_text("\n".join(lines) + "\n")
    said = books.installation.do("rates", "import", str(file), **books.url)
    assert f"{len(known)} rates read, {len(known)} of them new" in said
    return reference.Rates(known)
