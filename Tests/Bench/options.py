"""The options of `bin/bench`."""
import argparse

# The parts that need a database of their own, and have a section of their own in the results.
ALONE = ["customers", "find", "export", "charts", "recount"]
# The parts of a small run, one after another in one database: all but those that fill two databases of their own.
SMALL = ["pieces", "pages", "find", "export", "customers", "notifications", "shops"]
# The limits of parts that are measured alone: minutes for the run, and minutes for filling its database.
MINUTES = {"customers": (60, 20), "find": (120, 90), "export": (60, 20), "charts": (180, 120), "recount": (60, 30)}


def parsed(description, arguments=None):
    parser = argparse.ArgumentParser(prog="bin/bench", description=description)
    parser.add_argument("--quick", action="store_true", help="a smoke run: little data, one short round, nothing written")
    parser.add_argument("--small", action="store_true", help="less still, but every part except charts and recount, and of a debug build: whether "
                        "all of it can be taken")
    parser.add_argument("--strict", action="store_true", help="fail when anything could not be taken, not only when nothing could")
    parser.add_argument("--minutes", type=float, help="when to end at the latest; what was taken until then is kept (60; quick 10)")
    parser.add_argument("--rounds", type=int, help="rounds of each cell (3)")
    parser.add_argument("--seconds", type=int, help="seconds of each cell (5)")
    parser.add_argument("--orders", type=int, help="orders in the database (1,000,000; for `find` 10,000,000)")
    parser.add_argument("--only", choices=["pages", "notifications", "pieces", "shops", *ALONE], action="append",
                        help="a part alone; `customers`, `find`, `export`, `charts` and `recount` are never run with others, except in a small "
                        "run: `find` takes 30 GB of disk and half an hour, `charts` 60 GB and three quarters of an hour")
    parser.add_argument("--lives", type=int, help="for `charts` and `recount`: customers whose notifications are sent (22,000; 2,000)")
    parser.add_argument("--times", type=int, help="for `charts` and `recount`: how often each of them is there in the big database (100; 80)")
    parser.add_argument("--product", required=True, help="the program")
    parser.add_argument("--tools", required=True, help="the program that measures pieces")
    parser.add_argument("--peer", required=True, help="the Go peer")
    parser.add_argument("--keep", help="a directory to work in and leave as it is")
    parser.add_argument("--write", help="where the results go (docs/benchmarks.md)")
    parser.add_argument("--trace", action="store_true", help="say where in the program each failure was")
    options = parser.parse_args(arguments)
    options.quick = quick = options.quick or options.small
    options.rounds = options.rounds or (1 if quick else 3)
    options.seconds = options.seconds or (1 if quick else 5)
    options.only = options.only or (SMALL if options.small else ["pages", "notifications", "shops", "pieces"])
    is_recount = options.only == ["recount"]
    options.lives = options.lives or (300 if quick else 2_000 if is_recount else 22_000)
    options.times = options.times or (5 if quick else 80 if is_recount else 100)
    if set(ALONE) & set(options.only) and len(options.only) > 1 and not options.small:
        parser.error(f"{', '.join(ALONE)} are measured alone")
    if options.small and options.write:
        parser.error("a small run measures nothing that is worth writing")
    options.orders = options.orders or (20_000 if options.small else 200_000 if quick else
                                        10_000_000 if options.only == ["find"] else 1_000_000)
    options.customers = options.orders // 10
    whole, preparation = MINUTES.get(options.only[0], (60, 20))
    options.minutes = options.minutes or (10 if quick else whole)
    # The longest that filling, and each cell or step, may take, in seconds.
    options.preparation = 300 if quick else preparation * 60
    options.patience = 120 + 10 * options.seconds
    options.searches = 3 if options.small else 20 if quick else 100
    options.exports = 1 if options.small else 3 * options.rounds
    # The time of writes at a steady pace, in seconds.
    options.writing = 60 if quick else 300
    options.tokens = 200 if options.small else 2_000 if quick else 100_000
    options.notifications = 400 if options.small else 1_000 if quick else 8_000 * options.seconds
    options.applied = 100 if options.small else 300 if quick else 2_400 * options.seconds
    # The time until every customer's token was seen, in seconds.
    options.warm_up = 3 if quick else 60
    return options
