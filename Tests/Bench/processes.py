"""The programs under measurement: started for each cell, asked for their CPU time and memory."""
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import ports  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def stat(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def cpu_seconds(pid):
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICK


def tree_cpu_seconds(root):
    """A process, its children now, and those that are gone (the server's backends have no children)."""
    fields = stat(root)
    total = sum(int(fields[index]) for index in (11, 12, 13, 14)) / TICK
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if int(stat(name)[1]) == root:
                    total += cpu_seconds(name)
            except (FileNotFoundError, ProcessLookupError):
                pass
    return total


def memory_megabytes(pid, field="VmHWM"):
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1000


class Server:
    """One process that listens on a port of its own while the `with` lasts."""

    def __init__(self, command, environment, log):
        self.port = ports.take()
        self.environment = {**os.environ, **environment(self.port)}
        self.command, self.log = command, log

    def __enter__(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        self.pid = self.process.pid
        deadline = time.monotonic() + 20
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"{self.command[0]} does not listen; see {self.log}")
            time.sleep(0.05)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def perennial(binary, cluster, log, *arguments):
    return Server([binary, "serve", *arguments], lambda port: {
        "PERENNIAL_DATABASE_URL": cluster.url, "PERENNIAL_PORT": str(port), "PERENNIAL_STATE": cluster.socket,
        # Calls are counted, and the limits never reached.
        "PERENNIAL_RATE_LIMITS": "session=1000000/60, customer=1000000/60, key=1000000/60, receipts=1000000/60",
    }, log)
