"""Measures the product beside PostgreSQL's own ceilings and a Go peer, alternating, and writes docs/benchmarks.md."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import summary
from capture import Pages, get
from charts import Charts
from cluster import Cluster
from customers import FEATURE, Customers
from export import Export
from fill import Filling
from find import Find
from load import http, pgbench, wrk
from notifications import Notifications
from options import parsed
from processes import Server, memory_megabytes, perennial
from report import Report

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Bench:
    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.log = os.path.join(directory, "server.log")
        self.cluster = Cluster(directory)
        self.report = Report()

    def run(self):
        started, load = time.monotonic(), os.getloadavg()[0]
        self.cluster.start()
        try:
            self.prepare()
            if "pieces" in self.options.only:
                self.pieces()
            if "pages" in self.options.only:
                self.pages()
            if "notifications" in self.options.only:
                self.notifications()
            if "customers" in self.options.only:
                self.customers()
            if "find" in self.options.only:
                self.find()
            if "export" in self.options.only:
                self.export()
            if "charts" in self.options.only:
                self.charts()
        finally:
            self.cluster.stop()
        self.report.print()
        path = self.options.write or os.path.join(ROOT, "docs", "benchmarks.md")
        summary.write(self, path, started, load)

    def prepare(self):
        print("==> Filling the database", flush=True)
        authority = os.path.join(self.directory, "authority")
        tools = [self.options.tools, "requests", "--count", "1", "--authority", authority, os.path.join(self.directory, "one")]
        subprocess.run(tools, check=True, stdout=subprocess.DEVNULL)
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.directory}
        with open(self.log, "a") as log:
            for command in (["migrate"], ["catalog", "apply", os.path.join(ROOT, "Catalogs", "readmigo.yaml"),
                                          "--simulator", os.path.join(authority, "root.der")]):
                subprocess.run([self.options.product, *command], env=environment, check=True, stdout=log, stderr=log)
        # Neither a search nor a file of orders looks at the ledger.
        ledger = self.options.only not in (["find"], ["export"])
        self.filling = Filling(self.cluster, self.options.orders // 10, self.options.orders, ledger)
        self.version = self.cluster.version()
        if self.options.only == ["charts"]:
            return
        began = time.monotonic()
        self.filling.run()
        print(f"    took {time.monotonic() - began:.0f} s", flush=True)

    def rounds(self, cells):
        """Runs named cells, turning their order each round."""
        names = list(cells)
        for number in range(self.options.rounds):
            print(f"==> Round {number + 1} of {self.options.rounds}", flush=True)
            for name in names[number % len(names):] + names[:number % len(names)]:
                self.report.add(name, cells[name]())

    def product(self, *arguments):
        return perennial(self.options.product, self.cluster, self.log, *arguments)

    # Pages

    def pages(self):
        print("==> The order list", flush=True)
        pages = Pages(self.cluster, self.filling, self.directory)
        with self.product("--without-worker") as server:
            mine, path, cookie = pages.capture(server)
        with self.peer(pages) as peer:
            compare(mine, get(peer.port, path, cookie))
        seconds, cluster = self.options.seconds, self.cluster

        def page(paths, connections=64):
            self.filling.keep_sessions()
            with self.product("--without-worker") as server:
                result = http(server, cluster, "", seconds, connections, environment=pages.environment(paths))
                return {**result, "memory": memory_megabytes(server.pid), "note": f"{memory_megabytes(server.pid):.0f} MB"}

        def peer_page():
            self.filling.keep_sessions()
            with self.peer(pages) as server:
                result = http(server, cluster, "", seconds, 64, environment=pages.environment(pages.paths))
                return {**result, "note": f"{memory_megabytes(server.pid):.0f} MB"}

        self.rounds({
            "order list, 64 connections": lambda: page(pages.paths),
            "order list by pgbench, 4 clients": lambda: pgbench(cluster, pages.script, seconds, 4),
            "order list by the Go peer, 64 connections": peer_page,
            "order list by pgbench, 8 clients": lambda: pgbench(cluster, pages.script, seconds, 8),
            "order list, page 1": lambda: page(pages.first_page),
            "order list, 10,000 rows deep": lambda: page(pages.deep_page),
            "order list, 256 connections": lambda: page(pages.paths, 256),
            "orders as JSON, 64 connections": lambda: self.json(pages, seconds),
        })
        report = self.report
        ceiling = report.ratio("order list, 64 connections",
                               ["order list by pgbench, 4 clients", "order list by pgbench, 8 clients"])
        report.metric("order list, signed in, 25 rows, 64 connections, over `pgbench -M prepared` with its statements, "
                      "sent as the product sends them (the better of 4 and 8 clients)", "≥ 0.65 ×", ceiling, ceiling >= 0.65, " ×")
        peer = report.ratio("order list, 64 connections", "order list by the Go peer, 64 connections")
        report.metric("the same over the Go peer's page", "≥ 2.5 ×", peer, peer >= 2.5, " ×")
        cpu = report.median("order list, 64 connections", "srv")
        report.metric("the same, server CPU a page", "≤ 0.2 ms", cpu, cpu <= 0.2, " ms")
        depth = report.ratio("order list, page 1", "order list, 10,000 rows deep")
        report.metric("order list, page 1 over 10,000 rows deep", "within 1.3 ×", depth, 1 / 1.3 <= depth <= 1.3, " ×")
        memory = max(result["memory"] for result in report.cells["order list, 256 connections"])
        report.metric("memory at 256 connections", "< 100 MB", memory, memory < 100, " MB")
        json_rate = report.median("orders as JSON, 64 connections")
        report.metric("orders as JSON (`GET /admin/orders`, 25 orders, 64 connections)", "", json_rate, None, " /s")

    def json(self, pages, seconds):
        token = self.token(pages)
        with self.product("--without-worker") as server:
            path = os.path.join(self.directory, "json")
            with open(path, "w") as file:
                file.write("/admin/orders?app=readmigo\n")
            environment = {"WRK_PATHS": path, "WRK_HEADERS": token}
            return http(server, self.cluster, "", seconds, 64, environment=environment)

    def token(self, pages):
        """A program's key, issued by the product."""
        path = os.path.join(self.directory, "token")
        if not os.path.exists(path):
            environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.directory}
            command = [self.options.product, "staff", "token", "staff1@example.com", "--name", "bench"]
            with open(self.log, "a") as log:
                said = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=log, check=True)
            with open(path, "w") as file:
                file.write(f"Authorization: Bearer {re.search(r'pst_[^ ]+', said.stdout)[0].strip()}\n")
        return path

    def peer(self, pages):
        return Server([self.options.peer], lambda port: {
            "PEER_DATABASE": self.cluster.url, "PEER_CONNECTIONS": "8", "PEER_PORT": str(port), **pages.peer}, self.log)

    # Notifications

    def notifications(self):
        options, report, cluster = self.options, self.report, self.cluster
        print("==> Signing notifications", flush=True)
        made = Notifications(cluster, self.filling, self.directory, options.tools, options.product)
        made.make(1_000 if options.quick else 8_000 * options.seconds)

        def taken_in():
            with self.product("--without-worker") as server:
                wrk(f"http://127.0.0.1:{server.port}/", 1, 64, "send.lua", made.warm_up_environment())
                made.empty()
                result = http(server, cluster, "/", options.seconds, 64, "send.lua", made.environment(), warm_up=0)
                stored = made.stored()
            if result["said"] != ["0"]:
                result["note"] = f"{stored} of {result['count']} were new: the file was sent more than once"
            elif not result["count"] <= stored <= result["count"] + 64:
                raise RuntimeError(f"{result['count']} notifications were answered and {stored} are stored")
            made.keep()
            return result

        def signatures():
            said = subprocess.check_output([options.tools, "signatures", "--seconds", str(options.seconds)], text=True)
            return {"rate": json.loads(said)["value"]}

        taken_in()
        with self.product("--without-worker") as server:
            made.capture(server, self.log)
        self.rounds({
            "notification taken in, 64 connections": taken_in,
            "three signatures checked on every core": signatures,
            "notification stored by pgbench, 16 clients": lambda: made.store_by_pgbench(options.seconds, 16),
        })
        count = 300 if options.quick else 2_400 * options.seconds
        shares = iter(range(options.rounds))

        def applied():
            made.empty()
            made.offer(next(shares), options.rounds, count)
            return made.apply(self.log)

        self.rounds({
            "notification applied": applied,
            "notification applied by pgbench, 4 clients": lambda: made.apply_by_pgbench(count, 4),
            "notification applied by pgbench, 8 clients": lambda: made.apply_by_pgbench(count, 8),
        })
        ceiling = report.ratio("notification taken in, 64 connections", "three signatures checked on every core")
        report.metric("Apple notification verified, durable and answered, over its three signature checks alone on the "
                      "same cores", "≥ 0.7 ×", ceiling, ceiling >= 0.7, " ×")
        stored = report.ratio("notification taken in, 64 connections", "notification stored by pgbench, 16 clients")
        report.metric("the same over `pgbench` with one durable insert of it", "", stored, None, " ×")
        rate = report.ratio("notification applied", ["notification applied by pgbench, 4 clients",
                                                     "notification applied by pgbench, 8 clients"])
        report.metric("Apple notification applied, over `pgbench -M prepared` with the same statements in one transaction "
                      "each (the better of 4 and 8 clients)", "≥ 0.5 ×", rate, rate >= 0.5, " ×")

    # What apps ask for their customers

    def customers(self):
        print("==> Customers with tokens", flush=True)
        report, cluster, seconds = self.report, self.cluster, self.options.seconds
        made = Customers(cluster, self.filling, self.directory, 2_000 if self.options.quick else 100_000)
        with self.product("--without-worker") as server:
            made.prepare(server, self.options.product, self.log)
            made.capture(server)

        def read():
            with self.product("--without-worker") as server:
                return http(server, cluster, "", seconds, 64, environment=made.environment("-some"), warm_up=5)

        def count(tokens, connections=64, warm_up=1):
            with self.product("--without-worker") as server:
                return http(server, cluster, "", seconds, connections, "count.lua",
                            environment=made.environment(tokens, f"/usage/{FEATURE}"), warm_up=warm_up)

        self.rounds({
            "entitlements, 64 connections": read,
            "entitlements by pgbench, 8 clients": lambda: pgbench(cluster, made.reads, seconds, 8),
            "usage counted, 100,000 customers": lambda: count("", warm_up=60),
            "usage counted, 100,000 customers, their tokens seen for the first time": lambda: count(""),
            "usage counted by pgbench, 16 clients": lambda: pgbench(cluster, made.counts, seconds, 16),
            "usage counted, one customer": lambda: count("-one"),
        })
        reads = report.median("entitlements, 64 connections")
        report.metric("apps: `GET /entitlements` with a remembered token, 64 connections", "≥ 10,000 /s", reads, reads >= 10_000, " /s")
        ratio = report.ratio("entitlements, 64 connections", "entitlements by pgbench, 8 clients")
        report.metric("apps: the same over `pgbench -M prepared` with its statements", "≥ 0.7 ×", ratio, ratio >= 0.7, " ×")
        counts = report.median("usage counted, 100,000 customers")
        report.metric("apps: `POST /usage/{feature}` spread over 100,000 customers", "≥ 5,000 /s", counts, counts >= 5_000, " /s")
        ratio = report.ratio("usage counted, 100,000 customers", "usage counted by pgbench, 16 clients")
        report.metric("apps: the same over `pgbench -M prepared` with its statements", "≥ 0.7 ×", ratio, ratio >= 0.7, " ×")
        first = report.median("usage counted, 100,000 customers, their tokens seen for the first time")
        report.metric("apps: the same, each token seen for the first time", "", first, None, " /s")
        one = report.median("usage counted, one customer")
        report.metric("apps: `POST /usage/{feature}` of one customer", "≥ 1,000 /s", one, one >= 1_000, " /s")

    # Find

    def find(self):
        print("==> The find box", flush=True)
        self.load = os.getloadavg()[0]
        find = Find(self.cluster, self.filling, 20 if self.options.quick else 100)
        self.filling.keep_sessions()
        with self.product("--without-worker") as server:
            kinds = find.kinds()
            for _, texts in kinds:
                find.measure(server, texts[:3])
            for what, texts in kinds:
                self.report.add_find(what, texts[0], find.measure(server, texts), find.scans(server, texts[:3]))
        size = f"{self.filling.customers:,} customers and {self.options.orders:,} orders"
        slowest, scanned = self.report.slowest_find(), self.report.scanned_tables()
        self.report.metric(f"find box, {size}: 95 % of the searches of the slowest kind take at most", "≤ 100 ms", slowest,
                           slowest <= 100, " ms")
        self.report.metric("find box, big tables that a search reads from end to end", "0", len(scanned), not scanned)

    # Exports

    def export(self):
        print("==> The orders as a file", flush=True)
        self.load = os.getloadavg()[0]
        export, report = Export(self.cluster, self.directory), self.report
        self.filling.keep_sessions()
        with self.product("--without-worker") as server:
            export.capture(server)

        def over_http():
            with self.product("--without-worker") as server:
                return export.over_http(server)

        # The first of each reads what is not in memory yet.
        over_http(), export.by_psql()
        # A cell is one file, of which a few say little.
        for number in range(3 * self.options.rounds):
            for name, cell in [("over HTTP", over_http), ("by psql", export.by_psql)][::-1 if number % 2 else 1]:
                report.add_export(name, cell())
        with self.product("--without-worker") as server:
            slow = export.to_a_slow_client(server, 5 if self.options.quick else 20)
        ratio = report.export_ratio("over HTTP", "by psql")
        rows = f"{self.options.orders:,} rows"
        report.metric(f"export of {rows} over `psql \\copy` of its statement", "≥ 1.0 ×", ratio, ratio >= 1, " ×")
        memory = max(result["memory"] for result in report.exports["over HTTP"])
        report.metric(f"export of {rows}, memory above idle", "≤ 40 MB", memory, memory <= 40, " MB")
        report.metric("export to a client that takes 2 MB a second, memory above idle", "≤ 40 MB", slow, slow <= 40, " MB")

    # Charts

    def charts(self):
        charts = Charts(self.cluster, self.options, self.directory, self.log)
        self.filling.people()
        began = time.monotonic()
        self.few = self.said(charts, "perennial", charts.fill())
        print(f"    {self.few}, sent and applied in {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
        charts.multiply(self.options.times)
        orders = charts.orders("many")
        self.many = self.said(charts, "many", orders)
        print(f"    {self.many}, made in {time.monotonic() - began:.0f} s", flush=True)
        print("==> The overview and the charts", flush=True)
        self.load = os.getloadavg()[0]
        charts.measure(self.report)
        report = self.report
        worst, slowest = report.worst_growth(), report.slowest_page()
        report.metric("charts: the overview and the charts, many orders over few, the page that grows most", "≤ 1.5 ×",
                      worst, worst <= 1.5, " ×")
        report.metric(f"charts: {orders:,} orders, the slowest of these pages, 95 % of its answers take at most", "≤ 300 ms",
                      slowest, slowest <= 300, " ms")

    def said(self, charts, database, orders):
        return f"{orders:,} orders and {charts.cells(database):,} cells of rollups"

    # Pieces

    def pieces(self):
        print("==> Pieces", flush=True)
        command = [self.options.tools, "pieces", *(["--quick"] if self.options.quick else [])]
        for line in subprocess.check_output(command, text=True).splitlines():
            piece = json.loads(line)
            self.report.pieces.append(piece)
            print(f"  {piece['name']:<44} {piece['value']:9.1f} {piece['unit']}", flush=True)
        cost = next(piece["value"] for piece in self.report.pieces if piece["name"] == "page: template")
        self.report.metric("rendering the order list's page, templates alone", "≤ 20 µs", cost, cost <= 20, " µs")


def compare(mine, theirs):
    """The peer shows the same: the same table, and nearly as many bytes."""
    def cells(page):
        body = page.split("<tbody>")[1].split("</tbody>")[0]
        text = re.sub(r"<[^>]*>", " ", body).replace("&#39;", "'").replace("&amp;", "&").replace("&#43;", "+")
        return re.sub(r"\s+", " ", text).strip()
    if cells(mine) != cells(theirs) or not 0.93 < len(mine) / len(theirs) < 1.07:
        raise RuntimeError(f"the peer's page is another one ({len(mine)} and {len(theirs)} bytes):\n{cells(mine)[:600]}\n"
                           f"{cells(theirs)[:600]}")


def main():
    options = parsed(__doc__)
    directory = options.keep or tempfile.mkdtemp(prefix="perennial-bench-")
    os.makedirs(directory, exist_ok=True)
    try:
        Bench(options, directory).run()
    except (RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(f"bin/bench: {error}")
    finally:
        if not options.keep:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
