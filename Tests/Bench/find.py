"""Measures searches in the find box over HTTP, and checks the database's plans for them."""
import http.client
import os
import random
import re
import time
import urllib.parse

from fill import session_token
from logged import literal, statements
from report import most

BIG = ("customers", "orders", "subscriptions")


def measure(bench):
    print("==> The find box", flush=True)
    bench.load = os.getloadavg()[0]
    find, report, patience = Find(bench.cluster, bench.filling, bench.options.searches), bench.report, bench.options.patience
    bench.filling.keep_sessions()
    kinds = []
    with bench.product("--without-worker") as server:
        with bench.step("what is typed into the find box", patience):
            kinds = find.kinds()
            for _, texts in kinds:
                find.measure(server, texts[:3])
        for what, texts in kinds:
            with bench.step(f"find box, {what}", patience):
                report.add_find(what, texts[0], find.measure(server, texts), find.scans(server, texts[:3]))
    size = f"{bench.filling.customers:,} customers and {bench.options.orders:,} orders"
    report.metric(f"find box, {size}: 95 % of the searches of the slowest kind take at most", "≤ 100 ms", report.slowest_find(),
                  most(100), " ms")
    report.metric("find box, big tables that a search reads from end to end", "0", report.scanned_tables(), most(0))


class Find:
    def __init__(self, cluster, filling, searches):
        self.cluster, self.filling, self.searches = cluster, filling, searches
        random.seed(3)

    def kinds(self):
        """Returns the kinds of searches: (what, texts), each text once where there are enough."""
        number, transaction, external = self._orders(), self._orders(), self._customers(2)
        email, name, turkish, chinese = self._customers(2), self._customers(1), self._called("Ayşe"), self._called("王伟")
        return [
            ("order number", [row["number"] for row in number]),
            ("part of an order number", [row["number"][9:] for row in number]),
            ("transaction id", [row["transaction_id"] for row in transaction]),
            ("part of a transaction id", [row["transaction_id"][-6:] for row in transaction]),
            ("external id", [row["external_id"] for row in external]),
            ("part of an external id", [row["external_id"][3:-1] for row in external]),
            ("e-mail address", [row["email"] for row in email]),
            ("part of an e-mail address", [row["email"][2:-8] for row in email]),
            ("name", [row["name"] for row in name]),
            ("part of a name", [row["name"][2:-1] for row in name]),
            ("part of a Turkish name", [row["name"].upper()[3:-1] for row in turkish]),
            ("part of a Chinese name", [row["name"][1:-1] for row in chinese]),
            ("what is nowhere", [f"nobody {one}" for one in random.sample(range(10**6), self.searches)]),
            ("three common characters", self._again(["exa", "use", "com", "rea", "smi", "neil", "şe ", "ord", "000", "600", "202"])),
            ("what every seventh is called", self._again(["Ayşe", "öztürk", "李娜", "smith", "garcía"])),
        ]

    def measure(self, server, texts):
        """Returns the milliseconds of each search, one after another over one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        taken = []
        for text in texts:
            began = time.perf_counter()
            self._search(connection, text)
            taken.append((time.perf_counter() - began) * 1000)
        return taken

    def scans(self, server, texts):
        """Returns the big tables that a plan for one of these texts reads from end to end."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        with self.cluster.watched() as logged:
            for text in texts:
                self._search(connection, text)
        asked = [one for one in statements(logged) if one.reads and any(table in one.text for table in BIG)]
        if not asked:
            raise RuntimeError(f"no statement was seen for {texts}")
        plans = self.cluster.psql(";\n".join(
            "EXPLAIN (COSTS OFF) " + one.replaced(lambda number, one=one: literal(one.values[number])) for one in asked))
        return sorted(table for table in BIG if re.search(rf"Seq Scan on {table}\b", plans))

    def _search(self, connection, text):
        connection.request("GET", "/dashboard/find?" + urllib.parse.urlencode({"q": text}),
                           headers={"Cookie": f"perennial={session_token(1)}"})
        response = connection.getresponse()
        response.read()
        # A search for the whole text of something redirects to it.
        there = response.status == 303 and "/sign-in" not in response.getheader("Location")
        if response.status != 200 and not there:
            raise RuntimeError(f"searching for {text!r} answers {response.status}")

    def _again(self, texts):
        return [texts[index % len(texts)] for index in range(self.searches)]

    def _orders(self):
        numbers = random.sample(range(1, self.filling.orders + 1), self.searches)
        ids = ", ".join(f"'{6_000_000_000_000_000 + number}'" for number in numbers)
        return self._rows("number, transaction_id", f"orders WHERE store = 'apple' AND transaction_id IN ({ids})")

    def _customers(self, above):
        """Returns customers with all that is searched for: the number modulo five tells whether one has a name or an address."""
        return self._people([n for n in self._numbers() if n % 5 > above])

    def _called(self, name):
        place = {"王伟": 1, "Ayşe": 5}[name]
        return self._people([n for n in self._numbers() if n % 5 > 0 and n % 7 == place])

    def _numbers(self):
        return random.sample(range(1, self.filling.customers + 1), self.searches * 20)

    def _people(self, numbers):
        ids = ", ".join(f"'reader-{number}'" for number in numbers[:self.searches])
        return self._rows("external_id, name, email", f"customers WHERE external_id IN ({ids})")

    def _rows(self, columns, source):
        names = columns.split(", ")
        lines = self.cluster.psql(f"SELECT {columns} FROM {source}").splitlines()
        return [dict(zip(names, line.split("|"))) for line in lines]
