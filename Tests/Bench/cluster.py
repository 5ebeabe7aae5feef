"""A private PostgreSQL cluster that every candidate of a run shares."""
import glob
import json
import os
import pwd
import subprocess
import time


class Cluster:
    # As the product's own cluster, with room for the runs: a checkpoint in the middle of a cell would be noise.
    settings = {
        "listen_addresses": "", "fsync": "on", "synchronous_commit": "on", "shared_buffers": "512MB",
        "max_connections": "100", "max_wal_size": "8GB", "checkpoint_timeout": "30min", "autovacuum": "off",
        "logging_collector": "on", "log_destination": "jsonlog", "log_directory": "log",
        "log_filename": "postgresql", "log_rotation_age": "0", "log_rotation_size": "0",
        "maintenance_work_mem": "1GB", "jit": "on",
    }

    def __init__(self, directory):
        self.socket = os.path.join(directory, "pg")
        self.data = os.path.join(self.socket, "data")
        self.bin = subprocess.check_output(["pg_config", "--bindir"], text=True).strip()
        os.makedirs(self.socket)
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chmod(directory, 0o755)
            os.chown(self.socket, account.pw_uid, account.pw_gid)
        self.url = f"host={self.socket} user=postgres dbname=perennial"

    def _as_owner(self, *command):
        owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*owner, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self._as_owner(f"{self.bin}/initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
                       "--auth=trust", "--no-sync")
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            for name, value in {**self.settings, "unix_socket_directories": self.socket}.items():
                file.write(f"{name} = '{value}'\n")
        self._as_owner(f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-l", f"{self.socket}/start.log", "start")
        subprocess.run(["createdb", "-h", self.socket, "-U", "postgres", "perennial"], check=True)
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            self.pid = int(file.readline())

    def stop(self):
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self._as_owner(f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-m", "fast", "stop")

    def psql(self, sql, *options):
        """Runs a script and returns what it printed, unaligned and without headings."""
        command = ["psql", "-h", self.socket, "-U", "postgres", "-d", "perennial", "-qXAt", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run([*command, *options], input=sql, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def version(self):
        return self.psql("SHOW server_version")

    def logging(self, on):
        """Has the server write down each statement with its parameters, or stop doing so."""
        self.psql(f"ALTER SYSTEM SET log_statement = '{'all' if on else 'none'}'")
        self.psql("SELECT pg_reload_conf()")
        time.sleep(0.3)

    def autovacuum(self, on):
        self.psql(f"ALTER SYSTEM SET autovacuum = '{'on' if on else 'off'}'")
        self.psql("SELECT pg_reload_conf()")

    def statements(self):
        """What the log has: (backend, statement, parameters, transaction) in order, and forgets it."""
        found = []
        (path,) = glob.glob(f"{self.data}/log/*.json")
        with open(path) as file:
            for line in file:
                entry = json.loads(line)
                message = entry.get("message", "")
                if entry.get("error_severity") == "LOG" and message.startswith("execute "):
                    found.append((entry["pid"], message.split(": ", 1)[1], entry.get("detail", ""),
                                  entry["vxid"]))
        with open(path, "w"):
            return found
