"""What `bin/bench` can be told."""
import argparse

# Each needs a database of its own, and has a section of its own in what is written.
ALONE = ["customers", "find", "export", "charts"]


def parsed(description):
    parser = argparse.ArgumentParser(prog="bin/bench", description=description)
    parser.add_argument("--quick", action="store_true", help="a smoke run: little data, one short round, nothing written")
    parser.add_argument("--rounds", type=int, help="rounds of each cell (3)")
    parser.add_argument("--seconds", type=int, help="seconds of each cell (5)")
    parser.add_argument("--orders", type=int, help="orders in the database (1,000,000; for `find` 10,000,000)")
    parser.add_argument("--only", choices=["pages", "notifications", "pieces", *ALONE], action="append",
                        help="a part alone; `customers`, `find`, `export` and `charts` are never run with others: `find` takes "
                        "30 GB of disk and half an hour, `charts` 60 GB and three quarters of an hour")
    parser.add_argument("--lives", type=int, help="for `charts`: customers whose notifications are sent (22,000)")
    parser.add_argument("--times", type=int, help="for `charts`: how often each of them is there in the big database (100)")
    parser.add_argument("--product", required=True, help="the program")
    parser.add_argument("--tools", required=True, help="the program that measures pieces")
    parser.add_argument("--peer", required=True, help="the Go peer")
    parser.add_argument("--keep", help="a directory to work in and leave as it is")
    parser.add_argument("--write", help="where the results go (docs/benchmarks.md)")
    options = parser.parse_args()
    quick = options.quick
    options.rounds = options.rounds or (1 if quick else 3)
    options.seconds = options.seconds or (1 if quick else 5)
    options.only = options.only or ["pages", "notifications", "pieces"]
    options.lives, options.times = options.lives or (300 if quick else 22_000), options.times or (5 if quick else 100)
    if set(ALONE) & set(options.only) and len(options.only) > 1:
        parser.error(f"{', '.join(ALONE)} are measured alone")
    options.orders = options.orders or (200_000 if quick else 10_000_000 if options.only == ["find"] else 1_000_000)
    return options
