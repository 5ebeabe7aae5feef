"""Runs invariants.sql: the rules that hold in the books, whatever was killed."""

import pathlib
import re

SQL = (pathlib.Path(__file__).parent / "invariants.sql").read_text()
# The rule and the query of each invariant by its name.
INVARIANTS = {
    match[1]: (match[2], match[3].strip())
    for match in re.finditer(r"^-- (I\d) (.+)\n((?:(?!-- I).*\n)+)", SQL, re.MULTILINE)
}

_JOURNAL = """
    CREATE SCHEMA IF NOT EXISTS campaign;
    DROP TABLE IF EXISTS campaign.journal;
    CREATE TABLE campaign.journal (notification_uuid text, was_accepted boolean);
"""


def keep(installation, journal):
    """Stores the client's answers beside the books."""
    rows = "\n".join(f"{uuid}\tt" for uuid in sorted(journal.accepted))
    installation.sql(f"{_JOURNAL}COPY campaign.journal FROM STDIN;\n{rows}\n\\.\n")


def script(names=None):
    """Returns SQL that gives a line for each row that breaks a rule: `I1 …`."""
    return "\n".join(
        f"SELECT '{name} ' || broken FROM ({query.rstrip(';')}) AS rows(broken);"
        for name, (_, query) in INVARIANTS.items() if names is None or name in names)


def violations(installation, journal, names=None):
    keep(installation, journal)
    return installation.sql(script(names))
