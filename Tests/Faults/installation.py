"""An installation of the product to break: a state directory, a port, the server, and PostgreSQL behind it."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import ports
import prepared
from stopwatch import Stopwatch

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
CATALOG = REPOSITORY / "Catalogs" / "readmigo.yaml"
BINARY = pathlib.Path(os.environ.get("PERENNIAL_BINARY") or REPOSITORY / ".build/debug/perennial").resolve()


# A busy machine makes ten seconds of one: only what hangs takes longer than this.
PATIENCE = 240


def until(condition, what, seconds):
    """Waits for a condition, which usually comes true within so many seconds, and names it in the error when it does not."""
    clock = Stopwatch()
    while not (found := condition()):
        assert clock.seconds < max(seconds, PATIENCE), f"{what} did not happen within {PATIENCE} s; it is a matter of {seconds} s"
        time.sleep(0.05)
    return found


class Server:
    """A process of `perennial serve`."""

    def __init__(self, environment, log, ready_within=90, below=(), output=None):
        self.url = f"http://127.0.0.1:{environment['PERENNIAL_PORT']}"
        self.port = int(environment["PERENNIAL_PORT"])
        self.log = log
        self._output = output or open(log, "ab")
        self.process = subprocess.Popen(
            [*below, BINARY, "serve"], cwd=REPOSITORY, env=environment, stdin=subprocess.DEVNULL, stdout=self._output,
            stderr=self._output)
        if ready_within:
            self.wait_until_ready(ready_within)

    def wait_until_ready(self, seconds=90):
        def is_ready():
            assert self.process.poll() is None, f"the server ended: {self.log.read_text()[-2000:]}"
            return self.status("/readyz") == 200

        until(is_ready, "readiness", seconds)

    def status(self, path, timeout=300):
        """Returns the status of a GET; 0 for no answer."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=timeout) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def requests_in_hand(self):
        """Returns the number of its connections from which it has read everything that has arrived."""
        rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = f"0100007F:{self.port:04X}"
        return sum(row[1] == mine and row[3] == "01" and row[4].endswith(":00000000") for row in rows)

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self._output.close()

    def stop(self, within=PATIENCE):
        """Sends SIGTERM; returns the exit code."""
        self.process.terminate()
        code = self.process.wait(within)
        self._output.close()
        return code


class Installation:
    """A state directory with the simulator's app, made as a new operator would make it."""

    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-faults-"))
        # The cluster may belong to another account, which has to reach its directory through this one.
        self.home.chmod(0o711)
        self.state = self.home / "state"
        self.authority = self.state / "simulator"
        self.log = self.home / "server.log"
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")
        } | {"PERENNIAL_STATE": str(self.state), "PERENNIAL_PORT": str(ports.take()), "PERENNIAL_RATE_LIMITS": "off"}
        self.servers = []

    @property
    def server(self):
        return self.servers[0]

    def start(self, below=(), output=None, anew=False, ready_within=90, **settings):
        """Starts a server; without settings it is the one that runs the cluster. `below` is a command that becomes it, and `output`
        a file that takes its log in place of ours. An empty installation is filled with the result of a first start, unless it is
        to begin `anew`."""
        environment = self.environment | settings
        if not (anew or self.state.exists() or environment.get("PERENNIAL_DATABASE_URL") or environment["PERENNIAL_STATE"] != str(self.state)):
            prepared.copy("installation", _begun, self.state)
        server = Server(environment, self.log, ready_within, below, output)
        self.servers.append(server)
        return server

    def kill(self, server):
        self.servers.remove(server)
        server.kill()

    def stop(self, server, within=PATIENCE):
        self.servers.remove(server)
        return server.stop(within)

    def remove(self):
        for server in self.servers[::-1]:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.stop()
            server.process.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    # The command line

    def run(self, *arguments, input=None, timeout=300, **settings):
        """Runs a command of the product; returns it with its exit code and its output."""
        return subprocess.run(
            [BINARY, *arguments], cwd=REPOSITORY, env=self.environment | settings, input=input,
            stdin=None if input is not None else subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)

    def popen(self, *arguments, **settings):
        """Starts a command of the product and leaves it running."""
        return subprocess.Popen(
            [BINARY, *arguments], cwd=REPOSITORY, env=self.environment | settings, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def do(self, *arguments, **options):
        """Runs a command that must succeed; returns its output."""
        done = self.run(*arguments, **options)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    # PostgreSQL

    @property
    def cluster(self):
        return self.state / "postgres"

    def database_url(self, name="perennial"):
        return f"host={self.cluster / 'socket'} user=postgres dbname={name}"

    def postmaster(self):
        """Returns the process id of the database server; None when it does not run."""
        try:
            process = int((self.cluster / "data" / "postmaster.pid").read_text().split()[0])
            return process if b"postgres" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes() else None
        except (OSError, ValueError, IndexError):
            return None

    def kill_postgres(self):
        """Kills the postmaster and every process below it with SIGKILL."""
        postmaster = self.postmaster()
        assert postmaster, "the database does not run"
        children = [
            int(stat.parent.name) for stat in pathlib.Path("/proc").glob("[0-9]*/stat")
            if (fields := _read(stat).rpartition(")")[2].split()) and int(fields[1]) == postmaster]
        for process in [postmaster, *children]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        until(lambda: not pathlib.Path(f"/proc/{postmaster}").exists() or _is_zombie(postmaster), "the end", 10)

    def psql(self, database="perennial", **options):
        """Starts psql, which runs its standard input; its standard output has unaligned rows."""
        programs = pathlib.Path((self.cluster / "data" / "postmaster.opts").read_text().split()[0]).parent
        return subprocess.Popen(
            [programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.database_url(database), "-f", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def sql(self, script, database="perennial"):
        """Runs SQL and returns its rows, one text a row."""
        process = self.psql(database)
        output, errors = process.communicate(script, timeout=300)
        assert process.returncode == 0, errors
        return output.splitlines()

    def counts(self):
        """Returns the number of rows of each table that a refused request must leave alone."""
        tables = ["store_notifications", "customers", "subscriptions", "orders", "ledger_entries", "staff",
                  "staff_sessions", "staff_tokens", "app_keys", "promo_batches", "audit_entries"]
        return self.sql(";".join(f"SELECT '{table} ' || count(*) FROM {table}" for table in tables))

    def settle(self, within=PATIENCE):
        """Waits until no notification is pending or in progress."""
        until(
            lambda: self.sql(
                "SELECT count(*) FROM store_notifications WHERE state IN ('received', 'processing')") == ["0"],
            "the end of the work", within)


def _begun(state):
    """Makes a state directory as a first start leaves it."""
    first = Installation()
    try:
        # All tests wait for it, however busy the machine is.
        first.stop(first.start(anew=True, ready_within=300))
        first.state.rename(state)
    finally:
        first.remove()


def _read(file):
    try:
        return file.read_text()
    except OSError:
        return ""


def _is_zombie(process):
    return _read(pathlib.Path(f"/proc/{process}/stat")).rpartition(")")[2].split()[:1] == ["Z"]
