"""What the statements of the order list are for: which is which, what their parameters stand for, and what their columns are.

Nothing here goes by a statement's whole text, by its place among others or by the number of its columns: those change with the
product, while what a page needs to know stays.
"""
import re
import uuid

from fill import session_staff
from logged import MOMENT

LAST = uuid.UUID(int=(1 << 128) - 1)

# The statements of a page, each told by what it reads.
KINDS = {"session": "FROM staff_sessions", "views": "FROM saved_views", "columns": "FROM list_columns",
         "list": "FROM orders o"}

# The peer's columns, and the product's source of each.
COLUMNS = {
    "session": {
        "id": "s.id", "staff": "t.id", "email": "t.email", "name": "t.name", "role": "t.role", "theme": "t.theme",
        "language": "t.language", "shortcuts": "t.shortcuts", "seen": "s.last_seen_at", "authenticated": "s.authenticated_at",
        "app": "a.id", "slug": "a.slug", "app name": "a.name", "zone": "a.time_zone", "sees all": "t.sees_all_apps",
        "apps": "visible.ids", "slugs": "visible.slugs", "names": "visible.names", "failed": "store_notifications",
        "waiting": "refund_requests",
    },
    "views": {
        "id": "v.id", "list": "v.list", "name": "v.name", "query": "v.query", "columns": "v.columns", "shared": "v.is_shared",
        "owner": "v.staff_id", "owner name": "t.name",
    },
    "columns": {"columns": "columns"},
    "list": {
        "id": "o.id", "number": "o.number", "status": "o.status", "store": "o.store", "environment": "o.environment",
        "product": "o.product_name", "plan": "o.plan_code", "amount": "o.amount", "currency": "o.currency",
        "purchased": "o.purchased_at", "key": "c.key", "name": "c.name", "email": "c.email",
    },
}


class Sorted:
    """The statements of one page by what they are for."""

    def __init__(self, statements):
        """`kinds`: the first of each kind. `others`: what else is asked. `beside`: what is written down meanwhile, such as that
        a session is in use, which is done once in a while and not for the page."""
        self.kinds, self.others, self.beside = {}, [], []
        for one in statements:
            kind = kind_of(one)
            if not one.reads:
                self.beside.append(one)
            elif kind is None:
                self.others.append(one)
            else:
                self.kinds.setdefault(kind, one)


def kind_of(statement):
    """Which of the kinds a statement is; None for what is none of them."""
    if not statement.reads:
        return None
    text = " ".join(statement.text.split())
    return next((kind for kind, asks in KINDS.items() if re.search(rf"\b{re.escape(asks)}\b", text)), None)


def columns_of(kind, statement):
    """What each column of a statement is, "" for those that the peer does not show; and what the peer shows and is not there."""
    items = [re.sub(r" AS \w+$", "", item) for item in statement.columns]
    places = {}
    for name, source in COLUMNS[kind].items():
        # A column alone, before one that something is made of.
        alone = [at for at, item in enumerate(items) if item == source]
        places[name] = alone or [at for at, item in enumerate(items) if re.search(rf"(?<!\w){re.escape(source)}(?!\w)", item)]
    names = [""] * len(items)
    for name, found in places.items():
        if len(found) == 1:
            names[found[0]] = name
    return names, [COLUMNS[kind][name] for name in COLUMNS[kind] if name not in names]


def meanings_of(kind, statement, app):
    """What each parameter stands for by its number; None for what is the same on every page, as far as can be told."""
    times = sorted(value for value in statement.values.values() if MOMENT.match(value or ""))
    tests = {
        "hash": lambda v: v.startswith("\\x"), "status": lambda v: v == "completed", "id": lambda v: v == str(LAST),
        "app": lambda v: v == app, "staff": lambda v: v == session_staff(1), "lists": lambda v: v == "{orders}",
        "kind": lambda v: v == "orders", "person": lambda v: v == "t",
        # Of views whose query names no person.
        "impersonal": lambda v: v.startswith("^("),
        # A session's later moment is now, the earlier one when it would have ended unused.
        "now": lambda v: kind == "session" and v == times[-1], "idle": lambda v: kind == "session" and v == times[0],
        "before": lambda v: kind == "list" and bool(times) and v == times[0],
    }
    return {number: next((name for name, test in tests.items() if value is not None and test(value)), None)
            for number, value in statement.values.items()}
