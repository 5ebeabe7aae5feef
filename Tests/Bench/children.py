"""The processes that a run starts, each in a group of its own; they are always ended by their ids."""
import os
import signal
import subprocess

# The running processes by id, in the order of their start.
running = {}


def start(command, **options):
    """Starts a process that ends with the run, if not before."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    running[process.pid] = process
    return process


def run(command, input=None, check=True, **options):
    """Runs a program to its end and returns its output; it does not outlast a step that is given up.

    Raises `RuntimeError` with the program's error output, unless `check` is off.
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
    """Ends the processes that `since` does not name."""
    for process in [one for pid, one in reversed(running.items()) if pid not in since]:
        end(process, patience=5)
