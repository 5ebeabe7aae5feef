"""A server with the apps of all documents, called as their clients call it."""

import dataclasses
import http.client
import json
import secrets
import time
import urllib.parse
import uuid

import demo_server
from documents import shapes
from documents.providers import ALIPAY_APP, WECHAT_APP, Providers
from documents.signing import Purchase, Signer, now, verify_receipt_answer

APPS = {
    "readmigo": ("com.readmigo.app", 1600000001), "lightgallery": ("com.lightgallery.app", 1600000002),
    "kombin": ("com.kombinapp.app", 1600000003), "llm-proxy": ("com.yourapp", 1600000004),
}
# The reason of a staff action, as our calls take it.
WHY = {"category": "goodwill", "reason": "The document's example is walked."}


# The next renewal: a member of every answer with a subscription, as soon as a store has told it.
FUTURE = ("nextRenewal", "commitment", "winBackOfferIds")


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes
    case: object = None

    @property
    def json(self):
        return json.loads(self.body)

    def has(self, status, shape=None, adds=""):
        """Asserts that the answer is as the document has it; further members are the case's, or `adds`."""
        assert self.status == status, f"{self.status} instead of {status}: {self.body[:2_000].decode(errors='replace')}"
        if shape is not None:
            found = shapes.differences(self.json, shape, {*adds.split(), *self.case.adds, *FUTURE})
            assert not found, "\n".join([*found, f"of {self.body[:4_000].decode()}"])
        return self.json if self.body else None


class Customer:
    """A signed-in customer of an app."""

    def __init__(self, desk, app, external, token=None):
        self.desk, self.app, self.external = desk, app, external
        self.token = token or desk.mint(app, external)

    def ask(self, method, path, body=None, language=None, **headers):
        return self.desk.ask(method, path, body, language, token=self.token, **headers)

    @property
    def account(self):
        """The account token that the app passes to the App Store with a purchase."""
        return self.ask("GET", "/subscriptions/status").json["appAccountToken"]

    @property
    def id(self):
        return self.ask("GET", "/subscriptions/status").json["userId"]

    def buys(self, product, **terms):
        """Buys a product at the App Store; the app proves the purchase."""
        purchase = Purchase(product, account=self.account, **terms)
        self.ask("POST", "/subscriptions/verify", {"signedTransactions": [self.desk.signed(self.app, purchase)]}).has(200)
        return purchase


class Desk:
    def __init__(self):
        self.providers = Providers()
        self.server = demo_server.DemoServer(customers=40)
        self.case = None
        try:
            self._prepare()
        except BaseException:
            self.server.stop()
            raise

    def _prepare(self):
        server = self.server
        for name, content in self.providers.files().items():
            (server.home / name).write_text(content)
        self.signer = Signer(server.state / "simulator")
        for app in APPS:
            catalog = server.home / f"{app}.yaml"
            catalog.write_text(self._catalog(app))
            server.run("catalog", "apply", str(catalog))
        self._keys = {
            app: server.run("app-key", "issue", app, "--name", "documents", "--scope", "tokens:mint").split()[-1] for app in APPS
        }
        for app in APPS:
            self._wait_for_account(app)
        self.staff = server.run("staff", "token", "admin@demo.test", "--name", "documents").split()[-1]

    def _catalog(self, app):
        """Returns the app's own catalogue, at a test store."""
        text = (demo_server.REPOSITORY / f"Catalogs/{app}.yaml").read_text()
        address, folder = self.providers.url, self.server.state / "simulator"
        bundle, _ = APPS[app]
        store = f"""\
  environment: simulator
  anchors: ["file:{folder}/root.der", "file:{folder}/receipt-root.der"]
  sharedSecret: file:shared-secret.txt
  verifyReceipt: {{production: {address}, sandbox: {address}/sandbox}}
  id:
    clientIds: [{bundle}]
    teamId: SIMTEAM001
    keyId: SIGNIN0001
    privateKey: file:AuthKey_SIGNIN0001.p8
    address: {address}
"""
        assert "  environment: store\n" in text
        text = text.replace("  environment: store\n", store)
        if app != "lightgallery":
            return text
        return text + f"""
stores:
  wechat:
    environment: simulator
    identifier: {WECHAT_APP}
    secrets: {{appSecret: file:wechat-secret.txt}}
    settings: {{address: "{address}"}}
  alipay:
    environment: simulator
    identifier: "{ALIPAY_APP}"
    secrets: {{appPrivateKey: file:alipay-app.txt, alipayPublicKey: file:alipay-public.txt}}
    settings: {{gateway: "{address}/gateway.do"}}
"""

    def _wait_for_account(self, app):
        """Waits until the app's account at Apple is in force, which takes ten seconds: then a receipt can be verified."""
        customer = Customer(self, app, "somebody")
        body = {"receiptData": self.signer.receipt(*APPS[app], [])}
        eventually(lambda: customer.ask("POST", "/subscriptions/verify", body).status, lambda status: status != 409)

    def stop(self):
        self.server.stop()

    def port(self):
        """Returns the port of the server for the next request."""
        return self.server.port

    def ask(self, method, path, body=None, language=None, token=None, app=None, **headers):
        """Sends a request, with its body as JSON; returns the answer."""
        port = self.port()
        fields = {"Host": f"127.0.0.1:{port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
        for name, value in (("Accept-Language", language), ("X-App", app), ("Authorization", token and f"Bearer {token}")):
            if value:
                fields[name] = value
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read(), self.case)
        finally:
            connection.close()

    def admin(self, method, path, body=None, app="readmigo", **headers):
        """Sends a request with an admin's token; one that changes something has an idempotency key of its own."""
        if method != "GET":
            headers.setdefault("Idempotency_Key", secrets.token_hex(8))
        return self.ask(method, path, body, token=self.staff, app=app, **headers)

    def mint(self, app, external, **terms):
        path = f"/customers/{urllib.parse.quote(external, safe='')}/tokens"
        return self.ask("POST", path, terms, token=self._keys[app]).has(201)["accessToken"]

    def customer(self, app):
        """Returns a new customer."""
        return Customer(self, app, f"user-{uuid.uuid4()}")

    def signed(self, app, purchase, ago=0):
        """Returns the transaction's `jwsRepresentation`, as StoreKit 2 gives it to the app, signed so many milliseconds ago."""
        return self.signer.sign(self._transaction(app, purchase) | {"signedDate": now() - ago})

    def receipt(self, app, *purchases, is_known=True):
        """Returns the device's receipt; verifyReceipt refuses one that is not known."""
        bundle, number = APPS[app]
        text = self.signer.receipt(bundle, number, purchases)
        if is_known:
            self.providers.receipts[text] = verify_receipt_answer(bundle, number, text, purchases)
        return text

    def notification(self, app, kind, subtype, purchase=None, renewal=None):
        """Returns the body of a notification that Apple posts."""
        bundle, number = APPS[app]
        data = {"environment": "Production", "appAppleId": number, "bundleId": bundle, "bundleVersion": "1", "status": 1}
        if purchase:
            data["signedTransactionInfo"] = self.signed(app, purchase)
            info = {
                "environment": "Production", "originalTransactionId": purchase.original, "productId": purchase.product,
                "autoRenewProductId": purchase.product, "autoRenewStatus": 1, "signedDate": now(),
                "renewalDate": purchase.ends, "recentSubscriptionStartDate": purchase.begun,
            }
            data["signedRenewalInfo"] = self.signer.sign(info | (renewal or {}))
        outer = {"notificationType": kind, "notificationUUID": str(uuid.uuid4()), "version": "2.0", "signedDate": now(), "data": data}
        return {"signedPayload": self.signer.sign(outer | ({"subtype": subtype} if subtype else {}))}

    def tell(self, app, kind, subtype, purchase=None, renewal=None, path="/webhooks/apple"):
        """Posts a notification as Apple does: again where it could not be stored."""
        message = self.notification(app, kind, subtype, purchase, renewal)
        eventually(lambda: self.ask("POST", path, message), lambda answer: answer.status != 503).has(200)

    def _transaction(self, app, purchase):
        bundle, _ = APPS[app]
        content = {
            "environment": "Production", "transactionId": purchase.id, "originalTransactionId": purchase.original,
            "bundleId": bundle, "productId": purchase.product, "purchaseDate": purchase.begun,
            "originalPurchaseDate": purchase.begun, "expiresDate": purchase.ends, "signedDate": now(), "quantity": 1,
            "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "storefront": "CHN",
            "transactionReason": "PURCHASE" if purchase.id == purchase.original else "RENEWAL", "price": 18_000, "currency": "CNY",
        }
        return content | ({"appAccountToken": purchase.account} if purchase.account else {}) | purchase.more


def eventually(ask, holds, within=240):
    """Returns the first answer that satisfies a condition: a notification is stored before it is applied."""
    end = time.monotonic() + within
    while not holds(answer := ask()):
        assert time.monotonic() < end, f"within {within} s it was still {answer}"
        time.sleep(0.1)
    return answer
