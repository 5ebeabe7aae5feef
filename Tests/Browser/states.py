"""Which of the states that a page can be in are looked at: a sample of them, or with PERENNIAL_TESTS=whole all.

The sample is the same in each run, and covers every state of some page; `bin/ci --full` looks at all of them.
"""

import os
import zlib

WHOLE = os.environ.get("PERENNIAL_TESTS") == "whole"


def without_scripts(name):
    """Whether a test of people's work is done without JavaScript, in the sample where it is done once: one in three is."""
    return zlib.crc32(name.encode()) % 3 == 0
