"""Lists as files: exactly what is filtered, readable by spreadsheets, and nothing that is not for the reader."""

import csv
import io
import re

import pytest

LISTS = {"orders": "status=refunded", "customers": "refunds=yes", "subscriptions": "store=apple"}


def take(page, name, query):
    page.goto(f"/dashboard/{name}?{query}")
    link = page.get_by_role("link", name=re.compile("Export CSV"))
    count = int(re.search(r"\(([\d,]+)", link.inner_text()).group(1).replace(",", ""))
    answer = page.request.get(link.get_attribute("href"))
    assert answer.status == 200
    return answer, count


@pytest.mark.parametrize("name", LISTS)
def test_a_file_holds_the_filtered_rows_and_opens_as_utf_8(page, name):
    answer, count = take(page, name, LISTS[name])
    body = answer.body()
    assert body.startswith(b"\xef\xbb\xbf")
    found = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
    assert len(found) == count > 0
    assert {"name", "email"} <= set(found[0])
    file = re.search('filename="(.+)"', answer.headers["content-disposition"]).group(1)
    assert re.fullmatch(rf"{name}-\d{{8}}T\d{{6}}Z-[a-z-]+\.csv", file)


def test_amounts_are_numbers_and_names_are_no_formulas(page, known):
    answer, _ = take(page, "orders", "")
    for row in csv.DictReader(io.StringIO(answer.text().lstrip("\ufeff"))):
        assert re.fullmatch(r"-?\d+(\.\d+)?", row["amount"]) and re.fullmatch("[A-Z]{3}", row["currency"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", row["purchased_at"])
        assert not row["name"].startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("name", LISTS)
def test_an_analysts_file_has_no_personal_columns(analyst, name, server):
    answer, _ = take(analyst, name, "")
    header = answer.text().lstrip("\ufeff").splitlines()[0].split(",")
    assert "name" not in header and "email" not in header and "customer_key" in header
    for (text,) in server.sql("SELECT email FROM customers WHERE email IS NOT NULL LIMIT 20"):
        assert text not in answer.text()


def test_each_file_is_written_down_once(page, server):
    before = server.sql("SELECT count(*) FROM audit_entries WHERE action = 'list.export'")[0][0]
    _, count = take(page, "orders", "status=completed")
    rows = server.sql("SELECT after ->> 'rows' FROM audit_entries WHERE action = 'list.export' ORDER BY at DESC, id DESC")
    assert len(rows) == int(before) + 1 and int(rows[0][0]) == count
