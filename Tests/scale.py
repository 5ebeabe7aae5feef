"""How much of what is tried by chance, or once more for each of many, is tried: a sample that is the same all day and another one
tomorrow, or with PERENNIAL_TESTS=whole, as `bin/ci --full` sets it, all of it.

PERENNIAL_SAMPLE=2026-11-27 takes the sample of that day, so that what it found is found again.
"""

import datetime
import os
import zlib

WHOLE = os.environ.get("PERENNIAL_TESTS") == "whole"
DAY = datetime.date.fromisoformat(os.environ.get("PERENNIAL_SAMPLE") or datetime.date.today().isoformat())


def of(whole, sampled):
    return whole if WHOLE else sampled


def turn(name, count):
    """Whose turn it is today, of so many that something of that name goes through: in as many days it has been each one's."""
    return (DAY.toordinal() + zlib.crc32(name.encode())) % count


def some(name, values, every):
    """Every third of the values (or every fourth, …) in the sample, today others than tomorrow; at least one."""
    return values[turn(name, min(every, len(values))) if values else 0::every]
