"""Checks of an open page: each returns its problems, so that an empty list means a good page."""

from axe_playwright_python.sync_playwright import Axe

from structure import STRUCTURE

_AXE_SCRIPT = Axe().axe_script
# Returns axe's findings, a line for each element; its full report would also have all that is in order.
_AXE = """async options => (await axe.run(document, options)).violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${rule.help}: ${node.html.slice(0, 160)}`))"""
_AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AMOUNTS = {"en": (",", "."), "zh-Hans": (",", "."), "tr": (".", ",")}

# Checks that paper shows all text, and no controls.
_PAPER = """() => {
    const wrong = [];
    const isShown = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
    const tell = (what, element) => wrong.push(`${what} on paper: ${element.outerHTML.slice(0, 120)}`);
    for (const element of document.querySelectorAll("nav, .sidebar, .top, .skip, .help, .filters, button, .button, input, select, textarea")) {
        if (isShown(element)) tell("there", element);
    }
    for (const head of document.querySelectorAll("thead")) {
        if (isShown(head) && getComputedStyle(head).display !== "table-header-group") tell("does not repeat", head);
    }
    for (const table of document.querySelectorAll("table.change, table.list")) if (!isShown(table)) tell("not there", table);
    const line = document.querySelector(".printed");
    if (document.querySelector(".frame") && !(line && isShown(line) && line.textContent.includes(location.pathname))) {
        wrong.push("paper does not say what it is of");
    }
    return wrong;
}"""

# Returns the word and the mark of each status.
_STATUSES = """() => [...document.querySelectorAll(".status")].map(status => {
    const mark = getComputedStyle(status, "::before");
    return [status.textContent.trim(), [mark.width, mark.height, mark.borderTopLeftRadius, mark.borderTopWidth, mark.borderLeftWidth,
        mark.transform, mark.backgroundColor === "rgba(0, 0, 0, 0)", mark.backgroundImage].join(" ")];
})"""

# Checks the rules that depend on the width.
_LAYOUT = """width => {
    const wrong = [];
    const tell = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
    const root = document.documentElement;
    if (root.scrollWidth > width) {
        wrong.push(`scrolls sideways to ${root.scrollWidth}: ` + [...document.querySelectorAll("body *")]
            .filter(element => element.getBoundingClientRect().right > width && !element.closest(".scroll *"))
            .slice(-3).map(element => element.outerHTML.slice(0, 100)).join(" | "));
    }
    for (const element of document.querySelectorAll("a, button, input, select, textarea, summary")) {
        if (element.closest("svg") || element.type === "hidden") continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && (box.width < 24 || box.height < 24)) tell(`${box.width} × ${box.height}`, element);
    }
    return wrong;
}"""

# Checks the contrast of all text, and of every field's edge (WCAG 1.4.3 and 1.4.11).
_COLOURS = """() => {
    const wrong = [];
    const read = colour => { const parts = colour.match(/[\\d.]+/g).map(Number); return [parts[0], parts[1], parts[2], parts[3] ?? 1]; };
    const light = ([red, green, blue]) => [red, green, blue].map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {
        const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
    };
    const grounds = new Map();
    const ground = element => {
        if (!element) return [255, 255, 255, 1];
        if (!grounds.has(element)) {
            const own = read(getComputedStyle(element).backgroundColor);
            grounds.set(element, own[3] === 1 ? own : own[3] === 0 ? ground(element.parentElement)
                : ground(element.parentElement).map((part, index) => index < 3 ? own[index] * own[3] + part * (1 - own[3]) : 1));
        }
        return grounds.get(element);
    };
    const isSeen = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && !element.closest(".visually-hidden, .skip, option");
    const done = new Set();
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const element = words.currentNode.parentElement;
        if (!words.currentNode.data.trim() || done.has(element)) continue;
        done.add(element);
        if (!isSeen(element)) continue;
        const style = getComputedStyle(element);
        const size = parseFloat(style.fontSize);
        const least = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
        const ratio = contrast(read(style.color), ground(element));
        if (ratio < least) wrong.push(`${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`);
    }
    for (const field of document.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea, .button")) {
        if (!isSeen(field)) continue;
        const style = getComputedStyle(field);
        const edge = Math.max(contrast(read(style.borderTopColor), ground(field.parentElement)),
            contrast(read(style.backgroundColor), ground(field.parentElement)));
        if (edge < 3) wrong.push(`edge ${edge.toFixed(2)}: ${field.outerHTML.slice(0, 120)}`);
        if (field.placeholder) {
            const hint = contrast(read(getComputedStyle(field, "::placeholder").color), ground(field));
            if (hint < 4.5) wrong.push(`placeholder ${hint.toFixed(2)}: ${field.outerHTML.slice(0, 120)}`);
        }
    }
    return wrong;
}"""

# Checks each element that takes the focus, one after another, as a key would give it.
_FOCUS = """async () => {
    const wrong = [];
    const read = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => read(colour).slice(0, 3).map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const seen = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    const kept = document.activeElement;
    for (const element of document.querySelectorAll(seen)) {
        if (!element.checkVisibility() || element.closest("dialog:not([open])")) continue;
        element.focus();
        const tell = what => wrong.push(`${what}: ${element.outerHTML.slice(0, 140)}`);
        if (document.activeElement !== element) { tell("takes no focus"); continue; }
        const style = getComputedStyle(element);
        // A link in a drawing shows its focus as the edge of its area.
        const edge = element.closest("svg") && getComputedStyle(element.querySelector(".hit"));
        if (edge && (edge.stroke === "none" || parseFloat(edge.strokeWidth) < 2)) { tell("shows no focus"); continue; }
        if (!edge && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2)) { tell("shows no focus"); continue; }
        let ground = element.parentElement;
        while (ground.parentElement && getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
        const [dark, bright] = [light(edge ? edge.stroke : style.outlineColor), light(getComputedStyle(ground).backgroundColor)].sort((a, b) => a - b);
        if ((bright + 0.05) / (dark + 0.05) < 3) tell(`focus ${edge ? edge.stroke : style.outlineColor}`);
        const boxes = [...element.getClientRects()];
        const found = boxes.map(box => document.elementFromPoint(
            Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1),
            Math.min(Math.max(box.y + box.height / 2, 0), innerHeight - 1)));
        if (!found.some(top => top && (element.contains(top) || top.contains(element)))) {
            tell(`is covered at ${boxes.map(box => [box.x, box.y].map(Math.round))} by ${found.map(top => top?.outerHTML.slice(0, 80))}`);
        }
        if (!boxes.some(box => box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth)) tell("is out of sight");
    }
    kept?.focus?.();
    return wrong;
}"""

# Makes all words 40 % longer, as another language's might be.
_LENGTHEN = """() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const node = words.currentNode;
        if (node.parentElement.closest("pre, .mono, .num, td, time") || !/\\p{L}{3}/u.test(node.data)) continue;
        node.data = node.data.replace(/\\p{L}{3,}/gu, word => word + word.slice(0, Math.ceil(word.length * 0.4)));
    }
}"""

# Returns how far parts of the page have moved since it was loaded.
_SHIFT = """() => new Promise(resolve => {
    let sum = 0;
    const observer = new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 0);
})"""

# Returns all texts of our own; those of people, stores and programs are marked or in other elements.
_WRITING = """() => {
    const seen = new Set();
    const add = text => { text = text.replace(/\\s+/g, " ").trim(); if (text) seen.add(text); };
    const parts = "h1, h2, h3, th[scope=col], th[scope=row], dt, legend, caption, label, summary, option, .button, button, "
        + ".tabs a, .hint, .note, .empty strong, .empty p, .empty a, .sidebar a, .status, .tag, .sub, .muted, .crumbs, .problem, .chips > a, footer span";
    for (const element of document.querySelectorAll(parts)) {
        if (element.closest("[lang]:not(html), .mono, .change tbody, .views .view, time, table.list tbody th")) continue;
        const copy = element.cloneNode(true);
        for (const other of copy.querySelectorAll(".mono, time, [lang], .currency, kbd, input, select, textarea, .copy")) other.remove();
        add(copy.textContent.replace(/UTC[+−][0-9:]*/g, " ").replace(/[0-9,–:.·×←→↓↑+%()…]+/g, " "));
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder]")) {
        if (element.closest("[lang]:not(html)")) continue;
        add((element.getAttribute("aria-label") ?? "").replace(/[0-9]+/g, " "));
        add(element.getAttribute("placeholder") ?? "");
    }
    return [...seen];
}"""


_HAS_FOCUS = "[...document.querySelectorAll('[autofocus]')].every(element => element === document.activeElement)"


def structure(page, language):
    # An element gets its focus when the page is drawn; without scripts nothing on the page can report that.
    for _ in range(50):
        if page.evaluate(_HAS_FOCUS):
            break
        page.wait_for_timeout(20)
    return page.evaluate(STRUCTURE, [language, *AMOUNTS[language]])


def layout(page, width):
    return page.evaluate(_LAYOUT, width)


def colours(page):
    return page.evaluate(_COLOURS)


def focus(page):
    # After a key press, an element that a script focuses shows its focus like one that a key focuses.
    page.keyboard.press("Shift")
    return page.evaluate(_FOCUS)


def longer_words(page, width):
    page.evaluate(_LENGTHEN)
    return [f"with longer words {problem}" for problem in layout(page, width) if problem.startswith("scrolls")]


def shift(page):
    moved = page.evaluate(_SHIFT)
    return [f"moved by {moved} while loading"] if moved else []


def paper(page):
    page.emulate_media(media="print")
    wrong = page.evaluate(_PAPER)
    page.emulate_media(media="screen")
    return wrong


def statuses(page):
    """Returns the statuses on a page, as pairs of a word and its mark."""
    return {tuple(status) for status in page.evaluate(_STATUSES)}


def writing(page):
    return set(page.evaluate(_WRITING))


def axe(page, with_contrast=True):
    """Returns axe's findings. Its contrast rule takes longer than all the rest, and `colours` checks contrast as well; none of its
    rules needs the page's styles loaded again."""
    page.evaluate(_AXE_SCRIPT)
    rules = {} if with_contrast else {"color-contrast": {"enabled": False}}
    found = page.evaluate(_AXE, {"resultTypes": ["violations"], "runOnly": _AXE_RULES, "rules": rules, "preload": False})
    return [f"axe: {problem}" for problem in found]
