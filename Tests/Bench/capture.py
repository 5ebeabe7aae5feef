"""Watches the product once and turns what it asked the database into pgbench scripts and the peer's statements."""
import base64
import http.client
import json
import os
import random
import struct
import uuid

from fill import SESSIONS, session_token
from statements import literal, script, statements

LAST = uuid.UUID(int=(1 << 128) - 1)


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
        self.cluster, self.directory = cluster, directory
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
        """The two statements of a page whose count is remembered, for pgbench and for the peer."""
        moment = int(self.last) - 86_400 * 100
        path = self.path("completed", moment)
        cookie = {"Cookie": f"perennial={session_token(1)}"}
        get(server.port, path, cookie)
        self.cluster.statements()
        self.cluster.logging(True)
        page = get(server.port, path, cookie)
        self.cluster.logging(False)
        logged = [found for found in statements(self.cluster.statements()) if found.values]
        if len(logged) != 2:
            raise RuntimeError(f"a page takes {len(logged)} statements, not two: {[found.text for found in logged]}")
        session, orders = logged
        meanings = {
            "session": self._times(session, self._meanings(session, {"hash": lambda v: v.startswith("\\x")})),
            "list": self._meanings(orders, {
                "status": lambda v: v == "completed", "id": lambda v: v == str(LAST),
                "before": lambda v: v[:4].isdigit() and ":" in v, "app": lambda v: len(v) == 36,
            }),
        }
        self.peer = {
            variable: json.dumps({"Text": found.text, "Parameters": [meanings[name][n] for n in sorted(found.values)]})
            for variable, name, found in (("PEER_SESSION", "session", session), ("PEER_LIST", "list", orders))
        }
        self.script = self._script(session, orders, meanings)
        return page, path, cookie

    def _times(self, session, known):
        """The session's moments: the later is now, the earlier when it would have ended unused."""
        times = sorted({value for number, value in session.values.items() if number not in known})
        if len(times) != 2:
            raise RuntimeError(f"the session's statement has other parameters than expected: {session.values}")
        return known | {number: "now" if value == times[1] else "idle"
                        for number, value in session.values.items() if number not in known}

    def _meanings(self, statement, tests):
        found = {}
        for number, value in statement.values.items():
            for name, test in tests.items():
                if value is not None and test(value):
                    found[number] = name
                    break
        return found

    def _script(self, session, orders, meanings):
        expressions = {
            "hash": "sha256(sha256(int8send(:s)))", "now": literal(max(v for v in session.values.values() if v[:2] == "20")),
            "idle": literal(min(v for v in session.values.values() if v[:2] == "20")),
            "status": f"(array{self.statuses!r})[:k::int]".replace('"', "'"), "id": f"'{LAST}'::uuid",
            "before": "to_timestamp(:b)",
        }

        def text(statement, names):
            return statement.replaced(lambda number: expressions.get(names[number], literal(statement.values[number])))

        return script(os.path.join(self.directory, "page.pgb"),
                      [("s", f"random(1, {SESSIONS})"), ("k", f"random(1, {len(self.statuses)})"),
                       ("b", f"random({int(self.first)}, {int(self.last)})")],
                      [text(session, meanings["session"]), text(orders, meanings["list"])])

    def _file(self, name, lines):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return path
