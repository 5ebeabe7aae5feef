"""Watches the product once, and turns its queries into pgbench scripts and the peer's statements."""
import base64
import http.client
import json
import os
import random
import struct
import time
import uuid

from fill import SESSIONS, session_token
from limits import NotTaken
from logged import grouped_script, literal, statements, types
from purposes import KINDS, LAST, Sorted, columns_of, meanings_of


def cursor(moment, rows_before, key=LAST):
    """Returns a page marker of the product: kind, microseconds, rows before, key."""
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
    """The requests for the order list that all candidates answer: some status, from some time in the two years on."""

    def __init__(self, cluster, filling, directory):
        self.cluster, self.directory, self.app = cluster, directory, filling.app
        first, last = cluster.psql(
            "SELECT extract(epoch FROM min(purchased_at)), extract(epoch FROM max(purchased_at)) FROM orders").split("|")
        # Far enough from the beginning for every status to fill a page.
        self.first, self.last = float(first) + 0.1 * (float(last) - float(first)), float(last)
        # The server remembers that long lists are long; shorter ones are counted for each page.
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
        """Captures the queries of a page whose count is remembered; the scripts and the peer's statements are made of them."""
        self.shown_path = self.path("completed", (self.first + self.last) / 2)
        self.cookie = {"Cookie": f"perennial={session_token(1)}"}
        get(server.port, self.shown_path, self.cookie)
        self.signed_in = self._forgotten(server)
        # A statement belongs to the page if it comes with the page again; one that is sent once in a while does not.
        self.shown, first = self._watch(server)
        self.shown, again = self._watch(server)
        texts = {one.text for one in first.others}
        self.remembered = again
        self.others = [one for one in again.others if one.text in texts]
        for one in [*self.signed_in.beside, *first.beside, *again.beside]:
            print(f"    left aside: {one.name}", flush=True)

    def _forgotten(self, server):
        """Returns the statements of a page that looks up its session. The peer looks it up for each page; the product remembers it,
        and has to forget it to be watched."""
        for _ in range(50):
            self.cluster.psql("NOTIFY staff")
            _, found = self._watch(server)
            if "session" in found.kinds:
                return found
            time.sleep(0.1)
        return found

    def _watch(self, server):
        with self.cluster.watched() as logged:
            page = get(server.port, self.shown_path, self.cookie)
        return page, Sorted(one for one in statements(logged) if one.values)

    def script(self):
        """Returns a script of the queries of a page whose reader is remembered, for pgbench.

        Raises `NotTaken` where it does not ask for orders, or none were seen.
        """
        if "list" not in self.remembered.kinds:
            raise NotTaken(f"a page asks nothing {KINDS['list']}; it asks {self._asked()}")
        groups = {}
        for kind, statement in [*self.remembered.kinds.items(), *((None, one) for one in self.others)]:
            if kind != "session":
                groups.setdefault(statement.transaction, []).append(self._asked_of_any(kind, statement))
        return grouped_script(os.path.join(self.directory, "page.pgb"),
                              [("s", f"random(1, {SESSIONS})"), ("k", f"random(1, {len(self.statuses)})"),
                               ("b", f"random({int(self.first)}, {int(self.last)})")], list(groups.values()))

    def _asked(self):
        return ", ".join(one.name for one in [*self.remembered.kinds.values(), *self.others]) or "nothing"

    def _asked_of_any(self, kind, statement):
        # As a subquery each is computed once for a statement, and not for each row.
        expressions = {
            "hash": "(SELECT sha256(sha256(int8send(:s))))", "staff": "(SELECT md5('staff ' || 1 + :s::int % 8)::uuid)",
            "status": f"(array{self.statuses!r})[:k::int]".replace('"', "'"), "before": "to_timestamp(:b)",
        }
        meanings = meanings_of(kind, statement, self.app)
        return statement.replaced(lambda number: expressions.get(meanings[number], literal(statement.values[number])))

    def peer(self):
        """Returns the environment of the peer: for each kind its text, its parameters, and its columns.

        Raises `NotTaken` with the columns that the peer shows and the product does not ask for.
        """
        environment = {"PEER_IMPERSONAL": ""}
        for kind in KINDS:
            statement = self.signed_in.kinds.get(kind)
            if not statement:
                raise NotTaken(f"the peer's page asks {KINDS[kind]}, the product's does not")
            columns, missing = columns_of(kind, statement)
            if missing:
                raise NotTaken(f"the peer shows {', '.join(missing)}, which {statement.name} does not have")
            meanings, kept = meanings_of(kind, statement, self.app), []
            known = types(self.cluster, statement)

            def parameter(number, statement=statement, meanings=meanings, kept=kept, known=known):
                if meanings[number] is None:
                    return literal(statement.values[number], known.get(number))
                if number not in kept:
                    kept.append(number)
                return f"${kept.index(number) + 1}"
            text = statement.replaced(parameter)
            environment[f"PEER_{kind.upper()}"] = json.dumps(
                {"Text": text, "Parameters": [meanings[number] for number in kept], "Columns": columns})
            for number in kept:
                if meanings[number] == "impersonal":
                    environment["PEER_IMPERSONAL"] = statement.values[number]
        return environment

    def _file(self, name, lines):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return path
