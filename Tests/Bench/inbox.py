"""Measures notifications stored over HTTP and applied, beside their signatures alone and their statements by pgbench."""
import json

import children
from limits import NotTaken
from notifications import Notifications
from rates import wrk
from report import least

TAKEN, SIGNATURES, STORED = ("notification taken in, 64 connections", "three signatures checked on every core",
                             "notification stored by pgbench, 16 clients")
APPLIED, FOUR, EIGHT = ("notification applied", "notification applied by pgbench, 4 clients",
                        "notification applied by pgbench, 8 clients")


def measure(bench):
    options = bench.options
    print("==> Signing notifications", flush=True)
    made = Notifications(bench.cluster, bench.filling, bench.directory, options.tools, options.product)
    part = Inbox(bench, made)
    with bench.step("notifications signed", options.preparation):
        made.make(options.notifications)
    # The kept part is applied afterwards.
    with bench.step(TAKEN, options.patience):
        part.taken_in()
    with bench.step("how a notification is stored", options.patience):
        with bench.product("--without-worker") as server:
            made.capture_storing(server)
    with bench.step("how a notification is applied", options.patience):
        made.capture_applying(bench.log)
    bench.rounds({TAKEN: part.taken_in, SIGNATURES: part.signatures, STORED: lambda: part.stored_by_pgbench(16)})
    count = options.applied
    shares = iter(range(options.rounds))
    bench.rounds({
        APPLIED: lambda: part.applied(next(shares), count),
        FOUR: lambda: made.apply_by_pgbench(count, 4),
        EIGHT: lambda: made.apply_by_pgbench(count, 8),
    })
    report = bench.report
    report.metric("Apple notification verified, durable and answered, over its three signature checks alone on the same cores",
                  "≥ 0.7 ×", report.ratio(TAKEN, SIGNATURES), least(0.7), " ×")
    report.metric("the same over `pgbench` with one durable insert of it", "", report.ratio(TAKEN, STORED), None, " ×")
    report.metric("Apple notification applied, over `pgbench -M prepared` with the same statements in one transaction each (the "
                  "better of 4 and 8 clients)", "≥ 0.5 ×", report.ratio(APPLIED, [FOUR, EIGHT]), least(0.5), " ×")


class Inbox:
    def __init__(self, bench, made):
        self.bench, self.made = bench, made

    def taken_in(self):
        made = self.made
        made.needs_made()
        with self.bench.product("--without-worker") as server:
            wrk(f"http://127.0.0.1:{server.port}/", 1, 64, "send.lua", made.warm_up_environment())
            made.empty()
            result = self.bench.http(server, "/", script="send.lua", environment=made.environment(), warm_up=0)
            stored = made.stored()
        if result["said"] != ["0"]:
            result["note"] = f"{stored} of {result['count']} were new: the file was sent more than once"
        # At the end each of the 64 connections may have had an answer that is not counted, and sent one more.
        elif not result["count"] <= stored <= result["count"] + 128:
            raise RuntimeError(f"{result['count']} notifications were answered and {stored} are stored")
        made.keep()
        return result

    def stored_by_pgbench(self, clients):
        """Measures the inbox's own insert with one notification in each transaction."""
        if not self.made.store_script:
            raise NotTaken("it was not seen how a notification is stored")
        result = self.bench.pgbench(self.made.store_script, clients)
        self.made.empty()
        return result

    def signatures(self):
        said = children.run([self.bench.options.tools, "signatures", "--seconds", str(self.bench.options.seconds)]).stdout
        return {"rate": json.loads(said)["value"]}

    def applied(self, share, count):
        self.made.needs_kept()
        self.made.empty()
        self.made.offer(share, self.bench.options.rounds, count)
        return self.made.apply(self.bench.log)
