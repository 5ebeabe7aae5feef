"""llm-proxy: subscriptions through receipts, and the plan's quotas."""

import json

import demo_server
from documents.cases import Document
from documents.desk import eventually
from documents.readmigo import iso
from documents.shapes import differences, like, milliseconds, near, null, text, uuid
from documents.signing import DAY, Purchase, now

llm_proxy = Document("llm-proxy")
ENDPOINTS = ["POST /ios/validate-receipt", "GET /ios/status", "POST /ios/restore", "GET /ios/plans", "POST /ios/webhook"]
PRO, ENTERPRISE = "com.yourapp.pro.monthly", "com.yourapp.enterprise.yearly"
# As in the document, apart from the user's `"subscription": { ... }`.
VALIDATED = like("""
{
  "success": true,
  "message": "Receipt validated successfully",
  "data": {
    "subscription": {
      "plan": "pro",
      "status": "active",
      "expiresDate": "2024-12-01T00:00:00.000Z",
      "productId": "com.yourapp.pro.monthly",
      "transactionId": "1000000123456789"
    },
    "user": {
      "id": "user_id",
      "subscription": { }
    }
  }
}
""")
STATUS = like("""
{
  "success": true,
  "data": {
    "plan": "pro",
    "status": "active",
    "platform": "ios",
    "expiresDate": "2024-12-01T00:00:00.000Z",
    "usage": {
      "requests": { "current": 45, "limit": 1000, "percentage": 4.5 },
      "tokens": { "current": 12500, "limit": 100000, "percentage": 12.5 }
    },
    "ios": {
      "productId": "com.yourapp.pro.monthly",
      "transactionId": "1000000123456789",
      "lastValidationDate": "2024-01-15T10:30:00.000Z",
      "needsReceiptRefresh": false
    }
  }
}
""")
INNER = "plan status expiresDate productId transactionId"


def precise(time):
    return iso(time).replace("Z", ".000Z")


def validate(customer, *purchases, path="/ios/validate-receipt"):
    return customer.ask("POST", path, {"receiptData": customer.desk.receipt("llm-proxy", *purchases)})


def confirmed(purchase, plan="pro"):
    """Returns the example with the values of the purchase."""
    subscription = {"plan": plan, "status": "active", "expiresDate": precise(purchase.ends), "productId": purchase.product,
                    "transactionId": purchase.id}
    data = VALIDATED["data"] | {"subscription": subscription, "user": {"id": uuid, "subscription": subscription}}
    return VALIDATED | {"success": True, "message": "Receipt validated successfully", "data": data}


@llm_proxy.case("1. Validate Receipt", "POST /ios/validate-receipt", adds=INNER)
def validated(desk):
    """The example, member by member; the date with milliseconds."""
    customer, bought = desk.customer("llm-proxy"), Purchase(PRO)
    validate(customer, bought).has(200, VALIDATED)
    found = validate(customer, bought).has(200, confirmed(bought))
    assert found["data"]["user"]["id"] == customer.id
    desk.ask("POST", "/ios/validate-receipt", {"receiptData": "x"}).has(401)


@llm_proxy.case("2. Get Subscription Status", "GET /ios/status")
def status_pro(desk):
    """The example, with 45 requests and 12,500 tokens used: 4.5 and 12.5 percent."""
    customer, bought = desk.customer("llm-proxy"), Purchase(PRO)
    validate(customer, bought).has(200)
    for feature, quantity in (("requests", 45), ("tokens", 12_500)):
        customer.ask("POST", f"/usage/{feature}", {"quantity": quantity}).has(200)
    answer = customer.ask("GET", "/ios/status")
    answer.has(200, STATUS)
    assert '"percentage":4.5' in answer.body.decode().replace(" ", "")
    answer.has(200, {"success": True, "data": {
        "plan": "pro", "status": "active", "platform": "ios", "expiresDate": precise(bought.ends),
        "usage": {"requests": {"current": 45, "limit": 1000, "percentage": near(4.5)},
                  "tokens": {"current": 12500, "limit": 100000, "percentage": near(12.5)}},
        "ios": {"productId": PRO, "transactionId": bought.id, "lastValidationDate": milliseconds, "needsReceiptRefresh": False}}})
    desk.ask("GET", "/ios/status").has(401)


@llm_proxy.case("2. Get Subscription Status", "GET /ios/status")
def status_free(desk):
    """A customer who bought nothing: free and active; the App Store's members are present, and null."""
    desk.customer("llm-proxy").ask("GET", "/ios/status").has(200, {"success": True, "data": STATUS["data"] | {
        "plan": "free", "status": "active", "platform": null, "expiresDate": None,
        "ios": {"productId": None, "transactionId": None, "lastValidationDate": milliseconds.or_null, "needsReceiptRefresh": False}}})


@llm_proxy.case("Subscription Plan Mapping", "POST /ios/validate-receipt", "GET /ios/status", adds=INNER)
def mapping(desk):
    """Each product id gives its plan and its quotas; enterprise has no limit, which is null."""
    for product, plan, limits in (
        (PRO, "pro", (1_000, 100_000)), ("com.yourapp.pro.yearly", "pro", (1_000, 100_000)),
        ("com.yourapp.enterprise.monthly", "enterprise", (None, None)), (ENTERPRISE, "enterprise", (None, None)),
    ):
        customer, bought = desk.customer("llm-proxy"), Purchase(product)
        validate(customer, bought).has(200, confirmed(bought, plan))
        usage = customer.ask("GET", "/ios/status").json["data"]["usage"]
        assert (usage["requests"]["limit"], usage["tokens"]["limit"]) == limits


@llm_proxy.case("3. Restore Purchases", "POST /ios/restore", adds=INNER)
def restored(desk):
    """From the receipt, in the shape of the validation; its own message."""
    bought = Purchase(ENTERPRISE, 365)
    wanted = confirmed(bought, "enterprise") | {"message": text}
    validate(desk.customer("llm-proxy"), bought, path="/ios/restore").has(200, wanted)
    desk.ask("POST", "/ios/restore", {"receiptData": "x"}).has(401)


@llm_proxy.case("4. Get iOS Plans", "GET /ios/plans")
def plans(desk):
    """Without a token: the plans with their product ids, in the frame of the other answers."""
    found = desk.ask("GET", "/ios/plans", app="llm-proxy").has(200)
    assert found["success"] is True
    assert {each["plan"]: [product["productId"] for product in each["products"]] for each in found["data"]["plans"]} == {
        "free": [], "pro": ["com.yourapp.pro.monthly", "com.yourapp.pro.yearly"],
        "enterprise": ["com.yourapp.enterprise.monthly", "com.yourapp.enterprise.yearly"]}


@llm_proxy.case("4. Get iOS Plans", "GET /ios/plans",
                differs="several apps are kept here (product.md, decision 11): `?app=llm-proxy` or `X-App` says which; where only one is kept, the document's call works")
def plans_without_a_name(desk):
    """`curl https://yourapi.com/ios/plans`, as in the document."""
    desk.ask("GET", "/ios/plans").has(200)


@llm_proxy.case("2. Environment Variables", "GET /ios/plans")
def products_from_the_environment(desk):
    """The four ids are the defaults of IOS_…_PRODUCT_ID in the catalogue."""
    catalog = (demo_server.REPOSITORY / "Catalogs/llm-proxy.yaml").read_text()
    found = json.dumps(desk.ask("GET", "/ios/plans", app="llm-proxy").json)
    for name in ("PRO_MONTHLY", "PRO_YEARLY", "ENTERPRISE_MONTHLY", "ENTERPRISE_YEARLY"):
        product = f"com.yourapp.{name.lower().replace('_', '.')}"
        assert f"${{IOS_{name}_PRODUCT_ID:-{product}}}" in catalog
        assert f'"{product}"' in found


@llm_proxy.case("Error Handling: 1. Invalid Receipt", "POST /ios/validate-receipt", "POST /ios/restore", "GET /ios/status")
def receipt_invalid(desk):
    """400 with a clear message and success false; nothing changes."""
    customer = desk.customer("llm-proxy")
    refused = desk.receipt("llm-proxy", Purchase(PRO), is_known=False)
    foreign = desk.receipt("kombin", Purchase(PRO))
    for path in ("/ios/validate-receipt", "/ios/restore"):
        for receipt in (foreign, refused):
            answer = customer.ask("POST", path, {"receiptData": receipt})
            if answer.status == 200:
                assert answer.json["success"] is False, answer.body
                continue
            found = differences(answer.json, {"success": False, "message": text}, set(answer.json))
            assert answer.status == 400, answer.body
            assert not found, found
    assert customer.ask("GET", "/ios/status").json["data"]["plan"] == "free"


@llm_proxy.case("Error Handling: 1. Invalid Receipt", "POST /ios/validate-receipt")
def receipt_is_none(desk):
    """400 for a value that is no receipt at all: "base64-encoded-receipt-data", nothing, an empty text."""
    for body in ({"receiptData": "base64-encoded-receipt-data"}, {"receiptData": ""}, {}):
        desk.customer("llm-proxy").ask("POST", "/ios/validate-receipt", body).has(400)


@llm_proxy.case("Error Handling: 1. Invalid Receipt", "POST /ios/validate-receipt")
def receipt_is_none_said(desk):
    """The answer to it has success and a message for people."""
    for body in ({"receiptData": "base64-encoded-receipt-data"}, {"receiptData": ""}, {}):
        problem = desk.customer("llm-proxy").ask("POST", "/ios/validate-receipt", body).json
        assert problem["success"] is False
        assert text.holds(problem["message"])


@llm_proxy.case("Error Handling: 2. Expired Subscription", "GET /ios/status", "POST /ios/validate-receipt", adds=INNER)
def expired(desk):
    """The plan becomes free by itself, at the end."""
    customer, bought = desk.customer("llm-proxy"), Purchase(PRO, 10, (now() - 20 * DAY) // 1_000 * 1_000)
    validate(customer, bought).has(200)
    data = customer.ask("GET", "/ios/status").has(200)["data"]
    assert (data["plan"], data["status"], data["expiresDate"]) == ("free", "expired", precise(bought.ends))


@llm_proxy.case("Flow Diagram, 3. Configure Server-to-Server Notifications", "POST /ios/webhook", "GET /ios/status")
def told(desk):
    """Apple's notifications to it are applied: the purchase, its renewal, its end."""
    customer = desk.customer("llm-proxy")
    bought = Purchase(PRO, account=customer.account)
    desk.tell("llm-proxy", "SUBSCRIBED", "INITIAL_BUY", bought, path="/ios/webhook")
    _until(customer, productId=PRO, transactionId=bought.id)
    desk.tell("llm-proxy", "DID_RENEW", None, renewal := bought.renewed(), path="/ios/webhook")
    _until(customer, productId=PRO, transactionId=renewal.id)
    assert customer.ask("GET", "/ios/status").json["data"]["expiresDate"] == precise(renewal.ends)


def _until(customer, **wanted):
    eventually(lambda: customer.ask("GET", "/ios/status").json["data"]["ios"],
               lambda ios: all(ios[name] == value for name, value in wanted.items()))


@llm_proxy.case("Security Considerations: Webhook endpoint validates App Store signatures", "POST /ios/webhook")
def told_by_a_stranger(desk):
    """A notification that Apple did not sign is refused."""
    for body in ({"signedPayload": "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"}, {"notification_type": "INITIAL_BUY"}):
        assert 400 <= desk.ask("POST", "/ios/webhook", body).status < 500


@llm_proxy.case("iOS App Implementation: 3. Subscription Status Checking", "GET /ios/status")
def needs_refresh(desk):
    """`needsReceiptRefresh` once a renewal is due and unreported."""
    customer = desk.customer("llm-proxy")
    bought = Purchase(PRO, 10, (now() - 10 * DAY - 7_200_000) // 1_000 * 1_000, account=customer.account)
    desk.tell("llm-proxy", "SUBSCRIBED", "INITIAL_BUY", bought, path="/ios/webhook")
    _until(customer, productId=PRO)
    _until(customer, needsReceiptRefresh=True)
