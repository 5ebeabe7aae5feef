"""A finished build is not repeated, and commands that start at once build once: bin/steps.sh with a compiler that only counts."""

import os
import pathlib
import shutil
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SWIFT = """#!/bin/sh
if [ "$1" = --version ]; then echo Swift; exit; fi
echo "$* in ${PERENNIAL_STATE:-no state}" >>builds
touch building
until [ -e go ]; do sleep 0.02; done
mkdir -p .build
echo program >.build/program
echo versions >Package.resolved
"""
COMMAND = """#!/usr/bin/env bash
set -eu
cd "$(dirname "$0")/.."
. bin/steps.sh
build release .build/program -c release
"""


class Tree:
    def __init__(self, folder):
        self.folder = folder
        for name in ["bin", "path", "Sources", "Plugins", "Templates", "Languages", "Public", "Passwords", "sql/migrations", "Tests"]:
            (folder / name).mkdir(parents=True)
        shutil.copy(REPOSITORY / "bin" / "steps.sh", folder / "bin")
        for name, text in {"path/swift": SWIFT, "bin/command": COMMAND}.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        (folder / "Package.swift").touch()
        self.write("one.swift", "1")

    def write(self, name, text):
        (self.folder / "Sources" / name).write_text(text)

    def start(self):
        environment = os.environ | {"PATH": f"{self.folder / 'path'}:{os.environ['PATH']}", "PERENNIAL_STATE": "elsewhere"}
        return subprocess.Popen(
            [self.folder / "bin" / "command"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self):
        said, _ = self.start().communicate(timeout=300)
        return said

    def let_go(self):
        (self.folder / "go").touch()

    @property
    def builds(self):
        kept = self.folder / "builds"
        return kept.read_text().splitlines() if kept.exists() else []


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_four_that_are_started_at_once_build_once_and_say_that_they_wait(tree):
    commands = [tree.start() for _ in range(4)]
    first = [command.stdout.readline() for command in commands]
    assert sorted(line.split(":")[0].strip() for line in first) == ["==> Building", "==> Waiting", "==> Waiting", "==> Waiting"]
    assert "another command is building here" in max(first, key=len)
    tree.let_go()
    rest = [command.communicate(timeout=300)[0] for command in commands]
    assert [command.returncode for command in commands] == [0] * 4
    assert sum("Built already" in text for text in rest) == 3
    assert tree.builds == ["build -c release in no state"], "the build heard of what differs from command to command"


def test_it_is_built_again_when_a_source_is_changed_added_or_removed_or_somebody_built_by_hand(tree):
    tree.let_go()
    tree.run()
    assert "Built already" in tree.run()
    assert len(tree.builds) == 1
    changes = [
        lambda: tree.write("one.swift", "2"),
        lambda: tree.write("two.swift", ""),
        lambda: (tree.folder / "Sources" / "two.swift").unlink(),
        lambda: (tree.folder / "Package.resolved").write_text("others"),
        lambda: os.utime(tree.folder / ".build" / "program", (4e9, 4e9)),
    ]
    for number, change in enumerate(changes):
        change()
        assert "Building (" in tree.run()
        assert len(tree.builds) == number + 2
        assert "Built already" in tree.run() or number == len(changes) - 1


def test_what_was_not_built_to_its_end_is_built_again(tree):
    command = tree.start()
    command.stdout.readline()
    command.kill()
    command.wait()
    tree.let_go()
    assert "Building" in tree.run()
    assert "Built already" in tree.run()
