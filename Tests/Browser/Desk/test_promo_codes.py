"""Promo codes: a batch is previewed before it is made, its codes are a file, and it is stopped and resumed."""

import re

import pytest

from listing import follow

PROMO = "/dashboard/promo-codes"

pytestmark = pytest.mark.tasks


def test_a_batch_is_reviewed_made_stopped_and_resumed(person, known, server):
    admin = person("admin")
    admin.goto(PROMO)
    follow(admin, admin.get_by_role("link", name="Create codes"))
    admin.get_by_label("Name", exact=True).fill("Book week")
    admin.get_by_label("Channel").fill("school")
    admin.get_by_label("Days of access").fill("30")
    admin.get_by_label("Codes", exact=True).fill("x")
    follow(admin, admin.get_by_role("button", name="Review"))
    assert admin.get_by_label("Name", exact=True).input_value() == "Book week"
    admin.get_by_label("Codes", exact=True).fill("20")
    follow(admin, admin.get_by_role("button", name="Review"))
    assert "Create 20 codes for Book week?" in admin.locator("h1").inner_text()
    assert server.sql("SELECT count(*) FROM promo_batches WHERE name = 'Book week'") == [["0"]]
    follow(admin, admin.get_by_role("button", name="Create codes"))
    assert "Promo codes created." in admin.locator("main .flash").inner_text()
    text = admin.request.get(f"{admin.url}/codes.csv").text()
    codes = re.findall(r"\b[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}\b", text)
    assert len(codes) == len(set(codes)) == 20
    assert not any(code in admin.content() for code in codes)
    for verb, state in (("Stop", "Stopped"), ("Resume", "Running")):
        follow(admin, admin.get_by_role("link", name=f"{verb} codes"))
        admin.get_by_label("Category").select_option("testing")
        admin.get_by_label("Reason").fill("It was for a test alone.")
        follow(admin, admin.get_by_role("button", name=f"{verb} codes"))
        assert state in admin.locator("h1").inner_text()
    done = server.sql(f"SELECT action FROM audit_entries WHERE actor = '{admin.email}' AND action LIKE 'promo_code%' ORDER BY at, id")
    assert [action for (action,) in done] == ["promo_code.make", "promo_code.export", "promo_code.stop", "promo_code.resume"]


def test_analysts_see_what_came_of_a_batch_and_nobody_in_it(person, known):
    analyst = person("analyst")
    analyst.goto(f"{PROMO}/{known.promo_batch}")
    assert analyst.get_by_role("heading", name="Report").is_visible()
    assert not analyst.locator("#redemptions").count()
    assert not analyst.get_by_role("link", name="Stop codes").count()
