"""Three languages: what the browser asks for, what a person chooses, and what each does to the pages."""

import re

import pytest

from listing import ORDERS
from places import MAIN, PLACES, go, role
from windows import PHONE

TAGS = {"en": "en-GB", "zh-Hans": "zh-CN", "tr": "tr-TR"}
UPPERCASE = """() => {
    const heading = document.querySelector(".rail h2");
    heading.textContent = "iptal";
    return heading.innerText;
}"""


@pytest.mark.parametrize("name", MAIN)
@pytest.mark.parametrize("tag", TAGS)
def test_pages_fit_a_phone_in_every_language(open_as, known, name, tag):
    page = open_as(role(name), locale=TAGS[tag], viewport=PHONE)
    go(page, known, name)
    assert page.locator("html").get_attribute("lang") == tag
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", PLACES)
def test_nothing_is_left_in_english(open_as, known, name):
    """Every sentence of the English page that is ours reads otherwise in Chinese."""
    texts = {}
    for tag in ("en", "zh-Hans"):
        page = open_as(role(name), locale=TAGS[tag])
        go(page, known, name)
        texts[tag] = set(page.evaluate("""[...document.querySelectorAll(
            "h1, h2, th[scope=col], dt, caption, label, .button, .tabs a, .hint, .note, .empty strong, .empty p, .rail a, .rail button")]
            .filter(element => !element.closest("[lang=en], .mono") || element.lang)
            .map(element => element.textContent.replace(/[0-9,–:. ←→↓↑]+/g, " ").trim())"""))
    same = {text for text in texts["en"] & texts["zh-Hans"] if re.search("[a-z]{3}", text)}
    allowed = {"English", "Türkçe", "Perennial", "Apple"}
    assert not {text for text in same - allowed if not text.isupper() and "_" not in text}


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
    page.get_by_label("Tarayıcımın istediği gibi").check()
    page.get_by_role("button", name="Tercihleri kaydet").click()
    page.wait_for_load_state()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("status").inner_text() == "Saved."


@pytest.mark.parametrize("tag, text", [("tr", "İPTAL"), ("en", "IPTAL")])
def test_capitals_are_those_of_the_language(open_as, tag, text):
    page = open_as("admin", locale=TAGS[tag])
    page.goto(ORDERS)
    assert page.evaluate(UPPERCASE) == text


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
