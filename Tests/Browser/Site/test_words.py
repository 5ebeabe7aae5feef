"""No word in a table and no status breaks in its middle, however narrow its column is; the walk checks every page for that."""

import words
from places import go


def test_a_broken_word_would_be_seen(page, known):
    go(page, known, "orders")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.querySelectorAll('main .status').forEach(one => one.replaceChildren('Verarbeitungsvorgang'))")
    page.evaluate("document.adoptedStyleSheets = [new CSSStyleSheet()]")
    page.evaluate("""document.adoptedStyleSheets[0].replaceSync(
        ".status { white-space: normal !important; overflow-wrap: anywhere !important; max-width: 60px }")""")
    assert any("Verarbeitungsvorgang" in line for line in words.broken(page))
