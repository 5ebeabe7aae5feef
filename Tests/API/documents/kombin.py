"""kombin: a document of an app without a server; the calls of every app cover its needs."""

from documents.cases import Document
from documents.readmigo import iso
from documents.shapes import Each, boolean, differences, text, time, uuid
from documents.signing import Purchase

kombin = Document("kombin")
# The document names no endpoints; these are the calls that its parts need.
ENDPOINTS = [
    "GET /paywall", "POST /subscriptions/verify", "POST /subscriptions/restore", "GET /subscriptions/status", "GET /entitlements",
    "POST /usage/clothing", "POST /usage/outfits", "GET /usage/current",
]
WEEKLY, MONTHLY, YEARLY = (f"com.kombinapp.premium.{each}" for each in ("weekly", "monthly", "yearly"))
FEATURES = {"clothing", "outfits", "theme-customization", "unlimited-favorites", "daily-style-suggestions"}


@kombin.case("SubscriptionPlan, PaywallView Design", "GET /paywall",
             adds="plan planName paymentMethod billingPeriod amount currency trial saving")
def plans(desk):
    """id, name, price, duration, features and isRecommended of three products; the monthly one is recommended; in lira, in Turkish."""
    wanted = {"id": text, "name": text, "price": text, "duration": text, "features": Each(text), "isRecommended": boolean}
    offered = desk.ask("GET", "/paywall", language="tr", app="kombin").has(200)
    found = {each["id"]: each for each in offered["products"]}
    assert found.keys() == {WEEKLY, MONTHLY, YEARLY}
    wrong = differences(offered["products"], Each(wanted, least=3), desk.case.adds)
    assert not wrong, wrong
    assert [each for each, product in found.items() if product["isRecommended"]] == [MONTHLY]
    assert {each: product["price"] for each, product in found.items()} == {
        WEEKLY: "₺49,99/hafta", MONTHLY: "₺129,99/ay", YEARLY: "₺999,99/yıl"}
    assert {product["duration"] for product in found.values()} == {"1 hafta", "1 ay", "1 yıl"}


@kombin.case("SubscriptionManager.validateReceipt, UserSubscription", "POST /subscriptions/verify", "GET /subscriptions/status",
             adds="id createdAt updatedAt message verificationId verificationStatus worthless userId externalId planType source originalTransactionId cancelledAt "
                  "trialStartedAt trialEndsAt appAccountToken serverTime")
def subscription(desk):
    """type, purchaseDate, expiryDate, isActive and autoRenewing are productId, startedAt, expiresAt, status and willRenew."""
    for product in (WEEKLY, MONTHLY, YEARLY):
        customer, bought = desk.customer("kombin"), Purchase(product)
        wanted = {"planType": "premium", "productId": product, "startedAt": iso(bought.begun), "expiresAt": iso(bought.ends),
                  "status": "ACTIVE", "willRenew": boolean}
        body = {"receiptData": desk.receipt("kombin", bought)}
        customer.ask("POST", "/subscriptions/verify", body).has(200, {"success": True, "subscription": wanted})
        customer.ask("GET", "/subscriptions/status").has(200, wanted | {"userId": uuid, "serverTime": time})


@kombin.case("SubscriptionManager.restorePurchases", "POST /subscriptions/restore")
def restored(desk):
    """On another device, with the receipt: premium again; without one, the present subscription."""
    bought = Purchase(YEARLY, 365)
    body = {"receiptData": desk.receipt("kombin", bought)}
    customer = desk.customer("kombin")
    for sent in (body, {}):
        answer = customer.ask("POST", "/subscriptions/restore", sent).has(200)
        assert (answer["success"], answer["subscription"]["planType"]) == (True, "premium")


@kombin.case("SubscriptionStatus.free", "GET /subscriptions/status")
def free(desk):
    """A customer who bought nothing is free."""
    found = desk.customer("kombin").ask("GET", "/subscriptions/status").has(200)
    assert (found["planType"], found["status"], found["expiresAt"]) == ("free", "ACTIVE", None)


@kombin.case("UsageLimits.freeClothingLimit, UsageLimitError.clothingLimitReached", "POST /usage/clothing")
def clothing(desk):
    """Three for ever; then Ücretsiz kullanımda en fazla 3 kıyafet ekleyebilirsiniz."""
    customer = desk.customer("kombin")
    for left in (2, 1, 0):
        counted = customer.ask("POST", "/usage/clothing", {}).has(200)
        assert (counted["limit"], counted["remaining"], counted["window"], counted["resetsAt"]) == (3, left, "lifetime", None)
    problem = customer.ask("POST", "/usage/clothing", {}, "tr").has(403)
    assert problem["code"] == "limitReached"
    assert problem["detail"] == "Ücretsiz kullanımda en fazla 3 kıyafet ekleyebilirsiniz"


@kombin.case("UsageLimits.freeOutfitGenerationLimit, UsageLimitError.outfitGenerationLimitReached", "POST /usage/outfits")
def outfits(desk):
    """Ten a day, in the time of Istanbul; then Günlük kombin oluşturma limitiniz doldu."""
    customer = desk.customer("kombin")
    counted = customer.ask("POST", "/usage/outfits", {"quantity": 10}).has(200)
    assert (counted["limit"], counted["remaining"], counted["window"]) == (10, 0, "day")
    assert counted["resetsAt"].endswith("T21:00:00Z")
    problem = customer.ask("POST", "/usage/outfits", {}, "tr").has(429)
    assert (problem["code"], problem["detail"]) == ("limitReached", "Günlük kombin oluşturma limitiniz doldu")


@kombin.case("UsageLimitError.featureRequiresPremium", "POST /usage/theme-customization", "GET /entitlements/{feature}")
def premium_feature(desk):
    """… özelliği Premium üyelik gerektirir, with the feature's name in front."""
    customer = desk.customer("kombin")
    for feature, name in (("theme-customization", "Tema özelleştirme"), ("unlimited-favorites", "Sınırsız favori"),
                          ("daily-style-suggestions", "Günlük stil önerileri")):
        problem = customer.ask("POST", f"/usage/{feature}", {}, "tr").has(403)
        assert (problem["code"], problem["requiredPlan"]) == ("tierRequired", "premium")
        assert problem["detail"] == f"{name} özelliği Premium üyelik gerektirir"
        assert customer.ask("GET", f"/entitlements/{feature}").json["reason"] == "tierRequired"


@kombin.case("PremiumFeature, UsageTracker.resetUsageForPremium", "GET /entitlements", "POST /usage/clothing")
def premium(desk):
    """All five features, without a limit: earlier usage stays, and stops nothing."""
    customer = desk.customer("kombin")
    customer.ask("POST", "/usage/clothing", {"quantity": 3}).has(200)
    customer.buys(MONTHLY)
    found = customer.ask("GET", "/entitlements").has(200)
    assert {each["feature"] for each in found["features"] if each["allowed"] and not each["limits"]} == FEATURES
    assert customer.ask("POST", "/usage/clothing", {"quantity": 100}).has(200)["remaining"] is None


@kombin.case("UsageLimits.premiumUnlimited", "POST /usage/clothing", "GET /usage/current",
             differs="no limit is null, not -1")
def unlimited(desk):
    """-1 is no limit."""
    customer = desk.customer("kombin")
    customer.buys(MONTHLY)
    assert customer.ask("POST", "/usage/clothing", {}).has(200)["limit"] == -1


@kombin.case("UserUsage", "GET /usage/current")
def usage(desk):
    """clothingItemCount and dailyOutfitGenerations, by feature; the day's end in place of lastResetDate."""
    customer = desk.customer("kombin")
    customer.ask("POST", "/usage/clothing", {"quantity": 2}).has(200)
    customer.ask("POST", "/usage/outfits", {"quantity": 4}).has(200)
    found = {each["feature"]: each for each in customer.ask("GET", "/usage/current").has(200)["features"]}
    assert (found["clothing"]["used"], found["outfits"]["used"]) == (2, 4)
    assert time.holds(found["outfits"]["resetsAt"])


@kombin.case("PurchaseError.receiptValidationFailed", "POST /subscriptions/verify")
def receipt_refused(desk):
    """Abonelik doğrulanamadı."""
    customer = desk.customer("kombin")
    body = {"receiptData": desk.receipt("readmigo", Purchase(MONTHLY))}
    answer = customer.ask("POST", "/subscriptions/verify", body, "tr")
    assert "Abonelik doğrulanamadı" in (answer.json.get("detail"), answer.json.get("message")), answer.body
    assert customer.ask("GET", "/subscriptions/status").json["planType"] == "free"


@kombin.case("PurchaseError.productNotFound", "POST /subscriptions/verify")
def product_not_found(desk):
    """Ürün bulunamadı: for a product that the catalogue does not have."""
    body = {"signedTransactions": [desk.signed("kombin", Purchase("com.kombinapp.premium.daily"))]}
    problem = desk.customer("kombin").ask("POST", "/subscriptions/verify", body, "tr").has(404)
    assert (problem["code"], problem["detail"]) == ("productNotFound", "Ürün bulunamadı")
