"""Notifications as the demo's App Store signs them, with one member bent: each that the sources read, wherever it is."""

import base64
import json
import re
import time
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

import edges
import scale
import site_map

_READ = re.compile(r'fields\.(string|integer|date|bool|strings|object|value)\("(\w+)"')
_FILES = {
    "outer": "AppleNotification", "data": "AppleNotification+Body", "transaction": "AppleTransaction",
    "renewal": "AppleRenewalInfo",
}
# Members of another part that a file reads.
_WITHIN = {
    "outer": {
        "summary": ["requestIdentifier", "productId", "storefrontCountryCodes", "succeededCount", "failedCount"],
        "externalPurchaseToken": ["externalPurchaseId", "tokenCreationDate", "tokenType", "tokenExpirationDate"],
    },
    "data": {"outer": ["data", "summary", "externalPurchaseToken", "appData"]},
    "transaction": {
        "commitmentInfo": ["billingPeriodNumber", "totalBillingPeriods", "commitmentExpiresDate", "commitmentPrice"],
    },
}
# The notification that carries a part or a member; a first purchase carries all others.
_TOLD_BY = {
    "summary": ("RENEWAL_EXTENSION", "SUMMARY"),
    "externalPurchaseToken": ("EXTERNAL_PURCHASE_TOKEN", "CREATED"),
    "data.consumptionRequestReason": ("CONSUMPTION_REQUEST", None),
    "renewal": ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"),
    "renewal.autoRenewProductId": ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"),
    "renewal.renewalDate": ("RENEWAL_EXTENDED", None),
    "renewal.expirationIntent": ("EXPIRED", "VOLUNTARY"),
    **dict.fromkeys(["renewal.gracePeriodExpiresDate", "renewal.isInBillingRetryPeriod"], ("DID_FAIL_TO_RENEW", "GRACE_PERIOD")),
    **dict.fromkeys(["renewal.priceIncreaseStatus", "renewal.renewalPrice", "renewal.currency"], ("PRICE_INCREASE", "PENDING")),
    **{f"transaction.revocation{what}": ("REFUND", None) for what in ("Date", "Reason", "Type", "Percentage")},
}
# Notifications that a subscription or charge can have only once.
_ONCE = {"SUBSCRIBED", "REFUND", "EXPIRED"}
FIRST = ("SUBSCRIBED", "INITIAL_BUY")
DAY = 86_400_000


def members():
    """Yields the part, the name and the type of every member that is read."""
    for part, file in _FILES.items():
        text = (site_map.REPOSITORY / f"Sources/Gateways/Apple/{file}.swift").read_text()
        found = {name: kind for kind, name in _READ.findall(text)}
        assert len(found) > 3, part
        for name, kind in found.items():
            within = (other for other, names in _WITHIN.get(part, {}).items() if name in names)
            yield next(within, part), name, kind


class AppStore:
    """Signs with the simulator's authority, which the demo trusts."""

    def __init__(self, server):
        folder = server.state / "simulator"
        self._key = serialization.load_pem_private_key((folder / "leaf.key.pem").read_bytes(), None)
        chain = [base64.b64encode((folder / f"{name}.der").read_bytes()).decode()
                 for name in ("leaf", "intermediate", "root")]
        self._header = _encoded(json.dumps({"alg": "ES256", "x5c": chain}).encode())
        catalog = (site_map.REPOSITORY / "Catalogs/readmigo.yaml").read_text()
        self._bundle = re.search(r"bundleId: (\S+)", catalog)[1]
        self._app = int(re.search(r"appAppleId: (\S+)", catalog)[1])
        self._product = re.search(r"id: (com\S+)", catalog)[1]
        self._now = int(time.time() * 1000) - 3_600_000

    def sign(self, text):
        signed = f"{self._header}.{_encoded(text.encode(errors='surrogatepass'))}"
        numbers = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{_encoded(b''.join(number.to_bytes(32, 'big') for number in numbers))}"

    def bought(self, product, account):
        """Returns a new purchase with this account token, signed as an app would send it."""
        now = int(time.time() * 1000)
        transaction = self._parts(str(uuid.uuid4().int)[:15], FIRST)["transaction"]
        transaction |= {"purchaseDate": str(now - 1000), "signedDate": str(now)}
        return self.sign(_object(transaction | {"productId": json.dumps(product), "appAccountToken": json.dumps(account)}))

    def bent(self):
        """Yields the body of a POST for each member and edge; a subscription begins before its other notifications."""
        for part, name, kind in members():
            told_by = _TOLD_BY.get(f"{part}.{name}") or _TOLD_BY.get(part, FIRST)
            life = ""
            for edge in ["", *scale.some(f"{part} {name}", edges.json_values(name, kind), scale.of(1, 3))]:
                if not life or told_by[0] in _ONCE:
                    life = str(uuid.uuid4().int)[:15]
                    if told_by != FIRST:
                        yield self.body(life, FIRST)
                yield self.body(life, told_by, part, name, edge)

    def body(self, life, told_by, part="", name="", edge=""):
        parts = self._parts(life, told_by)
        if part:
            parts[part][name] = edge
        outer, data, transaction = parts["outer"], parts["data"], parts["transaction"]
        if part == "commitmentInfo":
            transaction["commitmentInfo"] = _object(parts["commitmentInfo"])
        data = {
            "signedTransactionInfo": json.dumps(self.sign(_object(transaction))),
            "signedRenewalInfo": json.dumps(self.sign(_object(parts["renewal"]))), **data,
        }
        # A notification has one of these.
        about = part if part in ("summary", "externalPurchaseToken") else "data"
        outer = {about: _object(data if about == "data" else parts[about]), **outer}
        return json.dumps({"signedPayload": self.sign(_object(outer))}).encode()

    def _parts(self, life, told_by):
        # Each notification is a little later than the one before.
        self._now += 100
        now, own = self._now, {"environment": "Production"}
        renewal = own | {
            "originalTransactionId": life, "productId": self._product, "autoRenewProductId": self._product, "autoRenewStatus": 1,
            "signedDate": now, "renewalDate": now + 30 * DAY, "renewalPrice": 18_000, "currency": "CNY",
            "recentSubscriptionStartDate": now - DAY,
        }
        transaction = own | {
            "transactionId": life, "originalTransactionId": life, "bundleId": self._bundle, "productId": self._product,
            "purchaseDate": now - DAY, "originalPurchaseDate": now - DAY, "expiresDate": now + 29 * DAY, "signedDate": now,
            "quantity": 1, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "storefront": "CHN",
            "transactionReason": "PURCHASE", "price": 18_000, "currency": "CNY", "appAccountToken": str(uuid.UUID(int=int(life))),
        }
        if told_by[0] == "REFUND":
            transaction |= {"revocationDate": now, "revocationReason": 1, "revocationType": "REFUND_PRORATED"}
            transaction["revocationPercentage"] = 50_000
        outer = {
            "notificationType": told_by[0], "notificationUUID": str(uuid.uuid4()), "version": "2.0",
            "signedDate": now,
        } | ({"subtype": told_by[1]} if told_by[1] else {})
        app = own | {"appAppleId": self._app, "bundleId": self._bundle}
        parts = {
            "outer": outer, "data": app | {"bundleVersion": "1", "status": 1}, "transaction": transaction, "renewal": renewal,
            "summary": app | {
                "requestIdentifier": str(uuid.uuid4()), "productId": self._product, "succeededCount": 1, "failedCount": 0,
            },
            "externalPurchaseToken": app | {"externalPurchaseId": str(uuid.uuid4()), "tokenCreationDate": now},
            "commitmentInfo": {"billingPeriodNumber": 1, "totalBillingPeriods": 12, "commitmentExpiresDate": now + 365 * DAY},
        }
        return {part: {name: json.dumps(value) for name, value in values.items()} for part, values in parts.items()}


def _object(members):
    return "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in members.items() if value) + "}"


def _encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
