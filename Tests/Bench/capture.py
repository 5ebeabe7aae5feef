"""Watches the product once and turns what it asked the database into pgbench scripts and the peer's statements."""
import base64
import http.client
import json
import os
import random
import struct
import uuid

from fill import SESSIONS, session_staff, session_token
from statements import MOMENT, grouped_script, literal, statements

LAST = uuid.UUID(int=(1 << 128) - 1)

# The statements of a page, told by what they ask.
KINDS = {"session": "FROM staff_sessions", "views": "FROM saved_views", "columns": "FROM list_columns",
         "list": "FROM orders o"}


def cursor(moment, rows_before, key=LAST):
    """The product's own page marker: kind, microseconds, rows before, key."""
    raw = struct.pack(">BqI", 1, round(moment * 1_000_000), rows_before) + key.bytes
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def get(port, path, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read().decode()
    if response.status != 200:
        raise RuntimeError(f"{path} answers {response.status}: {body[:300]}")
    return body


class Pages:
    """The order list as everybody is to ask for it: some status, from somewhere in the two years on."""

    def __init__(self, cluster, filling, directory):
        self.cluster, self.directory, self.app = cluster, directory, filling.app
        first, last = cluster.psql(
            "SELECT extract(epoch FROM min(purchased_at)), extract(epoch FROM max(purchased_at)) FROM orders").split("|")
        # Far enough from the beginning for every status to fill a page.
        self.first, self.last = float(first) + 0.1 * (float(last) - float(first)), float(last)
        # Of long lists it is remembered that they are long; shorter ones are counted for each page.
        self.statuses = cluster.psql(
            "SELECT status FROM orders GROUP BY status HAVING count(*) > 10000 ORDER BY count(*) DESC").splitlines()
        random.seed(1)
        paths = [self.path(random.choice(self.statuses), random.uniform(self.first, self.last)) for _ in range(4096)]
        self.paths = self._file("paths", paths)
        cookies = [f"Cookie: perennial={session_token(number)}" for number in range(1, SESSIONS + 1)]
        self.cookies = self._file("cookies", cookies)
        deep = cluster.psql(
            "SELECT extract(epoch FROM purchased_at), id FROM orders ORDER BY purchased_at DESC, id DESC OFFSET 9999 LIMIT 1")
        moment, key = deep.split("|")
        self.first_page = self._file("first", ["/dashboard/orders"])
        self.deep_page = self._file(
            "deep", [f"/dashboard/orders?after={cursor(float(moment), 10_000, uuid.UUID(key))}"])

    def path(self, status, moment):
        return f"/dashboard/orders?status={status}&after={cursor(moment, 5_000)}"

    def environment(self, paths):
        return {"WRK_PATHS": paths, "WRK_HEADERS": self.cookies}

    def capture(self, server):
        """The statements of a page whose count is remembered, for pgbench and for the peer."""
        path = self.path("completed", (self.first + self.last) / 2)
        cookie = {"Cookie": f"perennial={session_token(1)}"}
        get(server.port, path, cookie)
        # The peer asks for each page who is signed in; the product remembers it, and has to forget it to be watched.
        self.cluster.psql("NOTIFY staff")
        _, found = self._watch(server, path, cookie, list(KINDS))
        page, remembered = self._watch(server, path, cookie, [kind for kind in KINDS if kind != "session"])
        known = {kind: self._meanings(kind, one) for kind, one in found.items()}
        self.peer = {
            f"PEER_{kind.upper()}": json.dumps(
                {"Text": one.text, "Parameters": [known[kind][number] for number in sorted(one.values)]})
            for kind, one in found.items()
        }
        patterns = [one.values[number] for kind, one in found.items() for number in one.values
                    if known[kind][number] == "impersonal"]
        self.peer["PEER_IMPERSONAL"] = patterns[0] if patterns else ""
        self.script = self._script(remembered, known)
        return page, path, cookie

    def _watch(self, server, path, cookie, kinds):
        """A page, and the statement of each kind that it took."""
        self.cluster.statements()
        self.cluster.logging(True)
        page = get(server.port, path, cookie)
        self.cluster.logging(False)
        logged = [found for found in statements(self.cluster.statements()) if found.values]
        found = {kind: [one for one in logged if KINDS[kind] in one.text] for kind in kinds}
        if len(logged) != len(kinds) or any(len(those) != 1 for those in found.values()):
            raise RuntimeError(f"a page takes other statements than {kinds}: {[one.text for one in logged]}")
        return page, {kind: one for kind, (one,) in found.items()}

    def _meanings(self, kind, statement):
        """What each parameter stands for."""
        times = sorted(value for value in statement.values.values() if MOMENT.match(value or ""))
        tests = {
            "hash": lambda v: v.startswith("\\x"), "status": lambda v: v == "completed", "id": lambda v: v == str(LAST),
            "app": lambda v: v == self.app, "staff": lambda v: v == session_staff(1), "lists": lambda v: v == "{orders}",
            "kind": lambda v: v == "orders", "person": lambda v: v == "t",
            # Of views whose query names no person; the same on every page.
            "impersonal": lambda v: v.startswith("^("),
            # A session's later moment is now, the earlier one when it would have ended unused.
            "now": lambda v: kind == "session" and v == times[-1], "idle": lambda v: kind == "session" and v == times[0],
            "before": lambda v: bool(times) and v == times[0],
        }
        found = {number: next((name for name, test in tests.items() if value is not None and test(value)), None)
                 for number, value in statement.values.items()}
        if None in found.values():
            raise RuntimeError(f"this statement has other parameters than expected: {statement.text} {statement.values}")
        return found

    def _script(self, found, known):
        def text(kind):
            # In a query of its own each is computed once for a statement, and not for each row that is looked at.
            expressions = {
                "hash": "(SELECT sha256(sha256(int8send(:s))))", "staff": "(SELECT md5('staff ' || 1 + :s::int % 8)::uuid)",
                "status": f"(array{self.statuses!r})[:k::int]".replace('"', "'"), "before": "to_timestamp(:b)",
            }
            values = found[kind].values
            return found[kind].replaced(lambda number: expressions.get(known[kind][number], literal(values[number])))

        groups = {}
        for kind, statement in found.items():
            groups.setdefault(statement.transaction, []).append(text(kind))
        return grouped_script(os.path.join(self.directory, "page.pgb"),
                              [("s", f"random(1, {SESSIONS})"), ("k", f"random(1, {len(self.statuses)})"),
                               ("b", f"random({int(self.first)}, {int(self.last)})")], list(groups.values()))

    def _file(self, name, lines):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return path
