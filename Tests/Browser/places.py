"""Every kind of page there is, by name: who sees it and where it is."""

from listing import NOTIFICATIONS, ORDERS

REFUNDS = "/dashboard/refunds"
CUSTOMERS = "/dashboard/customers"
SUBSCRIPTIONS = "/dashboard/subscriptions"
ACCOUNT = "/dashboard/account"
STAFF = "/dashboard/staff"
BULK = "/dashboard/bulk"
AUDIT = "/dashboard/audit"
QUEUES = "/dashboard/queues"
VIEWS = "/dashboard/views"
SYNC = "/dashboard/sync"
STORES = "/dashboard/stores"
KEYS = "/dashboard/app-keys"
EXTERNAL = "/dashboard/external-purchases"


def refund(status, step=""):
    return lambda known: f"{REFUNDS}/{known.refunds[status]}{step}"


def action(whose, name, query=""):
    """The form of something that staff do for a customer, or what it would change."""
    return lambda known: f"{CUSTOMERS}/{getattr(known, whose)}/{name}/new{query.format(known=known)}"

PLACES = {
    "overview": ("admin", lambda known: "/dashboard"),
    "overview, nothing yet": ("newcomer", lambda known: "/dashboard"),
    "overview for analysts": ("analyst", lambda known: "/dashboard"),
    "revenue": ("admin", lambda known: "/dashboard/revenue"),
    "revenue, filtered": ("analyst", lambda known: "/dashboard/revenue?grain=week&show=gross&by=plan&store=apple"
                                                   "&period=P1M&as_of=2026-06-30"),
    "revenue by day": ("admin", lambda known: "/dashboard/revenue?grain=day&show=refunds&by=country&plan=PRO"),
    "revenue, none yet": ("newcomer", lambda known: "/dashboard/revenue"),
    "subscribers": ("admin", lambda known: "/dashboard/subscribers"),
    "subscribers, filtered": ("analyst", lambda known: "/dashboard/subscribers?grain=week&plan=PRO&period=P1M&as_of=2026-06-30"),
    "access": ("admin", lambda known: "/dashboard/access"),
    "access, filtered": ("analyst", lambda known: "/dashboard/access?direction=lost&cause=expired&plan=PRO"),
    "access, none yet": ("newcomer", lambda known: "/dashboard/access"),
    "cohorts": ("admin", lambda known: "/dashboard/cohorts"),
    "cohorts, filtered": ("analyst", lambda known: "/dashboard/cohorts?plan=PRO&period=P1Y&as_of=2026-06-30"),
    "cohort rows": ("admin", lambda known: "/dashboard/cohorts/rows?metric=retention&period=P1M&month=2026-01&paid_period=1"),
    "cohort rows, money": ("analyst", lambda known: "/dashboard/cohorts/rows?metric=customers&plan=PRO&as_of=2026-06-30"),
    "cohort rows, holders": ("analyst", lambda known: "/dashboard/cohorts/rows?metric=holders&plan=PRO"),
    "cohort rows, none yet": ("newcomer", lambda known: "/dashboard/cohorts/rows?metric=conversion&within=7&paid=no"),
    "cohorts, none yet": ("newcomer", lambda known: "/dashboard/cohorts"),
    "subscribers, none yet": ("newcomer", lambda known: "/dashboard/subscribers"),
    "subscribers, converted": ("analyst", lambda known: "/dashboard/subscribers?from=2026-01-01"),
    "subscriber rows": ("admin", lambda known: "/dashboard/subscribers/rows"),
    "subscriber rows, movements": ("analyst", lambda known: "/dashboard/subscribers/rows?metric=movements&currency=CNY"),
    "subscriber rows, filtered": ("analyst", lambda known: "/dashboard/subscribers/rows?metric=changes&movement=churned"
                                                           "&plan=PRO&from=2025-01-01&as_of=2026-11-30"),
    "subscriber rows, none yet": ("newcomer", lambda known: "/dashboard/subscribers/rows?metric=lost&from=2026-01-01"),
    "ledger": ("admin", lambda known: "/dashboard/ledger"),
    "ledger, filtered": ("analyst", lambda known: "/dashboard/ledger?kind=refunds&dating=charge&currency=CNY&from=2025-01-01"),
    "ledger, none yet": ("newcomer", lambda known: "/dashboard/ledger"),
    "health": ("admin", lambda known: "/dashboard/health"),
    "health, a month": ("analyst", lambda known: "/dashboard/health?span=month&sort=busiest"),
    "health, none yet": ("newcomer", lambda known: "/dashboard/health?span=week"),
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
    "refund": ("admin", refund("pending")),
    "refund for analysts": ("analyst", refund("pending")),
    "refund, approval": ("admin", refund("pending", "/approval")),
    "refund, request": ("admin", lambda known: f"{ORDERS}/{known.order}/refund"),
    "customers": ("admin", lambda known: CUSTOMERS),
    "customers, filtered": (
        "admin", lambda known: f"{CUSTOMERS}?q=example&plan=PRO&store=apple&refunds=yes&from=2025-01-01"),
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
    "queues": ("admin", lambda known: QUEUES),
    "queues for support": ("support", lambda known: QUEUES),
    "queues, none yet": ("newcomer", lambda known: QUEUES),
    "queue": ("admin", lambda known: f"{QUEUES}/bulk_jobs"),
    "queue, retried": ("analyst", lambda known: f"{QUEUES}/notifications?state=retryable"),
    "queue, nothing there": ("admin", lambda known: f"{QUEUES}/reports?state=running"),
    "syncs": ("admin", lambda known: SYNC),
    "syncs for support": ("support", lambda known: SYNC),
    "syncs, no key": ("newcomer", lambda known: SYNC),
    "sync": ("admin", lambda known: f"{SYNC}/{known.sync}"),
    "sync, not whole": ("analyst", lambda known: f"{SYNC}/{known.failed_sync}"),
    "external purchases": ("admin", lambda known: EXTERNAL),
    "external purchases to report": ("support", lambda known: f"{EXTERNAL}?show=due"),
    "external purchases, none": ("newcomer", lambda known: EXTERNAL),
    "notifications that a sync found": ("admin", lambda known: f"{NOTIFICATIONS}?sync={known.sync}"),
    "stores": ("admin", lambda known: STORES),
    "stores for support": ("support", lambda known: STORES),
    "stores, nothing set": ("newcomer", lambda known: STORES),
    "test notification": ("admin", lambda known: f"{STORES}/apple/tests/production"),
    "test notification, never asked for": ("analyst", lambda known: f"{STORES}/apple/tests/sandbox"),
    "key to upload": ("admin", lambda known: f"{STORES}/apple/keys/sign_in"),
    "key of the catalogue": ("admin", lambda known: f"{STORES}/apple/keys/api"),
    "key removed?": ("admin", lambda known: f"{STORES}/apple/keys/shared_secret/removal"),
    "secret keys": ("admin", lambda known: KEYS),
    "secret keys, none yet": ("newcomer", lambda known: KEYS),
    "secret key to create": ("admin", lambda known: f"{KEYS}/new"),
    "secret key revoked?": ("admin", lambda known: f"{KEYS}/{known.app_key}/revocation"),
    "Apple order": ("support", lambda known: f"{STORES}/apple/orders"),
    "Apple order, no id": ("admin", lambda known: f"{STORES}/apple/orders?order=M%20K"),
    "Apple's account of a purchase": ("admin", lambda known: f"{SUBSCRIPTIONS}/{known.subscription}/account-token"),
    "preferences": ("admin", lambda known: "/dashboard/preferences"),
    "customer, a plan to give": ("admin", lambda known: f"/dashboard/customers/{known.two_letter_customer}/grants/new"),
    "orders, few columns": ("admin", lambda known: f"{ORDERS}?columns=amount.status"),
    "view, new": ("admin", lambda known: "/dashboard/views/new?list=orders&status=refunded"),
    "customer with a gift": ("support", lambda known: f"{CUSTOMERS}/{known.granted_customer}"),
    "customer, money alone": ("admin", lambda known: f"{CUSTOMERS}/{known.turkish_customer}?show=money"),
    "customer, a note to withdraw": (
        "admin", lambda known: f"{CUSTOMERS}/{known.turkish_customer}/notes/{known.note}/withdraw"),
    "extensions": ("admin", lambda known: "/dashboard/extensions"),
    "extension of a product": ("admin", lambda known: f"/dashboard/extensions/{known.extension}"),
    "extension of a product, refused": ("analyst", lambda known: f"/dashboard/extensions/{known.refused_extension}"),
    "extensions for analysts": ("analyst", lambda known: "/dashboard/extensions"),
    "extensions, of a product": ("admin", lambda known: "/dashboard/extensions/new"),
    "extension": ("support", lambda known: f"{SUBSCRIPTIONS}/{known.subscription}/extension"),
    "customer, consent": ("admin", lambda known: f"{CUSTOMERS}/{known.turkish_customer}/consent"),
    "subscription": ("admin", lambda known: f"{SUBSCRIPTIONS}/{known.subscription}"),
    "subscription, expired, for analysts": ("analyst", lambda known: f"{SUBSCRIPTIONS}/{known.expired_subscription}"),
    "a plan to give, nothing filled in": ("admin", action("two_letter_customer", "grants", "?step=2")),
    "a plan given?": ("admin", action("revoked_customer", "grants", "?step=2&plan=PRO&days=7")),
    "more time": ("admin", action("granted_customer", "extensions")),
    "more time, nothing filled in": ("admin", action("granted_customer", "extensions", "?step=2")),
    "more time given?": ("support", action("granted_customer", "extensions", "?step=2&of=grant:{known.grant}&days=3")),
    "another plan": ("admin", action("subscriber", "plan-changes")),
    "another plan, nothing filled in": ("admin", action("subscriber", "plan-changes", "?step=2")),
    "revocation": ("admin", action("subscriber", "revocations")),
    "revoked?": ("admin", action("subscriber", "revocations", "?step=2&of=subscription:{known.subscription}")),
    "restoration": ("admin", action("revoked_customer", "restorations")),
    "transfer": ("admin", action("subscriber", "transfers")),
    "transfer, nothing filled in": ("admin", action("subscriber", "transfers", "?step=2")),
    "transferred?": ("admin", action(
        "subscriber", "transfers",
        "?step=2&of=subscription:{known.subscription}&receiver={known.two_letter_customer}")),
    "renewal cancelled, refused": ("admin", action(
        "subscriber", "cancellations", "?step=2&of=subscription:{known.subscription}")),
    "undone?": ("admin", action("granted_customer", "undoings", "?of={known.action}")),
    "refund, rejection": ("admin", refund("pending", "/rejection")),
    "refund, cancellation": ("admin", refund("pending", "/cancellation")),
    "refund, payment": ("admin", refund("approved", "/payment")),
    "refund, approved": ("support", refund("approved")),
    "refund, processed": ("admin", refund("processed")),
    "refund, rejected": ("analyst", refund("rejected")),
    "notification applied again?": (
        "admin", lambda known: f"{NOTIFICATIONS}/{known.failed_notification}/replays/new"),
    "a job tried again?": ("admin", lambda known: f"{QUEUES}/bulk_jobs/retries/new?id={known.dead_job}"),
    "an external purchase reported?": ("admin", lambda known: f"{EXTERNAL}/{known.external_purchase}/reports/new"),
    "all of a queue tried again?": ("admin", lambda known: f"{QUEUES}/bulk_jobs/retries/new"),
    "view to change": ("admin", lambda known: f"{VIEWS}/{known.view}"),
    "view to delete": ("admin", lambda known: f"{VIEWS}/{known.view}/delete"),
    "subscriptions, a view": ("admin", lambda known: f"{SUBSCRIPTIONS}?renews=30&columns=all"),
    "bulk": ("admin", lambda known: BULK),
    "bulk, none yet": ("newcomer", lambda known: BULK),
    "bulk, new": ("admin", lambda known: f"{BULK}/new"),
    "bulk, ready": ("admin", lambda known: f"{BULK}/{known.job}"),
    "bulk, undone": ("admin", lambda known: f"{BULK}/{known.undone_job}"),
    "bulk, started?": ("admin", lambda known: f"{BULK}/{known.job}/starts/new"),
    "bulk, cancelled?": ("admin", lambda known: f"{BULK}/{known.job}/cancellations/new"),
    "audit log": ("admin", lambda known: AUDIT),
    "audit log, filtered": ("support", lambda known: f"{AUDIT}?action=refund&from=2025-01-01"),
    "audit log, no match": ("admin", lambda known: f"{AUDIT}?actor=nobody@demo.test"),
    "audit entry": ("admin", lambda known: f"{AUDIT}/{known.entry}"),
    "account": ("admin", lambda known: ACCOUNT),
    "account, second factor": ("admin", lambda known: f"{ACCOUNT}/two-factor"),
    "account, keys": ("admin", lambda known: f"{ACCOUNT}/keys"),
    "account, still you?": ("admin", lambda known: "/dashboard/identity"),
    "staff": ("admin", lambda known: STAFF),
    "staff, somebody": ("admin", lambda known: f"{STAFF}/{known.colleague}"),
    "staff, keys": ("admin", lambda known: f"{STAFF}/keys"),
    "staff, invitation": ("admin", lambda known: f"{STAFF}/invitation"),
    "staff, role": ("admin", lambda known: f"{STAFF}/{known.colleague}/role"),
    "staff, apps": ("admin", lambda known: f"{STAFF}/{known.colleague}/apps"),
    "staff, link": ("admin", lambda known: f"{STAFF}/{known.colleague}/link"),
    "staff, sessions ended?": ("admin", lambda known: f"{STAFF}/{known.colleague}/ended-sessions"),
    "staff, shut?": ("admin", lambda known: f"{STAFF}/{known.colleague}/closure"),
    "error": ("admin", lambda known: f"{ORDERS}/ORD-19990101-0001"),
    "error, marker": ("admin", lambda known: f"{ORDERS}?after=nonsense"),
    "error, not for analysts": ("analyst", lambda known: AUDIT),
    "error, only posted to": ("admin", lambda known: "/dashboard/sign-out"),
    "error for visitors": (None, lambda known: "/nothing-here"),
    "welcome": (None, lambda known: f"/dashboard/welcome/{known.invitation}"),
    "welcome, too late": (None, lambda known: f"/dashboard/welcome/{'0' * 64}"),
    "sign in": (None, lambda known: "/dashboard/sign-in"),
    "help": (None, lambda known: "/dashboard/help"),
}
"""Forms that say what is wrong when they are sent with nothing filled in: a place, and which of its forms."""
FORMS = {
    "refund, request": "main form[method=post]",
    "refund, approval": "main form[method=post]",
    "refund, rejection": "main form[method=post]",
    "refund, payment": "main form[method=post]",
    "a plan given?": "main form[method=post]",
    "revoked?": "main form[method=post]",
    "undone?": "main form[method=post]",
    "notification applied again?": "main form[method=post]",
    "a job tried again?": "main form[method=post]",
    "all of a queue tried again?": "main form[method=post]",
    "key to upload": "main form[method=post]",
    "key removed?": "main form[method=post]",
    "secret key to create": "main form[method=post]",
    "secret key revoked?": "main form[method=post]",
    "Apple's account of a purchase": "main form[method=post]",
    "view, new": "main form[method=post]",
    "bulk, new": "main form[method=post]",
    "customer": "main form[action$='/notes']",
    "customer, consent": "main form[method=post]",
    "account": "main form[action$='/password']",
    "account, still you?": "main form[method=post]",
    "staff, invitation": "main form[method=post]",
    "staff, role": "main form[method=post]",
    "staff, shut?": "main form[method=post]",
    "welcome": "main form[method=post]",
    "sign in": "main form[method=post]",
}
"""The few that show everything the others are made of."""
MAIN = ["orders", "order", "notifications", "notification, failed", "error", "sign in"]


def go(page, known, name):
    """Opens a page of this list; the window must be that of its role."""
    return page.goto(PLACES[name][1](known))


def role(name):
    return PLACES[name][0]
