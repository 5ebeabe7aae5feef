#!/usr/bin/env python3
"""Judges the store simulator's payloads: Apple's own verifier must accept every one, with strict checks on.

usage: apple_accepts.py DIRECTORY [--bundle ID] [--app-apple-id NUMBER]

DIRECTORY holds root.der, and payloads.jsonl with one JSON string (or {"signedPayload": ...}) a line.
Exit code: 0 all accepted, 1 some refused, 2 nothing to judge. The last line is `N passed, N failed`.
"""

import argparse
import json
import pathlib
import sys

from apple_judge import Judge


def main():
    parser = argparse.ArgumentParser(description="Judge what the store simulator signs.")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--bundle", default="com.readmigo.app")
    parser.add_argument("--app-apple-id", type=int, default=1600000001)
    arguments = parser.parse_args()

    judge = Judge((arguments.directory / "root.der").read_bytes(), arguments.bundle, arguments.app_apple_id)
    passed = failed = 0
    with open(arguments.directory / "payloads.jsonl", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            entry = json.loads(line)
            signed_payload = entry["signedPayload"] if isinstance(entry, dict) else entry
            verdict, status = judge.verdict(signed_payload)
            if verdict == "accept":
                passed += 1
            else:
                failed += 1
                print(f"line {number}: refused with {status}")
    print(f"{passed} passed, {failed} failed")
    return 2 if passed + failed == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
