"""Every order as a file: over HTTP, beside `psql \\copy` of the statement that the product sends, and what it takes of memory."""
import glob
import json
import os
import subprocess
import time

from fill import session_token
from processes import cpu_seconds, memory_megabytes, tree_cpu_seconds

PATH = "/dashboard/exports/orders"


class Export:
    def __init__(self, cluster, directory):
        self.cluster, self.file = cluster, os.path.join(directory, "orders.csv")
        self.query = None

    def capture(self, server):
        """The statement that an export is, of which `psql` is to make the same file."""
        self.cluster.logging(True)
        self._get(server, "--max-time", "1", check=False)
        self.cluster.logging(False)
        (path,) = glob.glob(f"{self.cluster.data}/log/*.json")
        with open(path) as log:
            said = [json.loads(line).get("message", "") for line in log]
        copies = [line.split("COPY ", 1)[1] for line in said if "COPY (SELECT" in line]
        # The product takes the rows in binary and writes the text itself; `psql` has PostgreSQL write it.
        query = copies[-1].replace("TO STDOUT", f"TO '{self.file}'").replace("FORMAT binary", "FORMAT csv, HEADER")
        self.query = " ".join(query.split())

    def over_http(self, server):
        """One export to a file: rows a second, CPU, and memory above what the server had before."""
        idle = self._settle(server)
        mine, theirs, began = cpu_seconds(server.pid), tree_cpu_seconds(self.cluster.pid), time.perf_counter()
        self._get(server)
        took = time.perf_counter() - began
        return {**self._rate(took), "server": cpu_seconds(server.pid) - mine,
                "postgres": tree_cpu_seconds(self.cluster.pid) - theirs,
                "memory": memory_megabytes(server.pid) - idle}

    def by_psql(self):
        theirs, began = tree_cpu_seconds(self.cluster.pid), time.perf_counter()
        command = ["psql", "-h", self.cluster.socket, "-U", "postgres", "-d", "perennial", "-qX", "-v", "ON_ERROR_STOP=1"]
        subprocess.run([*command, "-c", "\\copy " + self.query], check=True, stdout=subprocess.DEVNULL)
        took = time.perf_counter() - began
        return {**self._rate(took), "postgres": tree_cpu_seconds(self.cluster.pid) - theirs}

    def to_a_slow_client(self, server, seconds):
        """Memory above idle while somebody takes 2 MB a second, and how long the server needs to notice that they went away."""
        idle = self._settle(server)
        self._get(server, "--limit-rate", "2M", "--max-time", str(seconds), check=False)
        return memory_megabytes(server.pid) - idle

    def _settle(self, server):
        """Memory at rest; the peak is forgotten."""
        self._get(server, "--range", "0-0", "--max-time", "1", check=False)
        time.sleep(1)
        with open(f"/proc/{server.pid}/clear_refs", "w") as file:
            file.write("5")
        return memory_megabytes(server.pid, "VmRSS")

    def _get(self, server, *options, check=True):
        done = subprocess.run(
            ["curl", "-sf", "-o", self.file, "-b", f"perennial={session_token(1)}", *options,
             f"http://127.0.0.1:{server.port}{PATH}"])
        if check and done.returncode:
            raise RuntimeError(f"the export ended with {done.returncode}")

    def _rate(self, took):
        with open(self.file, "rb") as file:
            rows = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
        size = os.path.getsize(self.file)
        os.remove(self.file)
        return {"rate": rows / took, "megabytes": size / 1e6, "seconds": took}
