"""Finds words that break in their middle, in a table or as a status, because their column is too narrow."""

import scale

WIDTHS = [390, 768, 1024, 1280]
# A word longer than this fits into no column. A word with a sign or a digit in it is an id, an address or a time; Chinese has no
# spaces between its words, and breaks anywhere, except in a status.
_BROKEN = """() => {
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


def broken(page):
    """Returns the broken words of the page as it is."""
    return page.evaluate(_BROKEN)


def broken_at_any_width(page, name):
    """Returns the broken words, each with its width; the page keeps the last of the widths. The sample tries two widths in
    turn."""
    if page.locator("main td, main .status, main .tag").count() == 0:
        return []
    found = []
    for width in scale.of(WIDTHS, WIDTHS[scale.turn(name, 2)::2]):
        page.set_viewport_size({"width": width, "height": 844})
        found += [f"{width} px: {word}" for word in broken(page)]
    return found
