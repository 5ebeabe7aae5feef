"""The purposes of the order list's statements, and the meanings of their parameters and columns.

Nothing here depends on a statement's whole text, on its place among others or on the number of its columns: those change with the
product, while a page's needs stay.
"""
import re
import uuid

from fill import session_staff
from logged import MOMENT

LAST = uuid.UUID(int=(1 << 128) - 1)

# The statements of a page, each recognized by the table that it reads.
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
    """The statements of a page by purpose."""

    def __init__(self, statements):
        """Sorts statements: `kinds` has the first of each kind, `others` the other queries, and `beside` the writes, such as one
        that marks a session as used, which come once in a while and not for the page."""
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
    """Returns the kind of a statement; None if it is of none."""
    if not statement.reads:
        return None
    text = " ".join(statement.text.split())
    return next((kind for kind, asks in KINDS.items() if re.search(rf"\b{re.escape(asks)}\b", text)), None)


def columns_of(kind, statement):
    """Returns the meaning of each column, "" for those that the peer does not show; and the peer's columns that are missing."""
    items = [re.sub(r" AS \w+$", "", item) for item in statement.columns]
    places = {}
    for name, source in COLUMNS[kind].items():
        # A plain column comes before an expression of it.
        alone = [at for at, item in enumerate(items) if item == source]
        places[name] = alone or [at for at, item in enumerate(items) if re.search(rf"(?<!\w){re.escape(source)}(?!\w)", item)]
    names = [""] * len(items)
    for name, found in places.items():
        if len(found) == 1:
            names[found[0]] = name
    return names, [COLUMNS[kind][name] for name in COLUMNS[kind] if name not in names]


def meanings_of(kind, statement, app):
    """Returns the meaning of each parameter by its number; None for one that seems to be the same on every page."""
    times = sorted(value for value in statement.values.values() if MOMENT.match(value or ""))
    tests = {
        "hash": lambda v: v.startswith("\\x"), "status": lambda v: v == "completed", "id": lambda v: v == str(LAST),
        "app": lambda v: v == app, "staff": lambda v: v == session_staff(1), "lists": lambda v: v == "{orders}",
        "kind": lambda v: v == "orders", "person": lambda v: v == "t",
        # The pattern of views whose query names no person.
        "impersonal": lambda v: v.startswith("^("),
        # A session's later time is now; the earlier one is the time at which it would have ended unused.
        "now": lambda v: kind == "session" and v == times[-1], "idle": lambda v: kind == "session" and v == times[0],
        "before": lambda v: kind == "list" and bool(times) and v == times[0],
    }
    return {number: next((name for name, test in tests.items() if value is not None and test(value)), None)
            for number, value in statement.values.items()}
