"""The scale of tests that try random values, or each of many: a sample, the same all day and another one tomorrow, or all with
PERENNIAL_TESTS=whole, as `bin/ci --full` sets it.

PERENNIAL_SAMPLE=2026-11-27 takes that day's sample, to reproduce its findings.
"""

import datetime
import os
import zlib

WHOLE = os.environ.get("PERENNIAL_TESTS") == "whole"
DAY = datetime.date.fromisoformat(os.environ.get("PERENNIAL_SAMPLE") or datetime.date.today().isoformat())


def of(whole, sampled):
    return whole if WHOLE else sampled


def turn(name, count):
    """Returns today's index out of `count` for a name: in `count` days each has had its turn."""
    return (DAY.toordinal() + zlib.crc32(name.encode())) % count


def some(name, values, every):
    """Returns every third of the values (or every fourth, …) in the sample, today others than tomorrow; at least one."""
    return values[turn(name, min(every, len(values))) if values else 0::every]
