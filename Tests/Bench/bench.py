"""Measures the product beside PostgreSQL's own ceilings and a Go peer, alternating, and writes docs/benchmarks.md."""
import os
import shutil
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager

import app_calls
import charts
import children
import export
import find
import inbox
import order_list
import pieces
import rates
import recount
import shops
import summary
from cluster import Cluster
from fill import Filling
from limits import Limits, NotTaken, Stopped, stop_on_signals, tidy_up
from options import parsed
from processes import perennial
from report import Report

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = {"pieces": pieces, "pages": order_list, "notifications": inbox, "shops": shops, "customers": app_calls, "find": find,
         "export": export, "charts": charts, "recount": recount}


class Bench:
    """A run: a database of its own, the parts that were asked for, and their results.

    Every part measures what it can. What it cannot measure becomes a hole with its reason, and the next thing is measured.
    """

    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.log = os.path.join(directory, "server.log")
        self.report = Report()
        self.limits = Limits(options.minutes * 60)
        self.cluster = self.filling = None
        self.load, self.version = 0.0, "?"

    def run(self):
        """Measures everything and writes it; returns true if all of it, or with `strict` off anything, could be measured."""
        started, load = time.monotonic(), os.getloadavg()[0]
        try:
            for name in [name for name in PARTS if name in self.options.only]:
                if name == "pieces" or self.is_ready():
                    with self.step(name, None):
                        PARTS[name].measure(self)
        finally:
            tidy_up()
            children.end_all()
            if self.cluster:
                self.cluster.stop()
            self.report.print()
        if not self.report.is_empty:
            summary.write(self, self.options.write or os.path.join(ROOT, "docs", "benchmarks.md"), started, load)
        return not (self.report.is_empty or self.options.strict and self.report.holes)

    @contextmanager
    def step(self, what, seconds):
        """Runs a step that may fail or take too long: then it becomes a hole, and the processes that it started are ended.

        A step without a limit of its own consists of steps that have one.
        """
        before = set(children.running)
        try:
            if seconds is None:
                yield
            else:
                with self.limits.step(seconds):
                    yield
        except Exception as error:
            children.end_all(since=before)
            self.report.hole(what, why(error))
            if self.options.trace:
                traceback.print_exc()

    def is_ready(self):
        """Fills the database for the first part that needs it; returns False when that failed."""
        if self.cluster is None:
            with self.step("everything that needs a database", self.options.preparation):
                # A small run keeps none of its data.
                self.cluster = Cluster(self.directory, **({"fsync": "off"} if self.options.small else {}))
                self.prepare()
        return self.filling is not None

    def prepare(self):
        print("==> Filling the database", flush=True)
        self.cluster.start()
        authority = os.path.join(self.directory, "authority")
        children.run([self.options.tools, "requests", "--count", "1", "--authority", authority, os.path.join(self.directory, "one")])
        self.does("migrate")
        self.does("catalog", "apply", os.path.join(ROOT, "Catalogs", "readmigo.yaml"), "--simulator",
                  os.path.join(authority, "root.der"))
        # Neither a search nor an export of orders reads the ledger.
        ledger = self.options.only not in (["find"], ["export"])
        filling = Filling(self.cluster, self.options.customers, self.options.orders, ledger)
        self.version = self.cluster.version()
        if self.options.only not in (["charts"], ["recount"]):
            began = time.monotonic()
            filling.run()
            print(f"    took {time.monotonic() - began:.0f} s", flush=True)
        self.filling = filling

    def rounds(self, cells, add=None):
        """Runs named cells in another order each round. A cell that can never be measured is not tried again."""
        names, never, add = list(cells), set(), add or self.report.add
        for turn in range(self.options.rounds):
            print(f"==> Round {turn + 1} of {self.options.rounds}", flush=True)
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                if name in never:
                    continue
                with self.step(name, self.options.patience):
                    try:
                        result = cells[name]()
                    except NotTaken:
                        never.add(name)
                        raise
                    add(name, result, turn + 1)

    def http(self, server, path="", connections=64, script="get.lua", environment={}, warm_up=1):
        """Measures a cell over HTTP; a small run, whose figures nobody reads, does not warm up."""
        return rates.http(server, self.cluster, path, self.options.seconds, connections, script, environment,
                          0 if self.options.small else warm_up)

    def pgbench(self, script, clients):
        """Measures a cell of pgbench, likewise."""
        return rates.pgbench(self.cluster, script, self.options.seconds, clients, warm_up=0 if self.options.small else 1)

    def product(self, *arguments, url=None):
        return perennial(self.options.product, self.cluster, self.log, *arguments, url=url)

    def does(self, *arguments):
        """Runs a command of the product; returns its output."""
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.directory}
        return children.run([self.options.product, *arguments], env=environment).stdout


def why(error):
    """Returns one line about an error, with its place in the code where nothing else explains it."""
    if isinstance(error, (RuntimeError, NotTaken)) or type(error).__module__ == "limits":
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"


def main():
    options = parsed(__doc__)
    directory = options.keep or tempfile.mkdtemp(prefix="perennial-bench-")
    os.makedirs(directory, exist_ok=True)
    stop_on_signals()
    try:
        if not Bench(options, directory).run():
            sys.exit("bin/bench: " + ("not everything could be taken" if options.strict else "nothing could be taken"))
    except Stopped as stop:
        sys.exit(128 + stop.number)
    finally:
        if not options.keep:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
