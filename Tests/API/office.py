"""A server for requests that nobody means to send, with data for every route."""

import os
import unittest.mock

import app_store
import sample_data
from asking import ORIGIN
from demo_server import DemoServer
from people import Person
from stock import Stock
from walk import Walk

# The number of customers that the sample data needs.
CUSTOMERS = 40
METRICS_TOKEN = "read-by-monitoring"
# The test's own machine is a trusted proxy, so that the server reads the addresses that it forwards.
SETTINGS = {
    "PERENNIAL_METRICS_TOKEN": METRICS_TOKEN, "PERENNIAL_TRUSTED_PROXIES": "127.0.0.1", "PERENNIAL_PUBLIC_URL": ORIGIN,
    # Tests/WebTests tests the limits.
    "PERENNIAL_RATE_LIMITS": "off",
}


class Office:
    """A running server; a new one after one has ended, so that each test reports its own findings."""

    def __init__(self):
        self.server = None

    def get(self):
        """Returns itself, with a server that runs."""
        if self.server is None or self.server._process.poll() is not None:
            with unittest.mock.patch.dict(os.environ, SETTINGS):
                self.server = DemoServer(customers=CUSTOMERS)
            self.known = sample_data.add(self.server, app_store.start())
            self.stock, self._walks = Stock(self.server), {}
        return self

    def walk(self, role):
        """Returns the pages that a person of that role can reach."""
        if role not in self._walks:
            self._walks[role] = Walk(self.person(role), self.known, self.stock)
        self._walks[role].person.prove()
        return self._walks[role]

    def person(self, role):
        """Returns a new person, with data of their own."""
        made = Person(self.server, role)
        self.stock.provide(made)
        return made

    def stop(self):
        if self.server is not None and self.server._process.poll() is None:
            self.server.stop()
