"""An app's connections to its stores: the settings, an uploaded key, a test notification, an order of Apple."""

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import sample_data
from listing import follow

STORES = "/dashboard/stores"

pytestmark = pytest.mark.tasks


def setting(page, name):
    return page.locator("main table").first.locator("tbody tr", has=page.get_by_role("rowheader", name=name, exact=True))


@pytest.fixture
def key_file(tmp_path):
    """Returns a key file as Apple issues it."""
    file = tmp_path / "AuthKey_SIGNIN1234.p8"
    file.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return file


def test_what_is_set_and_missing_stands_there_and_what_a_store_says_is_text(page, known):
    answer = page.goto(STORES)
    assert "Set" in setting(page, "App Store Server API key").inner_text()
    assert "TESTKEY001" in setting(page, "App Store Server API key").inner_text()
    assert "Not set" in setting(page, "Sign in with Apple key").inner_text()
    assert page.get_by_text(f"TIMED_OUT {sample_data.HOSTILE_TEXT}").is_visible()
    assert sample_data.HOSTILE_TEXT not in answer.text()
    assert page.get_by_text("Stopped signing in with Apple").is_visible()
    follow(page, page.get_by_role("link", name="Look up an Apple order"))
    page.get_by_label("Apple order ID").fill("M K")
    follow(page, page.get_by_role("button", name="Look up"))
    assert page.get_by_text("letters and digits alone").is_visible()


def test_a_key_is_uploaded_never_shown_again_and_removed(person, known, server, key_file):
    admin = person("admin")
    admin.goto(STORES)
    follow(admin, setting(admin, "Sign in with Apple key").get_by_role("link", name="Upload"))
    admin.get_by_label("Client IDs").fill("com.readmigo.app, com.readmigo.web")
    admin.get_by_label("Team ID").fill("A1B2C3D4E5")
    admin.get_by_label("Key ID").fill("SIGNIN1234")
    follow(admin, admin.get_by_role("button", name="Save key"))
    assert admin.get_by_label("Client IDs").input_value() == "com.readmigo.app, com.readmigo.web"
    admin.get_by_label("Private key").set_input_files(key_file)
    follow(admin, admin.get_by_role("button", name="Save key"))
    assert admin.url.endswith(STORES)
    assert "Key saved." in admin.locator("main .flash").inner_text()
    assert "SIGNIN1234" in setting(admin, "Sign in with Apple key").inner_text()
    secret = key_file.read_text().splitlines()[1]
    assert secret not in admin.content()
    follow(admin, setting(admin, "Sign in with Apple key").get_by_role("link", name="Replace"))
    assert secret not in admin.content() and "com.readmigo.web" in admin.get_by_label("Client IDs").input_value()
    admin.goto(STORES)
    follow(admin, setting(admin, "Sign in with Apple key").get_by_role("link", name="Remove key"))
    admin.get_by_label("Category").select_option("testing")
    admin.get_by_label("Reason").fill("It was for a test alone.")
    follow(admin, admin.get_by_role("button", name="Remove key"))
    assert "Not set" in setting(admin, "Sign in with Apple key").inner_text()
    done = server.sql(f"SELECT action FROM audit_entries WHERE actor = '{admin.email}' AND action LIKE 'store.key%' ORDER BY at, id")
    assert done == [["store.key_save"], ["store.key_remove"]]


def test_a_test_notification_that_the_store_does_not_take_says_why(person, known):
    admin = person("admin")
    admin.goto(STORES)
    follow(admin, admin.locator("main tbody tr", has_text="Sandbox").get_by_role("button"))
    assert admin.url.endswith(f"{STORES}/apple/tests/sandbox")
    assert admin.get_by_text("did not answer").first.is_visible()


def test_an_account_token_is_asked_for_with_a_reason(person, known):
    admin = person("admin")
    admin.goto(f"/dashboard/subscriptions/{known.subscription}")
    link = admin.get_by_role("link", name="Set account at Apple")
    if not link.is_visible():
        admin.get_by_role("button", name="Actions").click()
    follow(admin, link)
    admin.get_by_label("App account token").fill("no uuid")
    follow(admin, admin.get_by_role("button", name="Tell Apple"))
    assert admin.get_by_text("Enter a UUID").first.is_visible()
    assert admin.get_by_text("Enter a reason").first.is_visible()
