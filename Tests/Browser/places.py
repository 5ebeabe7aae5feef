"""Every kind of page there is, by name: who sees it and where it is."""

from listing import NOTIFICATIONS, ORDERS

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
    "notifications": ("admin", lambda known: NOTIFICATIONS),
    "notifications, failed": ("admin", lambda known: f"{NOTIFICATIONS}?state=failed"),
    "notifications, none yet": ("newcomer", lambda known: NOTIFICATIONS),
    "notification": ("admin", lambda known: f"{NOTIFICATIONS}/{known.processed_notification}"),
    "notification, failed": ("admin", lambda known: f"{NOTIFICATIONS}/{known.failed_notification}"),
    "notification, waiting": ("admin", lambda known: f"{NOTIFICATIONS}/{known.waiting_notification}"),
    "preferences": ("admin", lambda known: "/dashboard/preferences"),
    "error": ("admin", lambda known: f"{ORDERS}/ORD-19990101-0001"),
    "error, marker": ("admin", lambda known: f"{ORDERS}?after=nonsense"),
    "error for visitors": (None, lambda known: "/nothing-here"),
    "sign in": (None, lambda known: "/dashboard/sign-in"),
}
"""The few that show everything the others are made of."""
MAIN = ["orders", "order", "notifications", "notification, failed", "error", "sign in"]


def go(page, known, name):
    """Opens a page of this list; the window must be that of its role."""
    return page.goto(PLACES[name][1](known))


def role(name):
    return PLACES[name][0]
