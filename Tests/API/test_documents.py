"""The five documents, over HTTP: every endpoint and example that they have, member by member.

A difference from a document is a case of its own, expected to fail, with the reason; the table is in docs/api/README.md.
"""

import pytest

import demo_server
from documents import cases, kombin, lightgallery, llm_proxy, readmigo, swift_iap_framework
from documents import lightgallery_subscription, readmigo_admin, readmigo_stores, readmigo_usage  # noqa: F401
from documents.desk import Desk

pytestmark = pytest.mark.long

ENDPOINTS = {
    "readmigo": readmigo.ENDPOINTS, "lightgallery": lightgallery.ENDPOINTS, "llm-proxy": llm_proxy.ENDPOINTS,
    "kombin": kombin.ENDPOINTS, "swift-iap-framework": swift_iap_framework.ENDPOINTS,
}


@pytest.fixture(scope="module")
def desk():
    running = Desk()
    yield running
    running.stop()


def parameter(case):
    marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=case.differs)] if case.differs else []
    return pytest.param(case, id=case.id, marks=marks)


@pytest.mark.parametrize("case", [parameter(case) for case in cases.CASES])
def test_the_answer_is_as_in_the_document(desk, case):
    desk.case = case
    case.walk(desk)


@pytest.mark.parametrize("document", cases.DOCUMENTS)
def test_every_endpoint_of_the_document_is_walked(document):
    walked = {call for case in cases.CASES if case.document == document for call in case.calls}
    assert not set(ENDPOINTS[document]) - walked


def test_the_table_has_every_case():
    readme = (demo_server.REPOSITORY / "docs/api/README.md").read_text()
    assert cases.table() in readme, f"docs/api/README.md lacks it as it is:\n{cases.table()}"


def test_cases_have_names_of_their_own():
    names = [case.id for case in cases.CASES]
    assert len(names) == len(set(names))
