"""The APIs do what their description says, whoever calls."""

import functools
import json
import operator
import os
import urllib.error
import urllib.request

import hypothesis
import openapi_spec_validator
import pytest
import requests
import schemathesis
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

import scale
from callers import CALLERS, CUSTOMER, Callers, meant, meant_by
from calls import BODIES
from stock import WHY

pytestmark = pytest.mark.long

# Questions made up for each operation, beside those at the edges of what its description says; other ones each time.
EXAMPLES = int(os.environ.get("PERENNIAL_EXAMPLES", scale.of(25, 5)))
# The same for all other callers.
OTHERS = int(os.environ.get("PERENNIAL_EXAMPLES", scale.of(10, 2)))
# A body, an address or headers that are too large.
TOO_LARGE = (413, 414, 431)


@pytest.fixture(scope="session")
def document(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json", timeout=10) as answer:
        return json.load(answer)


def test_the_description_is_openapi(document):
    openapi_spec_validator.validate(document)
    # Which that validator does not follow.
    for reference in set(references(document)):
        functools.reduce(operator.getitem, reference.removeprefix("#/").split("/"), document)


def references(value):
    """Of what is described elsewhere in the document, each place where it is needed."""
    if isinstance(value, dict):
        yield from [value["$ref"]] if "$ref" in value else []
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from references(each)


@pytest.mark.parametrize(
    "much",
    [
        {"params": {"much": "x" * 9_000}},
        {"headers": {"Much": "x" * 40_000}},
        {"headers": {f"Much-{n}": "x" for n in range(101)}},
        {"headers": {"Much": "x" * 300_000}},
        {"json": {"much": "x" * 3_000_000}},
    ],
    ids=["address", "headers", "number of headers", "header", "body"],
)
def test_too_much_of_something_is_answered_as_described(much, document, server, callers):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            caller = next((caller for caller in CALLERS if caller in meant_by(operation, document)), "anonymous")
            headers = callers.headers(caller, path) | much.get("headers", {})
            answer = requests.request(method, server.url + path, **much | {"headers": headers}, timeout=10)
            assert str(answer.status_code) in operation["responses"], f"{method} {path}: {answer.status_code} {answer.text}"


def send(server, token, path, body=None):
    headers = {"Authorization": f"Bearer {token}", "X-App": "readmigo", "Content-Type": "application/json", "Idempotency-Key": path}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode() if body else None, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def refunded(server, token):
    """An order and a request to refund it: the first that takes one, as the newest may be of a free trial, or have a request already."""
    for order in (order["orderNumber"] for order in send(server, token, "/admin/orders")["orders"]):
        try:
            return order, send(server, token, f"/admin/orders/{order}/refunds", WHY | {"type": "FULL"})
        except urllib.error.HTTPError as error:
            assert error.code == 409
    raise AssertionError("no order takes a refund")


@pytest.fixture(scope="session")
def real(server, token):
    """Something that there is, for each path of an object."""
    customer = send(server, token, "/admin/subscriptions?status=ACTIVE")["subscriptions"][0]["userId"]
    order, refund = refunded(server, token)
    batch = send(server, token, "/admin/promo-codes", BODIES["/admin/promo-codes"][1])
    return {
        "/customers/{externalId}": CUSTOMER,
        "/admin/refunds/{number}": refund["number"],
        "/admin/promo-codes/{id}": batch["id"],
        "/admin/orders/{id}": order,
        "/admin/customers/{id}": customer,
        "/admin/subscriptions/{customer}": customer,
        "/admin/audit/{id}": send(server, token, "/admin/audit")["entries"][0]["id"],
    }


@pytest.fixture(scope="session")
def callers(server):
    return Callers(server)


whole = schemathesis.pytest.from_fixture("described")
brief = schemathesis.pytest.from_fixture("described_in_brief")


@pytest.fixture(scope="session")
def described(document, server, real):
    """The description, with what there is as examples: what is made up alone would seldom get past 404."""
    paths = {}
    for path, item in document["paths"].items():
        there = next((there for start, there in real.items() if path.startswith(start)), None)
        paths[path] = {method: with_example(operation, there) for method, operation in item.items()}
    return schemathesis.openapi.from_dict(document | {"paths": paths, "servers": [{"url": server.url}]})


@pytest.fixture(scope="session")
def described_in_brief(described):
    """Without every edge of every parameter, once they have been tried."""
    brief = schemathesis.openapi.from_dict(described.raw_schema)
    brief.config.phases.coverage.enabled = scale.WHOLE
    return brief


def with_example(operation, there):
    parameters = [
        parameter | {"example": there} if there and parameter.get("in") == "path" else parameter
        for parameter in operation["parameters"]
    ]
    return operation | {"parameters": parameters}


def first(operation):
    """Of those whom it is for, the one who may do most."""
    return next(caller for caller in CALLERS if caller in meant(operation))


@whole.parametrize()
@hypothesis.settings(max_examples=EXAMPLES, deadline=None)
def test_whoever_an_operation_is_for_is_answered_as_described(case, server, callers):
    ask(server, case, callers, first(case.operation))


@brief.parametrize()
@hypothesis.settings(max_examples=OTHERS, deadline=None)
def test_everybody_else_is_answered_as_described(case, server, callers):
    mine = meant(case.operation)
    for caller in CALLERS:
        if caller == first(case.operation):
            continue
        answer = ask(server, case, callers, caller)
        if caller not in mine and "anonymous" not in mine:
            assert answer.status_code >= 400, f"{caller} is answered {answer.status_code}: {answer.text}"


def ask(server, case, callers, caller):
    # A cursor, a number or an app that was made up is refused, though it has the right type.
    excluded = [positive_data_acceptance]
    # An empty list is not sent at all, so a mistake that was to be in it is none.
    if any(value in ([], {}) for value in (case.query or {}).values()):
        excluded.append(negative_data_rejection)
    headers = callers.headers(caller, case.path)
    # Nothing comes of waiting as long as one may.
    if (wait := (case.query or {}).get("wait")) and str(wait).isdigit() and 1 < int(wait) <= 30:
        case.query["wait"] = 1
    answer = case.call(base_url=server.url, headers=headers)
    # What is larger than the server takes is not looked at.
    if answer.status_code in TOO_LARGE:
        excluded.append(negative_data_rejection)
    case.validate_response(answer, excluded_checks=excluded, headers=headers, transport_kwargs={"base_url": server.url, "headers": headers})
    return answer
