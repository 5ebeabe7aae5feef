"""How much of what is tried by chance, or once more for each of many, is tried: a sample that is the same in each run, or with
PERENNIAL_TESTS=whole, as `bin/ci --full` sets it, all of it."""

import os

WHOLE = os.environ.get("PERENNIAL_TESTS") == "whole"


def of(whole, sampled):
    return whole if WHOLE else sampled
