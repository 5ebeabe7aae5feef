"""Every call of the admin API: what it is about, and what a program sends that means it."""

import dataclasses
import json
import secrets

import edges
import scale
import site_map
import walk
from forms import SOON
from stock import WHY

# Of calls that name something in their path.
ABOUT = {
    "/admin/orders/{id}": "order", "/admin/refunds/{number}": "asked", "/admin/customers/{id}/notes/{note}": "note",
    "/admin/subscriptions/{customer}": "paid", "/admin/customers/{id}": "paid", "/admin/audit/{id}": "audit entry",
    "/admin/purchases/{id}": "verified", "/admin/extensions/{id}": "extension", "/admin/extensions/{id}/failures": "extension",
    "/admin/promo-codes/{id}": "promo batch", "/admin/promo-codes/{id}/redemptions": "promo batch",
    "/admin/queues/{queue}": "queue", "/entitlements/{feature}": "feature",
    "/customers/{externalId}/entitlements": "customer", "/customers/{externalId}": "named",
    "/customers/{externalId}/seats": "named", "/admin/stores/apple/orders/{order}": "Apple order",
}
_CUSTOMER = "/admin/subscriptions/{customer}"
# In this order: what one does another may be about. By path, as the stock has it; `{1}` stands for its second.
BODIES = {
    f"{_CUSTOMER}/grant": ("customer", WHY | {"planType": "PRO", "days": 1}),
    f"{_CUSTOMER}/extend": ("granted", WHY | {"of": "grant:{1}", "days": 1}),
    f"{_CUSTOMER}/change-tier": ("granted", WHY | {"of": "grant:{1}", "planType": "PREMIUM"}),
    f"{_CUSTOMER}/undo": ("undoable", WHY | {"action": "{1}"}),
    f"{_CUSTOMER}/cancel": ("followed", WHY | {"of": "grant:{1}"}),
    f"{_CUSTOMER}/revoke": ("granted", WHY | {"of": "grant:{1}"}),
    f"{_CUSTOMER}/restore": ("revoked", WHY | {"of": "grant:{1}"}),
    f"{_CUSTOMER}/transfer": ("paid", WHY | {"of": "subscription:{1}", "receiver": "{2}"}),
    "/admin/customers/{id}/notes": ("customer", {"text": "What somebody noted."}),
    "/admin/customers/{id}/consent": ("customer", {"given": True}),
    "/admin/customers/{id}/tester": ("customer", {"tester": True}),
    "/admin/customers/{id}/usage/raise-limit": (
        "counted", WHY | {"feature": "fuzz-limit", "window": "month", "amount": 5, "until": f"{SOON}T00:00:00Z"}),
    "/admin/customers/{id}/usage/restore-limit": ("raised", WHY | {"feature": "fuzz-limit", "window": "month"}),
    "/admin/customers/{id}/usage/reset": ("counted", WHY | {"feature": "fuzz-limit", "window": "month"}),
    "/admin/extensions": ("paid", WHY | {"subscriptionId": "{1}", "days": 7, "reasonCode": "OTHER"}),
    "/admin/promo-codes": ("", {"name": "Fair", "channel": "fair", "planType": "PRO", "days": 30, "codes": 3,
                               "usesPerCode": 1, "usesPerCustomer": 1, "startsAt": None, "expiresAt": None}),
    "/admin/promo-codes/{id}/stop": ("promo batch", WHY),
    "/admin/promo-codes/{id}/resume": ("stopped promo batch", WHY),
    "/admin/orders/{id}/refunds": ("order", WHY | {"type": "FULL", "amount": None, "internalNote": "From a program."}),
    "/admin/refunds/{number}/approve": ("asked", WHY | {"confirmation": "{1}", "amount": None, "revokes": None}),
    "/admin/refunds/{number}/reject": ("asked", WHY),
    "/admin/refunds/{number}/cancel": ("asked by me", WHY),
    "/admin/refunds/{number}/send": ("unpaid", WHY),
    "/admin/refunds/{number}/settle": (
        "abnormal", WHY | {"way": "CUSTOMER", "bank": "ICBC_DEBIT", "account": "6222020000", "name": "Wang Fang"}),
    "/admin/refunds/{number}/process": ("approved", WHY | {"paidBy": "ELSEWHERE", "reference": "transfer 4711"}),
    "/admin/customers/{id}/notes/{note}": ("note", {}),
    "/admin/purchases": ("signed", {"customerId": "user 4711", "signedTransactions": ["{0}"]}),
    "/webhooks/apple/test": ("", {"environment": "PRODUCTION"}),
    "/admin/stores/apple/account-tokens": (
        "purchase", WHY | {"appleOriginalTransactionId": "{0}", "appAccountToken": edges.NOBODY, "environment": None}),
    "/admin/bill-differences/{id}/notes": ("bill difference", WHY | {"closes": False}),
    # All of a queue, of which nothing is left then.
    "/admin/queues/{queue}/retries": ("failed queue", WHY | {"id": None}),
}
# The same for what apps call; a token of a customer's is sent along.
APPS = {
    "/api/v1/auth/token/refresh": ("", {"refreshToken": "prt_" + "0" * 64}),
    # Of a provider that the app has no account at.
    "/api/v1/auth/oauth/exchange": ("", {"provider": "wechat", "code": "0" * 32}),
    "/api/v1/user/profile": (
        "", {"displayName": "Ada", "email": "ada@example.com", "avatarURL": "https://example.com/ada.png"}),
    # Before the purchases: who has bought begins no trial.
    "/subscriptions/trial/start": ("", {}),
    "/subscriptions/verify": ("signed for me", {"signedTransactions": ["{0}"]}),
    "/subscriptions/restore": ("signed for me", {"signedTransactions": ["{0}"]}),
    # Of what no limit refuses.
    "/usage": ("", {"items": [{"feature": "fuzz", "quantity": 1, "key": "batch"}]}),
    "/usage/{feature}": ("feature", {"quantity": 1}),
    "/usage/{feature}/reservations": ("feature", {"quantity": 1, "expiresIn": 60}),
    "/usage/{feature}/reservations/{id}": ("reservation", {}),
    "/usage/{feature}/reservations/{id}/settle": ("reservation", {"quantity": 1}),
    "/promo-codes/redeem": ("", {"code": "7K3M-Q9ZD-2XVA"}),
    "/api/v1/subscription/orders": ("", {"product": "pro.monthly", "method": "wechat_native"}),
    "/ios/validate-receipt": ("signed for me", {"signedTransactions": ["{0}"]}),
    "/ios/restore": ("signed for me", {"signedTransactions": ["{0}"]}),
    "/api/v1/subscription/verify": ("signed for me", {"paymentMethod": "apple_iap", "signedTransactions": ["{0}"]}),
    "/api/v1/subscription/sync": ("", {}),
    "/api/v1/subscription/cancel": ("", {}),
    "/api/v1/auth/sessions/{id}": ("session", {}),
    "/api/v1/auth/sessions": ("", {}),
    # Last: the token opens nothing from then on.
    "/api/v1/auth/logout": ("", {}),
    "/api/v1/auth/account": ("", {}),
}
# The same for what apps' own servers call.
SERVERS = {
    "/customers/entitlements": ("", {"customers": ["user-4711", "nobody"]}),
    "/customers/usage": ("", {"items": [{"customer": "server", "feature": "fuzz", "quantity": 1, "key": "batch"}]}),
    "/customers/{externalId}/usage/{feature}": ("named", {"quantity": 1}),
    "/customers/{externalId}/usage/{feature}/reservations": ("named", {"quantity": 1, "expiresIn": 60}),
    "/customers/{externalId}/usage/{feature}/reservations/{id}": ("server's reservation", {}),
    "/customers/{externalId}/usage/{feature}/reservations/{id}/settle": ("server's reservation", {"quantity": 1}),
    "/customers/{externalId}/seats": ("named", {"member": "user-4712"}),
    # Of a group, which no customer of the stock bought.
    "/customers/{externalId}/seats/{id}": ("seat", {}),
    "/customers/{externalId}/tokens": ("customer", {"isAnonymous": False}),
}
# What has to be sent otherwise for a member to be looked at.
BESIDE = {"until": {"days": ""}, "withoutEnd": {"days": ""}, "amount": {"type": '"PARTIAL"'}}
_TEXT = json.dumps(WHY | {"days": 1, "planType": "PRO"})
NO_BODIES = [
    b"", b"null", b"[]", b"1", b"NaN", b"0x7f", b"[[1]]", b'"a"', b"{", b"\xff\xfe", b"\x00", b"{}" * 2,
    b'{"days":NaN}', b'{"days":0x7f}', b'{"days":01}', b'{"days":1,}', b"[" * 50_000, b'{"a":' * 10_000,
    *(_TEXT.encode(code) for code in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be")),
    b'{"days":1,"days":9223372036854775808}', b'{"' + b"a" * 60_000 + b'":1}',
]


@dataclasses.dataclass
class Call:
    """A call about a row of the stock, with all that may be sent."""

    route: site_map.Route
    row: list
    members: dict
    """Each as the text of its JSON value."""

    @property
    def path(self):
        path = self.route.path
        for name, value in zip([part for part in self.route.parts if part.startswith("{")], self.row):
            path = path.replace(name, value)
        return path

    def body(self, name="", edge=""):
        """With a member as it stands in JSON; without it when the edge is empty."""
        beside = {other: value for other, value in BESIDE.get(name, {}).items() if other in self.members}
        members = self.members | beside | ({name: edge} if name else {})
        return ("{" + ",".join(f"{json.dumps(each)}:{value}" for each, value in members.items() if value) + "}").encode()


class Calls:
    """Asks them with a token of somebody's."""

    def __init__(self, person, stock, description, program=None, bodies=BODIES):
        self.person, self.stock, self.description, self.bodies = person, stock, description, bodies
        self.program = program or person.program()

    def ask(self, route, every=1):
        """As it is meant, and with each parameter bent, the page markers too."""
        name = next((name for path, name in ABOUT.items() if route.path.startswith(path)), "")
        path = Call(route, self.stock.rows(name, self.person)[0], {}).path
        targets = [path, *scale.some(str(route), edges.paths(route.path, path), every)]
        names = self._parameters(route)
        for name in [*names, "app"]:
            targets += walk.bent(path, [], name, "", every)
        for target in targets:
            self.program.send("GET", target)
        if "after" in names:
            walk.with_markers(lambda target: self.program.send("GET", target), path, [], ["after"])

    def _parameters(self, route):
        shared = self.description["components"]["parameters"]
        listed = [shared[each["$ref"].split("/")[-1]] if "$ref" in each else each
                  for each in self._operation(route).get("parameters", [])]
        return [each["name"] for each in listed if each["in"] == "query"]

    def bend(self, route, every=1):
        """Sends each member with every edge of its type (or every third, …), and last the call as it is meant."""
        about, meant = self.bodies[route.path]
        rows = self.stock.rows(about, self.person)
        if not rows:
            self.program.refusals[str(route)] = f"there is nothing to be about: {about}"
            return
        body = self._operation(route).get("requestBody", {}).get("content", {}).get("application/json", {})
        schemas = body.get("schema", {}).get("properties", {})
        call, spare = Call(route, rows[0], self._texts(schemas, meant, rows[0])), rows[1:-1]
        for name in sorted(schemas, key=lambda name: name in WHY):
            kind = schemas[name].get("type") or "string"
            share = every * 4 if name in WHY.keys() & self.program.bent else every
            values = ["", *edges.json_values(name, kind if isinstance(kind, str) else kind[0])]
            for edge in scale.some(f"{route} {name}", values, share):
                if self._send(call, call.path, call.body(name, edge)).is_good and spare:
                    row = spare.pop(0)
                    call = Call(route, row, self._texts(schemas, meant, row))
            self.program.bent.add(name)
        for sent in scale.some(str(route), NO_BODIES, every):
            self._send(call, call.path, sent)
        for path in scale.some(str(route), edges.paths(route.path, call.path), every):
            self._send(call, path, call.body())
        call = Call(route, rows[-1], self._texts(schemas, meant, rows[-1]))
        answer = self._send(call, call.path, call.body())
        if not answer.is_good:
            self.program.refusals[str(route)] = f"{answer.status} to {call.path} {call.body()}: {answer.text[-300:]}"

    def _send(self, call, path, body):
        if call.route.path == "/webhooks/apple/test":
            self.person.forget_tests()
        return self.program.send(call.route.method, path, body, {"Idempotency-Key": secrets.token_hex(8)})

    def _operation(self, route):
        return self.description["paths"][route.path][route.method.lower()]

    @staticmethod
    def _texts(schemas, meant, row):
        texts = {name: "" for name in schemas}
        for name, value in meant.items():
            if value is not None:
                value = [each.format(*row) if isinstance(each, str) else each for each in value] \
                    if isinstance(value, list) else value
                texts[name] = json.dumps(value.format(*row) if isinstance(value, str) else value)
        return texts
