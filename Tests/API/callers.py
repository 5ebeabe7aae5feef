"""The callers of the API: each role of staff, a customer, the app's own server, and somebody without a token."""

import functools
import secrets

import accounts
from site_map import ROLES

APP, CUSTOMER = "readmigo", "contract"
SCOPES = ("entitlements:read", "usage:write", "customers:read", "tokens:mint", "seats:write")
CALLERS = [*ROLES, "customer", "app", "anonymous"]
# The callers of each security scheme of the description; an operation without one is for everybody.
_TAKE = {"staffToken": set(ROLES), "customerToken": {"customer"}, "appKey": {"app"}}


class Callers:
    """The callers' headers and tokens; each token is made on first use."""

    def __init__(self, server):
        self._server = server

    def headers(self, caller, path):
        if caller == "anonymous":
            return {"User-Agent": caller, "X-App": APP}
        if caller == "customer":
            # Calls that sign out or delete the account have a customer of their own, so that the other one stays known.
            token = self._customer(path if path.startswith("/api/v1/auth/") else "")
        else:
            token = self._token(caller)
        # The name of the program tells a failure's caller.
        return {"User-Agent": caller, "Authorization": f"Bearer {token}"} | ({"X-App": APP} if caller in ROLES else {})

    @functools.cache
    def _customer(self, path):
        name = secrets.token_hex(4) if path else CUSTOMER
        return self._server.run("token", "--app", APP, "--customer", name).split()[-1]

    @functools.cache
    def _token(self, caller):
        if caller == "app":
            scopes = [word for scope in SCOPES for word in ("--scope", scope)]
            return self._server.run("app-key", "issue", APP, "--name", "contract", *scopes).split()[-1]
        email = accounts.add(self._server, caller)
        return self._server.run("staff", "token", email, "--name", secrets.token_hex(4)).split()[-1]


def meant(operation):
    """Returns the callers that an operation's description allows."""
    return meant_by(operation.definition.raw, operation.schema.raw_schema)


def meant_by(operation, document):
    """Returns the callers that an operation of the document allows."""
    security = operation.get("security", document["security"])
    names = {name for each in security for name in each}
    return set().union(*(_TAKE[name] for name in names)) | ({"anonymous"} if not names or {} in security else set())
