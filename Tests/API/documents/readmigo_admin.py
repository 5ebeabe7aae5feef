"""readmigo: the calls of its admin pages."""

import json

from documents.desk import WHY
from documents.readmigo import MONTHLY, MORE, YEARLY, readmigo, status
from documents.readmigo_stores import subscribed
from documents.shapes import Each, boolean, integer, matching, number, one_of, text, time, uuid

ADMIN = "API 端点: 管理端点"
STEPS = "订阅管理"
# The columns of the table Subscription that a list has; the payment is in the order.
ROW = {
    "id": uuid, "userId": uuid, "planType": one_of("FREE", "PRO", "PREMIUM"), "status": text,
    "source": one_of("APPLE_IAP", "GOOGLE_PLAY", "PROMO_CODE"), "originalTransactionId": text.or_null,
    "expiresAt": time.or_null, "cancelledAt": time.or_null, "trialStartedAt": time.or_null, "trialEndsAt": time.or_null,
    "createdAt": time, "updatedAt": time,
}
ROW_MORE = "next productId productName environment startedAt gracePeriodExpiresAt willRenew isAssigned seats"
# A charge whose price the store has not told has none yet (product.md, decision 19).
ORDER = {
    "id": uuid, "orderNumber": matching(r"ORD-\d{8}-\d{4,}"), "userId": uuid, "productId": text, "productName": text,
    "planType": one_of("PRO", "PREMIUM"), "amount": number.or_null,
    "currency": matching("[A-Z]{3}").or_null,
    "status": one_of("PENDING", "COMPLETED", "FAILED", "REFUNDED", "PARTIALLY_REFUNDED", "CANCELLED", "SUPERSEDED"),
    "source": one_of("APPLE_IAP", "GOOGLE_PLAY", "PROMO_CODE"), "appleOriginalTransactionId": text.or_null,
    "appleTransactionId": text.or_null, "appleEnvironment": one_of("SANDBOX", "PRODUCTION", None), "startedAt": time.or_null,
    "expiresAt": time.or_null, "refundedAmount": number.or_null, "refundedAt": time.or_null, "createdAt": time, "updatedAt": time,
}
ORDER_MORE = (
    "next storefront quantity refundedSeats isRefundEstimated offerType offerIdentifier isTrialPeriod creditedAmount supersededAt transactions")
ACCESS_MORE = "auditEntryId access"


def step(desk, customer, verb, body):
    return desk.admin("POST", f"/admin/subscriptions/{customer.id}/{verb}", WHY | body)


@readmigo.case(ADMIN, "GET /admin/subscriptions", adds=ROW_MORE)
def admin_list(desk):
    """订阅列表: rows of the table with all its columns but the receipt, 25 at a time."""
    found = desk.admin("GET", "/admin/subscriptions").has(200, {"subscriptions": Each(ROW)})
    assert len(found["subscriptions"]) <= 25
    assert desk.ask("GET", "/admin/subscriptions", app="readmigo").status == 401
    assert desk.ask("GET", "/admin/subscriptions", token=desk.customer("readmigo").token, app="readmigo").status == 401


@readmigo.case(ADMIN, "GET /admin/subscriptions/:userId",
               adds="of productId startedAt willRenew consentRescindedAt subscriptions grants actions version")
def admin_detail(desk):
    """用户订阅详情: plan, status, source, end."""
    customer = desk.customer("readmigo")
    bought = customer.buys(YEARLY, days=365)
    found = desk.admin("GET", f"/admin/subscriptions/{customer.id}").has(
        200, {"userId": customer.id, "planType": "PRO", "status": "ACTIVE", "source": "APPLE_IAP", "expiresAt": time})
    assert found["subscriptions"][0]["productId"] == bought.product
    assert desk.admin("GET", "/admin/subscriptions/01920000-0000-7000-8000-000000000000").status == 404


@readmigo.case(ADMIN, "GET /admin/subscriptions/:userId")
def admin_detail_free(desk):
    """用户订阅详情 of a customer who bought nothing: FREE."""
    found = desk.admin("GET", f"/admin/subscriptions/{desk.customer('readmigo').id}").json
    assert (found["planType"], found["status"]) == ("FREE", "ACTIVE"), found


@readmigo.case(STEPS, "POST /admin/subscriptions/:userId/grant", adds=ACCESS_MORE)
def admin_grant(desk):
    """赠送订阅: planType, days, reason; the customer has the plan, and the audit log has the giver, the receiver, the time and the
    reason."""
    customer = desk.customer("readmigo")
    given = step(desk, customer, "grant", {"planType": "PREMIUM", "days": 30}).has(200, {})
    assert (given["access"]["planType"], given["access"]["status"]) == ("PREMIUM", "ACTIVE")
    assert customer.ask("GET", "/subscriptions/status").json["planType"] == "PREMIUM"
    logged = desk.admin("GET", f"/admin/audit/{given['auditEntryId']}").json
    said = json.dumps(logged)
    assert WHY["reason"] in said
    assert customer.id in said
    assert logged["createdAt"]


@readmigo.case(STEPS, "POST /admin/subscriptions/:userId/extend", "POST /admin/subscriptions/:userId/change-tier",
               "POST /admin/subscriptions/:userId/revoke", adds=ACCESS_MORE)
def admin_steps(desk):
    """延长 by days, 变更 to another planType, 撤销 at once: each answers with the customer's new access."""
    customer = desk.customer("readmigo")
    before = step(desk, customer, "grant", {"planType": "PRO", "days": 10}).has(200, {})["access"]["expiresAt"]
    extended = step(desk, customer, "extend", {"days": 5}).has(200, {})["access"]["expiresAt"]
    assert extended > before
    changed = step(desk, customer, "change-tier", {"planType": "PREMIUM"}).has(200, {})["access"]
    assert changed["planType"] == "PREMIUM"
    step(desk, customer, "revoke", {}).has(200, {})
    assert customer.ask("GET", "/subscriptions/status").json["planType"] == "FREE"


def documented(desk, verb, body):
    """Adds a case of the step with only the document's parameters, from a client that knows no others."""
    customer = desk.customer("readmigo")
    step(desk, customer, "grant", {"planType": "PRO", "days": 10}).has(200, {}, ACCESS_MORE)
    path = f"/admin/subscriptions/{customer.id}/{verb}"
    return customer, desk.ask("POST", path, body | {"reason": "测试账户 / 推广活动 / 客户补偿"}, token=desk.staff, app="readmigo")


for verb, body in (("extend", {"days": 7}), ("grant", {"planType": "PREMIUM", "days": 30}), ("revoke", {}),
                   ("change-tier", {"planType": "PREMIUM"})):
    def walk(desk, verb=verb, body=body):
        """Only the parameters of the table."""
        documented(desk, verb, body)[1].has(200, {}, ACCESS_MORE)

    walk.__name__ = f"admin_{verb.replace('-', '_')}_as_documented"
    readmigo.case(STEPS, f"POST /admin/subscriptions/:userId/{verb}", adds=ACCESS_MORE)(walk)


@readmigo.case(STEPS, "POST /admin/subscriptions/:userId/change-tier", adds=f"{ACCESS_MORE} {MORE}")
def admin_change_to_free(desk):
    """变更层级: 切换 FREE/PRO/PREMIUM, of a grant; a paid plan stays (product.md, decision 3)."""
    customer = desk.customer("readmigo")
    step(desk, customer, "grant", {"planType": "PRO", "days": 10}).has(200, {})
    step(desk, customer, "change-tier", {"planType": "FREE"}).has(200, {})
    status(customer, planType="FREE")


@readmigo.case("统计 API, 统计面板", "GET /admin/subscriptions/stats/overview", adds="plans plan users share")
def stats_subscriptions(desk):
    """Eight numbers; the users of all kinds add up to all users."""
    found = desk.admin("GET", "/admin/subscriptions/stats/overview").has(200, {
        "totalUsers": integer, "freeUsers": integer, "proUsers": integer, "premiumUsers": integer, "trialUsers": integer,
        "expiredUsers": integer, "conversionRate": number, "activeSubscribers": integer})
    assert found["freeUsers"] + found["proUsers"] + found["premiumUsers"] + found["trialUsers"] == found["totalUsers"]
    assert 0 < found["conversionRate"] <= 100


@readmigo.case("统计 API, 统计面板", "GET /admin/orders/stats", adds="currency missingRates ordersWithoutAmount")
def stats_orders(desk):
    """Seven numbers; the rate is in percent, of revenue."""
    found = desk.admin("GET", "/admin/orders/stats").has(200, {
        "totalOrders": integer, "totalRevenue": number, "todayOrders": integer, "todayRevenue": number, "pendingRefunds": integer,
        "totalRefunded": number, "refundRate": number})
    assert abs(found["refundRate"] - 100 * found["totalRefunded"] / found["totalRevenue"]) < 0.1


@readmigo.case("统计 API: 收入趋势", "GET /admin/support/stats", adds="currency missingRates ordersWithoutAmount")
def stats_trend(desk):
    """`{ date: '2024-12', revenue: 45000 }`, the newest month first."""
    found = desk.admin("GET", "/admin/support/stats").has(
        200, {"revenueTrends": Each({"date": matching(r"\d{4}-\d\d"), "revenue": number}, least=12)})
    dates = [each["date"] for each in found["revenueTrends"]]
    assert dates == sorted(dates, reverse=True)


@readmigo.case("订单数据模型, 订单管理界面", "GET /admin/orders", adds=ORDER_MORE)
def orders(desk):
    """Each column of the table, 25 to a page, found by number, transaction and product."""
    customer, bought = subscribed(desk)
    found = desk.admin("GET", "/admin/orders").has(200, {"orders": Each(ORDER)})
    assert len(found["orders"]) == 25
    order = desk.admin("GET", f"/admin/orders?customer={customer.id}").has(200, {"orders": [ORDER | {
        "productId": MONTHLY, "planType": "PRO", "amount": 18, "currency": "CNY", "status": "COMPLETED", "source": "APPLE_IAP",
        "appleOriginalTransactionId": bought.original, "appleTransactionId": bought.id, "appleEnvironment": "PRODUCTION",
        "refundedAmount": 0, "refundedAt": None}]})["orders"][0]
    for word in (order["orderNumber"], bought.id):
        assert [each["id"] for each in desk.admin("GET", f"/admin/orders?q={word}").json["orders"]] == [order["id"]], word
    found = desk.admin("GET", "/admin/orders?q=Pro%20monthly").json
    assert found["orders"], found


@readmigo.case("交易记录, 订单详情", "GET /admin/orders/{id}", adds=ORDER_MORE)
def order(desk):
    """With its ledger, each entry as the table has it, refunds negative."""
    customer, _ = subscribed(desk)
    number_ = desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"][0]["orderNumber"]
    entry = {"id": uuid, "orderId": uuid, "type": "INITIAL_PURCHASE", "status": "SUCCESS", "amount": 18, "currency": "CNY",
             "appleTransactionId": text, "failureReason": None, "createdAt": time}
    desk.admin("GET", f"/admin/orders/{number_}").has(200, ORDER | {"transactions": [entry]})


REFUND = {
    "id": uuid, "orderId": uuid, "type": "FULL", "status": "PENDING", "requestedAmount": 18, "approvedAmount": None, "reason": text,
    "internalNote": None, "requestedBy": text, "processedAt": None, "createdAt": time,
}
REFUND_MORE = (
    "number orderNumber processedAmount currency category reference openedByStore consumptionReason consumptionRequestedAt "
    "consumptionLastRequestedAt consumptionDueAt refundPreference storeDecision storeDecidedAt decidedBy decidedAt expiresAt version payoutState")


def asked_for(desk, **more):
    customer, _ = subscribed(desk)
    order = desk.admin("GET", f"/admin/orders?customer={customer.id}").json["orders"][0]
    return desk.admin("POST", f"/admin/orders/{order['orderNumber']}/refunds", WHY | {"type": "FULL"} | more)


@readmigo.case("退款处理: RefundRequest", "POST /admin/orders/{id}/refunds", "GET /admin/refunds/{number}", adds=REFUND_MORE)
def refund_asked(desk):
    """FULL, PARTIAL and PRORATED; PENDING, with the amount, the reason and the person who asked."""
    number_ = asked_for(desk).has(201, REFUND)["number"]
    desk.admin("GET", f"/admin/refunds/{number_}").has(200, REFUND)
    asked_for(desk, type="PARTIAL", amount=5).has(201, REFUND | {"type": "PARTIAL", "requestedAmount": 5})
    asked_for(desk, type="PRORATED").has(201, REFUND | {"type": "PRORATED", "requestedAmount": number})


@readmigo.case("退款处理: RefundRequest", "GET /admin/refunds/{number}", adds=REFUND_MORE,
               differs="`appleRefundId` is `reference`, `processedBy` is `decidedBy`, and people are named, not given as UUIDs")
def refund_row(desk):
    """The other columns of the table."""
    asked_for(desk).has(201, REFUND | {"appleRefundId": text.or_null, "processedBy": uuid.or_null, "requestedBy": uuid.or_null})


@readmigo.case("退款处理: 退款流程", "POST /admin/refunds/{number}/reject", "POST /admin/refunds/{number}/cancel",
               "POST /admin/refunds/{number}/approve", adds=REFUND_MORE)
def refund_decided(desk):
    """PENDING becomes REJECTED or CANCELLED; the person who asked may not approve."""
    for verb, state in (("reject", "REJECTED"), ("cancel", "CANCELLED")):
        number_ = asked_for(desk).has(201, REFUND)["number"]
        desk.admin("POST", f"/admin/refunds/{number_}/{verb}", WHY).has(200, REFUND | {"status": state})
    number_ = asked_for(desk).has(201, REFUND)["number"]
    assert desk.admin("POST", f"/admin/refunds/{number_}/approve", WHY).status == 403
    assert boolean.holds(desk.admin("GET", f"/admin/refunds/{number_}").json["openedByStore"])
