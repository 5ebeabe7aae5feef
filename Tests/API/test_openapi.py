"""The APIs do what their description says, for every caller."""

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

# The number of random requests for each operation, beside those at the edges of its description; new ones each time.
EXAMPLES = int(os.environ.get("PERENNIAL_EXAMPLES", scale.of(25, 5)))
# The number for all other callers.
OTHERS = int(os.environ.get("PERENNIAL_EXAMPLES", scale.of(10, 2)))
# A machine that is slow to make examples, or to answer, says nothing of the answers.
HOWEVER_BUSY = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
# The statuses for a body, an address or headers that are too large.
TOO_LARGE = (413, 414, 431)


@pytest.fixture(scope="session")
def document(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json", timeout=300) as answer:
        return json.load(answer)


def test_the_description_is_openapi(document):
    openapi_spec_validator.validate(document)
    # The validator does not follow references.
    for reference in set(references(document)):
        functools.reduce(operator.getitem, reference.removeprefix("#/").split("/"), document)


def references(value):
    """Yields each reference to another part of the document."""
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
            answer = requests.request(method, server.url + path, **much | {"headers": headers}, timeout=300)
            assert str(answer.status_code) in operation["responses"], f"{method} {path}: {answer.status_code} {answer.text}"


def send(server, token, path, body=None):
    headers = {"Authorization": f"Bearer {token}", "X-App": "readmigo", "Content-Type": "application/json", "Idempotency-Key": path}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode() if body else None, headers)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def refunded(server, token):
    """Returns an order and its new refund request: the first that takes one, for the newest may be a trial or have one
    already."""
    for order in (order["orderNumber"] for order in send(server, token, "/admin/orders")["orders"]):
        try:
            return order, send(server, token, f"/admin/orders/{order}/refunds", WHY | {"type": "FULL"})
        except urllib.error.HTTPError as error:
            assert error.code == 409
    raise AssertionError("no order takes a refund")


@pytest.fixture(scope="session")
def real(server, token):
    """Returns an existing object for each path of an object."""
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
    """Returns the description with existing objects as examples: random ones alone would seldom get past 404."""
    paths = {}
    for path, item in document["paths"].items():
        there = next((there for start, there in real.items() if path.startswith(start)), None)
        paths[path] = {method: with_example(operation, there) for method, operation in item.items()}
    return schemathesis.openapi.from_dict(document | {"paths": paths, "servers": [{"url": server.url}]})


@pytest.fixture(scope="session")
def described_in_brief(described):
    """Returns the description without every edge of every parameter, which have been tried before."""
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
    """Returns the most privileged caller that the operation is for."""
    return next(caller for caller in CALLERS if caller in meant(operation))


@whole.parametrize()
@hypothesis.settings(max_examples=EXAMPLES, **HOWEVER_BUSY)
def test_whoever_an_operation_is_for_is_answered_as_described(case, server, callers):
    ask(server, case, callers, first(case.operation))


@brief.parametrize()
@hypothesis.settings(max_examples=OTHERS, **HOWEVER_BUSY)
def test_everybody_else_is_answered_as_described(case, server, callers):
    mine = meant(case.operation)
    for caller in CALLERS:
        if caller == first(case.operation):
            continue
        answer = ask(server, case, callers, caller)
        if caller not in mine and "anonymous" not in mine:
            assert answer.status_code >= 400, f"{caller} is answered {answer.status_code}: {answer.text}"


def ask(server, case, callers, caller):
    # A random cursor, number or app is refused, though it has the right type.
    excluded = [positive_data_acceptance]
    # An empty list is not sent at all, so its mistake is none.
    if any(value in ([], {}) for value in (case.query or {}).values()):
        excluded.append(negative_data_rejection)
    headers = callers.headers(caller, case.path)
    # Waiting for the longest time would show nothing more.
    if (wait := (case.query or {}).get("wait")) and str(wait).isdigit() and 1 < int(wait) <= 30:
        case.query["wait"] = 1
    answer = case.call(base_url=server.url, headers=headers)
    # A request beyond the server's limits is not validated.
    if answer.status_code in TOO_LARGE:
        excluded.append(negative_data_rejection)
    case.validate_response(answer, excluded_checks=excluded, headers=headers, transport_kwargs={"base_url": server.url, "headers": headers})
    return answer
