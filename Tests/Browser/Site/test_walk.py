"""Checks the rules of all pages on every page, in three languages, light and dark, narrow and wide.

A page is loaded once a language; its width and its colours change while it is open, and the next language begins in the
room where the last one ended. Each (language, colours, width) is checked; axe, which takes as long as all the rest, checks
a page in one of them, the main pages in three, and all pages together in all; in the sample a third of the pages, and the main
ones.

In the sample (`scale`) a page is read in English, with which the other languages' words are compared, and in one other language,
and checked in one of these and two rooms, which turn from page to page and from day to day.
"""

import collections
import html
import re

import html5lib
import pytest
from playwright.sync_api import expect

import looks
import sample_data
import scale
import words
from places import FORMS, MAIN, PLACES, go, role
from windows import DESKTOP, PHONE

TAGS = {"en": "en-GB", "zh-Hans": "zh-CN", "tr": "tr-TR"}
# From one to the next only the colours or the width change.
ROOMS = [("light", DESKTOP), ("dark", DESKTOP), ("dark", PHONE), ("light", PHONE)]
POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
    "form-action": "'self'", "frame-ancestors": "'none'", "base-uri": "'none'",
}
# Texts that are the same in every language: names of people, plans and products, and texts for programs.
NAMES = {
    "Alipay", "Apple", "Apple production", "Apple sandbox", "CSV", "Google Play", "JSON", "Perennial", "Readmigo", "Tandem",
    "UUID", "WeChat Pay", "Premium", "Pro", "Premium yearly", "Premium monthly", "Pro yearly", "Pro monthly", "Plus monthly", "order", "refund approve",
    "refund.approve", "command line", "suite", "Spring fair", "fair", "newsletter", "school",
}
PEOPLE = ("Mei Tanaka", "Lin Wei", "Deniz Kara", "Nil Yeni", "Ada Analyst")
ERROR = {"en": "Error: ", "zh-Hans": "错误：", "tr": "Hata: "}
# The forms on the pages of people who may only read: their own settings.
OWN_FORMS = {"/dashboard/preferences", "/dashboard/sign-out", "/dashboard/app", "/dashboard/columns"}
# Words that a language shares with English.
# The last is a number, a store and a currency.
SHARED = {"zh-Hans": set(), "tr": {"Plan", "Sandbox", "WAITS Alipay CNY"}}


@pytest.fixture(scope="module", autouse=True)
def people_are_fresh(server, sessions):
    """Renews everybody's confirmation of identity, which sensitive pages need every ten minutes."""
    server.sql("UPDATE staff_sessions SET authenticated_at = now()")


@pytest.fixture(scope="module")
def personal_data(server, known):
    return sample_data.personal_data(server)


def languages(name):
    """Returns the languages in which a page is read, each with its tag."""
    others = list(TAGS)[1:]
    return TAGS if scale.WHOLE else {language: TAGS[language] for language in ("en", others[scale.turn(name, len(others))])}


def number_of(name, names):
    """Returns the number that chooses a page's languages and rooms: one more for the next page, and tomorrow."""
    return list(names).index(name) + (0 if scale.WHOLE else scale.DAY.toordinal())


def rooms(place, number=0):
    """Returns the order in which a language's page goes through all rooms, there and back again; in the sample, through two."""
    order = ROOMS if scale.WHOLE else [ROOMS[number // 2 % 2], ROOMS[number // 2 % 2 + 2]]
    return order[::-1] if place % 2 else order


def is_looked_at(number, place, spoken):
    """Returns true if the page is checked in this one of the languages, besides being read."""
    return scale.WHOLE or place == number % len(spoken)


def open_in(page, known, name, place, tag, number=0):
    """Opens a page in the language `tag`, in the first of its rooms, in light colours."""
    page.set_extra_http_headers({"Accept-Language": tag})
    page.emulate_media(color_scheme="light")
    resize(page, rooms(place, number)[0][1])
    return go(page, known, name)


def resize(page, size):
    if page.viewport_size != size:
        page.set_viewport_size(size)


def look(page, name, language, place, number, *, sees_axe, with_contrast=False):
    """Checks all rules of a page in one language; `number` chooses the room for axe and the keyboard."""
    wrong = looks.shift(page) + looks.structure(page, language)
    walked = rooms(place, number)
    # In the sample the number and the language go together: each language has been in every room after eight days.
    chosen = walked[(number if scale.WHOLE else number // 4) % len(walked)]
    measured = colours = None
    for scheme, size in walked:
        resize(page, size)
        if scheme != colours:
            page.emulate_media(color_scheme=scheme)
        if size != measured:
            wrong += [f"{size['width']} px: {problem}" for problem in looks.layout(page, size["width"])]
        measured, colours = size, scheme
        found = looks.colours(page)
        if (scheme, size) == chosen:
            found += looks.focus(page)
            if sees_axe:
                found += looks.axe(page, with_contrast)
        wrong += [f"{scheme}, {size['width']} px: {problem}" for problem in found]
    assert not wrong, f"{name} in {language}, {page.url}\n" + "\n".join(wrong)


def answer_is_safe(answer):
    headers = answer.headers
    # The reference has nobody's data: a browser keeps it, and revalidates it.
    is_reference = re.search(r"/docs(/|$)", answer.url)
    assert headers["cache-control"] == ("private, no-cache" if is_reference else "no-store")
    # The page of an order asks how it stands.
    asks = {"connect-src": "'self'"} if re.search("/pay/(?!0)", answer.url) else {}
    assert dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")) == POLICY | asks
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("same-origin", "no-referrer")
    assert headers["content-type"] == "text/html; charset=utf-8"


def source_is_sound(source):
    """Asserts that the source parses without an error, has no id twice, and no inline style or script."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(source)
    elements = list(tree.iter())
    ids = collections.Counter(element.get("id") for element in elements if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    for element in elements:
        for attribute in element.attrib:
            assert attribute != "style" and not str(attribute).startswith("on"), (element.tag, attribute)
        for attribute in ("aria-labelledby", "aria-describedby", "for"):
            for name in (element.get(attribute) or "").split():
                assert name in ids, (element.tag, attribute, name)
    scripts = [element for element in elements if element.tag == "script"]
    assert all(script.get("src") and not (script.text or "").strip() for script in scripts)
    assert not [element for element in elements if element.tag == "style"]


def is_for_analysts(source, personal_data):
    """Asserts that a page names nobody, and changes nothing but the reader's own settings."""
    assert not {text for text in personal_data if text in html.unescape(source.replace("<wbr>", ""))}
    tree = html5lib.parse(source, namespaceHTMLElements=False)
    assert {form.get("action") for form in tree.iter("form") if form.get("method") == "post"} <= OWN_FORMS


def untranslated(writing):
    """Returns the texts that are the same in English and in another language, by language."""
    found = {}
    for language, shared in ((language, SHARED[language]) for language in writing if language != "en"):
        same = {text for text in writing["en"] & writing[language] if re.search("[a-z]{3}", text)} - NAMES - shared
        # An address, a file's name, or somebody's own name in a script that is not English.
        same = {text for text in same if "@" not in text and not re.search(r"\.csv|[^\x00-\x7f“”‘’…]", text)}
        # Names of products at their store, and the store's own words.
        same = {text for text in same if not text.startswith(PEOPLE) and "com readmigo" not in text and "</script>" not in text}
        if same:
            found[language] = sorted(same)
    return found


@pytest.mark.parametrize("name", PLACES)
def test_a_page_is_good_in_every_language_colour_and_width(open_as, known, personal_data, name):
    number, spoken = number_of(name, PLACES), languages(name)
    # A running transition would show a colour that nobody sees.
    page = open_as(role(name), reduced_motion="reduce")
    writing, titles = {}, set()
    for place, (language, tag) in enumerate(spoken.items()):
        answer = open_in(page, known, name, place, tag, number + place)
        if language == "en":
            answer_is_safe(answer)
            source_is_sound(answer.text())
            if role(name) == "analyst":
                is_for_analysts(answer.text(), personal_data)
        titles.add(page.title())
        writing[language] = looks.writing(page)
        if is_looked_at(number, place, spoken):
            is_main = name in MAIN
            is_turn = place == number // len(ROOMS) % len(spoken) if scale.WHOLE else scale.turn(name, 3) == 0
            sees_axe = is_main or is_turn
            look(page, name, language, place, number + place, sees_axe=sees_axe, with_contrast=is_main and is_turn)
        if language == "en":
            wrong = looks.paper(page)
            assert not wrong, f"{name}: {wrong}"
        if is_looked_at(number, place, spoken):
            wrong = words.broken_at_any_width(page, name)
            assert not wrong, f"{name} in {language}\n" + "\n".join(wrong)
        if place == number % len(spoken):
            resize(page, PHONE)
            wrong = looks.longer_words(page, PHONE["width"])
            assert not wrong, f"{name}: {wrong}"
    assert untranslated(writing) == {}
    # The title of a detail page may be the name of its object alone.
    assert len(titles) == len(spoken) or page.locator("table.list, form.filters").count() == 0


@pytest.mark.parametrize("language", TAGS)
def test_a_status_has_one_mark_wherever_its_word_stands(open_as, known, language):
    """Checks all pages at once: two that use one word for two states are seldom opened by the same test."""
    callers = {role(name) for name in PLACES}
    windows = {caller: open_as(caller) for caller in callers}
    spans = set()
    for name, (caller, address) in PLACES.items():
        answer = windows[caller].request.get(address(known), headers={"Accept-Language": TAGS[language]})
        assert answer.status < 500, name
        spans |= set(re.findall(r'<span class="status [^<]*</span>', answer.text()))
    assert len(spans) > 30
    page = windows["admin"]
    page.goto("/dashboard")
    page.evaluate("spans => { document.body.innerHTML = spans.join(''); }", sorted(spans))
    marks = collections.defaultdict(set)
    for word, mark in looks.statuses(page):
        marks[word].add(mark)
    assert {word: found for word, found in marks.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_with_nothing_filled_in_says_what_is_missing_in_every_language(open_as, known, name):
    number, spoken = number_of(name, FORMS), languages(name)
    page = open_as(role(name), reduced_motion="reduce")
    writing = {}
    for place, (language, tag) in enumerate(spoken.items()):
        open_in(page, known, name, place, tag, number + place)
        title = page.title()
        with page.expect_navigation() as answer:
            page.locator(FORMS[name]).evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
        assert answer.value.status == 422
        alert = page.get_by_role("alert")
        expect(alert, f"{name} in {language}").to_be_focused()
        assert alert.locator("[data-copy]").text_content().strip() == answer.value.headers["x-request-id"]
        assert page.title().startswith(ERROR[language])
        assert page.title() != title
        writing[language] = looks.writing(page)
        if is_looked_at(number, place, spoken):
            sees_axe = place == number % len(spoken) if scale.WHOLE else scale.turn(name, 3) == 0
            look(page, name, language, place, number + place, sees_axe=sees_axe)
    assert untranslated(writing) == {}


def test_a_form_that_came_too_late_says_so_in_every_language(open_as, known):
    page = open_as("admin", reduced_motion="reduce")
    writing = {}
    for place, (language, tag) in enumerate(TAGS.items()):
        open_in(page, known, "refund, approval", place, tag)
        page.locator("select[name=category]").select_option("goodwill")
        page.locator("textarea[name=reason]").fill("It is our fault, all of it.")
        page.locator("main form [name=version]").evaluate("field => { field.value = '99'; }")
        with page.expect_navigation() as answer:
            page.locator("main form button").click()
        assert answer.value.status == 409
        assert page.title().startswith(ERROR[language])
        expect(page.get_by_role("alert")).to_be_focused()
        request = page.locator("main [data-copy]")
        assert request.text_content().strip() == answer.value.headers["x-request-id"]
        writing[language] = looks.writing(page)
        look(page, "a form that came too late", language, place, place, sees_axe=place == 0)
    assert untranslated(writing) == {}


def test_axe_finds_what_is_wrong(page, known):
    go(page, known, "orders")
    page.evaluate("document.querySelector('#find').previousElementSibling.remove()")
    page.evaluate("document.querySelector('#find').removeAttribute('placeholder')")
    page.evaluate("document.querySelector('h1').remove()")
    found = "\n".join(looks.axe(page))
    assert "label:" in found and "page-has-heading-one:" in found
