"""Measures `rollups verify` and `rebuild` over a million ledger rows, beside 200 writes a second."""
import glob
import itertools
import json
import os
import time

import children
from charts import TABLES, Charts
from processes import perennial
from report import most
from writes import Writes, bodies

RATE = 200
ALONE, VERIFY, REBUILD = "writes alone", "writes beside `rollups verify`", "writes beside `rollups rebuild`"
# PostgreSQL logs a session that has waited for a lock for this long.
MILLISECONDS = 100


def measure(bench):
    part, options, report = Recount(bench), bench.options, bench.report
    bench.rows = 0
    with bench.step("metrics counted again, filled", options.preparation):
        part.fill()
        bench.rows = part.rows()
    if not bench.rows:
        return
    bench.load = os.getloadavg()[0]
    print(f"==> {bench.rows:,} ledger rows, {RATE} writes a second", flush=True)
    for name, work in (ALONE, None), (VERIFY, "verify"), (REBUILD, "rebuild"):
        with bench.step(name, options.preparation):
            report.add(name, part.beside(work), 1)
    with bench.step("what was counted beside writes, counted again when it is quiet", options.preparation):
        part.is_equal()
        report.metric("recount: cells that a quiet `rollups verify` finds wrong after a rebuild beside writes", "0", 0, most(0))
    for name in VERIFY, REBUILD:
        report.metric(f"recount: {name}, {bench.rows:,} ledger rows: writes that waited for a lock for {MILLISECONDS} ms", "0",
                      report.most(name, "waits"), most(0))
        report.metric(f"recount: {name}: the slowest of {RATE} a second", f"≤ {MILLISECONDS} ms", report.most(name, "most"),
                      most(MILLISECONDS), " ms")


class Recount:
    def __init__(self, bench):
        self.bench, self.cluster, self.options = bench, bench.cluster, bench.options
        # The events are counted again, too, and say when everything was: no life is lived on other days.
        self.charts = Charts(bench.cluster, bench.options, bench.directory, bench.log, [*TABLES, "subscription_events"], "0")
        self.url = self.cluster.url.replace("dbname=perennial", "dbname=many")

    def fill(self):
        """Fills the database with many copies of a store's customers and their metrics, and signs notifications of others."""
        self.charts.fill()
        self.charts.multiply(self.options.times)
        self._rollups("rebuild")
        self.is_equal()
        made = os.path.join(self.bench.directory, "writes")
        # Enough for three times as long as a recount may take; of other customers than the present ones.
        children.run([self.options.tools, "requests", "--count", str(RATE * self.options.writing), "--seed", "11", "--files", "1",
                      "--authority", os.path.join(self.bench.directory, "authority"), made])
        self.requests = bodies(f"{made}.0")
        for name, value in ("deadlock_timeout", f"{MILLISECONDS}ms"), ("log_lock_waits", "on"):
            self.cluster.psql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.cluster.psql("SELECT pg_reload_conf()")
        self.cluster.autovacuum(True)

    def rows(self):
        return int(self.charts._many("SELECT count(*) FROM ledger_entries"))

    def beside(self, work):
        """Measures the wait for writes beside a command; without one, for ten seconds."""
        if work == "rebuild":
            self.charts._many("""
                SET session_replication_role = replica;
                UPDATE rollups SET amount = amount + 7 WHERE abs(hashtext(day::text || measure)) % 50 = 0""")
        waited = self._waited()
        with perennial(self.options.product, self.cluster, self.bench.log, url=self.url) as server:
            # The first requests to a server fill its memory.
            with Writes(itertools.islice(self.requests, RATE), server.port, RATE):
                time.sleep(1)
            with Writes(self.requests, server.port, RATE) as writes:
                began = time.monotonic()
                self._rollups(work) if work else time.sleep(self.options.seconds * 2)
                took = time.monotonic() - began
            self._is_applied()
        result = writes.result()
        result["waits"] = self._waited() - waited
        result["note"] = f"{took:.0f} s; the slowest {result['most']:.0f} ms; {result['waits']} waited for a lock"
        print("   ", result["note"], flush=True)
        return result

    def is_equal(self):
        """Raises `RuntimeError` with the differences."""
        self._rollups("verify")

    def _rollups(self, what):
        began = time.monotonic()
        said = children.run([self.options.product, "rollups", what],
                            env={**os.environ, "PERENNIAL_DATABASE_URL": self.url, "PERENNIAL_STATE": self.bench.directory}).stdout
        print(f"    rollups {what}: {said.strip().splitlines()[-1]} {time.monotonic() - began:.0f} s", flush=True)

    def _is_applied(self):
        """Waits until all stored notifications are applied and added to the metrics."""
        while int(self.charts._many("""SELECT (SELECT count(*) FROM store_notifications WHERE state IN ('received', 'processing'))
                                           + (SELECT count(*) FROM rollup_entries WHERE effective_at <= now())""")):
            time.sleep(0.2)

    def _waited(self):
        """Returns the number of waits for a lock of that length, from PostgreSQL's log."""
        (path,) = glob.glob(f"{self.cluster.data}/log/*.json")
        with open(path) as file:
            return sum("still waiting for" in json.loads(line).get("message", "") for line in file if line.endswith("\n"))
