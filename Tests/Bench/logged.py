"""The very statements that the product sends, taken from the server's log, as pgbench and the peer can run them."""
import re

PARAMETER = re.compile(r"\$(\d+) = (?:(NULL)|'((?:[^']|'')*)')")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
WRITES = re.compile(r"\b(INSERT INTO|UPDATE (?:ONLY )?\w+\s+(?:AS \w+\s+|\w+\s+)?SET|DELETE FROM|MERGE INTO)\b")


class Statement:
    """One statement with the values it was run with, by number; None stands for NULL.

    Statements of one transaction were sent together: outside of BEGIN and COMMIT it lasts from Sync to Sync.
    """

    def __init__(self, text, detail, transaction=None):
        self.text, self.transaction = text, transaction
        self.values = {int(number): None if null else value.replace("''", "'")
                       for number, null, value in PARAMETER.findall(detail)}

    def replaced(self, expression):
        """The text with each `$n` replaced by what `expression` makes of n."""
        return re.sub(r"\$(\d+)", lambda match: expression(int(match[1])), self.text)

    @property
    def reads(self):
        """Whether it only asks: neither sets, nor begins or ends anything."""
        return bool(re.match(r"\s*(SELECT|WITH)\b", self.text)) and not WRITES.search(self.text)

    @property
    def name(self):
        """What it does to which table, for people: "SELECT FROM orders"."""
        words = re.match(r"\s*(\w+)", self.text)
        table = re.search(r"\b(?:FROM|INTO|UPDATE)\s+([a-z_]\w*)", self.text)
        return " ".join([words[1] if words else "?", *(["of", table[1]] if table else [])])

    @property
    def columns(self):
        """What it selects, each as it is written: `coalesce(c.key, '')`."""
        depth, quoted, items, at = 0, False, [""], 0
        text = " ".join(self.text.split())
        start = re.match(r"SELECT ", text)
        if not start:
            return []
        for at in range(start.end(), len(text)):
            letter = text[at]
            quoted ^= letter == "'"
            depth += 0 if quoted else {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
            if not quoted and depth == 0 and text.startswith(" FROM ", at):
                break
            if not quoted and depth == 0 and letter == ",":
                items.append("")
            else:
                items[-1] += letter
        return [item.strip() for item in items]


def statements(logged):
    return [Statement(text, detail, transaction) for _, text, detail, transaction in logged]


def types(cluster, statement):
    """The types of a statement's parameters by number, as PostgreSQL takes them; none where it cannot tell."""
    if not statement.values:
        return {}
    text = statement.text.strip().rstrip(";")
    try:
        found = cluster.psql(
            f"PREPARE probe AS {text};\nSELECT unnest(parameter_types) FROM pg_prepared_statements WHERE name = 'probe';")
    except RuntimeError:
        return {}
    return dict(enumerate(found.splitlines(), 1))


def literal(value, kind=None):
    """A value as an SQL literal of its type: the one that is known, else as far as its look tells it."""
    if kind:
        # An empty array, or a key in a text, looks like something else than it is.
        return f"NULL::{kind}" if value is None else f"{_quoted(value)}::{kind}"
    if value is None:
        return "NULL"
    first = value[1:-1].split(",")[0].strip('"') if value.startswith("{") and value.endswith("}") else value
    kind = "uuid" if UUID.match(first) else "timestamptz" if MOMENT.match(first) else "text"
    if first is not value:
        kind = ("boolean" if first in ("t", "f") else kind) + "[]"
    elif kind == "text":
        kind = "bytea" if value.startswith("\\x") else None
    return _quoted(value) + (f"::{kind}" if kind else "")


def _quoted(value):
    text = value.replace("'", "''")
    if re.search(r":[A-Za-z_]", text):
        # pgbench would take what follows the colon for a variable.
        text = text.replace("\\", "\\\\").replace(":", "\\x3a")
        return f"E'{text}'"
    return f"'{text}'"


def patient(text):
    """A statement that waits for a lock as long as it takes: the product tries again, which pgbench does not."""
    text = re.sub(r"\b(SET LOCAL lock_timeout (?:=|TO) )\S+", r"\g<1>0", text.strip().rstrip(";"))
    return re.sub(r"(set_config\('lock_timeout', )'[^']*'", r"\g<1>'0'", text)


def script(path, sets, texts):
    return grouped_script(path, sets, [[text] for text in texts])


def grouped_script(path, sets, groups):
    """A script whose groups of more than one statement go to the server in one piece, as the product sends them."""
    with open(path, "w") as file:
        file.write("".join(f"\\set {name} {value}\n" for name, value in sets))
        for texts in groups:
            commands = [patient(text) + ";\n" for text in texts]
            file.write("".join(["\\startpipeline\n", *commands, "\\endpipeline\n"] if len(texts) > 1 else commands))
    return path
