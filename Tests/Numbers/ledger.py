"""Writes a random history into a database in the order of recording: day by day, in transactions."""

import collections
import itertools
import uuid
import zoneinfo

from history import APPS, PRODUCTS, UTC, Change


def key(*names):
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join(str(name) for name in names))


def quoted(value):
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def row(*values):
    return "(" + ", ".join(quoted(value) for value in values) + ")"


def catalogue(apps=APPS):
    """Returns the SQL of apps with plans and products."""
    yield "INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at) VALUES " + ", ".join(
        row(key(app), app, app, zone, currency, "2024-01-01Z", "2024-01-01Z") for app, (zone, currency) in apps.items())
    for app in apps:
        yield "INSERT INTO plans (id, app_id, code, name, rank) VALUES " + ", ".join(
            row(key(app, plan), key(app), plan, plan, rank) for rank, plan in enumerate(["FREE", "PRO", "PREMIUM"]))
        yield ("INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, period_count, period_unit, "
               "created_at, updated_at) VALUES ") + ", ".join(
            row(key(app, name), key(app), key(app, plan), store, name, name, *(period or (None, None)),
                "2024-01-01Z", "2024-01-01Z")
            for plan, store, name, period, _ in PRODUCTS)


def statements(history, apps=APPS):
    """Returns the SQL of the history: one transaction for each business day on which an app's ledger grew."""
    numbers, known, subscriptions, people = itertools.count(1), {}, set(), set()

    for app, named in history.free.items():
        yield "INSERT INTO customers (id, app_id, key, external_id, identified_at, created_at, recorded_at) VALUES " + ", ".join(
            row(key("customer", name), key(app), name, name, moment, moment, moment) for name, moment in named.items())

    def batch_of(entry):
        zone = zoneinfo.ZoneInfo(apps[entry.order.app][0])
        return entry.recorded.astimezone(zone).date(), entry.order.app

    changes = [change for order in history.orders for change in order.changes]
    entries = sorted(history.entries + changes, key=lambda entry: (batch_of(entry), entry.recorded))
    for (_, app), batch in itertools.groupby(entries, batch_of):
        both = list(batch)
        batch = [entry for entry in both if not isinstance(entry, Change)]
        yield "BEGIN"
        orders, customers, bought, changed = [], [], [], {}
        for entry in batch:
            order = entry.order
            if order.subscription not in subscriptions:
                subscriptions.add(order.subscription)
                bought.append(entry)
                if order.customer not in people:
                    people.add(order.customer)
                    customers.append(entry)
            if order.id not in known:
                known[order.id] = collections.Counter()
                orders.append((order, entry.recorded, next(numbers)))
            elif entry.amount:
                known[order.id]["credited" if entry.kind.startswith("upgrade_credit") else "refunded"] -= entry.amount
                changed[order.id] = entry
        if customers:
            yield "INSERT INTO customers (id, app_id, key, created_at, recorded_at) VALUES " + ", ".join(
                row(key("customer", e.order.customer), key(app), e.order.customer,
                    history.firsts[e.order.customer].replace(microsecond=0), e.recorded) for e in customers)
        if bought:
            yield ("INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, "
                   "state, created_at, updated_at) VALUES ") + ", ".join(
                row(key("subscription", e.order.subscription), key(app), key("customer", e.order.customer),
                    e.order.product[1], e.order.environment, f"o{e.order.subscription}", "pending", e.recorded,
                    e.recorded) for e in bought)
        if orders:
            yield ("INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store, "
                   "environment, transaction_id, original_transaction_id, product_name, plan_code, amount, currency, "
                   "storefront, purchased_at, period_starts_at, paid_days, created_at, updated_at) VALUES ") + ", ".join(
                row(o.id, key(app), key("customer", o.customer), key("subscription", o.subscription),
                    key(app, o.product[2]), f"ORD-20240101-{number:07}", o.kind, "completed",
                    o.product[1], o.environment, f"t{o.id}", f"o{o.subscription}", o.product[2], o.product[0], o.amount,
                    o.currency, o.country or None, o.purchased.replace(microsecond=0),
                    o.purchased.replace(microsecond=0), o.paid_days, recorded, recorded)
                for o, recorded, number in orders)
        if batch:
            yield ("INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment, "
                   "store_transaction_id, reference, payer, occurred_at, recorded_at) VALUES ") + ", ".join(
                row(e.id, key(app), e.order.id, e.kind, "success", e.amount, e.order.currency, e.order.product[1],
                    e.order.environment, f"t{e.order.id}", e.reference, e.payer, e.occurred, e.recorded) for e in batch)
        for order, entry in changed.items():
            refunded, credited = known[order]["refunded"], known[order]["credited"]
            status = ("refunded" if refunded >= entry.order.amount else "superseded" if credited
                      else "partially_refunded" if refunded else "completed")
            yield (f"UPDATE orders SET refunded = {refunded}, credited = {credited}, status = '{status}', refunded_at = "
                   f"{quoted(entry.occurred if refunded else None)}, superseded_at = "
                   f"{quoted(entry.order.superseded if credited else None)} WHERE id = '{order}'")
        for change in both:
            if isinstance(change, Change):
                # Entries that are recorded on its day were recorded before it.
                last = max([change.recorded] + [entry.recorded for entry in batch if entry.order is change.order])
                yield (f"UPDATE orders SET paid_days = {change.paid_days}, updated_at = {quoted(last)} "
                       f"WHERE id = '{change.order.id}'")
        yield "COMMIT"
