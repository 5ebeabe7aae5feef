#!/usr/bin/env python3
"""Judges the transaction that is looked up for a receipt: Apple's own ReceiptUtility must find the same one.

usage: apple_receipts.py DIRECTORY

DIRECTORY holds receipts.jsonl, one {receipt, kind: app|transaction, transactionId} a line.
Exit code: 0 all agree, 1 some do not, 2 nothing to judge. The last line is `N passed, N failed`.
"""

import json
import pathlib
import sys

from appstoreserverlibrary.receipt_utility import ReceiptUtility


def main():
    utility = ReceiptUtility()
    passed = failed = 0
    with open(pathlib.Path(sys.argv[1]) / "receipts.jsonl", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            entry = json.loads(line)
            if entry["kind"] == "app":
                found = utility.extract_transaction_id_from_app_receipt(entry["receipt"])
            else:
                found = utility.extract_transaction_id_from_transaction_receipt(entry["receipt"])
            if found == entry["transactionId"]:
                passed += 1
            else:
                failed += 1
                print(f"line {number}: Apple's finds {found}, ours {entry['transactionId']}")
    print(f"{passed} passed, {failed} failed")
    return 2 if passed + failed == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
