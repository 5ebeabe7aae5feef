"""Measures apps' calls: entitlements read and usage counted over HTTP, beside their statements by pgbench."""
import re

from customers import FEATURE, Customers
from report import least

READ, READS = "entitlements, 64 connections", "entitlements by pgbench, 8 clients"
COUNT, COUNTS = "usage counted, 100,000 customers", "usage counted by pgbench, 16 clients"
FIRST, ONE = "usage counted, 100,000 customers, their tokens seen for the first time", "usage counted, one customer"


def measure(bench):
    print("==> Customers with tokens", flush=True)
    options = bench.options
    made = Customers(bench.cluster, bench.filling, bench.directory, options.tokens)
    with bench.step("customers with tokens", options.preparation):
        key = re.search(r"psk_\S+", bench.does("app-key", "readmigo", "--name", "bench", "--scope", "tokens:mint"))[0]
        with bench.product("--without-worker") as server:
            made.prepare(server, key)
    for name, method, path in ("entitlements", "GET", "/entitlements"), ("counts", "POST", f"/usage/{FEATURE}"):
        with bench.step(f"what {name} ask the database", options.patience), bench.product("--without-worker") as server:
            made.capture(name, server, method, path)

    def read():
        with bench.product("--without-worker") as server:
            return bench.http(server, environment=made.environment("-some"), warm_up=max(1, options.warm_up // 12))

    def count(tokens, warm_up=1):
        with bench.product("--without-worker") as server:
            return bench.http(server, script="count.lua", environment=made.environment(tokens, f"/usage/{FEATURE}"), warm_up=warm_up)

    bench.rounds({
        READ: read,
        READS: lambda: bench.pgbench(made.script("entitlements"), 8),
        COUNT: lambda: count("", warm_up=options.warm_up),
        FIRST: lambda: count(""),
        COUNTS: lambda: bench.pgbench(made.script("counts"), 16),
        ONE: lambda: count("-one"),
    })
    report = bench.report
    report.metric("apps: `GET /entitlements` with a remembered token, 64 connections", "≥ 10,000 /s", report.median(READ),
                  least(10_000), " /s")
    report.metric("apps: the same over `pgbench -M prepared` with its statements", "≥ 0.7 ×", report.ratio(READ, READS), least(0.7),
                  " ×")
    report.metric("apps: `POST /usage/{feature}` spread over 100,000 customers", "≥ 5,000 /s", report.median(COUNT), least(5_000),
                  " /s")
    report.metric("apps: the same over `pgbench -M prepared` with its statements", "≥ 0.7 ×", report.ratio(COUNT, COUNTS), least(0.7),
                  " ×")
    report.metric("apps: the same, each token seen for the first time", "", report.median(FIRST), None, " /s")
    report.metric("apps: `POST /usage/{feature}` of one customer", "≥ 1,000 /s", report.median(ONE), least(1_000), " /s")
