"""Measures the order list over HTTP, beside its statements by pgbench and the same page by the Go peer."""
import os
import re

from capture import Pages, get
from comparison import another_list, differing_columns
from limits import NotTaken
from processes import Server, memory_megabytes
from report import least, most

MINE, DEEP, WIDE, JSON = ("order list, 64 connections", "order list, 10,000 rows deep", "order list, 256 connections",
                          "orders as JSON, 64 connections")
FOUR, EIGHT = "order list by pgbench, 4 clients", "order list by pgbench, 8 clients"
PEER = "order list by the Go peer, 64 connections"


def measure(bench):
    print("==> The order list", flush=True)
    part = OrderList(bench)
    with bench.step("what the order list asks the database", bench.options.patience):
        part.capture()
    with bench.step(PEER, bench.options.patience):
        part.compare()
    bench.rounds({
        MINE: lambda: part.page(part.pages.paths),
        FOUR: lambda: part.by_pgbench(4),
        PEER: part.by_peer,
        EIGHT: lambda: part.by_pgbench(8),
        "order list, page 1": lambda: part.page(part.pages.first_page),
        DEEP: lambda: part.page(part.pages.deep_page),
        WIDE: lambda: part.page(part.pages.paths, 256),
        JSON: part.json,
    })
    report = bench.report
    report.metric("order list, signed in, 25 rows, 64 connections, over `pgbench -M prepared` with its statements, "
                  "sent as the product sends them (the better of 4 and 8 clients)", "≥ 0.65 ×", report.ratio(MINE, [FOUR, EIGHT]),
                  least(0.65), " ×")
    report.metric("the same over the Go peer's page", "≥ 2.5 ×", report.ratio(MINE, PEER), least(2.5), " ×")
    report.metric("the same, server CPU a page", "≤ 0.2 ms", report.median(MINE, "srv"), most(0.2), " ms")
    report.metric("order list, page 1 over 10,000 rows deep", "within 1.3 ×", report.ratio("order list, page 1", DEEP),
                  lambda depth: 1 / 1.3 <= depth <= 1.3, " ×")
    report.metric("memory at 256 connections", "< 100 MB", report.most(WIDE, "memory"), lambda memory: memory < 100, " MB")
    report.metric("orders as JSON (`GET /admin/orders`, 25 orders, 64 connections)", "", report.median(JSON), None, " /s")


class OrderList:
    def __init__(self, bench):
        self.bench, self.options, self.cluster = bench, bench.options, bench.cluster
        self.pages = Pages(bench.cluster, bench.filling, bench.directory)
        # The reason why the peer is not measured; empty once its page has proven to be the same.
        self.otherwise = "its page was not compared"
        self.captured = False

    def capture(self):
        self.bench.filling.keep_sessions()
        with self.bench.product("--without-worker") as server:
            self.pages.capture(server)
        self.captured = True

    def compare(self):
        """Compares the peer's list with the product's; names columns that differ, which does not stop its measurement.

        Raises `NotTaken` where the peer shows another list.
        """
        try:
            self.otherwise = self._difference()
        except (NotTaken, RuntimeError) as error:
            self.otherwise = str(error)
        if self.otherwise:
            raise NotTaken(self.otherwise)

    def _difference(self):
        self._needs_capture()
        if not os.path.exists(self.options.peer):
            return "it was not built"
        self.environment = self.pages.peer()
        with self._peer() as peer:
            theirs = get(peer.port, self.pages.shown_path, self.pages.cookie)
        mine = self.pages.shown
        print(f"    the peer's page has {len(theirs):,} bytes, the product's {len(mine):,}", flush=True)
        self.sizes = f"{len(theirs) / len(mine):.2f} of the bytes"
        why = another_list(mine, theirs)
        for name, how in [] if why else differing_columns(mine, theirs):
            self.bench.report.hole(f"the column {name} as the Go peer shows it", how)
        return why

    def page(self, paths, connections=64):
        self.bench.filling.keep_sessions()
        with self.bench.product("--without-worker") as server:
            result = self.bench.http(server, connections=connections, environment=self.pages.environment(paths))
            memory = memory_megabytes(server.pid)
        return {**result, "memory": memory, "note": f"{memory:.0f} MB"}

    def by_peer(self):
        if self.otherwise:
            raise NotTaken(self.otherwise)
        self.bench.filling.keep_sessions()
        with self._peer() as server:
            result = self.bench.http(server, environment=self.pages.environment(self.pages.paths))
            return {**result, "note": f"{memory_megabytes(server.pid):.0f} MB, {self.sizes}"}

    def by_pgbench(self, clients):
        self._needs_capture()
        return self.bench.pgbench(self.pages.script(), clients)

    def json(self):
        with self.bench.product("--without-worker") as server:
            path = os.path.join(self.bench.directory, "json")
            with open(path, "w") as file:
                file.write("/admin/orders?app=readmigo\n")
            return self.bench.http(server, environment={"WRK_PATHS": path, "WRK_HEADERS": self._token()})

    def _token(self):
        """Returns a file with a program's token, issued by the product."""
        path = os.path.join(self.bench.directory, "token")
        if not os.path.exists(path):
            said = self.bench.does("staff", "token", "staff1@example.com", "--name", "bench")
            with open(path, "w") as file:
                file.write(f"Authorization: Bearer {re.search(r'pst_[^ ]+', said)[0].strip()}\n")
        return path

    def _needs_capture(self):
        if not self.captured:
            raise NotTaken("it was not seen what the order list asks the database")

    def _peer(self):
        return Server([self.options.peer], {
            "PEER_DATABASE": self.cluster.url, "PEER_CONNECTIONS": "8", **self.environment}, self.bench.log)
