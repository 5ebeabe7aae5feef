"""Measures the intake of WeChat Pay's, Alipay's and Google Play's messages beside their signature checks, and a checkout beside its store.

The commands of the product that play a store answer over HTTP, as its simulators do for tests. A checkout passes through a relay of ours,
which sees how long the store took; what is left of the call is our own time.
"""
import http.client
import json
import os
import re
import socket
import statistics
import threading
import time

import children
from rates import wrk
from report import least, most

STORES = {"wechat": "WeChat Pay", "alipay": "Alipay", "google": "Google Play"}
# The bytes that each store signs of a message of this kind.
SIGNED = {"wechat": 1_000, "alipay": 900, "google": 500}
CHECKOUT = "checkout at WeChat Pay, one after the other"
APP = "shops"
CATALOG = """
app: shops
name: Shops
timeZone: Asia/Shanghai
reportingCurrency: CNY
plans:
  - { code: FREE, name: Free, rank: 0 }
  - { code: PRO, name: Pro, rank: 1 }
products:
  - { store: wechat, id: pro.month, plan: PRO, name: Pro monthly, period: P1M, prices: { CNY: "18.00" } }
  - { store: alipay, id: pro.month, plan: PRO, name: Pro monthly, period: P1M, prices: { CNY: "18.00" } }
  - { store: google, id: coins, plan: PRO, name: Coins, prices: { EUR: "0.99" } }
"""


def measure(bench):
    part = Shops(bench)
    # A first server makes the secret that seals the stores' keys.
    with bench.step("a server with a secret", bench.options.patience), bench.product("--without-worker"):
        pass
    cells = {}
    for store, name in STORES.items():
        taken, checked = f"{name} message taken in, 64 connections", f"{name}: its signature checked on every core"
        cells[taken] = lambda store=store: part.taken_in(store)
        cells[checked] = lambda store=store: part.signatures(store)
    bench.rounds(cells)
    report = bench.report
    for name in STORES.values():
        report.metric(f"{name} message verified, durable and answered, over its signature check alone on the same cores", "",
                      report.ratio(f"{name} message taken in, 64 connections", f"{name}: its signature checked on every core"),
                      None, " ×")
    with bench.step(CHECKOUT, bench.options.patience):
        own, calls = part.checkouts()
        report.metric("checkout at WeChat Pay: calls of the store for each", "1", calls, lambda value: value == 1, "")
        report.metric("checkout at WeChat Pay, median of our own time beside the store's", "≤ 3 ms", own, most(3), " ms")


class Shops:
    def __init__(self, bench):
        self.bench = bench
        self.keys = os.path.join(bench.directory, "shops")

    def apply(self, entries):
        """Makes the app equal to the catalogue with these accounts, below `stores:`."""
        path = os.path.join(self.bench.directory, "shops.yaml")
        with open(path, "w") as file:
            file.write(f"{CATALOG}stores:\n{entries}\n")
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.bench.cluster.url, "PERENNIAL_STATE": self.bench.cluster.socket}
        children.run([self.bench.options.product, "catalog", "apply", path], env=environment)

    def played(self, store):
        return Played(self.bench, store, self.keys)

    def taken_in(self, store):
        """Messages are signed shortly before: WeChat Pay's are good for five minutes."""
        bench = self.bench
        requests = os.path.join(bench.directory, f"requests-{store}")
        with self.played(store) as shop:
            self.apply(shop.entry)
            count = 200 if bench.options.small else 400 * bench.options.seconds * 8
            for name, many in (f"{requests}-warm", max(20, count // 20)), (requests, count):
                children.run([bench.options.tools, "shop-requests", "--store", store, "--count", str(many), "--keys", self.keys,
                              "--app", APP, name])
            with bench.product("--without-worker") as server:
                wrk(f"http://127.0.0.1:{server.port}/", 1, 64, "send.lua", {"WRK_REQUESTS": f"{requests}-warm"})
                self.empty()
                result = bench.http(server, "/", script="send.lua", environment={"WRK_REQUESTS": requests}, warm_up=0)
                stored = self.stored()
        self.empty()
        if result["said"] != ["0"]:
            result["note"] = f"{stored} of {result['count']} were new: the file was sent more than once"
        # At the end each of the 64 connections may have had an answer that is not counted, and sent one more.
        elif not result["count"] <= stored <= result["count"] + 128:
            raise RuntimeError(f"{result['count']} messages were answered and {stored} are stored")
        return result

    def signatures(self, store):
        said = children.run([self.bench.options.tools, "shop-signatures", "--bytes", str(SIGNED[store]), "--seconds",
                             str(self.bench.options.seconds)]).stdout
        return {"rate": json.loads(said)["value"]}

    def stored(self):
        return int(self.bench.cluster.psql("SELECT count(*) FROM store_notifications WHERE state = 'received'"))

    def empty(self):
        """Removes the messages that are not worked on, which nothing else may delete."""
        self.bench.cluster.psql("""
            SET session_replication_role = replica;
            DELETE FROM notification_attempts a USING store_notifications n
            WHERE n.id = a.notification_id AND n.state = 'received';
            DELETE FROM store_notifications WHERE state = 'received';
            """)

    def checkouts(self):
        """Returns the median of our own milliseconds of a checkout, and how often the store was called for one."""
        bench = self.bench
        count = 20 if bench.options.small else 300
        with self.played("wechat") as shop, Relay(shop.port) as relay:
            self.apply(shop.entry.replace(f"127.0.0.1:{shop.port}", f"127.0.0.1:{relay.port}"))
            key = re.search(r"psk_\S+", bench.does("app-key", APP, "--name", "bench", "--scope", "tokens:mint"))[0]
            with bench.product("--without-worker") as server:
                client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
                tokens = [minted(client, key, f"shopper-{number}") for number in range(count + 10)]
                own, calls = [], 0
                for number, token in enumerate(tokens):
                    relay.forget()
                    began = time.perf_counter()
                    ask(client, "/api/v1/subscription/orders", token, {"product": "pro.month", "method": "wechat_native"})
                    took = time.perf_counter() - began
                    seconds, asked = relay.told()
                    # The first ones find connections and caches cold.
                    if number >= 10:
                        own.append((took - seconds) * 1000)
                        calls += asked
        return statistics.median(own), calls / count


def ask(client, path, token, body):
    client.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    answer = client.getresponse()
    text = answer.read().decode()
    if answer.status not in (200, 201):
        raise RuntimeError(f"POST {path} was answered {answer.status}: {text[:300]}")
    return json.loads(text)


def minted(client, key, customer):
    return ask(client, f"/customers/{customer}/tokens", key, {})["accessToken"]


class Played:
    """A store that the product plays, while the `with` lasts."""

    def __init__(self, bench, store, keys):
        self.bench, self.store, self.keys = bench, store, keys

    def __enter__(self):
        command = [self.bench.options.product, "simulate", self.store, "serve", "--port", "0", "--authority", self.keys]
        self.process = children.start(command, stdout=-1, text=True)
        line, deadline = "", time.monotonic() + 60
        while not re.search(r"127\.0\.0\.1:\d+", line):
            line = self.process.stdout.readline()
            if not line or time.monotonic() > deadline:
                raise RuntimeError(f"the played {self.store} does not listen")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
        with open(os.path.join(self.keys, f"{self.store}.yaml")) as file:
            self.entry = file.read().split("\n", 1)[1]
        return self

    def __exit__(self, *_):
        children.end(self.process)


class Relay:
    """Passes bytes on to a port, and knows how long the other side took from a request's first byte to its answer's last."""

    def __init__(self, port):
        self.upstream, self.lock = port, threading.Lock()
        self.forget()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def forget(self):
        with self.lock:
            self.began = self.ended = None
            self.seconds, self.asked = 0.0, 0

    def told(self):
        with self.lock:
            open_end = self.ended - self.began if self.began is not None and self.ended is not None else 0
            return self.seconds + open_end, self.asked

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.upstream))
            for one in near, far:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._pass, args=(near, far, self._request), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, self._answer), daemon=True).start()

    def _request(self):
        with self.lock:
            if self.ended is not None or self.began is None:
                if self.ended is not None:
                    self.seconds += self.ended - self.began
                self.began, self.ended, self.asked = time.perf_counter(), None, self.asked + 1

    def _answer(self):
        with self.lock:
            self.ended = time.perf_counter()

    @staticmethod
    def _pass(source, sink, note):
        try:
            while data := source.recv(65536):
                note()
                sink.sendall(data)
        except OSError:
            pass
        for one in source, sink:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
