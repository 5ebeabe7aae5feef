"""docs/operations.md explains every error line of the program. Needs no server."""

import re

import pytest

from installation import REPOSITORY

SOURCES = REPOSITORY / "Sources"
PAGE = (REPOSITORY / "docs/operations.md").read_text().partition("## What each error line means")[2]
GAP = "…"
STARTS = re.compile(
    r"(?<!extension )\bConfigurationProblem\(\s*(?!listeningFailed|unknownHost)|Interruption\.cancelling\(\s*"
    r"|PostgresError\(\s*\.(?:cluster|migration|wrongServer),\s*|[lL]ogger\.(?:warning|error|critical)\(\s*")
# The messages of a ConfigurationProblem for a system error, where it is declared.
PROBLEMS = re.compile(r'self\.init\(\s*(?=")')
# The program's own tools and its simulator have no operators.
ELSEWHERE = {"Benchmarks", "FileEmbedder", "LanguageCompiler", "StoreSimulator", "TemplateCompiler"}
# The messages that the page does not have to explain, with the reasons.
EXCEPTIONS = {
    "two migrations have the same name": "a mistake of ours, which never leaves the tests",
    "the migration … comes before …, which has been applied; give it a later name": "a mistake of ours, too",
    "… failed: …": "begins with the program's name; the page has those of the programs that are run",
    "unreachable(root, account, obstacle))": "the page has what it says: who may not enter",
    "Self.unreachable(root, account, obstacle))": "the same",
    "missing(version, found))": "the page has what it says: whose programs are not here",
    "notice)": "the page has the notices, where they are given",
}


def literal(text, at):
    """Returns the string literal at an index, with those added to it; interpolations are gaps. None if there is none."""
    if not text.startswith('"', at):
        return None
    at, said = at + 1, ""
    while text[at] != '"':
        if text.startswith("\\(", at):
            at, said = end(text, at + 2), said + GAP
        elif text[at] == "\\":
            at, said = at + 2, said + text[at + 1]
        else:
            at, said = at + 1, said + text[at]
    more = re.compile(r'"\s*\+\s*(?=")').match(text, at)
    return said + (literal(text, more.end()) if more else "")


def end(text, at):
    """Returns the index after the closing parenthesis of one that opened before; strings inside may have parentheses of their
    own."""
    depth = 1
    while depth:
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at = end(text, at + 2) if text.startswith("\\(", at) else at + (2 if text[at] == "\\" else 1)
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def said():
    """Yields every message with its file; where the message is not a literal, the expression in its place."""
    for file in sorted(SOURCES.rglob("*.swift")):
        if file.relative_to(SOURCES).parts[0] in ELSEWHERE:
            continue
        text = file.read_text()
        starts = [STARTS] + ([PROBLEMS] if file.name == "ServerConfiguration.swift" else [])
        for found in (found for start in starts for found in start.finditer(text)):
            message = literal(text, found.end())
            yield file.name, message or text[found.end():end(text, found.end())]


def explained():
    """Returns the first column of the tables, in the parts between gaps."""
    rows = [line.split(" | ")[0] for line in PAGE.splitlines() if line.startswith("| `")]
    return [[part.strip() for part in phrase.split(GAP)] for row in rows for phrase in re.findall("`([^`]+)`", row)]


def fits(message, parts):
    """Returns true if the message has the parts, one after another."""
    at = 0
    for part in parts:
        at = message.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


MESSAGES = sorted(set(said()))


@pytest.mark.parametrize("file, message", MESSAGES, ids=[f"{file}: {message[:60]}" for file, message in MESSAGES])
def test_a_line_is_explained(file, message):
    if message in EXCEPTIONS:
        return
    phrases = [parts for parts in explained() if fits(message, parts)]
    # A phrase that fits everything explains nothing.
    assert any(len("".join(parts).split()) >= 2 for parts in phrases), f"{file} says what docs/operations.md does not explain: {message}"


def test_no_exception_is_left_over():
    assert set(EXCEPTIONS) <= {message for _, message in MESSAGES}


def test_messages_are_read_as_swift_reads_them():
    text = r'''f("a \(x.map { "(\($0))" } ?? "none") \"b\"" + "c")'''
    assert literal(text, 2) == 'a … "b"c' and text[end(text, 2) - 1:] == ")"
    assert len(MESSAGES) > 100
