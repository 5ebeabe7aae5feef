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
    if digits is None and isinstance(value, int):
        digits = 0
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Report:
    def __init__(self):
        self.metrics, self.cells, self.pieces, self.searches, self.exports, self.pages = [], {}, [], [], {}, []

    def add(self, name, result):
        self.cells.setdefault(name, []).append(result)
        print("  {:<44} {:>9} /s  p50 {:>6} p99 {:>6} ms  cpu srv {:>6} pg {:>6} ms".format(
            name, *(number(result.get(field)) for field in ("rate", "p50", "p99", "srv", "pg"))), flush=True)

    def add_find(self, what, example, milliseconds, scanned):
        """The searches of one kind, and the big tables that they read from end to end."""
        points = [percentile(milliseconds, share) for share in (0.5, 0.95, 0.99)]
        self.searches.append((what, example, points, scanned))
        print("  {:<32} p50 {:>7} p95 {:>7} p99 {:>7} ms  {}".format(
            what, *(number(point) for point in points), " ".join(scanned)), flush=True)

    def add_page(self, what, path, few, many):
        """Milliseconds of one page over few orders and over many."""
        points = [statistics.median(few), statistics.median(many), percentile(many, 0.95)]
        self.pages.append((what, path, points))
        print("  {:<42} few {:>7} many {:>7} ms  p95 {:>7} ms".format(what, *(number(point) for point in points)), flush=True)

    def add_export(self, name, result):
        self.exports.setdefault(name, []).append(result)
        print("  {:<12} {:>9} rows/s  {:>6} s  {:>6} MB  cpu srv {:>5} pg {:>5} s  memory {:>5} MB".format(name, *(
            number(result.get(field)) for field in ("rate", "seconds", "megabytes", "server", "postgres", "memory"))), flush=True)

    def export_ratio(self, over, under):
        return median([mine["rate"] / theirs["rate"] for mine, theirs in zip(self.exports[over], self.exports[under])])

    def worst_growth(self):
        return max(many / few for *_, (few, many, _) in self.pages)

    def slowest_page(self):
        return max(points[2] for *_, points in self.pages)

    def slowest_find(self):
        return max(points[1] for _, _, points, _ in self.searches)

    def scanned_tables(self):
        return {table for *_, scanned in self.searches for table in scanned}

    def ratio(self, over, under, field="rate"):
        """The median of the rounds' own ratios; a product's best rival is taken round by round."""
        rivals = [under] if isinstance(under, str) else under
        return median([mine[field] / max(rival[field] for rival in theirs)
                       for mine, *theirs in zip(self.cells[over], *(self.cells[name] for name in rivals))])

    def median(self, name, field="rate"):
        return median([result.get(field) for result in self.cells[name]])

    def metric(self, what, target, reached, met, unit=""):
        """`met` is None for what has no target."""
        self.metrics.append((what, target, f"{number(reached)}{unit}", met))

    def write(self, path, about, notes):
        lines = ["# Benchmarks", "", "Written by `bin/bench`; do not edit. What is measured and why stands in that "
                 "script's own comments and in `Tests/Bench`.", "", *[f"* {line}" for line in about], "", "## Metrics", "",
                 "| metric | target | reached | met? |", "|---|---|---|---|"]
        lines += [*self._metric_rows(), "", *notes, "", "## Pieces, on one core, without a server", "", "| piece | |", "|---|---|"]
        lines += [f"| {piece['name']} | {number(piece['value'])} {piece['unit'].replace('us', 'µs')} |" for piece in self.pieces]
        lines += ["", "## Raw numbers", "", *self._raw()]
        text = "\n".join(lines) + "\n"
        kept = read(path)
        for heading in ALONE:
            text = with_part(text, heading, part_rows(kept, heading), part_section(kept, heading))
        with open(path, "w") as file:
            file.write(text)

    def _raw(self):
        lines = ["Rate in 1/s; p50 and p99 in ms (pgbench: the mean); CPU in ms a request of the server process and of all "
                 "PostgreSQL processes together.", "",
                 "| cell | round | rate | p50 | p99 | server CPU | PostgreSQL CPU | |", "|---|---|---|---|---|---|---|---|"]
        for name, results in self.cells.items():
            for at, result in enumerate(results, 1):
                lines.append(f"| {name} | {at} | " + " | ".join(
                    number(result.get(field)) for field in ("rate", "p50", "p99", "srv", "pg"))
                    + f" | {result.get('note', '')} |")
        return lines

    def write_customers(self, path, about):
        """Puts what was measured of apps' calls in the place of what was there; all else stays."""
        self._replace(path, CUSTOMERS, [CUSTOMERS, "", *[f"* {line}" for line in about], "", *self._raw()])

    def write_find(self, path, about):
        """The same for the find box."""
        lines = [FIND, "", *[f"* {line}" for line in about], "", "Milliseconds until a search is answered.", "",
                 "| what is typed | such as | p50 | p95 | p99 |", "|---|---|---|---|---|"]
        lines += [f"| {what} | `{example}` | " + " | ".join(number(point) for point in points) + " |"
                  for what, example, points, _ in self.searches]
        self._replace(path, FIND, lines)

    def write_export(self, path, about):
        """The same for exports."""
        lines = [EXPORT, "", *[f"* {line}" for line in about], "",
                 "Seconds of CPU of the server process and of all PostgreSQL processes together; memory above idle at its peak.", "",
                 "| | round | rows a second | MB | seconds | server CPU | PostgreSQL CPU | memory, MB |", "|---|---|---|---|---|---|---|---|"]
        for name, results in self.exports.items():
            for at, result in enumerate(results, 1):
                lines.append(f"| {name} | {at} | " + " | ".join(number(result.get(field)) for field in (
                    "rate", "megabytes", "seconds", "server", "postgres", "memory")) + " |")
        self._replace(path, EXPORT, lines)

    def write_charts(self, path, about):
        """The same for the overview and the charts."""
        lines = [CHARTS, "", *[f"* {line}" for line in about], "",
                 "Milliseconds until a page is there, each asked for over a connection of its own, few and many in turn.", "",
                 "| page | | few, p50 | many, p50 | many over few | many, p95 |", "|---|---|---|---|---|---|"]
        lines += [f"| {what} | `{path}` | {number(few)} | {number(many)} | {number(many / few)} × | {number(late)} |"
                  for what, path, (few, many, late) in self.pages]
        self._replace(path, CHARTS, lines)

    def _replace(self, path, heading, lines):
        text = read(path)
        for part in [*part_rows(text, heading), part_section(text, heading)]:
            text = text.replace(part, "")
        with open(path, "w") as file:
            file.write(with_part(text, heading, [row + "\n" for row in self._metric_rows()], "\n".join(lines) + "\n\n"))

    def _metric_rows(self):
        return [f"| {what} | {target} | {reached} | {'' if met is None else 'yes' if met else '**not reached**'} |"
                for what, target, reached, met in self.metrics]

    def print(self):
        for what, target, reached, met in self.metrics:
            print(f"{what}: {reached} (target {target}) {'' if met is None else 'met' if met else 'NOT REACHED'}")


# What is measured by a run of its own: its rows and its section outlast the other runs.

CUSTOMERS = "## What apps call"
FIND = "## The find box"
EXPORT = "## Exports"
CHARTS = "## The overview and the charts"
# The section, and how its rows in the table of metrics begin.
ALONE = {CUSTOMERS: "apps", FIND: "find box", EXPORT: "export", CHARTS: "charts"}


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def part_rows(text, heading):
    return re.findall(rf"^\| {ALONE[heading]}.*\n", text, re.M)


def part_section(text, heading):
    found = re.search(rf"^{heading}\n.*?(?=^## |\Z)", text, re.M | re.S)
    return found[0] if found else ""


def with_part(text, heading, rows, section):
    """The rows at the end of the table of metrics, the section before the raw numbers."""
    text = re.sub(r"(## Metrics\n\n(?:\|.*\n)+)", lambda table: table[1] + "".join(rows), text)
    return text.replace("## Raw numbers\n", section + "## Raw numbers\n")
