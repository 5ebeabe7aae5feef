"""lightgallery: products, the subscription, and its features."""

from documents.desk import eventually
from documents.lightgallery import lightgallery
from documents.readmigo import iso
from documents.shapes import Each, boolean, number, one_of, text, time, uuid
from documents.signing import DAY, Purchase, now

STATUS = "/api/v1/subscription/status"
PRO, MAX = "com.lightgallery.pro.monthly", "com.lightgallery.max.yearly"
# `struct Subscription`: none of its members is optional.
SUBSCRIPTION = {
    "id": uuid, "userId": uuid, "tier": one_of("free", "pro", "max"), "billingPeriod": one_of("monthly", "yearly"),
    "status": one_of("active", "expired", "cancelled", "pending"), "startDate": time, "expiryDate": time, "autoRenew": boolean,
    "paymentMethod": one_of("apple_iap", "wechat_pay", "alipay"), "lastSyncedAt": time,
}
FEATURES = {
    "toolbox", "smart-clean", "duplicate-detection", "similar-photo-cleanup", "screenshot-cleanup", "photo-enhancer",
    "format-converter", "live-photo-converter", "id-photo-editor", "privacy-wiper", "screenshot-stitcher",
}


def verify(customer, purchase, **more):
    body = {"paymentMethod": "apple_iap", "signedTransactions": [customer.desk.signed("lightgallery", purchase)]}
    return customer.ask("POST", "/api/v1/subscription/verify", body | more, "zh-Hans")


def subscriber(desk, product=PRO, **terms):
    customer = desk.customer("lightgallery")
    purchase = Purchase(product, account=customer.account, **terms)
    verify(customer, purchase).has(200)
    return customer, purchase


@lightgallery.case("API Endpoints, SubscriptionProduct", "GET /api/v1/subscription/products")
def products(desk):
    """A list, without a token: id, tier, billingPeriod, price, currency, localizedPrice as displayPrice has it."""
    wanted = {"id": text, "tier": one_of("pro", "max"), "billingPeriod": one_of("monthly", "yearly"), "price": number,
              "currency": "CNY", "localizedPrice": text, "localizedDescription": text}
    answer = desk.ask("GET", "/api/v1/subscription/products?paymentMethod=apple_iap", language="zh-Hans", app="lightgallery")
    found = answer.has(200, Each(wanted, least=4))
    prices = {(each["id"], each["tier"], each["billingPeriod"], each["price"], each["localizedPrice"]) for each in found}
    assert prices == {
        ("com.lightgallery.pro.monthly", "pro", "monthly", 10, "¥10/月"), ("com.lightgallery.pro.yearly", "pro", "yearly", 100, "¥100/年"),
        ("com.lightgallery.max.monthly", "max", "monthly", 20, "¥20/月"), ("com.lightgallery.max.yearly", "max", "yearly", 200, "¥200/年"),
    }


@lightgallery.case("API Endpoints, SubscriptionProduct", "GET /api/v1/subscription/products")
def products_once(desk):
    """Four products, each once: `Identifiable` by its id."""
    found = desk.ask("GET", "/api/v1/subscription/products", language="zh-Hans", app="lightgallery").has(200)
    ids = [each["id"] for each in found]
    assert sorted(ids) == sorted({PRO, MAX, "com.lightgallery.pro.yearly", "com.lightgallery.max.monthly"})


@lightgallery.case("Subscription", f"GET {STATUS}")
def status_bought(desk):
    """Every member of the struct, with its product's tier and period."""
    for product, tier, period in ((PRO, "pro", "monthly"), (MAX, "max", "yearly")):
        customer, bought = subscriber(desk, product)
        customer.ask("GET", STATUS).has(200, SUBSCRIPTION | {
            "userId": customer.id, "tier": tier, "billingPeriod": period, "status": "active", "startDate": iso(bought.begun),
            "expiryDate": iso(bought.ends), "autoRenew": boolean, "paymentMethod": "apple_iap"})


@lightgallery.case("Subscription, SubscriptionServiceProtocol.getCurrentSubscription", f"GET {STATUS}", "POST /api/v1/subscription/sync")
def status_free(desk):
    """A customer who bought nothing has none: `Subscription?`, of whose members none is optional."""
    customer = desk.customer("lightgallery")
    assert customer.ask("GET", STATUS).has(200) is None
    assert customer.ask("POST", "/api/v1/subscription/sync").has(200) is None


@lightgallery.case("Subscription: PaymentMethod", f"GET {STATUS}",
                   differs="nobody paid what staff gave: `paymentMethod` is `grant`, and `billingPeriod` null; the enum has three ways to pay")
def status_given(desk):
    """A grant of staff, within the document's enums."""
    customer = desk.customer("lightgallery")
    given = {"category": "goodwill", "reason": "Seven days for an early user.", "planType": "pro", "days": 7}
    desk.admin("POST", f"/admin/subscriptions/{customer.id}/grant", given, app="lightgallery").has(200)
    customer.ask("GET", STATUS).has(200, SUBSCRIPTION | {"tier": "pro"})


@lightgallery.case("Property 24, SubscriptionStatus.cancelled", f"GET {STATUS}", "GET /entitlements/{feature}")
def status_cancelled(desk):
    """cancelled until its end, with access and the same end; expired after it, without."""
    customer, bought = subscriber(desk)
    desk.tell("lightgallery", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", bought, {"autoRenewStatus": 0})
    found = _until(customer, "cancelled")
    assert (found["autoRenew"], found["expiryDate"], found["tier"]) == (False, iso(bought.ends), "pro")
    assert customer.ask("GET", "/entitlements/toolbox").json["allowed"] is True
    other, before = subscriber(desk, days=10, begun=(now() - 11 * DAY) // 1_000 * 1_000)
    desk.tell("lightgallery", "EXPIRED", "VOLUNTARY", before, {"autoRenewStatus": 0, "expirationIntent": 1})
    found = _until(other, "expired")
    assert (found["tier"], found["expiryDate"]) == ("free", iso(before.ends))
    assert other.ask("GET", "/entitlements/toolbox").json["allowed"] is False


def _until(customer, state):
    return eventually(lambda: customer.ask("GET", STATUS).json, lambda found: found["status"] == state)


@lightgallery.case("API Endpoints: Verify payment and update subscription", "POST /api/v1/subscription/verify")
def verified(desk):
    """The SubscriptionDTO, with a signed transaction and with a receipt (`verifyAppleReceipt`)."""
    customer, bought = subscriber(desk)
    wanted = SUBSCRIPTION | {"tier": "pro", "status": "active", "expiryDate": iso(bought.ends)}
    verify(customer, bought).has(200, wanted)
    other, second = desk.customer("lightgallery"), Purchase(MAX, 365)
    body = {"paymentMethod": "apple_iap", "receiptData": desk.receipt("lightgallery", second)}
    other.ask("POST", "/api/v1/subscription/verify", body).has(200, SUBSCRIPTION | {"tier": "max", "billingPeriod": "yearly"})


@lightgallery.case("SubscriptionError.verificationFailed, Property 27", "POST /api/v1/subscription/verify", f"GET {STATUS}")
def verification_failed(desk):
    """支付验证失败，请联系客服; the subscription stays as it was."""
    customer = desk.customer("lightgallery")
    head, _, tail = desk.signed("lightgallery", Purchase(PRO)).rpartition(".")
    for body in ({"signedTransactions": [f"{head}.{'A' * len(tail)}"]},):
        answer = customer.ask("POST", "/api/v1/subscription/verify", {"paymentMethod": "apple_iap"} | body, "zh-Hans")
        assert 400 <= answer.status < 500, answer.body
        problem = answer.json
        assert "支付验证失败，请联系客服" in (problem.get("detail"), problem.get("message")), problem
    assert customer.ask("GET", STATUS).has(200) is None


@lightgallery.case("SubscriptionError.verificationFailed", "POST /api/v1/subscription/verify")
def receipt_failed(desk):
    """The same wording for a receipt that nobody signed."""
    body = {"paymentMethod": "apple_iap", "receiptData": "bm90IGEgcmVjZWlwdA=="}
    problem = desk.customer("lightgallery").ask("POST", "/api/v1/subscription/verify", body, "zh-Hans").json
    assert "支付验证失败，请联系客服" in (problem.get("detail"), problem.get("message")), problem


@lightgallery.case("Payment Gateway Managers: WeChatPayManager, AlipayManager", "POST /api/v1/subscription/verify")
def verify_elsewhere(desk):
    """WeChat Pay and Alipay cannot be verified yet: 409 says so, by the field."""
    for method in ("wechat_pay", "alipay"):
        body = {"paymentMethod": method, "transactionId": "4200000000000001"}
        problem = desk.customer("lightgallery").ask("POST", "/api/v1/subscription/verify", body, "zh-Hans").has(409)
        assert (problem["code"], problem["errors"][0]["field"]) == ("paymentMethodNotConnected", "paymentMethod")
        assert problem["detail"] == "目前仅支持验证 App Store 和 Google Play 的购买。"


@lightgallery.case("SubscriptionError.productNotFound", "POST /api/v1/subscription/verify")
def product_not_found(desk):
    """未找到订阅产品: for a product that the catalogue does not have."""
    problem = verify(desk.customer("lightgallery"), Purchase("com.lightgallery.ultra.monthly")).has(404)
    assert (problem["code"], problem["detail"]) == ("productNotFound", "未找到订阅产品")


@lightgallery.case("SubscriptionError.alreadySubscribed", "POST /api/v1/subscription/verify",
                   differs="it is said before anything is paid, by the checkout that comes with WeChat Pay and Alipay; what a store has charged is "
                           "never refused, and the same proof again is answered alike, so that a lost answer does no harm")
def already_subscribed(desk):
    """您已经订阅了此服务."""
    customer, bought = subscriber(desk)
    assert "您已经订阅了此服务" in verify(customer, bought).body.decode()


@lightgallery.case("API Endpoints: Sync subscription status", "POST /api/v1/subscription/sync")
def sync(desk):
    """With the client's Subscription as body (`syncSubscription`) or without one: the SubscriptionDTO as the server knows it."""
    customer, _ = subscriber(desk)
    own = customer.ask("GET", STATUS).json
    customer.ask("POST", "/api/v1/subscription/sync", own | {"tier": "max"}).has(200, SUBSCRIPTION | {"tier": "pro"})
    customer.ask("POST", "/api/v1/subscription/sync").has(200, SUBSCRIPTION | {"tier": "pro"})


@lightgallery.case("API Endpoints: Cancel subscription, Property 23", "POST /api/v1/subscription/cancel")
def cancel(desk):
    """引导用户到系统设置: Apple's page for a purchase there; 409 for a customer who has nothing."""
    customer, _ = subscriber(desk)
    customer.ask("POST", "/api/v1/subscription/cancel", language="zh-Hans").has(200, {
        "cancelled": False, "manageUrl": "https://apps.apple.com/account/subscriptions", "message": text})
    problem = desk.customer("lightgallery").ask("POST", "/api/v1/subscription/cancel", language="zh-Hans").has(409)
    assert (problem["code"], problem["detail"]) == ("nothingToCancel", "没有可取消的订阅。")


@lightgallery.case("SubscriptionTier, Properties 7, 17, 18", "GET /entitlements")
def tiers(desk):
    """免费版 without any feature, 专业版 and 旗舰版 with all eleven."""
    for product, tier, name in ((None, "free", "免费版"), (PRO, "pro", "专业版"), (MAX, "max", "旗舰版")):
        customer = subscriber(desk, product)[0] if product else desk.customer("lightgallery")
        found = customer.ask("GET", "/entitlements", language="zh-Hans").has(200)
        assert (found["planType"], found["planName"]) == (tier, name)
        assert {each["feature"] for each in found["features"]} == FEATURES
        assert {each["allowed"] for each in found["features"]} == {tier != "free"}
        assert {each["requiredPlan"] for each in found["features"]} == {None if product else "pro"}
