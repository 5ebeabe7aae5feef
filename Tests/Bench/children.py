"""The processes that a run started, each in a group of its own, and how they end: by their ids, always."""
import os
import signal
import subprocess

# By id, in the order in which they were started.
running = {}


def start(command, **options):
    """Starts a process that is ended with the run, if not before."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    running[process.pid] = process
    return process


def run(command, input=None, check=True, **options):
    """Runs a program to its end and answers what it said; it does not outlast a step that is given up.

    Raises `RuntimeError` with what the program complained of, unless `check` is off.
    """
    options = {"text": True, "stdin": subprocess.DEVNULL if input is None else subprocess.PIPE, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, **options}
    process = start(command, **options)
    try:
        said, complaints = process.communicate(input)
    finally:
        end(process, patience=0)
    if check and process.returncode:
        words = (complaints or said or "").strip()[-600:]
        raise RuntimeError(f"{os.path.basename(command[0])} ended with {process.returncode}: {words}")
    return subprocess.CompletedProcess(command, process.returncode, said, complaints)


def end(process, patience=15):
    """Asks a process to end, and kills its group when it does not; returns once it is gone."""
    try:
        if process.poll() is None and patience:
            process.terminate()
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                pass
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(15)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    running.pop(process.pid, None)


def end_all(since=()):
    """Ends those that were started since then: what `since` does not name."""
    for process in [one for pid, one in reversed(running.items()) if pid not in since]:
        end(process, patience=5)
