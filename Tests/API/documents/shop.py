"""The desk with a store that answers about transactions, and with two servers of one database: each call goes to either."""

import os
import random
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import demo_server
import ports
from documents.desk import APPS, Desk
from documents.signing import now


class Shop(Desk):
    """A desk whose requests go to one of two servers at random, by a seed that each failure names."""

    def __init__(self, seed, settings=None):
        self.seed, self.random, self._second = seed, random.Random(seed), None
        self._settings = settings or {}
        super().__init__()
        self.providers.answers = self._answer
        self.sold = {}
        try:
            self._second = Second(self.server)
        except BaseException:
            self.server.stop()
            raise

    def port(self):
        return self.random.choice([self.server.port, self._second.port]) if self._second else self.server.port

    def stop(self):
        if self._second:
            self._second.stop()
        super().stop()

    def set(self, app, **purchases):
        """Applies the app's catalogue with these settings of purchases."""
        self._settings = purchases
        catalog = self.server.home / f"{app}.yaml"
        catalog.write_text(self._catalog(app))
        self.server.run("catalog", "apply", str(catalog))

    def sell(self, app, purchase):
        """Makes a purchase known to the store; returns it."""
        self.sold[purchase.id] = (app, purchase)
        return purchase

    def app_transaction(self, app, number):
        """Returns StoreKit's signed `AppTransaction` of an account at the store."""
        bundle, identifier = APPS[app]
        return self.signer.sign({
            "receiptType": "Production", "bundleId": bundle, "appAppleId": identifier, "appTransactionId": number,
            "receiptCreationDate": now() - 60_000})

    def _catalog(self, app):
        address = self.providers.url
        text = super()._catalog(app).replace("  environment: simulator\n", f"""\
  environment: simulator
  api:
    issuerId: 57246542-96fe-1a63-e053-0824d011072a
    keyId: SIGNIN0001
    privateKey: file:AuthKey_SIGNIN0001.p8
    production: {address}
    sandbox: {address}/sandbox
""", 1)
        settings = "".join(f"  {name}: {value}\n" for name, value in self._settings.items())
        return text + (f"\npurchases:\n{settings}" if settings else "")

    def _answer(self, path):
        """Answers for the App Store Server API about the purchases that were sold."""
        kind, name = path.removeprefix("/inApps/").split("/")[1:3]
        if name not in self.sold:
            return 404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."}
        app, purchase = self.sold[name]
        bundle, number = APPS[app]
        signed, head = self.signed(app, purchase), {"environment": "Production", "bundleId": bundle, "appAppleId": number}
        if kind == "transactions":
            return 200, {"signedTransactionInfo": signed}
        if kind == "history":
            return 200, head | {"hasMore": False, "revision": "1", "signedTransactions": [signed]}
        renewal = self.signer.sign({
            "environment": "Production", "originalTransactionId": purchase.original, "productId": purchase.product,
            "autoRenewProductId": purchase.product, "autoRenewStatus": 1, "signedDate": now(), "renewalDate": purchase.ends,
            "recentSubscriptionStartDate": purchase.begun})
        last = {"originalTransactionId": purchase.original, "status": 1, "signedTransactionInfo": signed, "signedRenewalInfo": renewal}
        return 200, head | {"data": [{"subscriptionGroupIdentifier": "g1", "lastTransactions": [last]}]}


class Second:
    """Another server of the demo's database."""

    def __init__(self, first):
        self.port = ports.take()
        socket = (first.state / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[4]
        self._state = tempfile.mkdtemp(prefix="perennial-second-")
        self._log = tempfile.TemporaryFile("w+")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")} | {
            "PERENNIAL_STATE": self._state, "PERENNIAL_HOST": "127.0.0.1", "PERENNIAL_PORT": str(self.port),
            "PERENNIAL_DATABASE_URL": f"host={socket} user=postgres dbname=perennial", "PERENNIAL_RATE_LIMITS": "off",
            "PERENNIAL_PATIENCE": "20",
            "PERENNIAL_SECRET": (first.state / "secret").read_text().strip(),
        }
        self._process = subprocess.Popen(
            [demo_server.binary(), "serve"], cwd=demo_server.REPOSITORY, env=environment, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 300
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > end:
                self._process.kill()
                self._log.seek(0)
                raise AssertionError(f"the second server does not begin:\n{self._log.read()}")
            time.sleep(0.2)

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=300):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def stop(self):
        self._process.terminate()
        self._process.wait(240)
