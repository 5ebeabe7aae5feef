"""The transaction of a renewal as the product ran it, turned into a pgbench script."""
from limits import NotTaken
from logged import UUID, Statement, literal, script, types

KINDS = ["notification", "subscription", "customer", "order"]


def key_of(kind, number):
    """Returns an SQL expression for a key of that kind, with a number of twelve digits in it."""
    kind = KINDS.index(kind) if kind in KINDS else len(KINDS) + kind
    return f"('0190000{kind:x}-0000-7000-8000-' || {number})::uuid"


class Renewal:
    def __init__(self, cluster, original_transaction, logged):
        self.cluster = cluster
        self.statements = self._transaction(logged)
        row = cluster.psql(f"""
            SELECT n.id, n.notification_uuid, s.id, s.customer_id, c.key, o.number, o.transaction_id, o.id
            FROM store_notifications n JOIN subscriptions s ON s.id = n.subscription_id
            JOIN customers c ON c.id = s.customer_id JOIN orders o ON o.subscription_id = s.id
            WHERE n.original_transaction_id = '{original_transaction}'
            ORDER BY n.signed_at DESC, o.purchased_at DESC LIMIT 1""")
        notification, event, subscription, customer, self.customer_key, number, bought, order = row.split("|")
        self.worker = self._worker(notification)
        self.expressions = {
            notification: key_of("notification", ":k"), subscription: key_of("subscription", ":c"),
            customer: key_of("customer", ":c"), order: key_of("order", ":k"), event: "('event ' || :k)",
            self.customer_key: "('customer ' || :c)", number: "('ORD-20250101-' || :k)", bought: "('7' || :k)",
            original_transaction: "('8' || :c)",
        }
        for shared in cluster.psql("SELECT id FROM apps UNION SELECT id FROM products UNION SELECT id FROM plans").split():
            self.expressions[shared] = literal(shared)
        self.expressions[self.worker] = literal(self.worker)

    def _worker(self, notification):
        """Returns the worker of the lease: the key beside the notification's own where the lease is checked."""
        for found in self.statements:
            if "attempted_by = $" in found.text:
                for value in found.values.values():
                    if value and UUID.match(value) and value != notification:
                        return value
        raise NotTaken("the transaction that applies a renewal does not look at its lease")

    def script(self, path, per_subscription, range_of_client):
        """Writes the script. Client n counts `i` up from `base` + n * range; every `per_subscription` renewals are of one
        subscription."""
        return script(path, [
            ("i", ":i + 1"), ("k", f":base + :client_id * {range_of_client} + :i"),
            ("c", f":base + :client_id * {range_of_client} + :i / {per_subscription}"), ("m", "random(0, 1000000)"),
        ], [self._replaced(found) for found in self.statements])

    def _transaction(self, logged):
        for backend in {pid for pid, *_ in logged}:
            found = [Statement(text, detail) for pid, text, detail, _ in logged if pid == backend]
            for start in (number for number, statement in enumerate(found) if statement.text.startswith("BEGIN")):
                end = next((n for n in range(start, len(found)) if found[n].text.startswith("COMMIT")), None)
                if end and any("INSERT INTO ledger_entries" in statement.text for statement in found[start:end]):
                    return found[start:end + 1]
        raise NotTaken("no transaction was seen that applies a renewal: none writes ledger_entries")

    def _replaced(self, statement):
        into = lambda table: statement.text.lstrip().startswith(f"INSERT INTO {table}")
        # The account token looks like the customer's key, but may be the same in all rows.
        token = max((n for n, value in statement.values.items() if value == self.customer_key), default=0) \
            if into("customers") and UUID.match(self.customer_key) else 0

        known = types(self.cluster, statement)

        def expression(number):
            value, kind = statement.values[number], known.get(number)
            if value is None or number == token:
                return literal(value, kind)
            # A parameter of type text is no key, though the value of both may be the same.
            if value in self.expressions and not (kind == "uuid" and "||" in self.expressions[value]
                                                  and not self.expressions[value].endswith("::uuid")):
                return self.expressions[value]
            if UUID.match(value) and kind in (None, "uuid") and value not in self.expressions:
                # This is a key made for this row. Customers and subscriptions have one per original transaction.
                if into("customers") or into("subscriptions"):
                    return key_of("customer" if into("customers") else "subscription", ":c")
                made = len([1 for key in self.expressions if str(key).startswith("made ")])
                self.expressions["made " + value] = self.expressions[value] = key_of(made, ":k")
                return self.expressions[value]
            if into("orders") and literal(value).endswith("::timestamptz"):
                # Purchases have all dates, like the product's.
                return f"({literal(value)} - :m * interval '1 minute')"
            return literal(value, kind)

        return statement.replaced(expression)
