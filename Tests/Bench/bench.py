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
import summary
from cluster import Cluster
from fill import Filling
from limits import Limits, NotTaken, Stopped, stop_on_signals, tidy_up
from options import parsed
from processes import perennial
from report import Report

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = {"pieces": pieces, "pages": order_list, "notifications": inbox, "customers": app_calls, "find": find, "export": export,
         "charts": charts, "recount": recount}


class Bench:
    """A run: a database of its own, the parts that were asked for, and what came of them.

    Every part takes what it can. What it cannot take is noted as a hole with its reason, and the next thing is taken.
    """

    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.log = os.path.join(directory, "server.log")
        self.report = Report()
        self.limits = Limits(options.minutes * 60)
        self.cluster = self.filling = None
        self.load, self.version = 0.0, "?"

    def run(self):
        """Takes everything and writes it; answers whether all of it could be taken, or with `strict` off anything at all."""
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
        """Something that may fail, or take too long: then it is a hole, and whatever it started is ended.

        What has no limit of its own is made of steps that have one.
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
        """Fills the database for the first part that needs it; False when that did not work."""
        if self.cluster is None:
            with self.step("everything that needs a database", self.options.preparation):
                # Nothing of a small run is kept.
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
        # Neither a search nor a file of orders looks at the ledger.
        ledger = self.options.only not in (["find"], ["export"])
        filling = Filling(self.cluster, self.options.customers, self.options.orders, ledger)
        self.version = self.cluster.version()
        if self.options.only not in (["charts"], ["recount"]):
            began = time.monotonic()
            filling.run()
            print(f"    took {time.monotonic() - began:.0f} s", flush=True)
        self.filling = filling

    def rounds(self, cells, add=None):
        """Runs named cells, turning their order each round. What can never be taken is not tried again."""
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
        """One cell over HTTP; a small run, whose figures nobody reads, does not warm up."""
        return rates.http(server, self.cluster, path, self.options.seconds, connections, script, environment,
                          0 if self.options.small else warm_up)

    def pgbench(self, script, clients):
        """One cell of pgbench, likewise."""
        return rates.pgbench(self.cluster, script, self.options.seconds, clients, warm_up=0 if self.options.small else 1)

    def product(self, *arguments, url=None):
        return perennial(self.options.product, self.cluster, self.log, *arguments, url=url)

    def does(self, *arguments):
        """What the product says to a command."""
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.directory}
        return children.run([self.options.product, *arguments], env=environment).stdout


def why(error):
    """One line about what went wrong, with the place of it where that is all there is to go by."""
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
