"""A figure that could not be measured is named with its reason, and every other figure stands."""

import pytest
import written
from report import Report, least

FOUR, EIGHT = "by pgbench, 4 clients", "by pgbench, 8 clients"


def report():
    made = Report()
    for turn, rate in (1, 50.0), (2, 60.0), (3, 90.0):
        made.add("page", {"rate": rate}, turn)
    for turn, rate in (1, 100.0), (3, 100.0):
        made.add(FOUR, {"rate": rate}, turn)
    made.add(EIGHT, {"rate": 200.0}, 1)
    return made


def test_a_ratio_is_of_the_rounds_that_both_were_taken_in():
    made = report()
    # The first round's is over the better rival, the third's over the only one; the second round has none.
    assert made.ratio("page", [FOUR, EIGHT]) == pytest.approx((0.25 + 0.9) / 2)
    assert made.ratio("page", "never") is None
    assert made.ratio("never", FOUR) is None
    assert made.median("never") is None
    assert made.most("page", "memory") is None


def test_a_metric_that_could_not_be_taken_says_so_and_misses_no_target():
    made = report()
    made.metric("page over peer", "≥ 2.5 ×", made.ratio("page", "peer"), least(2.5), " ×")
    made.metric("page", "≥ 50 /s", made.median("page"), least(50), " /s")
    assert made.metrics == [("page over peer", "≥ 2.5 ×", "not taken", None), ("page", "≥ 50 /s", "60.0 /s", True)]


def test_a_hole_is_told_once_and_in_one_line():
    made = Report()
    for _ in range(3):
        made.hole("the peer", "it does\nnot listen")
    made.hole("the peer", "")
    assert made.holes == [("the peer", "it does not listen"), ("the peer", "no reason was given")]
    assert made.is_empty


def test_what_was_taken_is_written_beside_what_was_not(tmp_path):
    path = tmp_path / "benchmarks.md"
    made = report()
    made.metric("page over peer", "≥ 2.5 ×", None, least(2.5), " ×")
    made.hole("order list by the Go peer", "it shows a | b")
    written.write(made, path, ["a machine"], ["A note."])
    text = path.read_text()
    assert "| page over peer | ≥ 2.5 × | not taken |  |" in text
    assert "## Not taken, and why" in text and "| order list by the Go peer | it shows a \\| b |" in text
    assert "| page | 2 | 60.0 |" in text
    assert "## Pieces" not in text


def test_nothing_is_said_of_holes_where_there_are_none(tmp_path):
    written.write(report(), tmp_path / "benchmarks.md", [], [])
    assert "Not taken" not in (tmp_path / "benchmarks.md").read_text()


def test_a_part_that_is_measured_alone_outlasts_the_others_and_keeps_its_own_holes(tmp_path):
    path = tmp_path / "benchmarks.md"
    alone = Report()
    alone.add("entitlements", {"rate": 7.0}, 1)
    alone.metric("apps: entitlements", "", 7.0)
    alone.hole("usage counted", "took more than 3 min")
    written.write_customers(alone, path, ["customers"])
    made = report()
    made.metric("page", "", 60.0)
    written.write(made, path, ["a machine"], [])
    text = path.read_text()
    assert text.count("## What apps call") == 1 and "| entitlements | 1 | 7.00 |" in text
    assert "### Not taken, and why" in text and "| usage counted | took more than 3 min |" in text
    assert text.index("| page |  | 60.0 |") < text.index("| apps: entitlements |  | 7.00 |") < text.index("## What apps call")

    again = Report()
    again.add("entitlements", {"rate": 8.0}, 1)
    again.metric("apps: entitlements", "", 8.0)
    written.write_customers(again, path, ["customers"])
    text = path.read_text()
    assert "7.00" not in text and "usage counted" not in text
    assert "| page | 2 | 60.0 |" in text and text.count("| apps: entitlements |") == 1
