"""A server that is asked what nobody means, with everything there is to be asked about."""

import os
import unittest.mock

import app_store
import sample_data
from asking import ORIGIN
from demo_server import DemoServer
from people import Person
from stock import Stock
from walk import Walk

# As many as the sample data counts on.
CUSTOMERS = 40
METRICS_TOKEN = "read-by-monitoring"
# Whoever asks is a proxy of ours, so that what it says of others is read.
SETTINGS = {
    "PERENNIAL_METRICS_TOKEN": METRICS_TOKEN, "PERENNIAL_TRUSTED_PROXIES": "127.0.0.1", "PERENNIAL_PUBLIC_URL": ORIGIN,
    # Tests/WebTests has the limits.
    "PERENNIAL_RATE_LIMITS": "off",
}


class Office:
    """A server; another one when it was ended, so that each test says what it found itself."""

    def __init__(self):
        self.server = None

    def get(self):
        """Itself, with a server that runs."""
        if self.server is None or self.server._process.poll() is not None:
            with unittest.mock.patch.dict(os.environ, SETTINGS):
                self.server = DemoServer(customers=CUSTOMERS)
            self.known = sample_data.add(self.server, app_store.start())
            self.stock, self._walks = Stock(self.server), {}
        return self

    def walk(self, role):
        """What somebody of that role comes to."""
        if role not in self._walks:
            self._walks[role] = Walk(self.person(role), self.known, self.stock)
        self._walks[role].person.prove()
        return self._walks[role]

    def person(self, role):
        """Somebody new, with what is theirs."""
        made = Person(self.server, role)
        self.stock.provide(made)
        return made

    def stop(self):
        if self.server is not None and self.server._process.poll() is None:
            self.server.stop()
