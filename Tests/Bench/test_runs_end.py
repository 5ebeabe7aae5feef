"""A run ends: a step that takes too long is given up, its processes are ended by their ids, and the rest is measured."""

import os
import signal
import sys
import time

import bench
import children
import processes
import pytest
from limits import ENDING, Limits, NotTaken, TookTooLong
from options import parsed

SERVER = "import http.server as h; h.HTTPServer(('127.0.0.1', 0), h.BaseHTTPRequestHandler).serve_forever()"


def is_there(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid):
    """Returns true if a process is gone sooner than the minute that it would sleep; an orphan is reaped by another process."""
    deadline = time.monotonic() + 40
    while is_there(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_there(pid)


@pytest.fixture(autouse=True)
def signals():
    """Restores the signal handlers that a run changes after each test."""
    before = {number: signal.getsignal(number) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def run(tmp_path, *arguments, parts=None, monkeypatch=None):
    options = parsed("", ["--product", "p", "--tools", "t", "--peer", "g", "--write", str(tmp_path / "written.md"), *arguments])
    made = bench.Bench(options, str(tmp_path))
    if parts:
        monkeypatch.setattr(bench, "PARTS", {name: type("Part", (), {"measure": staticmethod(part)}) for name, part in parts.items()})
        monkeypatch.setattr(made, "is_ready", lambda: True)
    return made


def test_a_program_that_takes_too_long_is_given_up_with_all_that_it_started(tmp_path):
    note = tmp_path / "pids"
    began = time.monotonic()
    with pytest.raises(TookTooLong, match="took more than 4 s"), Limits(60).step(4):
        children.run(["sh", "-c", f"sleep 60 & echo $! $$ > {note}; wait"])
    assert time.monotonic() - began < 50
    assert all(gone(pid) for pid in note.read_text().split())
    assert children.running == {}


def test_nothing_goes_on_when_the_run_is_over(tmp_path):
    made = run(tmp_path)
    made.limits = Limits(0)
    began = time.monotonic()
    made.rounds({"one": lambda: time.sleep(60), "two": lambda: time.sleep(60)})
    assert time.monotonic() - began < 50
    assert made.report.holes == [("one", "the run's 0 s were over"), ("two", "the run's 0 s were over")]


def test_a_step_that_is_done_is_not_given_up_later():
    with Limits(60).step(0.05):
        pass
    time.sleep(0.1)


def test_a_server_is_asked_for_its_port_and_ended(tmp_path):
    with processes.Server([sys.executable, "-c", SERVER], {}, str(tmp_path / "log")) as server:
        assert server.port and server.port == processes.listening_port(server.pid)
        assert is_there(server.pid)
    assert gone(server.pid) and children.running == {}


def test_a_server_that_does_not_listen_says_why(tmp_path):
    command = [sys.executable, "-c", "import sys; sys.exit('no such column')"]
    with pytest.raises(RuntimeError, match="does not listen: no such column"), processes.Server(command, {}, str(tmp_path / "log")):
        pytest.fail("it listens")


def test_a_cell_that_fails_leaves_the_others_and_is_tried_again(tmp_path):
    made, tries = run(tmp_path), []

    def fails_once():
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("it did not answer everything")
        return {"rate": 2.0}
    made.rounds({"one": lambda: {"rate": 1.0}, "two": fails_once})
    assert {name: list(results) for name, results in made.report.cells.items()} == {"one": [1, 2, 3], "two": [2, 3]}
    assert made.report.holes == [("two", "it did not answer everything")]


def test_what_can_never_be_taken_is_tried_once(tmp_path):
    made, tries = run(tmp_path), []

    def never():
        tries.append(1)
        raise NotTaken("it shows another list")
    made.rounds({"peer": never, "one": lambda: {"rate": 1.0}})
    assert len(tries) == 1 and len(made.report.cells["one"]) == 3
    assert made.report.holes == [("peer", "it shows another list")]


def test_what_a_failed_step_started_is_ended(tmp_path):
    made = run(tmp_path)
    with made.step("something", 60):
        left = children.start(["sleep", "60"])
        raise KeyError("worth")
    assert gone(left.pid)
    assert made.report.holes[0][0] == "something" and "KeyError: 'worth' (test_runs_end.py:" in made.report.holes[0][1]


def test_a_part_that_breaks_leaves_the_others(tmp_path, monkeypatch):
    def breaks(_):
        raise ValueError("moved")
    parts = {"pages": breaks, "notifications": lambda made: made.rounds({"one": lambda: {"rate": 1.0}})}
    made = run(tmp_path, parts=parts, monkeypatch=monkeypatch)
    assert made.run()
    text = (tmp_path / "written.md").read_text()
    assert "| pages | ValueError: moved" in text and "| one | 3 | 1.00 |" in text


def test_only_a_strict_run_fails_for_a_part(tmp_path, monkeypatch):
    parts = {"pages": lambda made: made.report.hole("pages", "moved"),
             "notifications": lambda made: made.rounds({"one": lambda: {"rate": 1.0}})}
    assert run(tmp_path, parts=parts, monkeypatch=monkeypatch).run()
    assert not run(tmp_path, "--strict", parts=parts, monkeypatch=monkeypatch).run()
    assert os.path.exists(tmp_path / "written.md")


def test_a_run_that_took_nothing_fails_and_writes_nothing(tmp_path, monkeypatch):
    made = run(tmp_path, parts={"pages": lambda made: made.report.hole("pages", "moved")}, monkeypatch=monkeypatch)
    assert not made.run()
    assert not os.path.exists(tmp_path / "written.md")
