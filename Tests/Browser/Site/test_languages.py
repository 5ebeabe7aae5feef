"""Three languages: the browser's, and a person's choice; test_walk.py has all pages in each."""

import re

import pytest

from listing import ORDERS

TAGS = {"en": "en-GB", "zh-Hans": "zh-CN", "tr": "tr-TR"}
UPPERCASE = """() => {
    const heading = document.querySelector(".sidebar h2");
    heading.textContent = "iptal";
    return heading.innerText;
}"""


@pytest.mark.tasks
def test_a_person_chooses_a_language_and_stays_where_they_are(person):
    page = person(locale="en-GB")
    page.goto(f"{ORDERS}?status=completed&sort=amount")
    page.get_by_role("button", name="Türkçe").click()
    page.wait_for_load_state()
    assert page.url.endswith(f"{ORDERS}?status=completed&sort=amount")
    assert page.locator("html").get_attribute("lang") == "tr"
    assert page.locator("h1").inner_text() == "Siparişler"
    assert re.search(r"\d,\d{2} ", page.locator("td.amount").first.inner_text())
    page.goto("/dashboard/preferences")
    page.get_by_label("Tarayıcı dilini kullan").check()
    page.get_by_role("button", name="Tercihleri kaydet").click()
    page.wait_for_load_state()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("status").inner_text() == "Preferences saved."


@pytest.mark.parametrize("tag, text", [("tr", "İPTAL"), ("en", "IPTAL")])
def test_capitals_are_those_of_the_language(open_as, tag, text):
    page = open_as("admin", locale=TAGS[tag])
    page.goto(ORDERS)
    assert page.evaluate(UPPERCASE) == text


@pytest.mark.tasks
def test_preferences_last_across_browsers(person, open_as, server):
    page = person(locale="en-GB")
    page.goto("/dashboard/preferences")
    page.get_by_label("Off").check()
    page.get_by_label("简体中文").check()
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save preferences").click()
    page.wait_for_load_state()
    kept = server.sql(f"SELECT language || theme || shortcuts FROM staff WHERE email = '{page.email}'")
    assert "zh-Hansdarkfalse" in str(kept)
    html = page.locator("html")
    assert [html.get_attribute(name) for name in ("lang", "data-theme", "data-shortcuts")] == ["zh-Hans", "dark", "off"]
