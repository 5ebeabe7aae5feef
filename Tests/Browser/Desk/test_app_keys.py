"""Secret keys of an app's own server: a key is made and shown once, a third one has to wait, and a key is revoked."""

import re

import pytest

from listing import follow

KEYS = "/dashboard/app-keys"

pytestmark = pytest.mark.tasks


def row(page, name):
    return page.locator("main tbody tr", has=page.get_by_role("rowheader", name=name, exact=True))


def test_a_key_is_made_shown_once_and_revoked(person, known, server):
    admin = person("admin")
    admin.goto(KEYS)
    follow(admin, admin.get_by_role("link", name="Create key"))
    admin.get_by_label("Name", exact=True).fill("Till")
    follow(admin, admin.get_by_role("button", name="Create key"))
    assert admin.get_by_text("Choose at least one permission").first.is_visible()
    assert admin.get_by_label("Name", exact=True).input_value() == "Till"
    admin.get_by_label("usage:write").check()
    follow(admin, admin.get_by_role("button", name="Create key"))
    text = re.search(r"psk_[0-9a-f]{64}", admin.locator("#app-key").inner_text())[0]
    kept = server.sql("SELECT k::text FROM app_keys k UNION ALL SELECT e::text FROM audit_entries e WHERE action LIKE 'app_key%'")
    assert not any(text[4:] in line for (line,) in kept)
    follow(admin, admin.get_by_role("link", name="I've saved the key"))
    assert admin.url.endswith(KEYS)
    assert text not in admin.content()
    assert "usage:write" in row(admin, "Till").inner_text() and "never" in row(admin, "Till").inner_text()
    # With the sample's key, this is the most that may be live.
    assert admin.get_by_text("Two keys are live").is_visible()
    assert not admin.get_by_role("link", name="Create key").is_visible()
    follow(admin, row(admin, "Till").get_by_role("link", name="Revoke"))
    admin.get_by_label("Category").select_option("testing")
    admin.get_by_label("Reason").fill("It was for a test alone.")
    follow(admin, admin.get_by_role("button", name="Revoke key"))
    assert "Secret key revoked." in admin.locator("main .flash").inner_text()
    assert "Revoked" in row(admin, "Till").inner_text()
    done = server.sql(f"SELECT action FROM audit_entries WHERE actor = '{admin.email}' AND action LIKE 'app_key%' ORDER BY at, id")
    assert done == [["app_key.issue"], ["app_key.revoke"]]
