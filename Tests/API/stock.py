"""The objects that the forms are about: several of each, for a form that does its work uses one up."""

import hashlib
import json
import secrets

import accounts
import sample_data
import statements
from people import Person

WHY = {"category": "goodwill", "reason": "Given so that something is there."}
MANY = 8


class Stock:
    """The stock, made by two colleagues, so that nothing in it belongs to the callers."""

    def __init__(self, server):
        self.server, self.links = server, []
        boss, helper = Person(server, "admin"), Person(server, "support")
        self._make_staff(boss)
        self._ask_for_refunds(boss, helper)
        for (signed,) in self.rows("signed", boss, 2):
            self._call(boss.program(), "/admin/purchases", {"customerId": "user 1", "signedTransactions": [signed]})

    def provide(self, person):
        """Gives a new person grants to make and to take back."""
        customers = [customer for customer, _ in sample_data.new_customers(self.server, 2 * MANY)]
        program, made = person.program(), ""
        if "giveAccess" in person.permissions:
            for customer in customers[:MANY]:
                self._call(program, f"/admin/subscriptions/{customer}/grant", WHY | {"planType": "PRO", "days": 1})
            made = statements.FOLLOWING.format(customers=", ".join(f"'{customer}'" for customer in customers[:MANY // 2]))
        if "writeNotes" in person.permissions:
            self._call(program, f"/admin/customers/{customers[0]}/notes", {"text": "What somebody noted."})
        if "requestRefunds" in person.permissions:
            self._call(program, f"/admin/orders/{self.rows('order', person)[0][0]}/refunds", WHY | {"type": "FULL"})
        token, invited = secrets.token_hex(32), accounts.add(self.server, "support")
        self.links.append((token,))
        self.server.sql(
            made + statements.COUNTED.format(customers=", ".join(f"'{customer}'" for customer in customers))
            + statements.APP_KEYS + statements.SIGNED_IN + statements.PROMO_BATCHES.format(many=4 * MANY) + statements.VIEW.format(email=person.email)
            + statements.SEATS.format(many=2 * MANY)
            + statements.KEYS.format(name="own", many=MANY, email=person.email)
            + statements.SESSIONS.format(many=2, email=person.email)
            + statements.LINK.format(hash=hashlib.sha256(bytes.fromhex(token)).hexdigest(), email=invited))

    def reserve(self, customer):
        """Gives a customer reservations to settle and to release, and sessions to end."""
        self.server.sql(statements.CUSTOMER_SESSIONS.format(customer=customer, many=2 * MANY))
        self.server.sql(statements.RESERVATIONS.format(customer=customer, many=2 * MANY))

    def sell(self, customer):
        """Gives a customer purchases to prove."""
        self.server.sql(statements.PURCHASES.format(customer=customer, many=MANY))

    def rows(self, name, person, limit=MANY // 2):
        """Returns the present objects of that name, each as the values in its address."""
        if name == "link":
            return self.links
        if name == "":
            return [()]
        query = statements.QUERIES[name].format(me=person.id, other=self._receiver)
        return self.server.sql(f"SELECT * FROM ({query}) found LIMIT {limit}")

    def _make_staff(self, boss):
        people = [accounts.add(self.server, "support") for _ in range(2 * MANY)]
        ids = [f"'{row[0]}'" for row in self.server.sql(
            f"SELECT id FROM staff WHERE email IN ({', '.join(repr(each) for each in people)})")]
        self.server.sql(
            statements.COLLEAGUES.format(open=", ".join(ids[MANY:]), closed=", ".join(ids[:MANY]))
            + statements.KEYS.format(name="somebody''s", many=MANY, email=boss.email)
            + statements.JOB.format(many=MANY, email=boss.email) + statements.NOTIFICATIONS.format(many=MANY)
            + statements.DEAD_LETTERS.format(many=MANY) + statements.FEATURE.format())
        self._receiver = sample_data.new_customers(self.server, 1)[0][0]

    def _ask_for_refunds(self, boss, helper):
        asking, deciding = helper.program(), boss.program()
        approved = []
        for place, (order,) in enumerate(self.rows("order", helper, 5 * MANY)):
            made = self._call(asking, f"/admin/orders/{order}/refunds", WHY | {"type": "FULL"})
            if place < 3 * MANY:
                self._call(deciding, f"/admin/refunds/{made['number']}/approve", WHY | {"confirmation": order[-6:]})
                approved.append(made["number"])
        self.server.sql(statements.PAYOUTS.format(numbers=", ".join(f"'{number}'" for number in approved[MANY:])))

    @staticmethod
    def _call(program, path, body):
        answer = program.send("POST", path, json.dumps(body).encode(), {"Idempotency-Key": secrets.token_hex(8)})
        assert answer.is_good, f"{path}: {answer.status} {answer.text}"
        return json.loads(answer.text)
