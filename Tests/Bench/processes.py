"""The programs under measurement: started for each cell, and read for their CPU time and memory."""
import os
import time

import children

TICK = os.sysconf("SC_CLK_TCK")
# The state of a listening socket in /proc/net/tcp.
LISTENING = "0A"


def stat(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def cpu_seconds(pid):
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICK


def tree_cpu_seconds(root):
    """Returns the CPU seconds of a process, its present children, and those that are gone (PostgreSQL's backends have no
    children)."""
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
    """A process that listens while the `with` lasts, on a port that the system chose."""

    patience = 60

    def __init__(self, command, environment, log):
        self.environment, self.command, self.log = {**os.environ, **environment}, command, log

    def __enter__(self):
        with open(self.log, "a") as log:
            began = log.tell()
            self.process = children.start(self.command, env=self.environment, stdout=log, stderr=log)
        self.pid = self.process.pid
        deadline = time.monotonic() + self.patience
        while True:
            self.port = listening_port(self.pid)
            if self.port:
                return self
            if self.process.poll() is not None or time.monotonic() > deadline:
                children.end(self.process, patience=0)
                raise RuntimeError(f"{os.path.basename(self.command[0])} does not listen: {self._said(began)}")
            time.sleep(0.02)

    def __exit__(self, *_):
        children.end(self.process)

    def _said(self, began):
        with open(self.log) as log:
            log.seek(began)
            return " ".join(log.read().split())[-400:] or "it said nothing"


def listening_port(pid):
    """Returns the port on which a process listens; None as long as it does not."""
    try:
        names = [os.readlink(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return None
    sockets = {name[8:-1] for name in names if name.startswith("socket:[")}
    for table in ("tcp", "tcp6"):
        try:
            with open(f"/proc/{pid}/net/{table}") as file:
                lines = [line.split() for line in file][1:]
        except OSError:
            continue
        for fields in lines:
            if fields[3] == LISTENING and fields[9] in sockets:
                return int(fields[1].rsplit(":", 1)[1], 16)
    return None


def perennial(binary, cluster, log, *arguments, url=None):
    return Server([binary, "serve", *arguments], {
        "PERENNIAL_DATABASE_URL": url or cluster.url, "PERENNIAL_PORT": "0", "PERENNIAL_STATE": cluster.socket,
        # Calls are counted, but never reach the limits.
        "PERENNIAL_RATE_LIMITS": "session=1000000/60, customer=1000000/60, key=1000000/60, receipts=1000000/60",
    }, log)
