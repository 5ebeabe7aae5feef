"""Describes the machine of a run, and the versions of its programs."""
import os
import platform
import re

import children


def said(*command):
    try:
        done = children.run(command, check=False)
    except FileNotFoundError:
        return "?"
    return (done.stdout + done.stderr).strip()


def machine():
    with open("/proc/meminfo") as file:
        memory = int(re.search(r"MemTotal:\s+(\d+)", file.read())[1]) / 1024 / 1024
    system = "a virtual machine" if "hypervisor" in open("/proc/cpuinfo").read() else "a machine"
    return (f"{system} with {os.cpu_count()} cores and {memory:.0f} GiB of memory, {platform.system()} "
            f"{platform.release().split('-')[0]}; everything (server, PostgreSQL, load) runs on these cores")


def versions(postgres):
    swift = re.search(r"Swift version ([\d.]+)", said("swift", "--version"))
    go = re.search(r"go([\d.]+)", said("go", "version"))
    wrk = re.search(r"wrk (?:debian/)?([\d.]+)", said("wrk", "-v"))
    return [f"Swift {swift[1] if swift else '?'} (release build)", f"PostgreSQL {postgres}",
            f"Go {go[1] if go else '?'} (pgx v4, html/template)", f"wrk {wrk[1] if wrk else '?'}"]
