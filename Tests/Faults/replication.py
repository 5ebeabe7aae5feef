"""PostgreSQL servers of the tests' own with streaming replication: a primary, its standbys, and their failovers."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import ports
import prepared
from installation import until

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("[0-9]*/bin"), key=lambda path: int(path.parent.name))
SETTINGS = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{home}'
fsync = off
max_connections = 60
shared_buffers = 32MB
wal_keep_size = 128MB
hot_standby_feedback = on
log_min_messages = warning
"""


class PostgresServer:
    """A PostgreSQL server of a group, made as a primary or as the standby of one. Primaries belong to the same cluster, as copies
    do, unless one is made `anew`."""

    def __init__(self, home, name, upstream=None, anew=False):
        self.home = home
        self.data = home / name
        self.port = ports.take()
        if upstream is None:
            if anew:
                self._make(self.data)
            else:
                prepared.copy("cluster", self._make, self.data)
            hba = self.data / "pg_hba.conf"
            hba.write_text(hba.read_text() + "host replication all 127.0.0.1/32 trust\n")
        else:
            self._program(
                "pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync",
                "-d", f"{upstream.url('postgres')} application_name={name}")
        with open(self.data / "postgresql.conf", "a") as settings:
            settings.write(SETTINGS.format(port=self.port, home=home))
        self.start()

    def url(self, database="perennial"):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    def start(self):
        self._control("-w", "-l", self.data.with_suffix(".log"), "start")

    def stop(self, mode="fast"):
        self._control("-w", "-m", mode, "stop")

    def reload(self):
        self._control("reload")

    def promote(self):
        assert self.sql("SELECT pg_promote(true, 60)", "postgres") == ["t"]

    def processes(self):
        """Returns the ids of the postmaster and of all processes below it."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        below = subprocess.run(["ps", "--ppid", str(postmaster), "-o", "pid="], capture_output=True, text=True).stdout
        return [postmaster, *map(int, below.split())]

    def signal(self, number):
        """Sends a signal to every process of the server."""
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def sql(self, script, database="perennial", user="postgres"):
        """Runs SQL and returns its rows, one text a row."""
        done = subprocess.run(
            [PROGRAMS / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.url(database).replace("user=postgres", f"user={user}"),
             "-c", script], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def caught_up(self, standby, within=300):
        """Waits until a standby has replayed all that this primary has written."""
        end = self.sql("SELECT pg_current_wal_lsn()", "postgres")[0]
        until(lambda: standby.sql(f"SELECT pg_last_wal_replay_lsn() >= '{end}'", "postgres") == ["t"], "replay", within)

    def _make(self, data):
        data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(data, "postgres")
        self._program("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")

    def _control(self, *arguments):
        self._program("pg_ctl", "-D", self.data, *arguments)

    def _program(self, name, *arguments):
        own = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*own, str(PROGRAMS / name), *map(str, arguments)], cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if name != "pg_ctl" else subprocess.DEVNULL, stderr=subprocess.STDOUT, text=True, timeout=300)
        assert done.returncode == 0, f"{name}: {done.stdout}"


class Group:
    """Servers in a directory that is removed with them."""

    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-group-"))
        if os.geteuid() == 0:
            shutil.chown(self.home, "postgres")
        self.servers = []

    def primary(self, name="a", database="perennial"):
        server = self._add(PostgresServer(self.home, name, anew=bool(self.servers)))
        server.sql(f"CREATE DATABASE {database}", "postgres")
        return server

    def standby(self, upstream, name="b"):
        return self._add(PostgresServer(self.home, name, upstream))

    def _add(self, server):
        self.servers.append(server)
        return server

    def remove(self):
        for server in self.servers[::-1]:
            if (server.data / "postmaster.pid").exists():
                try:
                    server.signal(18)
                    server.stop("immediate")
                except (AssertionError, OSError, ValueError):
                    pass
        shutil.rmtree(self.home, ignore_errors=True)


def any_of(*servers, database="perennial"):
    """Returns a connection string that names several servers, for the one that takes writes."""
    hosts, ports = ",".join("127.0.0.1" for _ in servers), ",".join(str(server.port) for server in servers)
    return f"host={hosts} port={ports} user=postgres dbname={database} target_session_attrs=read-write"
