"""Runs wrk and pgbench, and reads their results."""
import os
import re
import time
from contextlib import contextmanager

import children
from processes import cpu_seconds, tree_cpu_seconds

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60000.0}


@contextmanager
def measured(result, cluster, server=None):
    """Adds the CPU time of server and PostgreSQL to `result`, in seconds."""
    before = (cpu_seconds(server.pid) if server else 0, tree_cpu_seconds(cluster.pid), time.monotonic())
    yield
    result["server_cpu"] = (cpu_seconds(server.pid) if server else 0) - before[0]
    result["postgres_cpu"] = tree_cpu_seconds(cluster.pid) - before[1]
    result["seconds"] = time.monotonic() - before[2]


def per_request(result, count):
    """Adds the milliseconds of CPU for each of `count`; raises `RuntimeError` for a count of none."""
    if not count:
        raise RuntimeError("nothing was done in that time")
    result["srv"] = result.pop("server_cpu") / count * 1000
    result["pg"] = result.pop("postgres_cpu") / count * 1000
    return result


def wrk(url, seconds, connections, script, environment, threads=2):
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "10s",
               "-s", os.path.join(HERE, script), url]
    text = children.run(command, env={**os.environ, **environment}).stdout
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    if failed or broken and any(int(count) for count in broken.groups()):
        raise RuntimeError(f"{url} did not answer everything:\n{text}")
    count, _ = re.search(r"(\d+) requests in ([\d.]+\w+)", text).groups()
    latency = {name: float(value) * UNITS[unit] for name, value, unit in
               re.findall(r"^\s+(\d\d)%\s+([\d.]+)(us|ms|s|m)$", text, re.M)}
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), "count": int(count),
            "p50": latency.get("50"), "p99": latency.get("99"), "said": re.findall(r"^= (.*)$", text, re.M)}


def http(server, cluster, path, seconds, connections, script="get.lua", environment={}, warm_up=1):
    """Measures a cell over HTTP, after a warm-up."""
    url = f"http://127.0.0.1:{server.port}{path}"
    if warm_up:
        wrk(url, warm_up, connections, script, {**environment, "WARM_UP": "1"})
    result = {}
    with measured(result, cluster, server):
        answer = wrk(url, seconds, connections, script, environment)
    return {**per_request(result, answer["count"]), **answer}


def pgbench(cluster, script, seconds, clients, variables=(), transactions=None, warm_up=1):
    """Measures a cell of pgbench with prepared statements and without JIT, as on the product's connections."""
    def run(*length):
        options = [word for name, value in variables for word in ("-D", f"{name}={value}")]
        command = [f"{cluster.bin}/pgbench", "-h", cluster.socket, "-U", "postgres", "-n", "-M", "prepared",
                   "-c", str(clients), "-j", "2", *length, *options, "-f", script, "perennial"]
        done = children.run(command, env={**os.environ, "PGOPTIONS": "-c jit=off"})
        if re.search(r"number of failed transactions: [1-9]", done.stdout):
            raise RuntimeError(done.stdout + done.stderr)
        return done.stdout
    if warm_up:
        run("-T", str(warm_up))
    result = {}
    with measured(result, cluster):
        text = run(*(("-t", str(transactions // clients)) if transactions else ("-T", str(seconds))))
    count = int(re.search(r"actually processed: (\d+)", text)[1])
    return {**per_request(result, count), "count": count,
            "rate": float(re.search(r"tps = ([\d.]+)", text)[1]),
            "p50": float(re.search(r"latency average = ([\d.]+)", text)[1]), "p99": None}
