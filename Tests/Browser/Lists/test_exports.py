"""Lists as files: exactly the filtered rows, readable by spreadsheets, and without data that the reader may not see."""

import csv
import io
import re

import pytest

from listing import pages

pytestmark = pytest.mark.tasks

LISTS = {
    "orders": "status=completed&sort=amount&dir=asc",
    "customers": "store=apple&dir=asc",
    "subscriptions": "store=apple&sort=end&dir=asc",
}
KEYS = {"orders": "number", "customers": "customer_id", "subscriptions": "id"}


def take(page, name, query):
    page.goto(f"/dashboard/{name}?{query}")
    link = page.get_by_role("link", name=re.compile("Export CSV"))
    count = int(re.search(r"\(([\d,]+)", link.inner_text()).group(1).replace(",", ""))
    answer = page.request.get(link.get_attribute("href"))
    assert answer.status == 200 and answer.headers["cache-control"] == "no-store"
    return answer, count


@pytest.mark.read_only
@pytest.mark.parametrize("name", LISTS)
def test_a_file_holds_the_filtered_rows_and_opens_as_utf_8(page, name):
    answer, count = take(page, name, LISTS[name])
    body = answer.body()
    assert body.startswith(b"\xef\xbb\xbf")
    found = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
    assert len(found) == count > 0
    assert {"name", "email"} <= set(found[0])
    listed = [address.split("/")[-1] for read in pages(page, page.url) for address in read["addresses"]]
    assert [row[KEYS[name]] for row in found] == listed and len(listed) > 25
    assert name == "subscriptions" or "李娜" in {row["name"] for row in found}
    file = re.search('filename="(.+)"', answer.headers["content-disposition"]).group(1)
    assert re.fullmatch(rf"{name}-\d{{8}}T\d{{6}}Z-[a-z-]+\.csv", file)


@pytest.fixture
def formula(server, known):
    """Gives a customer a name that a spreadsheet would evaluate; restores their own."""
    name = '=HYPERLINK("http://evil.example","me")'
    key = f"(SELECT customer_id FROM orders WHERE number = '{known.sandbox_order}')"
    own = server.sql(f"SELECT name FROM customers WHERE id = {key}")[0][0]
    server.sql(f"UPDATE customers SET name = '{name}' WHERE id = {key}")
    yield name
    server.sql(f"UPDATE customers SET name = nullif('{own}', '') WHERE id = {key}")


def test_amounts_are_numbers_and_names_are_no_formulas(page, formula):
    answer, _ = take(page, "orders", "")
    found = list(csv.DictReader(io.StringIO(answer.text().lstrip("\ufeff"))))
    assert f"'{formula}" in {row["name"] for row in found}
    for row in found:
        assert re.fullmatch(r"-?\d+(\.\d+)?", row["amount"]) and re.fullmatch("[A-Z]{3}", row["currency"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", row["purchased_at"])
        assert not row["name"].startswith(("=", "+", "-", "@"))


@pytest.mark.read_only
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
    rows = server.sql(
        "SELECT after ->> 'rows', after ->> 'filter', actor, role, object_id FROM audit_entries "
        "WHERE action = 'list.export' ORDER BY at DESC, id DESC")
    assert len(rows) == int(before) + 1
    assert rows[0] == [str(count), "?status=completed", "admin@demo.test", "admin", "orders"]


def test_one_row_is_one_row(page, server):
    """Plural forms follow the language."""
    for count, label in ((1, "(1 row)"), (2, "(2 rows)")):
        (customer,) = server.sql(
            "SELECT customer_id FROM orders JOIN apps a ON a.id = app_id WHERE slug = 'readmigo' GROUP BY 1 "
            f"HAVING count(*) = {count} ORDER BY 1 LIMIT 1")[0]
        page.goto(f"/dashboard/orders?customer={customer}")
        assert label in page.get_by_role("link", name=re.compile("Export CSV")).inner_text()


FIGURES = "/dashboard/exports"


def rows_of(page, name, query=""):
    answer = page.request.get(f"{FIGURES}/{name}?{query}")
    assert answer.status == 200
    return list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))


def cents(text):
    return round(float(text) * 100)


def test_the_ledgers_file_adds_up_to_its_page(page):
    page.goto("/dashboard/ledger?kind=refunds&currency=CNY&from=2020-01-01")
    said = page.locator("#sums tbody td").inner_text()
    href = page.get_by_role("link", name=re.compile("Export CSV")).get_attribute("href")
    rows = list(csv.DictReader(io.StringIO(page.request.get(href).body().decode("utf-8-sig"))))
    assert -sum(cents(row["amount"]) for row in rows) == cents(said.replace(",", "")) > 0
    assert {row["kind"] for row in rows} <= {"refund", "revoke", "refund_reversal"}


def test_what_each_subscriber_pays_a_month_adds_up_to_the_bars(page):
    page.goto("/dashboard/subscribers?currency=CNY")
    answer = page.request.get(page.locator("figure.chart:has(h2[id^='mrr']) a[download]").get_attribute("href"))
    bars = {row["from"][:7]: cents(row["end"]) for row in csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig")))}
    found = dict.fromkeys(bars, 0)
    for row in rows_of(page, "monthly-revenue", f"currency=CNY&from={min(bars)}-01"):
        found[row["month"]] += cents(row["mrr"])
    assert found == bars and any(bars.values())


def test_whoever_gained_access_and_has_not_lost_it_has_it(page, server):
    counts = {"gained": 0, "lost": 0, "changed": 0}
    held = {}
    for row in rows_of(page, "access-changes"):
        counts[row["change"]] += 1
        source = row["subscription_id"] or row["grant_id"]
        assert (held.get(source) is None) == (row["change"] == "gained"), row
        held[source] = None if row["change"] == "lost" else row["product"] or row["plan"]
    assert counts["gained"] > counts["lost"] > 0
    now = server.sql("""
        SELECT subscription_id, p.name FROM access_periods h JOIN products p ON p.id = h.product_id
        WHERE h.retired_at IS NULL AND h.environment = 'production' AND h.starts_at <= now() AND coalesce(h.ends_at, 'infinity') > now()
            AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = h.subscription_id AND x.lifted_at IS NULL)
        UNION ALL
        SELECT g.id, p.code FROM grants g JOIN plans p ON p.id = g.plan_id
        WHERE g.starts_at <= now() AND coalesce(g.ended_at, g.ends_at, 'infinity') > now()
            AND g.app_id = (SELECT id FROM apps WHERE slug = 'readmigo')
            AND (NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id) OR EXISTS (
                SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id AND s.environment = 'production'))""")
    assert {key: product for key, product in held.items() if product} == dict(now)


def test_what_staff_gave_and_took_says_who_did_it(analyst, server):
    rows = rows_of(analyst, "access-changes")
    granted = [row for row in rows if row["grant_id"] and row["change"] == "gained"]
    given = server.sql("""
        SELECT g.id, coalesce((SELECT s.name FROM entitlement_actions a JOIN staff s ON s.id = a.staff_id
            WHERE a.customer_id = g.customer_id AND a.at = g.created_at ORDER BY a.id LIMIT 1),
            (SELECT 'promo code' FROM promo_redemptions r WHERE r.grant_id = g.id), 'staff')
        FROM grants g WHERE g.starts_at <= now() AND (g.ended_at IS NULL OR g.ended_at > g.starts_at)
            AND g.app_id = (SELECT id FROM apps WHERE slug = 'readmigo')
            AND (NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id) OR EXISTS (
                SELECT FROM subscriptions s WHERE s.customer_id = g.customer_id AND s.environment = 'production'))""")
    assert {row["grant_id"]: row["by"] for row in granted} == dict(given)
    assert granted
    assert {row["by"] for row in rows if not row["grant_id"] and row["reason"] not in ("suspended", "restored")} <= {
        "customer", "store", "time"}
    assert all(row["by"] not in ("customer", "store", "time") for row in rows if row["reason"] in ("suspended", "restored"))
    assert not [row for row in rows_of(analyst, "access-changes", "store=apple") if row["grant_id"]]


def test_access_that_ended_says_why_where_it_is_known(page):
    lost = [row for row in rows_of(page, "access-changes") if row["change"] == "lost"]
    assert {row["reason"] for row in lost} & {"cancelled", "billingError", "revoked"}
    # The access that staff revoked would have gone on.
    assert all(row["access_until"] == row["at"] for row in lost if row["by"] in ("customer", "store", "time"))


@pytest.mark.read_only
@pytest.mark.parametrize("name", ["ledger", "access-changes", "monthly-revenue"])
def test_files_of_metrics_have_no_name_for_an_analyst_and_are_none_for_support(analyst, open_as, server, name):
    header = set(rows_of(analyst, name)[0])
    assert not header & {"name", "email"} and {"customer_id", "customer_key", "external_id"} <= header
    assert open_as("support").request.get(f"{FIGURES}/{name}").status == 403
    rows = server.sql("SELECT object_id, after ->> 'rows' FROM audit_entries WHERE action = 'list.export' ORDER BY at DESC, id DESC")
    assert rows[0] == [name, str(len(rows_of(analyst, name)))]
