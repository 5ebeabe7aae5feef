"""Measures single pieces of the program, without a server."""
import json

import children
from report import most


def measure(bench):
    print("==> Pieces", flush=True)
    report = bench.report
    with bench.step("pieces", bench.options.patience):
        said = children.run([bench.options.tools, "pieces", *(["--quick"] if bench.options.quick else [])]).stdout
        for line in said.splitlines():
            piece = json.loads(line)
            report.pieces.append(piece)
            print(f"  {piece['name']:<44} {piece['value']:9.1f} {piece['unit']}", flush=True)
    report.metric("rendering the order list's page, templates alone", "≤ 20 µs", report.piece("page: template"), most(20), " µs")
