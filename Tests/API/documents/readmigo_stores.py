"""readmigo: Apple's notifications to its server, and their effect on a subscription."""

from documents.desk import eventually
from documents.readmigo import MONTHLY, MORE, PREMIUM, STATUS, YEARLY, iso, readmigo, status
from documents.shapes import time
from documents.signing import DAY, Purchase, now

NOTIFICATIONS = "App Store Server Notifications V2"
CALLS = ("POST /webhooks/apple", "GET /subscriptions/status")


def becomes(customer, **wanted):
    """Waits until a notification was applied, and the customer's status has the wanted members."""
    eventually(lambda: customer.ask("GET", "/subscriptions/status").json,
               lambda found: all(found[name] == value for name, value in wanted.items() if isinstance(value, str)))
    return status(customer, **wanted)


def subscribed(desk, product=MONTHLY, **terms):
    """Returns a customer whose first purchase Apple has reported."""
    customer = desk.customer("readmigo")
    bought = Purchase(product, account=customer.account, **terms)
    desk.tell("readmigo", "SUBSCRIBED", "INITIAL_BUY", bought)
    becomes(customer, originalTransactionId=bought.original)
    return customer, bought


@readmigo.case(f"{NOTIFICATIONS}: SUBSCRIBED", *CALLS, adds=MORE)
def told_subscribed(desk):
    """创建/更新订阅为 ACTIVE."""
    customer, bought = subscribed(desk, YEARLY, days=365)
    status(customer, planType="PRO", status="ACTIVE", source="APPLE_IAP", expiresAt=iso(bought.ends))


@readmigo.case(f"{NOTIFICATIONS}: DID_RENEW", *CALLS, adds=MORE)
def told_renewed(desk):
    """更新到期日，保持 ACTIVE."""
    customer, bought = subscribed(desk)
    desk.tell("readmigo", "DID_RENEW", None, renewal := bought.renewed())
    becomes(customer, planType="PRO", status="ACTIVE", expiresAt=iso(renewal.ends), originalTransactionId=bought.original)


@readmigo.case(f"{NOTIFICATIONS}: DID_FAIL_TO_RENEW", *CALLS, adds=MORE)
def told_failed_to_renew(desk):
    """设置 GRACE_PERIOD: the paid plan stays usable."""
    customer, bought = subscribed(desk, days=10, begun=(now() - 10 * DAY - 60_000) // 1_000 * 1_000)
    grace = bought.ends + 16 * DAY
    desk.tell("readmigo", "DID_FAIL_TO_RENEW", "GRACE_PERIOD", bought,
              {"gracePeriodExpiresDate": grace, "isInBillingRetryPeriod": True, "expirationIntent": 2})
    becomes(customer, planType="PRO", status="GRACE_PERIOD", expiresAt=iso(grace))


@readmigo.case(f"{NOTIFICATIONS}: GRACE_PERIOD_EXPIRED", *CALLS, adds=MORE)
def told_grace_period_expired(desk):
    """终止订阅 → EXPIRED."""
    customer, bought = subscribed(desk, days=10, begun=(now() - 28 * DAY) // 1_000 * 1_000)
    failed = {"isInBillingRetryPeriod": True, "expirationIntent": 2}
    desk.tell("readmigo", "DID_FAIL_TO_RENEW", "GRACE_PERIOD", bought,
              failed | {"gracePeriodExpiresDate": bought.ends + 28 * DAY})
    # Only a message that was applied takes away the access that is left.
    becomes(customer, planType="PRO", status="GRACE_PERIOD")
    desk.tell("readmigo", "GRACE_PERIOD_EXPIRED", None, bought, failed)
    becomes(customer, planType="FREE", status="EXPIRED")


@readmigo.case(f"{NOTIFICATIONS}: DID_CHANGE_RENEWAL_STATUS, 取消订阅", *CALLS, adds=MORE)
def told_renewal_turned_off(desk):
    """CANCELLED with the same end, and everything usable until then; back to ACTIVE when it is turned on again."""
    customer, bought = subscribed(desk)
    desk.tell("readmigo", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", bought, {"autoRenewStatus": 0})
    becomes(customer, planType="PRO", status="CANCELLED", expiresAt=iso(bought.ends), cancelledAt=time)
    assert customer.ask("GET", "/entitlements/voice-chat").json["allowed"] is True
    desk.tell("readmigo", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", bought)
    becomes(customer, planType="PRO", status="ACTIVE", expiresAt=iso(bought.ends), cancelledAt=None)


@readmigo.case(f"{NOTIFICATIONS}: EXPIRED", *CALLS, adds=MORE)
def told_expired(desk):
    """标记为 EXPIRED, 设为 FREE."""
    customer, bought = subscribed(desk, days=10, begun=(now() - 11 * DAY) // 1_000 * 1_000)
    desk.tell("readmigo", "EXPIRED", "VOLUNTARY", bought, {"autoRenewStatus": 0, "expirationIntent": 1})
    becomes(customer, planType="FREE", status="EXPIRED", expiresAt=iso(bought.ends))


def refunded(desk, kind):
    customer, bought = subscribed(desk)
    told = now()
    bought.more = {"revocationDate": told // 1_000 * 1_000, "revocationReason": 1}
    desk.tell("readmigo", kind, None, bought)
    eventually(lambda: customer.ask("GET", "/subscriptions/status").json, lambda found: found["planType"] == "FREE")
    return customer, iso(bought.more["revocationDate"])


@readmigo.case(f"{NOTIFICATIONS}: REFUND, Apple Webhook 退款", *CALLS, adds=MORE)
def told_refund(desk):
    """立即撤销权限: planType → FREE, expiresAt → then."""
    customer, end = refunded(desk, "REFUND")
    found = customer.ask("GET", "/subscriptions/status").json
    assert (found["planType"], found["expiresAt"]) == ("FREE", end), found
    order = desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"][0]
    assert (order["status"], order["refundedAmount"]) == ("REFUNDED", order["amount"])


@readmigo.case("Apple Webhook 退款: handleRefund", *CALLS, adds=MORE)
def told_refund_status(desk):
    """status → EXPIRED after a refund."""
    customer, _ = refunded(desk, "REFUND")
    status(customer, planType="FREE", status="EXPIRED")


@readmigo.case(f"{NOTIFICATIONS}: REVOKE", *CALLS, adds=MORE)
def told_revoke(desk):
    """同 REFUND."""
    customer, _ = refunded(desk, "REVOKE")
    status(customer, planType="FREE", status="EXPIRED")


@readmigo.case(f"{NOTIFICATIONS}: TEST", "POST /webhooks/apple")
def told_test(desk):
    """返回成功."""
    desk.tell("readmigo", "TEST", None)


@readmigo.case("升级与降级", *CALLS, adds=MORE)
def told_upgrade(desk):
    """PRO → PREMIUM at once, with a ledger entry UPGRADE; PREMIUM → PRO at the end of the period."""
    customer, bought = subscribed(desk)
    upgrade = Purchase(PREMIUM, 365, original=bought.original, account=bought.account, begun=bought.begun + 1_000)
    desk.tell("readmigo", "DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgrade)
    becomes(customer, planType="PREMIUM", status="ACTIVE", expiresAt=iso(upgrade.ends))
    orders = desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"]
    number = next(each["orderNumber"] for each in orders if each["appleTransactionId"] == upgrade.id)
    assert [each["type"] for each in desk.admin("GET", f"/admin/orders/{number}").json["transactions"]] == ["UPGRADE"]
    desk.tell("readmigo", "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", upgrade, {"autoRenewProductId": MONTHLY})
    becomes(customer, planType="PREMIUM", status="ACTIVE", expiresAt=iso(upgrade.ends))


@readmigo.case(f"{NOTIFICATIONS}: 响应规范", "POST /webhooks/apple",
               differs="what Apple did not sign is 401 (product.md, decision 7; the document's 安全措施 wants the signature checked): only "
                       "what is stored is 200")
def told_nothing(desk):
    """始终返回 HTTP 200: also for a body that is no notification."""
    for body in ({"signedPayload": "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"}, {}):
        desk.ask("POST", "/webhooks/apple", body).has(200)


@readmigo.case("安全措施: Webhook JWS 签名验证", "POST /webhooks/apple")
def told_by_a_stranger(desk):
    """A notification that somebody else signed, or that is for another app, changes nothing and is refused."""
    customer = desk.customer("readmigo")
    genuine = desk.notification("readmigo", "SUBSCRIBED", "INITIAL_BUY", Purchase(YEARLY, account=customer.account))
    head, _, tail = genuine["signedPayload"].rpartition(".")
    forged = {"signedPayload": f"{head}.{'A' * len(tail)}"}
    assert 400 <= desk.ask("POST", "/webhooks/apple", forged).status < 500
    assert customer.ask("GET", "/subscriptions/status").has(200, STATUS, MORE)["planType"] == "FREE"


@readmigo.case("API 端点: Webhook 端点", "POST /webhooks/apple/test",
               differs="it has Apple send a test notification under the app's key, so it takes a staff token; the document lists it "
                       "without authentication")
def test_without_a_token(desk):
    """Webhook 测试端点, 无认证."""
    desk.ask("POST", "/webhooks/apple/test", {}).has(200)


@readmigo.case("API 端点: Webhook 端点", "POST /webhooks/apple/test")
def test_with_a_token(desk):
    """With a staff token the test runs; for an app without a key of the App Store Server API the answer says so."""
    refused = desk.admin("POST", "/webhooks/apple/test", {"environment": "PRODUCTION"})
    assert refused.status == 409, refused.body
    assert refused.json["type"] == "/problems/conflict"
    assert desk.ask("POST", "/webhooks/apple/test", {}).status == 401
