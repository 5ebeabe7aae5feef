"""swift-iap-framework: a client library. It needs products, proofs of purchase, restoration and retries of a server."""

from documents.cases import Document
from documents.readmigo import MONTHLY, PREMIUM, YEARLY, iso
from documents.signing import DAY, Purchase, now

swift_iap = Document("swift-iap-framework")
# The document names no endpoints; these are the calls that its services need.
ENDPOINTS = ["GET /paywall", "POST /subscriptions/verify", "POST /subscriptions/restore", "GET /subscriptions/status"]


def proven(desk, customer, *purchases, path="verify"):
    body = {"signedTransactions": [desk.signed("readmigo", each) for each in purchases]}
    return customer.ask("POST", f"/subscriptions/{path}", body)


@swift_iap.case("ProductService.loadProducts", "GET /paywall")
def products(desk):
    """The ids to load, with a name each; the price and the type come from StoreKit."""
    found = desk.ask("GET", "/paywall?paymentMethod=apple_iap", app="readmigo").has(200)["products"]
    assert {each["id"] for each in found} == {MONTHLY, YEARLY, PREMIUM, "com.readmigo.premium.monthly"}
    assert all(each["name"] for each in found)


@swift_iap.case("PurchaseService.purchase, StoreKit2Adapter", "POST /subscriptions/verify")
def purchased(desk):
    """A transaction of StoreKit 2 is verified by its signature."""
    customer, bought = desk.customer("readmigo"), Purchase(YEARLY, 365)
    answer = proven(desk, customer, bought).has(200)
    assert (answer["success"], answer["verificationStatus"]) == (True, "VERIFIED")
    assert (answer["subscription"]["productId"], answer["subscription"]["originalTransactionId"]) == (YEARLY, bought.original)


@swift_iap.case("IAPManagerProtocol.validateReceipt, StoreKit1Adapter", "POST /subscriptions/verify")
def receipt_validated(desk):
    """IAPReceiptValidationResult of receiptData, as iOS 13 and 14 have it."""
    customer, bought = desk.customer("readmigo"), Purchase(MONTHLY)
    answer = customer.ask("POST", "/subscriptions/verify", {"receiptData": desk.receipt("readmigo", bought)}).has(200)
    assert (answer["success"], answer["verificationStatus"]) == (True, "VERIFIED")
    assert answer["subscription"]["expiresAt"] == iso(bought.ends)


@swift_iap.case("IAPError.receiptValidationFailed", "POST /subscriptions/verify")
def receipt_failed(desk):
    """A receipt of another app is refused, with a reason that a program can read."""
    body = {"receiptData": desk.receipt("kombin", Purchase(MONTHLY))}
    answer = desk.customer("readmigo").ask("POST", "/subscriptions/verify", body)
    assert answer.status in (200, 400, 422), answer.body
    assert answer.json.get("success") is False or answer.json["code"] in ("receiptValidationFailed", "verificationFailed"), answer.body


@swift_iap.case("PurchaseService.restorePurchases", "POST /subscriptions/restore")
def restored(desk):
    """All transactions at once; the highest plan decides."""
    customer = desk.customer("readmigo")
    lower, higher = Purchase(MONTHLY), Purchase(PREMIUM, 365)
    answer = proven(desk, customer, lower, higher, path="restore").has(200)
    assert answer["subscription"]["planType"] == "PREMIUM"


@swift_iap.case("IAPManagerProtocol.restorePurchases", "POST /subscriptions/restore", "GET /subscriptions/status")
def restored_elsewhere(desk):
    """On another device: sending a purchase does not change its owner, where both are accounts."""
    first, second, bought = desk.customer("readmigo"), desk.customer("readmigo"), Purchase(YEARLY, 365)
    proven(desk, first, bought).has(200)
    proven(desk, second, bought, path="restore")
    assert first.ask("GET", "/subscriptions/status").json["planType"] == "PRO"
    assert second.ask("GET", "/subscriptions/status").json["planType"] == "FREE"


@swift_iap.case("防丢单机制设计, RetryManager", "POST /subscriptions/verify", "GET /admin/orders")
def told_again(desk):
    """Sent again, as by a client that lost the answer: the same answer, and one order."""
    customer, bought = desk.customer("readmigo"), Purchase(YEARLY, 365)
    body = {"signedTransactions": [desk.signed("readmigo", bought)]}
    answers = [customer.ask("POST", "/subscriptions/verify", body).has(200) for _ in range(4)]
    assert {answer["verificationId"] for answer in answers} == {answers[0]["verificationId"]}
    assert all(answer["success"] for answer in answers)
    assert len(desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"]) == 1


@swift_iap.case("TransactionRecoveryManager.recoverPendingTransactions", "POST /subscriptions/verify", "GET /admin/orders")
def recovered(desk):
    """Unfinished transactions, oldest first and then in reverse: the same end."""
    ends = []
    for order in (1, -1):
        customer = desk.customer("readmigo")
        first = Purchase(MONTHLY, 30, (now() - 40 * DAY) // 1_000 * 1_000, account=customer.account)
        second = first.renewed()
        for each in (first, second)[::order]:
            proven(desk, customer, each).has(200)
        found = customer.ask("GET", "/subscriptions/status").json
        assert (found["planType"], found["status"]) == ("PRO", "ACTIVE")
        assert found["expiresAt"] == iso(second.ends)
        ends.append(len(desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"]))
    assert ends == [2, 2]
