"""Every kind of page there is, by name: who sees it and where it is."""

from listing import NOTIFICATIONS, ORDERS

REFUNDS = "/dashboard/refunds"

PLACES = {
    "orders": ("admin", lambda known: ORDERS),
    "orders, filtered": ("admin", lambda known: f"{ORDERS}?q=Pro&status=completed&sort=amount"),
    "orders, another customer's": ("admin", lambda known: f"{ORDERS}?customer={known.two_letter_customer}"),
    "orders, every state": ("admin", lambda known: f"{ORDERS}?q=ORD-20260105"),
    "orders, no match": ("admin", lambda known: f"{ORDERS}?q=zzzzzz"),
    "orders, none yet": ("newcomer", lambda known: ORDERS),
    "orders for analysts": ("analyst", lambda known: ORDERS),
    "order": ("admin", lambda known: f"{ORDERS}/{known.refunded_order}?from=%2Fdashboard%2Forders%3Fstatus%3Drefunded"),
    "order, failed": ("admin", lambda known: f"{ORDERS}/{known.failed_order}"),
    "order, sandbox": ("admin", lambda known: f"{ORDERS}/{known.sandbox_order}"),
    "order for analysts": ("analyst", lambda known: f"{ORDERS}/{known.refunded_order}"),
    "refunds": ("admin", lambda known: REFUNDS),
    "refunds, all": ("admin", lambda known: f"{REFUNDS}?status=all&sort=amount"),
    "refunds, none": ("admin", lambda known: f"{REFUNDS}?status=expired"),
    "refunds for analysts": ("analyst", lambda known: f"{REFUNDS}?status=all"),
    "refund": ("admin", lambda known: f"{REFUNDS}/RF-000001"),
    "refund for analysts": ("analyst", lambda known: f"{REFUNDS}/RF-000001"),
    "refund, approval": ("admin", lambda known: f"{REFUNDS}/RF-000001/approval"),
    "refund, request": ("admin", lambda known: f"{ORDERS}/{known.order}/refund"),
    "customers": ("admin", lambda known: "/dashboard/customers"),
    "customers, filtered": ("admin", lambda known: "/dashboard/customers?q=example&plan=PRO&store=apple&refunds=yes&from=2025-01-01"),
    "customers, none yet": ("newcomer", lambda known: "/dashboard/customers"),
    "customers for analysts": ("analyst", lambda known: "/dashboard/customers"),
    "customer": ("admin", lambda known: f"/dashboard/customers/{known.turkish_customer}"),
    "customer for analysts": ("analyst", lambda known: f"/dashboard/customers/{known.turkish_customer}"),
    "subscriptions": ("admin", lambda known: "/dashboard/subscriptions"),
    "subscriptions, filtered": ("admin", lambda known: "/dashboard/subscriptions?plan=PRO&renews=90&sort=end&dir=asc"),
    "subscriptions, none yet": ("newcomer", lambda known: "/dashboard/subscriptions"),
    "found": ("admin", lambda known: "/dashboard/find?q=Pro"),
    "found for analysts": ("analyst", lambda known: "/dashboard/find?q=20260105"),
    "found nothing": ("admin", lambda known: "/dashboard/find?q=zzzzzz"),
    "notifications": ("admin", lambda known: NOTIFICATIONS),
    "notifications, failed": ("admin", lambda known: f"{NOTIFICATIONS}?state=failed"),
    "notifications, none yet": ("newcomer", lambda known: NOTIFICATIONS),
    "notification": ("admin", lambda known: f"{NOTIFICATIONS}/{known.processed_notification}"),
    "notification, failed": ("admin", lambda known: f"{NOTIFICATIONS}/{known.failed_notification}"),
    "notification, waiting": ("admin", lambda known: f"{NOTIFICATIONS}/{known.waiting_notification}"),
    "preferences": ("admin", lambda known: "/dashboard/preferences"),
    "customer, a plan to give": ("admin", lambda known: f"/dashboard/customers/{known.two_letter_customer}/grants/new"),
    "orders, few columns": ("admin", lambda known: f"{ORDERS}?columns=amount.status"),
    "view, new": ("admin", lambda known: "/dashboard/views/new?list=orders&status=refunded"),
    "bulk": ("admin", lambda known: "/dashboard/bulk"),
    "bulk, new": ("admin", lambda known: "/dashboard/bulk/new"),
    "error": ("admin", lambda known: f"{ORDERS}/ORD-19990101-0001"),
    "error, marker": ("admin", lambda known: f"{ORDERS}?after=nonsense"),
    "error for visitors": (None, lambda known: "/nothing-here"),
    "audit log": ("admin", lambda known: "/dashboard/audit"),
    "account": ("admin", lambda known: "/dashboard/account"),
    "staff": ("admin", lambda known: "/dashboard/staff"),
    "sign in": (None, lambda known: "/dashboard/sign-in"),
}
"""The few that show everything the others are made of."""
MAIN = ["orders", "order", "notifications", "notification, failed", "error", "sign in"]


def go(page, known, name):
    """Opens a page of this list; the window must be that of its role."""
    return page.goto(PLACES[name][1](known))


def role(name):
    return PLACES[name][0]
