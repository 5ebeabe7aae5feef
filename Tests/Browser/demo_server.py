"""The product with demo data, on a free port and with a state directory of its own."""

import functools
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import ports
import prepared

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "demo-password-1"


def binary():
    """Returns the program to test: PERENNIAL_BINARY, else the last debug build."""
    given = os.environ.get("PERENNIAL_BINARY")
    path = pathlib.Path(given) if given else REPOSITORY / ".build" / "debug" / "perennial"
    return path.resolve()


class DemoServer:
    """Runs `perennial demo` from start to end, with a copy of the data that it fills in, or `anew`.

    It plays the App Store alone, or, with `stores`, all four, beside a second app unless told otherwise.
    """

    def __init__(self, customers, start_within=600, anew=False, stores=False, second_app=True):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-"))
        # The cluster may belong to another account, which has to reach its directory through this one.
        self.home.chmod(0o711)
        self.state = self.home / "state"
        if not anew:
            prepared.copy(f"demo-{customers}", functools.partial(_fill, customers), self.state)
        self.port = ports.take()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = os.environ | {
            "PERENNIAL_STATE": str(self.state),
            "PERENNIAL_HOST": "127.0.0.1",
            "PERENNIAL_PORT": str(self.port),
            "PERENNIAL_DEMO_PASSWORD": PASSWORD,
            "PERENNIAL_RATE_LIMITS": "off",
            # Browsers, other suites and an unoptimised server share a few processors.
            "PERENNIAL_PATIENCE": "20",
        }
        self._environment.pop("PERENNIAL_DATABASE_URL", None)
        self._process = subprocess.Popen(
            [binary(), "demo", "--customers", str(customers), *([] if stores else ["--only-apple"]),
             *([] if second_app else ["--no-second-app"])],
            cwd=REPOSITORY,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.log = []
        self._lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._wait_for("Perennial is ready", start_within)
            self.wait_until_ready(240)
        except BaseException:
            self._process.kill()
            raise

    def run(self, *arguments, input=None):
        """Runs a command of the product against the same state; returns its output."""
        done = subprocess.run(
            [binary(), *arguments],
            cwd=REPOSITORY,
            env=self._environment,
            input=input,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def sql(self, statement):
        """Runs SQL in the demo's own cluster; returns its rows as lists of text."""
        data = self.state / "postgres" / "data"
        programs = pathlib.Path((data / "postmaster.opts").read_text().split()[0]).parent
        socket_directory = (data / "postmaster.pid").read_text().splitlines()[4]
        done = subprocess.run(
            [
                programs / "psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e", "-v", "ON_ERROR_STOP=1",
                "-h", socket_directory, "-U", "postgres", "-d", "perennial", "-f", "-",
            ],
            input=statement,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        rows = done.stdout.rstrip("\n")
        return [row.split("\x1f") for row in rows.split("\x1e")] if rows else []

    def stop(self):
        """Ends the demo and removes its files."""
        self.end()
        shutil.rmtree(self.home)

    def end(self, within=240):
        """Asks the demo to end, and asserts that it does so by itself and leaves no database behind."""
        self._process.terminate()
        try:
            status = self._process.wait(within)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise AssertionError(f"the server did not end within {within} s of SIGTERM:\n{self._tail()}") from None
        assert status == 0, f"the server ended with {status}:\n{self._tail()}"
        assert not (self.state / "postgres" / "data" / "postmaster.pid").exists(), "its database still runs"

    def _read(self):
        for line in self._process.stdout:
            self.log.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def _wait_for(self, text, within):
        end = time.monotonic() + within
        while True:
            try:
                line = self._lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"not ready within {within} s:\n{self._tail()}") from None
            assert line is not None, f"the server ended before it was ready:\n{self._tail()}"
            if re.search(text, line):
                return

    def wait_until_ready(self, within):
        """Waits as a load balancer does, which asks again: on a busy machine the first connections take a second."""
        end = time.monotonic() + within
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=300):
                    return
            except urllib.error.HTTPError as error:
                said = error.read().decode()
                assert time.monotonic() < end, f"not ready within {within} s: {said}\n{self._tail()}"
                time.sleep(0.2)

    def _tail(self):
        return "".join(self.log[-30:])


def _fill(customers, state):
    """Makes a state directory with the demo's data in it."""
    first = DemoServer(customers, start_within=600, anew=True)
    first.end()
    first.state.rename(state)
    first.home.rmdir()
