"""No word in a table and no status breaks in its middle, however narrow its column is."""

import pytest

import scale
from places import PLACES, go, role

TAGS = {"en": "en-GB", "zh-Hans": "zh-CN", "tr": "tr-TR"}
WIDTHS = [390, 768, 1024, 1280]
# A word longer than this fits into no column. What has a sign or a digit in it is an id, an address or a moment; Chinese has
# no spaces between its words, and breaks anywhere, but for a status.
BROKEN = """() => {
    const wrong = [];
    const lines = range => new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top))).size;
    const range = document.createRange();
    for (const part of document.querySelectorAll("main td, main th, main .status, main .tag")) {
        if (!part.checkVisibility() || part.querySelector("td, th")) continue;
        const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            if (text.parentElement.closest(".mono, .key, code, pre, .visually-hidden")) continue;
            const isStatus = text.parentElement.closest(".status, .tag") !== null;
            for (const word of text.data.matchAll(/\\S+/g)) {
                if (word[0].length > 30 || /[@\\/\\d]/.test(word[0])) continue;
                if (!isStatus && /\\p{Script=Han}/u.test(word[0])) continue;
                for (const piece of word[0].matchAll(/[\\p{L}\\p{M}’']+/gu)) {
                    range.setStart(text, word.index + piece.index);
                    range.setEnd(text, word.index + piece.index + piece[0].length);
                    if (lines(range) > 1) wrong.push(`${piece[0]} in ${part.outerHTML.slice(0, 120)}`);
                }
            }
        }
    }
    return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("name", PLACES)
def test_words_are_whole(open_as, known, name):
    number = list(PLACES).index(name)
    tags = list(TAGS.values())
    for tag in tags if scale.WHOLE else [tags[number % len(tags)]]:
        page = open_as(role(name))
        page.set_extra_http_headers({"Accept-Language": tag})
        go(page, known, name)
        if page.locator("main td, main .status, main .tag").count() == 0:
            return
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            broken = page.evaluate(BROKEN)
            assert not broken, f"{name}, {tag}, {width} px\n" + "\n".join(broken)


def test_a_broken_word_would_be_seen(page, known):
    go(page, known, "orders")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.querySelectorAll('main .status').forEach(one => one.replaceChildren('Verarbeitungsvorgang'))")
    page.evaluate("document.adoptedStyleSheets = [new CSSStyleSheet()]")
    page.evaluate("""document.adoptedStyleSheets[0].replaceSync(
        ".status { white-space: normal !important; overflow-wrap: anywhere !important; max-width: 60px }")""")
    assert any("Verarbeitungsvorgang" in line for line in page.evaluate(BROKEN))
