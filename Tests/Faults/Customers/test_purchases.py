"""Purchases, and another server's answers about them right afterwards."""

import http.client
import json
import pathlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import load
import ports
import scale
from installation import CATALOG, Installation, until

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "API"))

import store  # noqa: E402

PURCHASES = scale.of(1_000, 200)
# Each customer buys the first, and later the second, which is worth more.
PRODUCTS = {"com.readmigo.pro.monthly": "PRO", "com.readmigo.premium.yearly": "PREMIUM"}
CALLERS = 8


@pytest.fixture(scope="module")
def shop():
    """Starts two servers of one database, whose app trusts the simulated App Store."""
    made = Installation()
    try:
        made.start()
        load.simulated(made, customers=1, months=1, seed=1)
        made.do("catalog", "apply", str(CATALOG), "--simulator", str(made.authority / "root.der"))
        made.start(PERENNIAL_DATABASE_URL=made.database_url(), PERENNIAL_PORT=str(ports.take()))
        yield made
    finally:
        made.remove()


class Client:
    """A client with a connection of each thread to each server."""

    def __init__(self, shop):
        self._ports, self._own = [server.port for server in shop.servers], threading.local()

    def ask(self, server, method, path, token, body=None, **headers):
        if not hasattr(self._own, "connections"):
            self._own.connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=300) for port in self._ports]
        connection = self._own.connections[server]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None, response.getheader("ETag")


def test_a_purchase_that_one_server_has_verified_shows_at_once_on_the_other(shop):
    client, app_store = Client(shop), store.AppStore(shop)
    key = shop.do("app-key", "issue", "readmigo", "--name", "faults", "--scope", "tokens:mint").split()[-1]
    mint = "/customers/buyer/tokens"
    for server in range(2):
        until(lambda: client.ask(server, "POST", mint, key, {})[0] == 201, "the app is known", 20)

    def buying(number):
        """Buys for one customer; returns the number of reads in which the other server was behind."""
        token = client.ask(number % 2, "POST", f"/customers/buyer-{number}/tokens", key, {})[1]["accessToken"]
        behind = 0
        for turn, (product, plan) in enumerate(PRODUCTS.items()):
            # Each server takes purchases as often as reads.
            bought_at, read_at = (number + turn) % 2, (number + turn + 1) % 2
            # The earlier answer must not be repeated later.
            status, before, tag = client.ask(read_at, "GET", "/entitlements", token)
            assert (status, before["planType"]) == (200, ["FREE", "PRO"][turn])
            body = {"signedTransactions": [app_store.bought(product, before["appAccountToken"])]}
            status, answer, _ = client.ask(bought_at, "POST", "/subscriptions/verify", token, body)
            assert status == 200, answer
            status, after, _ = client.ask(read_at, "GET", "/entitlements", token, **{"If-None-Match": tag})
            behind += status != 200 or after["planType"] != plan or after["version"] <= before["version"]
        return behind

    with ThreadPoolExecutor(CALLERS) as pool:
        behind = list(pool.map(buying, range(PURCHASES // len(PRODUCTS))))
    assert sum(behind) == 0, f"{sum(behind)} of {PURCHASES} reads did not show the purchase"
    assert shop.sql("SELECT count(*) FROM subscriptions WHERE customer_id IN (SELECT id FROM customers WHERE external_id LIKE 'buyer-%')") \
        == [str(PURCHASES)]
