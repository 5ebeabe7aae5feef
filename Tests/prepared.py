"""What takes long to make and is the same for many tests: made once in a run, by whoever needs it first, and copied by all others."""

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
    """While it lasts, what is prepared is shared by this process and those that it starts; inside another, that one's is."""
    if os.environ.get(FOLDER):
        yield
        return
    made = pathlib.Path(tempfile.mkdtemp(prefix="perennial-prepared-"))
    # A cluster may belong to another account, which has to get through to it.
    made.chmod(0o711)
    os.environ[FOLDER] = str(made)
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(made, ignore_errors=True)


def copy(name, make, to):
    """Copies to a path what `make(path)` has made under this name; owners and times stay as they are."""
    shared = pathlib.Path(os.environ[FOLDER])
    done, half = shared / name, shared / f"{name}.half"
    with open(shared / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            # Left by one that failed.
            shutil.rmtree(half, ignore_errors=True)
            make(half)
            half.rename(done)
    subprocess.run(["cp", "-a", done, to], check=True)
