"""Writes docs/benchmarks.md: a run's own parts, beside those of other runs that it leaves."""
import os
import re

from report import number

EMPTY = "# Benchmarks\n\n## Metrics\n\n| metric | target | reached | met? |\n|---|---|---|---|\n\n## Raw numbers\n"
FIELDS = ("rate", "p50", "p99", "srv", "pg")

# The parts with a run of their own: their rows and their section outlast the other runs.
CUSTOMERS = "## What apps call"
FIND = "## The find box"
EXPORT = "## Exports"
CHARTS = "## The overview and the charts"
RECOUNT = "## Metrics counted again beside writes"
# The section, and the beginnings of its rows in the table of metrics.
ALONE = {CUSTOMERS: "apps", FIND: "find box", EXPORT: "export", CHARTS: "charts", RECOUNT: "recount"}


def write(report, path, about, notes):
    """Writes everything but the parts with a run of their own, which stay as they were."""
    lines = ["# Benchmarks", "", "Written by `bin/bench`; do not edit. What is measured and why stands in that script's own "
             "comments and in `Tests/Bench`.", "",
             "A run always ends. Each measurement has a limit of time, and so has the whole. What could not be taken is named with "
             "its reason, and the other figures stand. The statements that `pgbench` and the Go peer run are what the product was "
             "seen to ask, told by what each is for. The peer's list is the product's row by row before it is measured; a column "
             "in which they differ is named.", "",
             *[f"* {line}" for line in about], "", "## Metrics", "",
             "| metric | target | reached | met? |", "|---|---|---|---|"]
    lines += [*_metric_rows(report), "", *notes, "", *_holes(report, "##")]
    if report.pieces:
        lines += ["## Pieces, on one core, without a server", "", "| piece | |", "|---|---|"]
        lines += [f"| {piece['name']} | {number(piece['value'])} {piece['unit'].replace('us', 'µs')} |" for piece in report.pieces]
        lines += [""]
    lines += ["## Raw numbers", "", *_raw(report)]
    text = "\n".join(lines) + "\n"
    kept = _read(path)
    for heading in ALONE:
        text = _with_part(text, heading, _part_rows(kept, heading), _part_section(kept, heading))
    with open(path, "w") as file:
        file.write(text)


def write_customers(report, path, about):
    """Replaces the section on apps' calls; all else stays."""
    _replace(report, path, CUSTOMERS, about, _raw(report))


def write_find(report, path, about):
    """Replaces the section on the find box."""
    lines = ["Milliseconds until a search is answered.", "",
             "| what is typed | such as | p50 | p95 | p99 |", "|---|---|---|---|---|"]
    lines += [f"| {what} | `{example}` | " + " | ".join(number(point) for point in points) + " |"
              for what, example, points, _ in report.searches]
    _replace(report, path, FIND, about, lines)


def write_export(report, path, about):
    """Replaces the section on exports."""
    lines = ["Seconds of CPU of the server process and of all PostgreSQL processes together; memory above idle at its peak.", "",
             "| | round | rows a second | MB | seconds | server CPU | PostgreSQL CPU | memory, MB |",
             "|---|---|---|---|---|---|---|---|"]
    for name, results in report.exports.items():
        for turn, result in results.items():
            lines.append(f"| {name} | {turn} | " + " | ".join(number(result.get(field)) for field in (
                "rate", "megabytes", "seconds", "server", "postgres", "memory")) + " |")
    _replace(report, path, EXPORT, about, lines)


def write_charts(report, path, about):
    """Replaces the section on the overview and the charts."""
    lines = ["Milliseconds until a page is there, each asked for over a connection of its own, few and many in turn.", "",
             "| page | | few, p50 | many, p50 | many over few | many, p95 |", "|---|---|---|---|---|---|"]
    lines += [f"| {what} | `{address}` | {number(few)} | {number(many)} | {number(many / few)} × | {number(late)} |"
              for what, address, (few, many, late) in report.pages]
    _replace(report, path, CHARTS, about, lines)


def write_recount(report, path, about):
    """Replaces the section on metrics that are counted again."""
    _replace(report, path, RECOUNT, about, _raw(report))


def _metric_rows(report):
    return [f"| {what} | {target} | {reached} | {'' if met is None else 'yes' if met else '**not reached**'} |"
            for what, target, reached, met in report.metrics]


def _holes(report, level):
    if not report.holes:
        return []
    return [f"{level} Not taken, and why", "", "| what | why |", "|---|---|",
            *[f"| {_cell(what)} | {_cell(why)} |" for what, why in report.holes], ""]


def _cell(text):
    return text.replace("|", "\\|")


def _raw(report):
    lines = ["Rate in 1/s; p50 and p99 in ms (pgbench: the mean); CPU in ms a request of the server process and of all "
             "PostgreSQL processes together.", "",
             "| cell | round | rate | p50 | p99 | server CPU | PostgreSQL CPU | |", "|---|---|---|---|---|---|---|---|"]
    for name, results in report.cells.items():
        for turn, result in results.items():
            lines.append(f"| {name} | {turn} | " + " | ".join(number(result.get(field)) for field in FIELDS)
                         + f" | {result.get('note', '')} |")
    return lines


def _replace(report, path, heading, about, lines):
    text = _read(path) or EMPTY
    for part in [*_part_rows(text, heading), _part_section(text, heading)]:
        text = text.replace(part, "")
    section = "\n".join([heading, "", *[f"* {line}" for line in about], "", *lines, "", *_holes(report, "###")])
    with open(path, "w") as file:
        file.write(_with_part(text, heading, [row + "\n" for row in _metric_rows(report)], section.rstrip() + "\n\n"))


def _read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def _part_rows(text, heading):
    return re.findall(rf"^\| {ALONE[heading]}.*\n", text, re.M)


def _part_section(text, heading):
    found = re.search(rf"^{heading}\n.*?(?=^## |\Z)", text, re.M | re.S)
    return found[0] if found else ""


def _with_part(text, heading, rows, section):
    """Returns the text with the rows at the end of the table of metrics, and the section before the raw numbers."""
    text = re.sub(r"(## Metrics\n\n(?:\|.*\n)+)", lambda table: table[1] + "".join(rows), text)
    return text.replace("## Raw numbers\n", section + "## Raw numbers\n")
