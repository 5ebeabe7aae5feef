"""Describes a run of `bin/bench` beside its figures."""
import time

import written
from machine import machine, versions


def write(bench, path, started, load):
    """Writes the figures and the description of the run. A quick run is written only with `--write`."""
    if bench.options.quick and not bench.options.write:
        return
    if bench.options.only == ["charts"]:
        written.write_charts(bench.report, path, [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".",
            f"Few: {bench.few}, of two years of {bench.options.lives:,} customers, sent to the product as signed "
            f"notifications; PostgreSQL {bench.version}. Many: {bench.many}, the same lives {bench.options.times} times, "
            "each begun up to a month sooner.",
            f"Load average before filling {load:.1f}, before measuring {bench.load:.1f}. The run took "
            f"{(time.monotonic() - started) / 60:.0f} minutes, most of them for filling.",
        ])
    elif bench.options.only == ["recount"]:
        written.write_recount(bench.report, path, [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".",
            f"{bench.rows:,} ledger rows: two years of {bench.options.lives:,} customers, {bench.options.times} times; PostgreSQL "
            f"{bench.version}, fsync and synchronous_commit are on. Writes are signed notifications over HTTP, 200 a second whatever "
            "becomes of those before, and applied by the same server meanwhile; each counts from when it was due.",
            f"Load average before filling {load:.1f}, before measuring {bench.load:.1f}. The run took "
            f"{(time.monotonic() - started) / 60:.0f} minutes, most of them for filling.",
        ])
    elif bench.options.only == ["customers"]:
        written.write_customers(bench.report, path, [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".",
            f"100,000 customers with a token each, PostgreSQL {bench.version}; fsync and synchronous_commit are on. "
            f"{bench.options.rounds} rounds of {bench.options.seconds} s a cell; the server is started anew for each cell, the "
            "order of the candidates turns each round. pgbench runs the statements that read and count, prepared, and none of "
            "those that the product sends beside them for its limits.",
            f"Load average before the run: {load:.1f}. The run took {(time.monotonic() - started) / 60:.0f} minutes.",
        ])
    elif bench.options.only == ["export"]:
        written.write_export(bench.report, path, [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".",
            f"{bench.options.orders:,} orders of {bench.options.customers:,} customers in PostgreSQL {bench.version}, filled by "
            "COPY; taken as a file by curl from `GET /dashboard/exports/orders`, and by `psql \\copy` of the very "
            "statement that the product sends, as CSV.",
            f"Load average before filling {load:.1f}, before measuring {bench.load:.1f}.",
        ])
    elif bench.options.only == ["find"]:
        written.write_find(bench.report, path, [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".",
            f"{bench.options.orders:,} orders of {bench.options.customers:,} customers in PostgreSQL {bench.version}, filled by "
            "COPY; searched by an admin through `GET /dashboard/find`, one search after another, of which each text "
            "is another one where there are enough.",
            f"Load average before filling {load:.1f}, before measuring {bench.load:.1f}. The run took "
            f"{(time.monotonic() - started) / 60:.0f} minutes, most of them for filling.",
        ])
    else:
        about = [
            time.strftime("%-d %B %Y, ", time.gmtime()) + machine() + ".", ", ".join(versions(bench.version)) + ".",
            f"{bench.options.orders:,} orders of {bench.options.customers:,} customers, filled by COPY; fsync and "
            f"synchronous_commit are on. {bench.options.rounds} rounds of {bench.options.seconds} s a cell after 1 s of "
            "warm-up; the server is started anew for each cell and the order of the candidates turns each round.",
            f"Load average before the run: {load:.1f}. The run took {(time.monotonic() - started) / 60:.0f} minutes.",
        ]
        notes = ["A ratio is the median of the ratios within each round. Single rates drift from run to run; ratios "
                 "and CPU a request are what to compare."]
        written.write(bench.report, path, about, notes)
