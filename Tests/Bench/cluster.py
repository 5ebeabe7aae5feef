"""A private PostgreSQL cluster that every candidate of a run shares."""
import glob
import json
import os
import pwd
import signal
import time
from contextlib import contextmanager

import children


class Cluster:
    # The settings of the product's own cluster, with room for the runs: a checkpoint in the middle of a cell would be noise.
    settings = {
        "listen_addresses": "", "fsync": "on", "synchronous_commit": "on", "shared_buffers": "512MB",
        "max_connections": "100", "max_wal_size": "8GB", "checkpoint_timeout": "30min", "autovacuum": "off",
        "logging_collector": "on", "log_destination": "jsonlog", "log_directory": "log",
        "log_filename": "postgresql", "log_rotation_age": "0", "log_rotation_size": "0",
        "maintenance_work_mem": "1GB", "jit": "on",
    }

    def __init__(self, directory, **settings):
        self.settings = {**self.settings, **settings}
        self.socket = os.path.join(directory, "pg")
        self.data = os.path.join(self.socket, "data")
        self.bin = children.run(["pg_config", "--bindir"]).stdout.strip()
        self.marks = 0
        os.makedirs(self.socket)
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chmod(directory, 0o755)
            os.chown(self.socket, account.pw_uid, account.pw_gid)
        self.url = f"host={self.socket} user=postgres dbname=perennial"

    def _as_owner(self, *command):
        owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        children.run([*owner, *command], cwd="/")

    def start(self):
        self._as_owner(f"{self.bin}/initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
                       "--auth=trust", "--no-sync")
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            for name, value in {**self.settings, "unix_socket_directories": self.socket}.items():
                file.write(f"{name} = '{value}'\n")
        self._as_owner(f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-l", f"{self.socket}/start.log", "start")
        children.run(["createdb", "-h", self.socket, "-U", "postgres", "perennial"])
        self.pid = self._postmaster()

    def stop(self):
        """Stops the cluster, gently if possible: its data is removed with the directory."""
        for mode in ("fast", "immediate"):
            if self._postmaster():
                try:
                    self._as_owner(f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-t", "20", "-m", mode, "stop")
                except RuntimeError as error:
                    print(f"    PostgreSQL does not end: {error}", flush=True)
        postmaster = self._postmaster()
        if postmaster:
            os.kill(postmaster, signal.SIGKILL)

    def _postmaster(self):
        """Returns the server's process id; None where none runs."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                return int(file.readline())
        except (FileNotFoundError, ValueError):
            return None

    def psql(self, sql, *options):
        """Runs a script and returns what it printed, unaligned and without headings."""
        command = ["psql", "-h", self.socket, "-U", "postgres", "-d", "perennial", "-qXAt", "-v", "ON_ERROR_STOP=1"]
        return children.run([*command, *options], input=sql).stdout.strip()

    def version(self):
        return self.psql("SHOW server_version")

    @contextmanager
    def watched(self):
        """Makes the server log each statement with its parameters while the `with` lasts; they are in the list after it.

        Each is (backend, statement, parameters, transaction), in order.
        """
        found = []
        try:
            self._set("log_statement", "all")
            self._logged()
            yield found
            found += self._logged()
        finally:
            self._set("log_statement", "none")

    def autovacuum(self, on):
        self._set("autovacuum", "on" if on else "off")

    def _set(self, name, value):
        """Changes a setting for all sessions: a new connection that sees it began after all others were told."""
        seen = self.psql(f"ALTER SYSTEM SET {name} = '{value}';\nSELECT pg_reload_conf();\n\\c\nSHOW {name};").splitlines()[-1]
        for _ in range(1_000):
            if seen == value:
                return
            time.sleep(0.01)
            seen = self.psql(f"SHOW {name}")
        raise RuntimeError(f"PostgreSQL does not take {name} = {value}")

    def _logged(self):
        """Takes the entries logged so far; a statement of our own comes last, so that all before it are there."""
        self.marks += 1
        mark = f"mark {self.marks} of {os.getpid()}"
        self.psql(f"SELECT '{mark}'")
        (path,) = glob.glob(f"{self.data}/log/*.json")
        for _ in range(1_000):
            with open(path) as file:
                lines = file.readlines()
            if any(mark in line for line in lines):
                break
            time.sleep(0.01)
        else:
            raise RuntimeError("PostgreSQL does not log what it is asked")
        with open(path, "w"):
            return [entry for line in lines if line.endswith("\n") and (entry := executed(json.loads(line)))]


def executed(entry):
    """Returns the statement of a log entry; None if it has none. A statement without parameters may have been sent as plain
    text."""
    message = entry.get("message", "")
    if entry.get("error_severity") != "LOG" or not message.startswith(("execute ", "statement: ")):
        return None
    return entry["pid"], message.split(": ", 1)[1], entry.get("detail", ""), entry.get("vxid")
