"""Named views and chosen columns: kept as they were, shared or not, and gone when nobody wants them."""

import re

import pytest
from playwright.sync_api import expect

from listing import ORDERS, follow, links, rows

pytestmark = pytest.mark.tasks

CUSTOMERS = "/dashboard/customers"
FILTERS = {"en": "Filters", "zh-Hans": "筛选", "tr": "Filtreler"}


def save(page, name, everybody=False):
    follow(page, page.get_by_role("link", name="Save view…"))
    page.get_by_label("Name", exact=True).fill(name)
    if everybody:
        page.get_by_label("Everyone with this app").check()
    page.get_by_role("button", name="Save view").click()
    page.wait_for_load_state()


def headings(page):
    return list(rows(page)[0])


def test_a_view_is_saved_opened_shared_and_deleted(person):
    owner = person("support")
    owner.goto(f"{ORDERS}?status=refunded&sort=amount&dir=asc")
    expected = links(owner)
    save(owner, "Small refunds")
    assert owner.url.endswith("?status=refunded&sort=amount&dir=asc&columns=all")
    assert owner.locator(".flash").inner_text().startswith("View saved.")

    owner.goto(ORDERS)
    views = owner.get_by_role("navigation", name="Views")
    follow(owner, views.get_by_role("link", name="Small refunds"))
    assert links(owner) == expected
    assert views.locator("[aria-current]").inner_text() == "Small refunds"

    other = person("admin")
    other.goto(ORDERS)
    assert other.get_by_role("link", name="Small refunds").count() == 0
    follow(owner, views.get_by_role("link", name="Edit view…"))
    owner.get_by_label("Name", exact=True).fill("Small refunds, ours")
    owner.get_by_label("Everyone with this app").check()
    owner.get_by_role("button", name="Save changes").click()
    owner.wait_for_load_state()

    other.goto(ORDERS)
    follow(other, other.get_by_role("link", name="Small refunds, ours"))
    assert links(other) == expected
    follow(other, other.get_by_role("link", name="Edit view…"))
    assert other.locator("h1").inner_text() == "Delete view “Small refunds, ours”?"
    follow(other, other.get_by_role("link", name="Keep view"))
    assert links(other) == expected
    follow(other, other.get_by_role("link", name="Edit view…"))
    other.get_by_role("button", name="Delete view").click()
    other.wait_for_load_state()
    owner.goto(ORDERS)
    assert owner.get_by_role("link", name="Small refunds, ours").count() == 0


def test_a_name_that_is_missing_or_taken_is_asked_for_and_nothing_is_lost(person):
    page = person("support")
    page.goto(f"{CUSTOMERS}?refunds=yes")
    follow(page, page.get_by_role("link", name="Save view…"))
    page.get_by_role("button", name="Save view").click()
    page.wait_for_load_state()
    expect(page).to_have_title(re.compile("^Error: "))
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    page.get_by_label("Name", exact=True).fill("Refunded")
    page.get_by_role("button", name="Save view").click()
    page.wait_for_load_state()
    assert "refunds=yes" in page.url
    page.goto(CUSTOMERS)
    save(page, "Refunded", everybody=True)
    assert page.locator(".field-error").inner_text() == "You already have one with this name."
    assert page.get_by_label("Everyone with this app").is_checked()


def test_columns_are_chosen_by_keyboard_and_remembered(person):
    page = person("analyst")
    page.goto(ORDERS)
    assert len(headings(page)) == 8
    page.locator("summary", has_text="Columns").focus()
    page.keyboard.press("Enter")
    for name in ("Product", "Plan", "Store"):
        page.get_by_role("checkbox", name=name).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Apply columns").focus()
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    fewer = ["Order", "Amount", "Status", "Customer", "Created"]
    assert headings(page) == fewer
    page.goto(f"{ORDERS}?sort=amount")
    assert headings(page) == fewer
    assert page.locator("table.list tbody tr").first.locator("td, th").count() == len(fewer)
    page.goto(CUSTOMERS)
    assert len(headings(page)) == 8
    page.goto(ORDERS)
    page.locator("summary", has_text="Columns").click()
    page.get_by_role("button", name="Show all columns").click()
    page.wait_for_load_state()
    assert len(headings(page)) == 8


def test_a_view_brings_its_columns_on_every_page(person):
    page = person("support")
    page.goto(f"{ORDERS}?columns=amount")
    save(page, "Amounts")
    page.goto(ORDERS)
    follow(page, page.get_by_role("link", name="Amounts", exact=True))
    assert headings(page) == ["Order", "Amount"]
    follow(page, page.get_by_role("link", name="Next"))
    assert headings(page) == ["Order", "Amount"]
    follow(page, page.get_by_role("link", name=re.compile("^Amount [↑↓]?$|^Amount$")).first)
    assert headings(page) == ["Order", "Amount"]


def test_the_customers_of_a_view_become_a_job(person, server):
    page = person("admin")
    page.goto(f"{CUSTOMERS}?plan=PRO")
    count = int(re.search(r"of ([\d,]+)", page.get_by_role("status").first.inner_text()).group(1).replace(",", ""))
    save(page, "With PRO")
    follow(page, page.get_by_role("link", name="Bulk action for these customers…"))
    assert page.get_by_label("Or a saved view").locator("option:checked").inner_text() == "With PRO (Customers)"
    page.locator("input[name=kind][value=extend]").check()
    page.get_by_label("Days", exact=True).fill("3")
    page.get_by_label("Category").select_option("testing")
    page.get_by_label("Reason").fill("Only tried dry, never started.")
    page.get_by_role("button", name="Start dry run").click()
    page.locator("h1 .status", has_text=re.compile("^Ready to start$")).wait_for(timeout=120_000)
    assert "view “With PRO” of Customers" in page.locator("main").inner_text()
    job = page.url.rsplit("/", 1)[1]
    assert server.sql(f"SELECT count(*) FROM bulk_job_items WHERE job_id = '{job}'") == [[str(count)]]
    assert server.sql(f"SELECT count(*) FROM bulk_job_items WHERE job_id = '{job}' AND customer_id IS NULL") == [["0"]]


@pytest.mark.parametrize("language", ["en", "zh-Hans", "tr"])
def test_the_columns_fit_on_a_phone(person, server, language):
    page = person("support", viewport={"width": 320, "height": 700})
    page.goto("/dashboard/preferences")
    page.locator(f"input[name=language][value={language}]").check()
    page.locator("form.panel button").click()
    page.wait_for_load_state()
    for path in (ORDERS, CUSTOMERS, "/dashboard/subscriptions", "/dashboard/refunds?status=all"):
        page.goto(path)
        page.locator(".opener", has_text=FILTERS[language]).click()
        page.locator(".views summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        small = page.locator(".views :is(a, summary, button, input:not([type=hidden]))").evaluate_all(
            "all => all.filter(one => { const box = one.getBoundingClientRect();"
            " return box.width < 24 || box.height < 24; }).map(one => one.outerHTML)"
        )
        assert not small, path
