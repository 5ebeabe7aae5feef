"""docs/conventions.md names tests that exist, for every convention."""

import ast
import pathlib
import re

HERE = pathlib.Path(__file__).parents[1]
ROWS = re.findall(r"^\| (\d+) \| .+ \| (.+) \|$", (HERE.parents[1] / "docs" / "conventions.md").read_text(), re.MULTILINE)
# The tests of metrics, 49 to 51, are named in a sentence.
NUMBERS = [*range(1, 49), *range(52, 64)]


def declared():
    for path in HERE.glob("*/test_*.py"):
        yield path.stem
        for part in ast.parse(path.read_text()).body:
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test_"):
                yield f"{path.stem}::{part.name}"


def test_every_convention_has_tests():
    assert [int(number) for number, _ in ROWS] == NUMBERS


def test_the_tests_that_are_named_are_there():
    named = {name for _, cell in ROWS for name in re.findall(r"`(\w+(?:::\w+)?)`", cell)}
    assert len(named) > 100
    assert named - set(declared()) == set()
