"""The cost of building and testing is checked against the table in docs/building.md."""

import importlib.machinery
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("budget", str(ROOT / "bin/budget"))
budget = importlib.util.module_from_spec(importlib.util.spec_from_loader("budget", loader))
loader.exec_module(budget)


def test_every_suite_and_the_build_have_a_row():
    allowed = budget.budget((ROOT / "docs/building.md").read_text())
    assert {"build-debug", "swift", "faults", "api", "browser"} <= allowed.keys()


def test_a_quarter_above_is_allowed_and_more_is_not():
    allowed = {"swift": 8.0, "browser": 4.0}
    assert budget.above(allowed, {"swift": 10.0, "browser": 4.9}) == []
    assert budget.above(allowed, {"swift": 10.1, "browser": 5.1}) == ["swift", "browser"]


def test_what_did_not_run_is_not_above():
    assert budget.above({"swift": 8.0}, {}) == []


def test_processor_time_counts_and_not_the_clock():
    # A build's line has only the processor time; a suite's has the seconds by the clock first.
    assert budget.measured(["build-debug 120", "swift 900.0 60.0"]) == {"build-debug": 2.0, "swift": 1.0}
