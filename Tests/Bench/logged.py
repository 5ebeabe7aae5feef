"""The product's own statements, taken from the server's log, in a form that pgbench and the peer can run."""
import re

PARAMETER = re.compile(r"\$(\d+) = (?:(NULL)|'((?:[^']|'')*)')")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
WRITES = re.compile(r"\b(INSERT INTO|UPDATE (?:ONLY )?\w+\s+(?:AS \w+\s+|\w+\s+)?SET|DELETE FROM|MERGE INTO)\b")


class Statement:
    """A statement with the values of its parameters, by number; None stands for NULL.

    Statements of one transaction were sent together: outside of BEGIN and COMMIT it lasts from Sync to Sync.
    """

    def __init__(self, text, detail, transaction=None):
        self.text, self.transaction = text, transaction
        self.values = {int(number): None if null else value.replace("''", "'")
                       for number, null, value in PARAMETER.findall(detail)}

    def replaced(self, expression):
        """Returns the text with each `$n` replaced by `expression(n)`."""
        return re.sub(r"\$(\d+)", lambda match: expression(int(match[1])), self.text)

    @property
    def reads(self):
        """True if it only reads: it neither writes nor sets, begins or ends anything."""
        return bool(re.match(r"\s*(SELECT|WITH)\b", self.text)) and not WRITES.search(self.text)

    @property
    def name(self):
        """The statement's verb and table, for people: "SELECT of orders"."""
        words = re.match(r"\s*(\w+)", self.text)
        table = re.search(r"\b(?:FROM|INTO|UPDATE)\s+([a-z_]\w*)", self.text)
        return " ".join([words[1] if words else "?", *(["of", table[1]] if table else [])])

    @property
    def columns(self):
        """The columns that it selects, as they are written: `coalesce(c.key, '')`."""
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
    """Returns the types of a statement's parameters by number, as PostgreSQL infers them; none where it cannot."""
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
    """Returns a value as an SQL literal of its type: the known one, or one that its form suggests."""
    if kind:
        # An empty array, or a key in a text, looks like another type.
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
        # pgbench would take the word after the colon for a variable.
        text = text.replace("\\", "\\\\").replace(":", "\\x3a")
        return f"E'{text}'"
    return f"'{text}'"


def patient(text):
    """Returns a statement that waits for a lock as long as it takes: the product tries again, but pgbench does not."""
    text = re.sub(r"\b(SET LOCAL lock_timeout (?:=|TO) )\S+", r"\g<1>0", text.strip().rstrip(";"))
    return re.sub(r"(set_config\('lock_timeout', )'[^']*'", r"\g<1>'0'", text)


def script(path, sets, texts):
    return grouped_script(path, sets, [[text] for text in texts])


def grouped_script(path, sets, groups):
    """Writes a script that sends each group of more than one statement in one piece, as the product does; returns its path."""
    with open(path, "w") as file:
        file.write("".join(f"\\set {name} {value}\n" for name, value in sets))
        for texts in groups:
            commands = [patient(text) + ";\n" for text in texts]
            file.write("".join(["\\startpipeline\n", *commands, "\\endpipeline\n"] if len(texts) > 1 else commands))
    return path
