"""Every form of the dashboard: its page, its object, and the text that a real user types into it."""

import dataclasses
import datetime
import uuid

SOON = datetime.date.today() + datetime.timedelta(days=3)


@dataclasses.dataclass(frozen=True)
class Place:
    """The page of a form; `{0}` and `{1}` stand for the values of a row of the stock."""

    page: str
    stock: str = ""
    typed: dict = dataclasses.field(default_factory=dict)
    """The typed values by field; a function takes the person and the row."""
    before: str = ""
    """The person's method to call before the page is read."""


def _action(name, stock, query=""):
    return [Place("/dashboard/customers/{0}/" + name + "/new?step=2" + query, stock)]


def _one(path, stock, **typed):
    return [Place(path, stock, typed)]


def _new_password(*_):
    return uuid.uuid4().hex


def _name(*_):
    return f"Name {uuid.uuid4()}"


def _secret(*_):
    return uuid.uuid4().hex


_PASSWORD = {"password": lambda person, _: person.password}
_CODE = {"code": lambda person, _: person.code()}
_CUSTOMERS = "/dashboard/customers/{id}"
_STAFF = "/dashboard/staff/{id}"
_BULK = "/dashboard/bulk/{id}"
_STORE = "/dashboard/stores/{store}"
_REFUND = "/dashboard/refunds/{number}"
_ACCOUNT = "/dashboard/account"

# In this order: a form may be about the effect of an earlier one, and those that end the session come last.
FORMS = {
    "/dashboard/preferences": _one("/dashboard/preferences", ""),
    "/dashboard/app": _one("/dashboard/preferences", "", app="readmigo"),
    "/dashboard/columns": _one("/dashboard/orders?columns=amount", ""),
    "/dashboard/audit/exports": _one("/dashboard/audit?from=2025-01-01", ""),
    "/dashboard/views": _one("/dashboard/views/new?list=orders&status=refunded", "", name=_name),
    "/dashboard/views/{id}": _one("/dashboard/views/{0}", "view"),
    "/dashboard/views/{id}/delete": _one("/dashboard/views/{0}/delete", "view"),
    f"{_CUSTOMERS}/notes": _one("/dashboard/customers/{0}", "customer"),
    f"{_CUSTOMERS}/notes/{{note}}/withdraw": _one("/dashboard/customers/{0}/notes/{1}/withdraw", "note"),
    "/dashboard/subscriptions/{id}/extension": _one("/dashboard/subscriptions/{1}/extension", "paid", days="7", reasonCode="OTHER"),
    "/dashboard/extensions": _one(
        "/dashboard/extensions/new", "product", product=lambda _, row: row[0], days="7", reasonCode="OTHER"),
    "/dashboard/promo-codes/{id}/stop": _one("/dashboard/promo-codes/{0}/stop", "promo batch"),
    "/dashboard/promo-codes/{id}/resume": _one("/dashboard/promo-codes/{0}/resume", "stopped promo batch"),
    "/dashboard/promo-codes": _one(
        "/dashboard/promo-codes/new?name=Fair&channel=fair&plan=PRO&days=30&codes=3&usesPerCode=1&usesPerCustomer=1", ""),
    f"{_CUSTOMERS}/consent": _one("/dashboard/customers/{0}/consent", "customer", consent="given"),
    "/dashboard/seats/{id}/end": _one("/dashboard/seats/{0}/end", "held seat"),
    f"{_CUSTOMERS}/tester": _one("/dashboard/customers/{0}/tester", "customer"),
    f"{_CUSTOMERS}/limit-raises": _one(
        "/dashboard/customers/{0}/limit-raises/new", "counted", of="fuzz-limit:month", increase="5", until=str(SOON)),
    f"{_CUSTOMERS}/limit-restorations": _one(
        "/dashboard/customers/{0}/limit-restorations/new", "raised", of="fuzz-limit:month"),
    f"{_CUSTOMERS}/usage-resets": _one("/dashboard/customers/{0}/usage-resets/new", "counted", of="fuzz-limit:month"),
    f"{_CUSTOMERS}/sessions": _one("/dashboard/customers/{0}/sessions", "signed in", session="all"),
    f"{_CUSTOMERS}/grants": _action("grants", "customer", "&plan=PRO&days=1")
    + _action("grants", "customer", f"&plan=PRO&term=until&until={SOON}"),
    f"{_CUSTOMERS}/extensions": _action("extensions", "granted", "&of=grant:{1}&days=1"),
    f"{_CUSTOMERS}/plan-changes": _action("plan-changes", "granted", "&of=grant:{1}&plan=PREMIUM"),
    f"{_CUSTOMERS}/undoings": _one("/dashboard/customers/{0}/undoings/new?of={1}", "undoable"),
    f"{_CUSTOMERS}/cancellations": _action("cancellations", "followed", "&of=grant:{1}"),
    f"{_CUSTOMERS}/revocations": _action("revocations", "granted", "&of=grant:{1}"),
    f"{_CUSTOMERS}/restorations": _action("restorations", "revoked", "&of=grant:{1}"),
    f"{_CUSTOMERS}/transfers": _action("transfers", "paid", "&of=subscription:{1}&receiver={2}"),
    "/dashboard/orders/{number}/refund": _one("/dashboard/orders/{0}/refund", "order", kind="partial", amount="0.01")
    + _one("/dashboard/orders/{0}/refund", "order"),
    f"{_REFUND}/approval": _one("/dashboard/refunds/{0}/approval", "asked", confirmation=lambda _, row: row[1]),
    f"{_REFUND}/rejection": _one("/dashboard/refunds/{0}/rejection", "asked"),
    f"{_REFUND}/payment": _one("/dashboard/refunds/{0}/payment", "approved"),
    f"{_REFUND}/sending": _one("/dashboard/refunds/{0}/sending", "unpaid"),
    f"{_REFUND}/settlement": _one(
        "/dashboard/refunds/{0}/settlement", "abnormal", bank="ICBC_DEBIT", account="6222020000", name="Wang Fang"),
    f"{_REFUND}/cancellation": _one("/dashboard/refunds/{0}/cancellation", "asked by me"),
    "/dashboard/notifications/{id}/replays": _one("/dashboard/notifications/{0}/replays/new", "notification"),
    "/dashboard/queues/{queue}/retries": _one("/dashboard/queues/{0}/retries/new?id={1}", "dead letter"),
    "/dashboard/sync": _one("/dashboard/sync", ""),
    "/dashboard/bill-differences/{id}/notes": _one("/dashboard/bill-differences/{0}/notes/new", "bill difference"),
    "/dashboard/checkouts/{id}/closing": _one("/dashboard/checkouts/{0}/closing/new", "waiting payment"),
    f"{_STORE}/tests": [Place("/dashboard/stores", before="forget_tests")],
    f"{_STORE}/keys/{{kind}}": _one("/dashboard/stores/apple/keys/shared_secret", "", sharedSecret="0a1b2c3d"),
    f"{_STORE}/keys/{{kind}}/removal": [
        Place("/dashboard/stores/apple/keys/shared_secret/removal", before="upload_key")],
    "/dashboard/token-issuer/secrets": [
        Place("/dashboard/token-issuer/secrets", "", {"sharedSecret": _secret}, "add_login")],
    "/dashboard/token-issuer/secrets/{id}/removal": [
        Place("/dashboard/token-issuer/secrets/01920000-0000-7000-8000-0000000000f2/removal", before="upload_issuer_secret")],
    "/dashboard/app-keys/{id}/revocation": _one("/dashboard/app-keys/{0}/revocation", "app key"),
    "/dashboard/app-keys": [
        Place("/dashboard/app-keys/new", "", {"name": _name, "scope": "usage:write"}, "revoke_app_keys")],
    "/dashboard/subscriptions/{id}/account-token": _one(
        "/dashboard/subscriptions/{1}/account-token", "paid", appAccountToken=lambda *_: str(uuid.uuid4())),
    "/dashboard/external-purchases/{id}/reports": _one("/dashboard/external-purchases/{0}/reports/new", "external purchase"),
    "/dashboard/bulk": _one("/dashboard/bulk/new", "", lines="nobody-of-this-name\n", file="", view=""),
    f"{_BULK}/starts": _one("/dashboard/bulk/{0}/starts/new", "ready"),
    f"{_BULK}/cancellations": _one("/dashboard/bulk/{0}/cancellations/new", "ready"),
    f"{_BULK}/approvals": _one("/dashboard/bulk/{0}/approvals/new", "waiting"),
    f"{_BULK}/undoings": _one("/dashboard/bulk/{0}/undoings/new", "done"),
    "/dashboard/staff/invitation": _one(
        "/dashboard/staff/invitation", "", email=lambda *_: f"{uuid.uuid4().hex}@example.test", role="support"),
    f"{_STAFF}/role": _one("/dashboard/staff/{0}/role", "colleague", role="analyst"),
    f"{_STAFF}/apps": _one("/dashboard/staff/{0}/apps", "colleague", app="readmigo"),
    f"{_STAFF}/link": _one("/dashboard/staff/{0}/link", "colleague"),
    f"{_STAFF}/ended-sessions": _one("/dashboard/staff/{0}/ended-sessions", "colleague"),
    f"{_STAFF}/two-factor-removal": _one("/dashboard/staff/{0}/two-factor-removal", "colleague with two factors"),
    f"{_STAFF}/closure": _one("/dashboard/staff/{0}/closure", "colleague"),
    f"{_STAFF}/reopening": _one("/dashboard/staff/{0}/reopening", "former colleague"),
    "/dashboard/staff/keys/{id}": _one("/dashboard/staff/keys/{0}", "anybody's key"),
    f"{_ACCOUNT}/keys/{{id}}": _one("/dashboard/account/keys/{0}", "key"),
    f"{_ACCOUNT}/ended-sessions": _one(_ACCOUNT, ""),
    f"{_ACCOUNT}/two-factor": _one(f"{_ACCOUNT}/two-factor", ""),
    f"{_ACCOUNT}/two-factor/code": _one(f"{_ACCOUNT}/two-factor", "", **_CODE),
    f"{_ACCOUNT}/recovery-codes": _one(f"{_ACCOUNT}/two-factor", ""),
    f"{_ACCOUNT}/two-factor/removal": _one(f"{_ACCOUNT}/two-factor/removal", "", **_PASSWORD, **_CODE),
    "/dashboard/identity": _one("/dashboard/identity?next=%2Fdashboard%2Forders", "", **_PASSWORD),
    f"{_ACCOUNT}/password": _one(_ACCOUNT, "", old=_PASSWORD["password"], password=_new_password),
    "/dashboard/sign-out": _one("/dashboard/preferences", ""),
}
# Forms of a person who is not signed in.
PUBLIC = {
    "/dashboard/sign-in": [Place(
        "/dashboard/sign-in?next=%2Fdashboard", "", {"email": lambda person, _: person.email, **_PASSWORD}, "forget")],
    "/dashboard/sign-in/code": [Place("/dashboard/sign-in/code?next=%2Fdashboard", "", _CODE, "give_password")],
    "/dashboard/welcome/{token}": [Place("/dashboard/welcome/{0}", "link", {"password": _new_password}, "forget")],
}
