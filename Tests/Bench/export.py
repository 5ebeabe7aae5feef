"""Measures the export of all orders over HTTP, beside `psql \\copy` of the product's statement, and its memory."""
import os
import re
import time

import children
from fill import session_token
from limits import NotTaken
from processes import cpu_seconds, memory_megabytes, tree_cpu_seconds
from report import least, most

PATH = "/dashboard/exports/orders"


HTTP, PSQL = "over HTTP", "by psql"


def measure(bench):
    print("==> The orders as a file", flush=True)
    bench.load = os.getloadavg()[0]
    export, report, options = Export(bench.cluster, bench.directory), bench.report, bench.options
    bench.filling.keep_sessions()
    with bench.step("what an export asks the database", options.patience), bench.product("--without-worker") as server:
        export.capture(server)

    def over_http():
        with bench.product("--without-worker") as server:
            return export.over_http(server)

    # The first of each reads data that is not in memory yet.
    for name, cell in (HTTP, over_http), (PSQL, export.by_psql):
        with bench.step(name, options.patience):
            cell()
    # A cell is one file, and a few files say little.
    for turn in range(options.exports):
        for name, cell in [(HTTP, over_http), (PSQL, export.by_psql)][::-1 if turn % 2 else 1]:
            with bench.step(name, options.patience):
                report.add_export(name, cell(), turn + 1)
    slow = None
    with bench.step("export to a slow client", options.patience), bench.product("--without-worker") as server:
        slow = export.to_a_slow_client(server, 2 if options.small else 5 if options.quick else 20)
    rows = f"{options.orders:,} rows"
    report.metric(f"export of {rows} over `psql \\copy` of its statement", "≥ 1.0 ×", report.export_ratio(HTTP, PSQL), least(1),
                  " ×")
    report.metric(f"export of {rows}, memory above idle", "≤ 40 MB", report.export_memory(HTTP), most(40), " MB")
    report.metric("export to a client that takes 2 MB a second, memory above idle", "≤ 40 MB", slow, most(40), " MB")


class Export:
    def __init__(self, cluster, directory):
        self.cluster, self.file = cluster, os.path.join(directory, "orders.csv")
        self.query = None

    def capture(self, server):
        """Captures the statement of an export, from which `psql` has to make the same file."""
        with self.cluster.watched() as logged:
            self._get(server, "--max-time", "1", check=False)
        copies = [text.split("COPY ", 1)[1] for _, text, _, _ in logged if re.search(r"COPY \(\s*SELECT", text)]
        if not copies:
            raise NotTaken("an export is no COPY (SELECT …)")
        # The product reads binary rows and writes the text itself; with `psql`, PostgreSQL writes it.
        query = copies[-1].replace("TO STDOUT", f"TO '{self.file}'").replace("FORMAT binary", "FORMAT csv, HEADER")
        self.query = " ".join(query.split())

    def over_http(self, server):
        """Measures one export to a file: rows a second, CPU, and memory above idle."""
        idle = self._settle(server)
        mine, theirs, began = cpu_seconds(server.pid), tree_cpu_seconds(self.cluster.pid), time.perf_counter()
        self._get(server)
        took = time.perf_counter() - began
        return {**self._rate(took), "server": cpu_seconds(server.pid) - mine,
                "postgres": tree_cpu_seconds(self.cluster.pid) - theirs,
                "memory": memory_megabytes(server.pid) - idle}

    def by_psql(self):
        if not self.query:
            raise NotTaken("it was not seen what an export asks the database")
        theirs, began = tree_cpu_seconds(self.cluster.pid), time.perf_counter()
        command = ["psql", "-h", self.cluster.socket, "-U", "postgres", "-d", "perennial", "-qX", "-v", "ON_ERROR_STOP=1"]
        children.run([*command, "-c", "\\copy " + self.query])
        took = time.perf_counter() - began
        return {**self._rate(took), "postgres": tree_cpu_seconds(self.cluster.pid) - theirs}

    def to_a_slow_client(self, server, seconds):
        """Returns the memory above idle, in megabytes, while a client takes 2 MB a second and then goes away."""
        idle = self._settle(server)
        self._get(server, "--limit-rate", "2M", "--max-time", str(seconds), check=False)
        return memory_megabytes(server.pid) - idle

    def _settle(self, server):
        """Returns the memory at rest, in megabytes, and resets the peak."""
        self._get(server, "--range", "0-0", "--max-time", "1", check=False)
        time.sleep(1)
        with open(f"/proc/{server.pid}/clear_refs", "w") as file:
            file.write("5")
        return memory_megabytes(server.pid, "VmRSS")

    def _get(self, server, *options, check=True):
        done = children.run(["curl", "-sf", "-o", self.file, "-b", f"perennial={session_token(1)}", *options,
                             f"http://127.0.0.1:{server.port}{PATH}"], check=False)
        if check and done.returncode:
            raise RuntimeError(f"the export ended with {done.returncode}")

    def _rate(self, took):
        with open(self.file, "rb") as file:
            rows = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
        size = os.path.getsize(self.file)
        os.remove(self.file)
        return {"rate": rows / took, "megabytes": size / 1e6, "seconds": took}
