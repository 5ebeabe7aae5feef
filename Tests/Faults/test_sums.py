"""The sums that bin/test makes of its suites' output."""

import importlib.machinery
import importlib.util

import pytest

from installation import REPOSITORY

loader = importlib.machinery.SourceFileLoader("test_counts", str(REPOSITORY / "bin" / "test-counts"))
program = importlib.util.module_from_spec(importlib.util.spec_from_loader("test_counts", loader))
loader.exec_module(program)

SWIFT = """
\x1b[92m✔\x1b[0m Test "one" passed after 0.1 seconds.
\x1b[91m✘\x1b[0m Test "two" recorded an issue at A.swift:1:1: Expectation failed
\x1b[91m✘\x1b[0m Test "two" with 3 test cases failed after 0.2 seconds with 2 issues.
\x1b[91m✘\x1b[0m Suite "all" failed after 0.3 seconds with 2 issues.
\x1b[91m✘\x1b[0m Test run with 9 tests in 1 suite failed after 0.3 seconds with 2 issues.
"""


@pytest.mark.parametrize("text, code, sums", [
    (SWIFT, 1, (8, 1)),
    ("Test run with 9 tests in 2 suites passed after 0.3 seconds.", 0, (9, 0)),
    ("....\n2 failed, 889 passed in 372.50s (0:06:12)\n", 1, (889, 2)),
    ("1 failed, 3 passed, 2 errors in 1.0s\n", 1, (3, 3)),
    ("17 passed, 3 skipped in 1.0s\n", 0, (17, 0)),
    ("Segmentation fault\n", 139, (0, 1)),
])
def test_a_suite_is_summed_up_by_its_last_line_and_one_that_crashed_has_failed(text, code, sums):
    assert program.counts(text, code) == sums


def test_what_failed_is_named_once_with_its_reason():
    assert program.failures(SWIFT + "\x1b[90m↳ it hung\x1b[0m\n") == ['✘ Test "two" recorded an issue at A.swift:1:1: Expectation failed']
    told = SWIFT.replace("Expectation failed\n", "Expectation failed\n\x1b[90m↳ it hung\x1b[0m\n")
    assert program.failures(told) == ['✘ Test "two" recorded an issue at A.swift:1:1: Expectation failed ↳ it hung']
    assert program.failures("FAILED a.py::b - no\nERROR c.py::d\nFAILED a.py::b - no\n1 failed") == ["FAILED a.py::b - no", "ERROR c.py::d"]
    assert program.failures("FAILED " + "x" * 100_000) == ["FAILED " + "x" * 593]


def test_the_slowest_are_listed_with_what_was_made_for_them():
    assert program.slowest(SWIFT) == ['    0.20 s  "two"', '    0.10 s  "one"']
    assert program.slowest(SWIFT, most=1) == ['    0.20 s  "two"']
    assert program.slowest("12.50s setup    Tests/a.py::b\n1.00s call     Tests/a.py::c[x y]\n2 passed in 14.00s\n") == [
        "   12.50 s  Tests/a.py::b (setup)", "    1.00 s  Tests/a.py::c[x y]"]
