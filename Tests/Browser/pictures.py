"""Takes the pictures of the README and the handbook into docs/images. Called by hand, after a change that shows:

    PERENNIAL_BINARY=.build/release/perennial .build/venv/bin/python Tests/Browser/pictures.py

It starts a demo of its own, signs in as its admin and photographs the pages below at 1280 by 800 pixels, and some once
more in dark. A picture of 200 kB or more is refused: the documents are to load quickly. The suite walks the same list
(Site/test_handbook.py), so that no picture is of a page that is no more.
"""

import json
import pathlib
import sys
import time
import urllib.request

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))

from demo_server import REPOSITORY, DemoServer  # noqa: E402
from listing import NOTIFICATIONS, ORDERS  # noqa: E402
from windows import chromium, fill_in_sign_in  # noqa: E402

FOLDER = REPOSITORY / "docs" / "images"
SIZE = {"width": 1280, "height": 800}
LARGEST = 200_000


def take(page, name):
    path = FOLDER / f"{name}.png"
    page.mouse.move(0, 0)
    page.screenshot(path=path)
    size = path.stat().st_size
    print(f"{path.relative_to(REPOSITORY)}  {size:,} bytes")
    return size < LARGEST


def refunded_order(server):
    """Returns an order worth a picture: refunded in part, and with few others in its subscription."""
    return server.sql(
        """SELECT o.number FROM orders o WHERE o.status IN ('partially_refunded', 'refunded')
           ORDER BY o.status, (SELECT count(*) FROM orders c WHERE c.subscription_id = o.subscription_id), o.number
           LIMIT 1""")[0][0]


def wait_for_health(server):
    """Waits until the server has written its counts, which it does every ten seconds."""
    last = time.monotonic() + 240
    while not server.sql("SELECT 1 FROM service_metrics_hourly WHERE measure = 'sign_in'"):
        assert time.monotonic() < last, "nothing is counted"
        time.sleep(0.2)


def busy_customer(server):
    """Returns a customer with a name, several subscriptions and a history."""
    return server.sql(
        """SELECT c.id FROM customers c WHERE c.name IS NOT NULL
           ORDER BY (SELECT count(*) FROM subscriptions s WHERE s.customer_id = c.id) DESC,
               (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND o.has_refunds) DESC, c.id
           LIMIT 1""")[0][0]


def upgrade(server):
    return server.sql(
        """SELECT n.id FROM store_notifications n WHERE n.subtype = 'UPGRADE' AND n.state = 'processed'
           ORDER BY (SELECT count(*) FROM orders c WHERE c.subscription_id = n.subscription_id), n.signed_at
           LIMIT 1""")[0][0]


def order_at(server, store, state):
    """Returns the page of an order of a store, of one with a refund in that state if there is one."""
    number = server.sql(
        f"""SELECT o.number FROM orders o WHERE o.store = '{store}'
            ORDER BY (SELECT count(*) FROM refund_requests r
                      LEFT JOIN refund_payouts p ON p.refund_id = r.id
                      WHERE r.order_id = o.id AND ({state})) DESC, o.purchased_at DESC, o.number
            LIMIT 1""")[0][0]
    return f"{ORDERS}/{number}"


def order_to_pay(server):
    """Opens an order at WeChat Pay for a new customer, as their app would, and returns the path of its page."""
    token = server.run("token", "--app", "readmigo", "--customer", "picture")
    asked = urllib.request.Request(
        f"{server.url}/api/v1/subscription/orders",
        json.dumps({"product": "pro.year", "method": "wechat_native"}).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return f"/pay/{json.load(answer)['number']}"


def pages(server):
    """Returns the pages to photograph: the picture's name, and the page's address."""
    customer = f"/dashboard/customers/{busy_customer(server)}"
    waiting = server.sql(
        "SELECT number FROM refund_requests WHERE status = 'pending' ORDER BY number LIMIT 1")[0][0]
    return {
        "overview": "/dashboard",
        "revenue": "/dashboard/revenue?show=gross&by=plan",
        "subscribers": "/dashboard/subscribers",
        "cohorts": "/dashboard/cohorts",
        "gained-and-lost": "/dashboard/access",
        "ledger": "/dashboard/ledger?kind=refunds",
        "service-health": "/dashboard/health",
        "orders": ORDERS,
        "order": f"{ORDERS}/{refunded_order(server)}",
        "customers": "/dashboard/customers",
        "customer": customer,
        "find": "/dashboard/find?q=chen",
        "grant": f"{customer}/grants/new?step=2&plan=PREMIUM&days=7",
        "refunds": "/dashboard/refunds",
        "refund-approval": f"/dashboard/refunds/{waiting}/approval",
        "bulk": "/dashboard/bulk/new",
        "audit": "/dashboard/audit",
        "staff": "/dashboard/staff",
        "api": "/docs",
        "notifications": NOTIFICATIONS,
        "notification": f"{NOTIFICATIONS}/{upgrade(server)}",
    }


def shop_pages(server):
    """Returns those of a demo with all its stores."""
    return {
        "order-wechat": order_at(server, "wechat", "p.state = 'paid' AND p.amount < p.total"),
        "order-alipay": order_at(server, "alipay", "p.state = 'paid' AND p.amount < p.total"),
        "order-google": order_at(server, "google", "r.consumption_requested_at IS NOT NULL"),
        "pay": order_to_pay(server),
        "sync": "/dashboard/sync",
    }


def wait_for_shops(server):
    """Waits until the stores have paid the refunds that they are asked to pay, and each of their bills is compared."""
    last = time.monotonic() + 120
    while int(server.sql("""
            SELECT (SELECT count(*) FROM refund_payouts WHERE state NOT IN ('paid', 'abnormal'))
                + (SELECT count(*) FROM daily_bills WHERE state <> 'compared')""")[0][0]):
        assert time.monotonic() < last, "a refund or a bill waits"
        time.sleep(0.5)


IN_THE_SHOPS = ("order-wechat", "order-alipay", "order-google", "pay", "sync")
IN_THE_DARK = ("orders", "customer", "overview", "revenue", "subscribers", "cohorts", "gained-and-lost")


def main():
    (FOLDER / "dark").mkdir(parents=True, exist_ok=True)
    server = DemoServer(customers=120, anew=True, stores=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium())
            page = browser.new_page(base_url=server.url, viewport=SIZE, color_scheme="light")
            fill_in_sign_in(page, "admin@demo.test")
            page.wait_for_url("**/dashboard")
            wait_for_health(server)
            are_small = []
            wait_for_shops(server)
            shown = pages(server) | shop_pages(server)
            for name, path in shown.items():
                page.goto(path)
                are_small.append(take(page, name))
            page.emulate_media(color_scheme="dark", reduced_motion="reduce")
            for name in IN_THE_DARK:
                page.goto(shown[name])
                are_small.append(take(page, f"dark/{name}"))
            browser.close()
    finally:
        server.stop()
    return 0 if all(are_small) else f"A picture has {LARGEST:,} bytes or more."


if __name__ == "__main__":
    sys.exit(main())
