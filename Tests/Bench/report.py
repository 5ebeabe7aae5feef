"""docs/benchmarks.md: what was measured, beside what is to be reached."""
import os
import platform
import re
import statistics
import subprocess


def said(*command):
    try:
        return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.strip()
    except FileNotFoundError:
        return "?"


def machine():
    with open("/proc/meminfo") as file:
        memory = int(re.search(r"MemTotal:\s+(\d+)", file.read())[1]) / 1024 / 1024
    system = "a virtual machine" if "hypervisor" in open("/proc/cpuinfo").read() else "a machine"
    return (f"{system} with {os.cpu_count()} cores and {memory:.0f} GiB of memory, {platform.system()} "
            f"{platform.release().split('-')[0]}; everything (server, PostgreSQL, load) runs on these cores")


def versions(postgres):
    swift = re.search(r"Swift version ([\d.]+)", said("swift", "--version"))
    go = re.search(r"go([\d.]+)", said("go", "version"))
    wrk = re.search(r"wrk (?:debian/)?([\d.]+)", said("wrk", "-v"))
    return [f"Swift {swift[1] if swift else '?'} (release build)", f"PostgreSQL {postgres}",
            f"Go {go[1] if go else '?'} (pgx v4, html/template)", f"wrk {wrk[1] if wrk else '?'}"]


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def number(value, digits=None):
    if value is None:
        return ""
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


class Report:
    def __init__(self):
        self.figures, self.cells, self.pieces = [], {}, []

    def add(self, name, result):
        self.cells.setdefault(name, []).append(result)
        print("  {:<44} {:>9} /s  p50 {:>6} p99 {:>6} ms  cpu srv {:>6} pg {:>6} ms".format(
            name, *(number(result.get(field)) for field in ("rate", "p50", "p99", "srv", "pg"))), flush=True)

    def ratio(self, over, under, field="rate"):
        """The median of the rounds' own ratios; a product's best rival is taken round by round."""
        rivals = [under] if isinstance(under, str) else under
        return median([mine[field] / max(rival[field] for rival in theirs)
                       for mine, *theirs in zip(self.cells[over], *(self.cells[name] for name in rivals))])

    def median(self, name, field="rate"):
        return median([result.get(field) for result in self.cells[name]])

    def figure(self, what, target, reached, met, unit=""):
        """`met` is None for what has no target."""
        self.figures.append((what, target, f"{number(reached)}{unit}", met))

    def write(self, path, about, notes):
        lines = ["# Benchmarks", "", "Written by `bin/bench`; do not edit. What is measured and why stands in that "
                 "script's own comments and in `Tests/Bench`.", "", *[f"* {line}" for line in about], "", "## Figures", "",
                 "| figure | target | reached | met? |", "|---|---|---|---|"]
        for what, target, reached, met in self.figures:
            lines.append(f"| {what} | {target} | {reached} | {'' if met is None else 'yes' if met else '**not reached**'} |")
        lines += ["", *notes, "", "## Pieces, on one core, without a server", "", "| piece | |", "|---|---|"]
        lines += [f"| {piece['name']} | {number(piece['value'])} {piece['unit'].replace('us', 'µs')} |" for piece in self.pieces]
        lines += ["", "## Raw numbers", "",
                  "Rate in 1/s; p50 and p99 in ms (pgbench: the mean); CPU in ms a request of the server process and of all "
                  "PostgreSQL processes together.", "",
                  "| cell | round | rate | p50 | p99 | server CPU | PostgreSQL CPU | |", "|---|---|---|---|---|---|---|---|"]
        for name, results in self.cells.items():
            for at, result in enumerate(results, 1):
                lines.append(f"| {name} | {at} | " + " | ".join(
                    number(result.get(field)) for field in ("rate", "p50", "p99", "srv", "pg"))
                    + f" | {result.get('note', '')} |")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")

    def print(self):
        for what, target, reached, met in self.figures:
            print(f"{what}: {reached} (target {target}) {'' if met is None else 'met' if met else 'NOT REACHED'}")
