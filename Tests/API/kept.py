"""Checks the records of notifications that nobody means to send."""

import time

import site_map
import walk
from asking import judge

# Pages of the records, by their least and greatest values.
KEPT = [
    ("/dashboard/orders/{}", "number FROM orders ORDER BY amount"),
    ("/dashboard/orders/{}", "number FROM orders ORDER BY purchased_at"),
    ("/dashboard/orders/{}", "number FROM orders ORDER BY transaction_id"),
    ("/dashboard/subscriptions/{}", "id FROM subscriptions ORDER BY period_ends_at"),
    ("/dashboard/subscriptions/{}", "id FROM subscriptions ORDER BY renewal_price"),
    ("/dashboard/customers/{}", "customer_id FROM subscriptions ORDER BY period_starts_at"),
    ("/dashboard/customers/{}", "id FROM customers ORDER BY created_at"),
    ("/dashboard/notifications/{}", "id FROM store_notifications ORDER BY signed_at"),
    ("/dashboard/notifications/{}", "id FROM store_notifications ORDER BY last_error"),
    ("/dashboard/notifications/{}", "id FROM store_notifications ORDER BY length(signed_payload)"),
]


def look_at_what_was_kept(office):
    """Checks that pages show the earliest, latest, least and greatest records, and all metrics with them."""
    _wait_until_applied(office.server)
    seen = office.walk("admin")
    person = seen.person
    person.reached.clear()
    for route in seen.routes:
        for path, pairs in seen.examples(route):
            person.send("GET", walk.address(path, walk.quoted(pairs)))
    for path, query in KEPT:
        for way in ("", " DESC"):
            for row in office.server.sql(f"SELECT {query}{way} LIMIT 8"):
                person.send("GET", path.format(*row))
    program = person.program()
    for route in site_map.routes():
        if route.access == "token" and route.method == "GET" and "{" not in route.path:
            program.send("GET", route.path)
    judge(person, seen.routes)
    judge(program)


def _wait_until_applied(server):
    waiting = "SELECT count(*) FROM store_notifications WHERE state IN ('received', 'processing') AND attempt = 0"
    end = time.monotonic() + 300
    while server.sql(waiting) != [["0"]]:
        assert time.monotonic() < end, f"{server.sql(waiting)} notifications are not applied"
        time.sleep(0.2)
    failed = server.sql("SELECT id, last_error FROM store_notifications WHERE last_error LIKE 'Internal error%' LIMIT 3")
    assert not failed, failed
