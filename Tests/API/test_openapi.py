"""The admin API does what its description says."""

import functools
import json
import os
import urllib.request

import hypothesis
import openapi_spec_validator
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

import scale

pytestmark = pytest.mark.long

# Questions made up for each operation, beside those at the edges of what its description says; other ones each time.
EXAMPLES = int(os.environ.get("PERENNIAL_EXAMPLES", scale.of(25, 5)))


@pytest.fixture(scope="session")
def document(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json", timeout=10) as answer:
        return json.load(answer)


def test_the_description_is_openapi(document):
    openapi_spec_validator.validate(document)


def ask(server, token, path):
    request = urllib.request.Request(
        server.url + path, headers={"Authorization": f"Bearer {token}", "X-App": "readmigo"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


@pytest.fixture(scope="session")
def real(server, token):
    """Something that there is, for each path of an object."""
    customer = ask(server, token, "/admin/subscriptions?status=ACTIVE")["subscriptions"][0]["userId"]
    order = ask(server, token, "/admin/orders")["orders"][0]["orderNumber"]
    return {
        "/admin/orders/{id}": order,
        "/admin/customers/{id}": customer,
        "/admin/subscriptions/{customer}": customer,
        "/admin/audit/{id}": ask(server, token, "/admin/audit")["entries"][0]["id"],
    }


@pytest.fixture(scope="session")
def customer(server):
    """The headers of an app, with a token for each path: who signs out of one is still known at the others."""

    @functools.cache
    def headers(path):
        token = server.run("token", "--app", "readmigo", "--customer", "contract").split()[-1]
        return {"Authorization": f"Bearer {token}"}

    return headers


@pytest.fixture(scope="session")
def key(server):
    """Of the app's own server."""
    scopes = [word for scope in ("entitlements:read", "usage:write", "customers:read", "tokens:mint") for word in ("--scope", scope)]
    return server.run("app-key", "issue", "readmigo", "--name", "contract", *scopes).split()[-1]


def headers_for(case, token, customer, key):
    """With the token that the operation takes."""
    names = {name for each in case.operation.definition.raw.get("security", []) for name in each}
    if "customerToken" in names:
        return customer(case.path)
    if "appKey" in names:
        return {"Authorization": f"Bearer {key}"}
    return {"Authorization": f"Bearer {token}", "X-App": "readmigo"}


schema = schemathesis.pytest.from_fixture("described")


@pytest.fixture(scope="session")
def described(document, server, real):
    """The description, with what there is as examples: what is made up alone would seldom get past 404."""
    paths = {}
    for path, item in document["paths"].items():
        there = next((there for start, there in real.items() if path.startswith(start)), None)
        paths[path] = {method: with_example(operation, there) for method, operation in item.items()}
    return schemathesis.openapi.from_dict(document | {"paths": paths, "servers": [{"url": server.url}]})


def with_example(operation, there):
    parameters = [
        parameter | {"example": there} if there and parameter.get("in") == "path" else parameter
        for parameter in operation["parameters"]
    ]
    return operation | {"parameters": parameters}


@schema.parametrize()
@hypothesis.settings(max_examples=EXAMPLES, deadline=None)
def test_every_answer_is_as_described(case, server, token, customer, key):
    # A cursor, a number or an app that was made up is refused, though it has the right type.
    excluded = [positive_data_acceptance]
    # An empty list is not sent at all, so a mistake that was to be in it is none.
    if any(value in ([], {}) for value in (case.query or {}).values()):
        excluded.append(negative_data_rejection)
    headers = headers_for(case, token, customer, key)
    answer = case.call(base_url=server.url, headers=headers)
    # What is larger than an address takes is not looked at.
    if answer.status_code == 413:
        excluded.append(negative_data_rejection)
    case.validate_response(answer, excluded_checks=excluded, headers=headers, transport_kwargs={"base_url": server.url, "headers": headers})
