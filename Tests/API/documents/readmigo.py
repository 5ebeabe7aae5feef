"""readmigo: the calls of its app for a customer."""

import datetime
import re

from documents.cases import Document
from documents.desk import eventually
from documents.shapes import any_text, boolean, one_of, text, time, uuid
from documents.signing import DAY, Purchase, now
from people import Person

readmigo = Document("readmigo")
ENDPOINTS = [
    "GET /subscriptions/status", "POST /subscriptions/verify", "POST /subscriptions/restore", "GET /subscriptions/trial/eligibility",
    "GET /subscriptions/trial/status", "POST /subscriptions/trial/start", "POST /webhooks/apple", "POST /webhooks/apple/test",
    "GET /admin/subscriptions", "GET /admin/subscriptions/:userId", "POST /admin/subscriptions/:userId/extend",
    "POST /admin/subscriptions/:userId/grant", "POST /admin/subscriptions/:userId/revoke",
    "POST /admin/subscriptions/:userId/change-tier", "GET /admin/subscriptions/stats/overview", "GET /admin/orders/stats",
    "GET /admin/support/stats", "GET /usage/current", "POST /usage/ai", "POST /usage/voice-chat",
]
PLANS = one_of("FREE", "PRO", "PREMIUM")
STATES = one_of("ACTIVE", "EXPIRED", "CANCELLED", "GRACE_PERIOD", "TRIAL", "TRIAL_EXPIRED")
SOURCES = one_of("APPLE_IAP", "GOOGLE_PLAY", "PROMO_CODE", "NONE")
# The members of the table Subscription (数据模型) that an answer to the app can have: the receipt is the server's own.
STATUS = {
    "id": uuid.or_null, "userId": uuid, "planType": PLANS, "status": STATES, "source": SOURCES, "originalTransactionId": text.or_null,
    "expiresAt": time.or_null, "cancelledAt": time.or_null, "trialStartedAt": time.or_null, "trialEndsAt": time.or_null,
    "createdAt": time.or_null, "updatedAt": time.or_null,
}
MORE = "externalId productId startedAt willRenew appAccountToken serverTime"
YEARLY, MONTHLY, PREMIUM = "com.readmigo.pro.yearly", "com.readmigo.pro.monthly", "com.readmigo.premium.yearly"


def iso(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1_000, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def status(customer, **wanted):
    return customer.ask("GET", "/subscriptions/status").has(200, STATUS | wanted, MORE)


@readmigo.case("API 端点: 用户端点", "GET /subscriptions/status", adds=MORE)
def status_free(desk):
    """A customer who bought nothing has FREE, ACTIVE, and no dates."""
    status(desk.customer("readmigo"), planType="FREE", status="ACTIVE", originalTransactionId=None, expiresAt=None,
           cancelledAt=None, trialStartedAt=None, trialEndsAt=None)


@readmigo.case("数据模型: Subscription", "GET /subscriptions/status", adds=MORE)
def status_bought(desk):
    """Each product of the table 订阅产品定义 gives its plan, from APPLE_IAP, until its end."""
    for product, plan in ((YEARLY, "PRO"), (MONTHLY, "PRO"), ("com.readmigo.premium.monthly", "PREMIUM"), (PREMIUM, "PREMIUM")):
        customer = desk.customer("readmigo")
        bought = customer.buys(product)
        status(customer, planType=plan, status="ACTIVE", source="APPLE_IAP", originalTransactionId=bought.original,
               expiresAt=iso(bought.ends), cancelledAt=None)


@readmigo.case("数据模型: Subscription", "GET /subscriptions/status", adds=MORE)
def status_row(desk):
    """The row's own id and dates as well."""
    customer = desk.customer("readmigo")
    customer.buys(YEARLY)
    status(customer, id=uuid, createdAt=time, updatedAt=time)


@readmigo.case("试用管理: convertTrial", "GET /subscriptions/status", adds=MORE)
def status_source_of_free(desk):
    """Where nothing was bought the source is NONE."""
    status(desk.customer("readmigo"), source="NONE")


@readmigo.case("收据验证: verifyWithBackend", "POST /subscriptions/verify", adds=f"{MORE} verificationId verificationStatus worthless success message")
def verify_receipt(desk):
    """receiptData, productId and transactionId, as VerifyReceiptRequest has them; the answer has the subscription."""
    customer, bought = desk.customer("readmigo"), Purchase(YEARLY, 365)
    asked = {"receiptData": desk.receipt("readmigo", bought), "productId": YEARLY, "transactionId": bought.id}
    wanted = STATUS | {"planType": "PRO", "status": "ACTIVE", "source": "APPLE_IAP", "originalTransactionId": bought.original,
                       "expiresAt": iso(bought.ends)}
    customer.ask("POST", "/subscriptions/verify", asked).has(200, {"success": True, "subscription": wanted})


@readmigo.case("收据验证服务: verifyReceipt", "POST /subscriptions/verify", "GET /admin/orders")
def verify_receipt_order(desk):
    """创建 Order 和 Transaction 记录: an order for the receipt's purchase."""
    customer, bought = desk.customer("readmigo"), Purchase(YEARLY, 365)
    customer.ask("POST", "/subscriptions/verify", {"receiptData": desk.receipt("readmigo", bought)}).has(200)
    found = desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"]
    assert [each["appleTransactionId"] for each in found] == [bought.id], found


@readmigo.case("App Store Server API: 状态码处理", "POST /subscriptions/verify")
def verify_refused(desk):
    """其他 → 验证失败: a proof that Apple neither confirms nor signed gives nothing, and the answer says so in Chinese."""
    customer = desk.customer("readmigo")
    for receipt in ("bm90IGEgcmVjZWlwdA==", desk.receipt("lightgallery", Purchase("com.lightgallery.pro.monthly"))):
        answer = customer.ask("POST", "/subscriptions/verify", {"receiptData": receipt}, "zh-Hans")
        if answer.status == 200:
            answer.has(200, {"success": False, "message": "验证失败。"}, "verificationId verificationStatus subscription")
        else:
            assert answer.status in (400, 422), answer.body
    status(customer, planType="FREE")


@readmigo.case("恢复购买", "POST /subscriptions/restore", adds=f"{MORE} verificationId verificationStatus worthless success message")
def restore(desk):
    """Without a body, `response.subscription` is the present one. With the transactions of currentEntitlements, they are proven
    first."""
    customer = desk.customer("readmigo")
    bought = customer.buys(PREMIUM, days=365)
    wanted = {"success": True, "subscription": STATUS | {"planType": "PREMIUM", "originalTransactionId": bought.original}}
    customer.ask("POST", "/subscriptions/restore").has(200, wanted)
    signed = desk.signed("readmigo", bought)
    customer.ask("POST", "/subscriptions/restore", {"signedTransactions": [signed]}).has(200, wanted)
    nothing = desk.customer("readmigo").ask("POST", "/subscriptions/restore", {})
    nothing.has(200, {"subscription": STATUS | {"planType": "FREE"}})


ELIGIBILITY = {"eligible": boolean, "eligibleProducts": ["com.readmigo.pro.yearly"]}
TRIAL = {"status": "TRIAL", "planType": "PRO", "source": "NONE", "trialStartedAt": time, "trialEndsAt": time}


@readmigo.case("试用管理: checkEligibility", "GET /subscriptions/trial/eligibility", adds="reason message planType trialDays serverTime")
def trial_eligibility(desk):
    """The four rules: nothing yet, an earlier trial, an active subscription, an earlier one."""
    def asked(customer, **wanted):
        return customer.ask("GET", "/subscriptions/trial/eligibility", None, "zh-Hans").has(200, ELIGIBILITY | wanted)

    new = desk.customer("readmigo")
    asked(new, eligible=True, planType="PRO", trialDays=7, reason=None)
    new.ask("POST", "/subscriptions/trial/start").has(200)
    asked(new, eligible=False, reason="trialUsed", message="您已使用过免费试用。")
    active, before = desk.customer("readmigo"), desk.customer("readmigo")
    active.buys(MONTHLY)
    asked(active, eligible=False, reason="activeSubscription", message="您已有有效的订阅。")
    before.buys(MONTHLY, days=20, begun=(now() - 30 * DAY) // 1_000 * 1_000)
    asked(before, eligible=False, reason="previouslyPaid")


@readmigo.case(
    "试用管理: startTrial", "POST /subscriptions/trial/start", "GET /subscriptions/trial/status", "GET /subscriptions/status",
    adds=f"{MORE} daysRemaining convertedAt originalTransactionId expiresAt userId")
def trial_started(desk):
    """PRO, TRIAL, seven days; the same in all three answers; a repeated start is the same trial; a second one gets 409."""
    customer = desk.customer("readmigo")
    customer.ask("GET", "/subscriptions/trial/status").has(
        200, {"status": None, "planType": "FREE", "source": None, "trialStartedAt": None, "trialEndsAt": None})
    begun = customer.ask("POST", "/subscriptions/trial/start").has(200, TRIAL)
    first, last = (datetime.datetime.fromisoformat(begun[name]) for name in ("trialStartedAt", "trialEndsAt"))
    assert datetime.timedelta(days=6, hours=22) < last - first <= datetime.timedelta(days=7, hours=2)
    same = {name: begun[name] for name in TRIAL}
    customer.ask("POST", "/subscriptions/trial/start").has(200, same)
    customer.ask("GET", "/subscriptions/trial/status").has(200, same)
    status(customer, **same)
    bought = desk.customer("readmigo")
    bought.buys(MONTHLY)
    refused = bought.ask("POST", "/subscriptions/trial/start", language="zh-Hans").has(409)
    assert (refused["code"], refused["detail"]) == ("activeSubscription", "您已有有效的订阅。")


@readmigo.case("试用管理: expireTrials", "GET /subscriptions/status", "GET /subscriptions/trial/status", adds=MORE)
def trial_expired(desk):
    """TRIAL_EXPIRED and FREE, once the trial's end has come."""
    customer = desk.customer("readmigo")
    customer.ask("POST", "/subscriptions/trial/start").has(200)
    _age(desk, customer)
    status(customer, planType="FREE", status="TRIAL_EXPIRED", trialStartedAt=time, trialEndsAt=time)
    assert customer.ask("GET", "/subscriptions/trial/status").json["status"] == "TRIAL_EXPIRED"


def _age(desk, customer):
    """Moves the trial ten days into the past."""
    desk.server.sql(f"""
        UPDATE grants SET starts_at = starts_at - interval '10 days', ends_at = ends_at - interval '10 days',
            created_at = created_at - interval '10 days'
        WHERE customer_id = '{customer.id}'""")


@readmigo.case("试用管理: convertTrial", "GET /subscriptions/status", "GET /subscriptions/trial/status", adds=MORE)
def trial_converted(desk):
    """TRIAL becomes ACTIVE, NONE becomes APPLE_IAP; the original transaction and the end are the purchase's."""
    customer = desk.customer("readmigo")
    customer.ask("POST", "/subscriptions/trial/start").has(200)
    bought = customer.buys(YEARLY, days=365)
    wanted = {"planType": "PRO", "status": "ACTIVE", "source": "APPLE_IAP", "originalTransactionId": bought.original,
              "expiresAt": iso(bought.ends)}
    status(customer, **wanted, trialStartedAt=time, trialEndsAt=time)
    found = customer.ask("GET", "/subscriptions/trial/status").json
    assert {name: found[name] for name in wanted} == wanted


@readmigo.case("数据模型: source", "POST /promo-codes/redeem", "GET /subscriptions/status", "GET /entitlements", adds=MORE)
def status_promo_code(desk):
    """A redeemed code gives the plan with the source PROMO_CODE."""
    customer, code = desk.customer("readmigo"), _promo_code(desk)
    customer.ask("POST", "/promo-codes/redeem", {"code": code}).has(200, {"planType": "PRO"}, "name granted redeemedAt expiresAt")
    status(customer, planType="PRO", status="ACTIVE", source="PROMO_CODE")
    assert customer.ask("GET", "/entitlements").json["source"] == "PROMO_CODE"


def _promo_code(desk):
    """Takes a code from the file of a batch, the only place where its codes are."""
    batch = desk.admin("POST", "/admin/promo-codes", {
        "name": "Fair", "channel": "fair", "planType": "PRO", "days": 30, "codes": 1, "usesPerCode": 1, "usesPerCustomer": 1})
    page = f"/dashboard/promo-codes/{batch.has(201)['id']}/codes.csv"
    person = Person(desk.server, "admin")
    desk.server.sql(f"""
        UPDATE staff_sessions SET app_id = (SELECT id FROM apps WHERE slug = 'readmigo') WHERE staff_id = '{person.id}'""")
    file = person.send("GET", page)
    assert file.status == 200, (file.status, file.text[:500])
    return re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", file.text)[0]


@readmigo.case("订阅守卫", "GET /subscriptions/status", "GET /usage/current")
def guarded(desk):
    """User endpoints need a token; a call without one, or with a wrong one, gets 401 with the reason in Chinese."""
    for path in ("/subscriptions/status", "/subscriptions/trial/status", "/usage/current"):
        for token in (None, "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"):
            refused = desk.ask("GET", path, token=token, language="zh-Hans").has(401)
            assert refused["detail"], refused


@readmigo.case("购买流程: .pending", "POST /subscriptions/verify", adds="verificationId subscription")
def verify_pending(desk):
    """A bare transaction id that the store cannot be asked about gives nothing."""
    customer = desk.customer("readmigo")
    answer = customer.ask("POST", "/subscriptions/verify", {"transactionId": "200000000000001"})
    if answer.status == 200:
        answer.has(200, {"success": False, "message": any_text, "verificationStatus": one_of("PENDING", "REJECTED")})
    else:
        assert answer.status in (400, 409), answer.body
    status(customer, planType="FREE")


@readmigo.case("交易监听", "POST /subscriptions/verify", "GET /subscriptions/status")
def listened(desk):
    """Renewed in the background: the listener proves the new transaction, and the end moves; a repetition changes nothing."""
    customer = desk.customer("readmigo")
    bought = customer.buys(MONTHLY, days=1)
    renewal = bought.renewed()
    renewal.days = 30
    for _ in range(2):
        customer.ask("POST", "/subscriptions/verify", {"signedTransactions": [desk.signed("readmigo", renewal)]}).has(200)
    found = eventually(lambda: customer.ask("GET", "/subscriptions/status").json, lambda each: each["expiresAt"] == iso(renewal.ends))
    assert found["originalTransactionId"] == bought.original
    assert len(desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"]) == 2
