"""The HTML itself."""

import collections
import re

import html5lib
import pytest

from places import PLACES, go, role


@pytest.mark.parametrize("name", PLACES)
def test_it_parses_without_an_error_and_has_no_styles_or_scripts_inside(open_as, known, name):
    page = open_as(role(name))
    source = go(page, known, name).text()
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(source)
    elements = list(tree.iter())
    ids = collections.Counter(element.get("id") for element in elements if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    for element in elements:
        for attribute in element.attrib:
            assert attribute != "style" and not str(attribute).startswith("on"), (element.tag, attribute)
        for attribute in ("aria-labelledby", "aria-describedby", "for"):
            assert element.get(attribute) is None or element.get(attribute) in ids
    scripts = [element for element in elements if element.tag == "script"]
    assert all(script.get("src") and not (script.text or "").strip() for script in scripts)
    assert not [element for element in elements if element.tag == "style"]
    assert "{{" not in source and "Optional(" not in source


@pytest.mark.parametrize("name", PLACES)
def test_every_link_and_form_stays_here_and_leads_somewhere(open_as, known, name):
    page = open_as(role(name))
    go(page, known, name)
    links = page.evaluate("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))")
    for link in links:
        assert link.startswith(("/dashboard", "#")), link
    # A dialog's own form goes nowhere: it closes the dialog.
    for form in page.locator("form:not([method=dialog])").all():
        assert form.get_attribute("action").startswith("/dashboard/")
        if form.get_attribute("method") == "post":
            assert re.fullmatch("[0-9a-f]{128}", form.locator("[name=csrf]").get_attribute("value"))
