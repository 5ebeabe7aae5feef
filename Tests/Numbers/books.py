"""A running product whose ledger is a history, and that history."""

import datetime
import decimal
import json
import urllib.parse
import urllib.request

from history import APPS
from installation import Installation

import ledger
import reference

PASSWORD = "correct horse battery"


class Books:
    """A running product, and the history from which its books were made."""

    def __init__(self, history, apps=APPS):
        self.history, self.apps = history, apps
        self.installation = Installation()
        self.installation.environment["PERENNIAL_PATIENCE"] = "20"
        self.server = self.installation.start()
        self.url = {"PERENNIAL_DATABASE_URL": self.installation.database_url()}
        script = "".join(
            f"{statement};\n" for part in (ledger.catalogue(apps), ledger.statements(history, apps)) for statement in part)
        process = self.installation.psql()
        _, errors = process.communicate(script, timeout=600)
        assert process.returncode == 0, errors[:2_000]
        self.installation.do("staff", "add", "ana@demo.test", "--name", "Ana", "--role", "analyst",
                             input=f"{PASSWORD}\n", **self.url)
        self.token = self.installation.do("staff", "token", "ana@demo.test", "--name", "numbers", **self.url).split()[-1]
        self.entries = {app: [e for e in history.entries if e.order.app == app] for app in apps}
        for app, (zone, _) in apps.items():
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


def import_rates(books, folders, first, is_missing, lacks):
    """Imports made-up rates of most days.

    No currency has one on a day that is missing, nor has a currency on a day on which it lacks it.
    """
    file = folders.mktemp("rates") / "eurofxref-hist.csv"
    lines, known = ["Date,USD,JPY,CNY,TRY,KWD,"], {}
    day = first
    while day < datetime.date(2026, 12, 1):
        if not is_missing(day):
            number = day.toordinal()
            values = {"USD": f"1.{number % 997:04}", "CNY": f"7.{number % 991:04}", "TRY": f"4{number % 9}.{number % 983:04}",
                      "KWD": f"0.3{number % 977:03}", "JPY": f"16{number % 9}.{number % 97:02}"}
            values |= {code: "N/A" for code in values if lacks(code, day)}
            lines.append(",".join([str(day), *(values[code] for code in ("USD", "JPY", "CNY", "TRY", "KWD")), ""]))
            known |= {(code, day): decimal.Decimal(value) for code, value in values.items() if value != "N/A"}
        day += datetime.timedelta(days=1)
    file.write_text("\n".join(lines) + "\n")
    said = books.installation.do("rates", "import", str(file), **books.url)
    assert f"{len(known)} rates read, {len(known)} of them new" in said
    return reference.Rates(known)
