"""The admin API does what its description says."""

import json
import urllib.request

import openapi_spec_validator
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance


@pytest.fixture(scope="session")
def document(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json", timeout=10) as answer:
        return json.load(answer)


def test_the_description_is_openapi(document):
    openapi_spec_validator.validate(document)


schema = schemathesis.pytest.from_fixture("described")


@pytest.fixture(scope="session")
def described(document, server):
    return schemathesis.openapi.from_dict(document | {"servers": [{"url": server.url}]})


@schema.parametrize()
def test_every_answer_is_as_described(case, server, token):
    case.call_and_validate(
        base_url=server.url,
        headers={"Authorization": f"Bearer {token}", "X-App": "readmigo"},
        # A cursor, a number or an app that was made up is refused, though it has the right type.
        excluded_checks=[positive_data_acceptance],
    )
