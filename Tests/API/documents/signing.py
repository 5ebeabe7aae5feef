"""Signs as the simulated App Store: transactions, renewals, notifications and receipts, for an app of any bundle id."""

import base64
import dataclasses
import datetime
import itertools
import json
import time
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import pkcs7

DAY = 86_400_000
_numbers = itertools.count(int(time.time()) * 1_000)


def now():
    """Returns the time in milliseconds, as Apple counts."""
    return time.time_ns() // 1_000_000


@dataclasses.dataclass
class Purchase:
    """A subscription's transaction, as Apple reports it. Times are in milliseconds since 1970."""

    product: str
    days: float = 30
    begun: int = 0
    original: str = ""
    id: str = ""
    account: str | None = None
    more: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        # The dates are whole seconds, like Apple's of purchases.
        self.begun = self.begun or (now() - 60_000) // 1_000 * 1_000
        self.id = self.id or f"2{next(_numbers):014}"
        self.original = self.original or self.id

    @property
    def ends(self):
        return self.begun + int(self.days * DAY)

    def renewed(self):
        """Returns the period after this one."""
        return Purchase(self.product, self.days, self.ends, self.original, account=self.account)


class Signer:
    """Signs with the keys of the demo's simulator."""

    def __init__(self, folder):
        self._key = serialization.load_pem_private_key((folder / "leaf.key.pem").read_bytes(), None)
        chain = [base64.b64encode((folder / f"{name}.der").read_bytes()).decode() for name in ("leaf", "intermediate", "root")]
        self._header = _encoded(json.dumps({"alg": "ES256", "x5c": chain}).encode())
        self._receipt_key = serialization.load_pem_private_key((folder / "receipt-leaf.key.pem").read_bytes(), None)
        self._receipt_chain = [
            x509.load_der_x509_certificate((folder / f"receipt-{name}.der").read_bytes())
            for name in ("leaf", "intermediate", "root")
        ]

    def sign(self, content):
        signed = f"{self._header}.{_encoded(json.dumps(content).encode())}"
        numbers = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{_encoded(b''.join(each.to_bytes(32, 'big') for each in numbers))}"

    def receipt(self, bundle, app, purchases):
        """Returns a receipt of the device, in base64."""
        made = _date(now() - 1_000)
        attributes = [
            (0, _text("Production")), (1, _integer(app)), (2, _text(bundle)), (3, _text("42")), (4, uuid.uuid4().bytes),
            (5, bytes(20)), (12, made), (18, made), (19, _text("1.0")),
        ] + [(17, _attributes(_purchase_attributes(each))) for each in purchases]
        leaf, *others = self._receipt_chain
        builder = pkcs7.PKCS7SignatureBuilder().set_data(_attributes(attributes)).add_signer(leaf, self._receipt_key, hashes.SHA256())
        for each in others:
            builder = builder.add_certificate(each)
        options = [pkcs7.PKCS7Options.Binary, pkcs7.PKCS7Options.NoAttributes]
        return base64.b64encode(builder.sign(serialization.Encoding.DER, options)).decode()


def verify_receipt_answer(bundle, app, receipt, purchases, renews=True):
    """Returns verifyReceipt's answer about a receipt of these purchases."""
    fields = [_receipt_fields(each) for each in purchases]
    renewals = {each.original: each.product for each in purchases}
    return {
        "status": 0, "environment": "Production", "latest_receipt": receipt, "latest_receipt_info": fields,
        "receipt": {
            "receipt_type": "Production", "bundle_id": bundle, "adam_id": app, "app_item_id": app, "in_app": fields,
            "receipt_creation_date_ms": str(now()), "request_date_ms": str(now()), "application_version": "42",
        },
        "pending_renewal_info": [
            {"original_transaction_id": original, "product_id": product, "auto_renew_product_id": product,
             "auto_renew_status": "1" if renews else "0"}
            for original, product in renewals.items()
        ],
    }


def _receipt_fields(purchase):
    return {
        "quantity": "1", "product_id": purchase.product, "transaction_id": purchase.id,
        "original_transaction_id": purchase.original, "purchase_date_ms": str(purchase.begun),
        "original_purchase_date_ms": str(purchase.begun), "expires_date_ms": str(purchase.ends), "is_trial_period": "false",
        "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
    }


def _purchase_attributes(purchase):
    begun = _date(purchase.begun)
    return [
        (1701, _integer(1)), (1702, _text(purchase.product)), (1703, _text(purchase.id)), (1704, begun),
        (1705, _text(purchase.original)), (1706, begun), (1707, _integer(3)), (1708, _date(purchase.ends)),
        (1711, _integer(0)), (1712, _der(0x16, b"")), (1713, _integer(0)), (1719, _integer(0)),
    ]


def _date(milliseconds):
    date = datetime.datetime.fromtimestamp(milliseconds // 1_000, datetime.UTC)
    return _der(0x16, date.strftime("%Y-%m-%dT%H:%M:%SZ").encode())


def _text(content):
    return _der(0x0C, content.encode())


def _integer(content):
    return _der(0x02, content.to_bytes(content.bit_length() // 8 + 1, "big"))


def _attributes(attributes):
    entries = [_der(0x30, _integer(kind) + _integer(1) + _der(0x04, value)) for kind, value in attributes]
    return _der(0x31, b"".join(entries))


def _der(tag, content):
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 128 + size]) + length.to_bytes(size, "big") + content


def _encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
