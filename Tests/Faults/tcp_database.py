"""A PostgreSQL of the tests' own that is reached by TCP with a password, like an operator's, and a relay before it that can go
silent like a network."""

import itertools
import os
import pathlib
import pwd
import selectors
import shutil
import socket
import subprocess
import tempfile
import threading

import ports
import prepared
from installation import until

PASSWORD = "correct-horse"


def programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return found[-1] if found else pathlib.Path(shutil.which("postgres")).resolve().parent


class TCPDatabase:
    """A cluster that listens at 127.0.0.1 and asks for a password (SCRAM)."""

    def __init__(self, **settings):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-tcp-"))
        self.port = ports.take()
        self._account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self._account:
            os.chown(self.home, self._account.pw_uid, self._account.pw_gid)
        prepared.copy("cluster-with-password", self._make, self.data)
        settings = {"listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": str(self.home),
                    "fsync": "off", "max_connections": "200"} | settings
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._log = open(self.home / "log", "wb")
        self.process = subprocess.Popen(
            [programs() / "postgres", "-D", self.data, *words], stdout=self._log, stderr=self._log, cwd="/",
            **self._as_owner())
        until(lambda: self._answers(), "the database", 30)
        self.sql("CREATE DATABASE perennial", "postgres")

    @property
    def data(self):
        return self.home / "data"

    def url(self, port=None, database="perennial", **parameters):
        words = {"host": "127.0.0.1", "port": port or self.port, "user": "postgres", "password": PASSWORD,
                 "dbname": database} | parameters
        return " ".join(f"{name}={value}" for name, value in words.items())

    def psql(self, database="perennial"):
        return subprocess.Popen(
            [programs() / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.url(database=database), "-f", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def sql(self, script, database="perennial"):
        process = self.psql(database)
        output, errors = process.communicate(script, timeout=300)
        assert process.returncode == 0, errors
        return output.splitlines()

    def remove(self):
        self.process.send_signal(3)
        self.process.wait(300)
        self._log.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _make(self, data):
        data.mkdir()
        if self._account:
            os.chown(data, self._account.pw_uid, self._account.pw_gid)
        secret = self.home / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run("initdb", "-D", data, "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={secret}", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync")

    def _answers(self):
        return subprocess.run([programs() / "pg_isready", "-h", "127.0.0.1", "-p", str(self.port)],
                              capture_output=True).returncode == 0

    def _run(self, program, *words):
        done = subprocess.run([programs() / program, *words], capture_output=True, text=True, cwd="/", **self._as_owner())
        assert done.returncode == 0, done.stderr

    def _as_owner(self):
        if not self._account:
            return {}
        return {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}


class Relay:
    """Relays TCP connections to a port, or to several in turn, until it goes silent. Then nothing gets through in either direction,
    without an error."""

    def __init__(self, *targets):
        self._targets = itertools.cycle(targets)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._is_silent = threading.Event()
        self._is_over = threading.Event()
        self._kept = []
        threading.Thread(target=self._accept, daemon=True).start()

    def go_silent(self):
        self._is_silent.set()

    def come_back(self):
        """Lets new connections through again; those that were open stay dead."""
        self._is_silent = threading.Event()

    def close(self):
        self._is_over.set()
        self._listener.close()
        for one in self._kept:
            one.close()

    def _accept(self):
        while not self._is_over.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._kept.append(client)
            threading.Thread(target=self._pass_on, args=(client, self._is_silent), daemon=True).start()

    def _pass_on(self, client, silence):
        if silence.is_set():
            return
        server = socket.create_connection(("127.0.0.1", next(self._targets)))
        self._kept.append(server)
        peers = {client: server, server: client}
        with selectors.DefaultSelector() as waiting:
            for one in peers:
                waiting.register(one, selectors.EVENT_READ)
            while not silence.is_set() and not self._is_over.is_set():
                for key, _ in waiting.select(timeout=0.05):
                    if silence.is_set():
                        return
                    try:
                        data = key.fileobj.recv(65536)
                        if data:
                            peers[key.fileobj].sendall(data)
                    except OSError:
                        data = b""
                    if not data:
                        client.close()
                        server.close()
                        return
