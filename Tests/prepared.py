"""Data that is slow to make and the same for many tests: made once in a run, by the first that needs it, and copied by all."""

import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

FOLDER = "PERENNIAL_TEST_FOLDER"


@contextlib.contextmanager
def folder():
    """Shares prepared data between this process and those that it starts; within another such folder, that one is used."""
    if os.environ.get(FOLDER):
        yield
        return
    made = pathlib.Path(tempfile.mkdtemp(prefix="perennial-prepared-"))
    # A cluster may belong to another account, which has to reach it through this folder.
    made.chmod(0o711)
    os.environ[FOLDER] = str(made)
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(made, ignore_errors=True)


def copy(name, make, to):
    """Copies the folder that `make(path)` makes once under this name; owners and times stay as they are."""
    shared = pathlib.Path(os.environ[FOLDER])
    done, half = shared / name, shared / f"{name}.half"
    with open(shared / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            # An earlier attempt that failed may have left it.
            shutil.rmtree(half, ignore_errors=True)
            make(half)
            half.rename(done)
    subprocess.run(["cp", "-a", done, to], check=True)
