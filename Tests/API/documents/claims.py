"""The table of docs/api/purchases.md, cell by cell: the claimant of a purchase, its owner, and the proof."""

import dataclasses
import re
import uuid

import demo_server
from documents.desk import APPS, Customer, eventually
from documents.lightgallery import EXCHANGE
from documents.signing import Purchase, now

HOUR = 3_600_000
PRODUCTS = {
    "readmigo": "com.readmigo.pro.monthly", "lightgallery": "com.lightgallery.pro.monthly", "llm-proxy": "com.yourapp.pro.monthly",
}
RESULTS = {"theirs", "one", "moves", "refused", "unproven", "setting"}
EMAIL = "ada.lovelace@example.com"


@dataclasses.dataclass(frozen=True)
class Cell:
    claimant: str
    owner: str
    proof: str
    result: str

    def __str__(self):
        return f"{self.claimant} shows a purchase of {self.owner} by {self.proof}"


def cells():
    """Returns the cells of the document's table."""
    text = (demo_server.REPOSITORY / "docs/api/purchases.md").read_text()
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in text.splitlines() if line.startswith("|")]
    head = next(index for index, row in enumerate(rows) if row[:2] == ["claimant", "owner"])
    proofs, found = rows[head][2:], []
    for row in rows[head + 2:]:
        if len(row) != len(proofs) + 2:
            break
        found += [Cell(row[0], row[1], proof, result) for proof, result in zip(proofs, row[2:], strict=True)]
    assert {cell.result for cell in found} <= RESULTS, found
    return found


class Someone(Customer):
    """A customer of an app, as a claimant or an owner."""

    def __init__(self, shop, app, kind):
        token, self.kind = None, kind
        match kind:
            case "anonymous":
                token = shop.mint(app, f"device-{uuid.uuid4()}", isAnonymous=True)
            case "minted":
                token = shop.mint(app, f"user-{uuid.uuid4()}")
            case "signed in" | "deleted":
                token = sign_in(shop, app, f"001.{uuid.uuid4().hex}").has(200)["accessToken"]
        super().__init__(shop, app, None, token)
        self.user = self.profile()["id"]

    def profile(self):
        return self.ask("GET", "/api/v1/user/profile").has(200)

    def sessions(self):
        return {each["id"] for each in self.ask("GET", "/api/v1/auth/sessions").has(200)["sessions"]}

    @property
    def has_access(self):
        return self.ask("GET", "/entitlements").has(200)["planType"].lower() != "free"


def sign_in(shop, app, subject, token=None):
    identity = shop.providers.identity_token(
        APPS[app][0], subject, email=EMAIL, email_verified=True, jti=uuid.uuid4().hex)
    return shop.ask("POST", EXCHANGE, {"provider": "apple", "identityToken": identity}, token=token, app=app)


def prove(customer, body, language="en"):
    """Sends a proof in the shape of the app's document."""
    path = {
        "readmigo": "/subscriptions/verify", "lightgallery": "/api/v1/subscription/verify", "llm-proxy": "/ios/validate-receipt",
    }[customer.app]
    more = {"paymentMethod": "apple_iap"} if customer.app == "lightgallery" else {}
    return customer.ask("POST", path, body | more, language)


def body(shop, app, purchase, proof, device):
    """Returns the body of a proof by its name."""
    match proof:
        case "signed within the hour":
            return {"signedTransactions": [shop.signed(app, purchase)]}
        case "signed before, confirmed":
            return {"signedTransactions": [shop.signed(app, purchase, ago=2 * HOUR)]}
        case "receipt":
            return {"receiptData": shop.receipt(app, purchase)}
        case "bare id":
            return {"transactionId": purchase.id}
        case "bare id beside the owner's app transaction":
            return {"transactionId": purchase.id, "signedAppTransaction": shop.app_transaction(app, device)}
    raise AssertionError(proof)


def owned(shop, app, kind):
    """Returns a purchase of an owner of that kind, the owner, and the store's id of their device."""
    device = uuid.uuid4().hex
    owner = None if kind in ("nobody", "placeholder") else Someone(shop, app, kind)
    # For half of them the store names the account token.
    account = owner.account if owner and shop.random.random() < 0.5 else None
    begun = (now() - 3 * HOUR) // 1_000 * 1_000
    purchase = shop.sell(app, Purchase(PRODUCTS[app], account=account, begun=begun))
    if kind == "placeholder":
        shop.tell(app, "SUBSCRIBED", "INITIAL_BUY", purchase)
        wait_for_owner(shop, purchase)
    if owner:
        sent = {"signedTransactions": [shop.signed(app, purchase)], "signedAppTransaction": shop.app_transaction(app, device)}
        prove(owner, sent).has(200)
        assert owner.has_access
    if kind == "deleted":
        owner.ask("DELETE", "/api/v1/auth/account").has(204)
    return purchase, owner, device


def owner_of(shop, purchase):
    """Returns the owner of its subscription and orders by now; None if nobody who was named owns them."""
    rows = shop.server.sql(f"""
        SELECT DISTINCT s.customer_id, o.customer_id
        FROM subscriptions s JOIN orders o ON o.subscription_id = s.id
        WHERE s.original_transaction_id = '{purchase.original}'""")
    assert len(rows) == 1 and rows[0][0] == rows[0][1], f"{rows} have {purchase}"
    return rows[0][0]


def wait_for_owner(shop, purchase):

    count = f"SELECT count(*) FROM orders o JOIN subscriptions s ON s.id = o.subscription_id WHERE s.original_transaction_id = '{purchase.original}'"
    eventually(lambda: shop.server.sql(count), lambda rows: rows != [["0"]])


def renew(shop, app, purchase):
    """Sends the store's next message, which names the same account as the first."""
    renewal = Purchase(purchase.product, begun=purchase.begun + HOUR, original=purchase.original, account=purchase.account)
    shop.tell(app, "DID_RENEW", None, renewal)

    count = f"SELECT count(*) FROM orders WHERE transaction_id = '{renewal.id}'"
    eventually(lambda: shop.server.sql(count), lambda rows: rows == [["1"]])


def masked(problem):
    return re.fullmatch(r"[^@]•••@[^@]•••\.[a-z]+", problem.get("maskedEmail") or "")
