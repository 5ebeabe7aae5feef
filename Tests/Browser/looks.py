"""Questions to a page as it stands: each answers with what is wrong, so that an empty list is a good page."""

from axe_playwright_python.sync_playwright import Axe

_AXE_SCRIPT = Axe().axe_script
# What axe finds, a line for each element. What it did not find it would tell at length.
_AXE = """async options => (await axe.run(document, options)).violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${rule.help}: ${node.html.slice(0, 160)}`))"""
_AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AMOUNTS = {"en": (",", "."), "zh-Hans": (",", "."), "tr": (".", ",")}

# What does not depend on how wide the page is, nor on its colours.
_STRUCTURE = """([language, thousands, point]) => {
    const wrong = [];
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const tell = (what, element) => wrong.push(`${what}: ${element?.outerHTML?.slice(0, 160) ?? ""}`);
    const hasFrame = document.querySelector(".frame") !== null;
    const text = element => element.textContent.replace(/\\s+/g, " ").trim();

    if (document.documentElement.lang !== language) tell(`lang is ${document.documentElement.lang}`);
    if (!document.title.endsWith("Perennial") || document.title === "Perennial") tell(`title ${document.title}`);
    if (all("h1").length !== 1 || !text(document.querySelector("h1"))) tell("not one h1");
    if (all("main").length !== 1) tell("not one main");
    const levels = all("main h1, main h2, main h3, main h4").map(heading => Number(heading.tagName[1]));
    levels.forEach((level, index) => { if (level - (levels[index - 1] ?? 0) > 1) tell(`h${level} skips a level`); });

    const labels = all("nav").map(part => part.getAttribute("aria-label"));
    if (labels.some(label => !label) || new Set(labels).size !== labels.length) tell(`nav labels ${labels}`);
    if (hasFrame) {
        const first = document.querySelector("a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']");
        if (!first.matches(".skip[href='#main']") || !document.querySelector("#main")) tell("no skip link first", first);
        if (all("header.top").length !== 1 || all("[role=search]").length !== 1) tell("no banner or search");
        if (all(".sidebar [aria-current=page]").length > 1) tell("two places at once");
    }
    const help = all("a[href='/dashboard/help']");
    const links = all(hasFrame ? ".sidebar a" : "a");
    if (help.length !== 1 || help[0] !== links[links.length - 1] || !help[0].closest(hasFrame ? ".display" : "footer")) tell("help is not where it always is", help[0]);
    const path = location.pathname;
    if (all("form.find input, form.find label").length === 1) tell("a search without a label");

    for (const table of all("table")) {
        if (all("caption", table).length !== 1) tell("a table without a caption", table);
        for (const heading of all("th", table)) if (!heading.scope) tell("a heading without a scope", heading);
        if (table.matches(".list")) {
            const sorted = all("th[aria-sort]", table).length;
            if (sorted > 1) tell("sorted twice", table);
            const isSortable = all("thead a", table).length > 0;
            if (isSortable && sorted === 0 && !/,|，|;|；/.test(text(table.caption))) tell("nobody says the order", table);
            for (const row of table.tBodies[0].rows) {
                if (all("th[scope=row] a[href]", row).length !== 1) tell("not one link names the row", row);
            }
        }
        for (const cell of all("td", table)) {
            // The cells of a table of changes hold whatever a field had: their columns are not of numbers.
            if (!/^[−+-]?[\\d.,]+$/.test(text(cell)) || cell.closest(".change, .mono")) continue;
            const style = getComputedStyle(cell);
            if (style.textAlign !== "right" || style.fontVariantNumeric !== "tabular-nums") tell("a number adrift", cell);
        }
    }
    const number = text => Number(text.replaceAll(thousands, ""));
    const place = all("main [role=status]").map(text).map(text => text.match(/([\\d.,]+)–([\\d.,]+)\\D+([\\d.,]*\\d)/)).find(Boolean);
    const list = all("table.list").pop();
    if (place) {
        const [first, last, total] = place.slice(1).map(number);
        if (!list || list.tBodies[0].rows.length !== last - first + 1) tell(`${place[0]} is not what is listed`, list);
        if (last < total && last - first !== 24) tell(`${place[0]} is not a page of 25`, list);
        if (all("a[rel=next]").length !== (last < total ? 1 : 0)) tell(`${place[0]} and Next`, list);
        if (all("a[rel=prev]").length !== (first > 1 ? 1 : 0)) tell(`${place[0]} and Previous`, list);
        if (!document.title.includes(place[0])) tell(`the title does not say ${place[0]}`);
        const file = all("main a[href^='/dashboard/exports/'], main form[action$='/exports'] button")[0];
        const rows = file && (text(file).match(/[\\d.,]*\\d/) ?? ["0"])[0];
        if (file && number(rows) !== total) tell(`a file of other than ${total} rows`, file);
    }
    const state = new URLSearchParams(location.search);
    for (const form of all("form.filters")) if (form.method !== "get") tell("filters that are not in the address", form);
    for (const chips of all(".chips")) {
        if (all(".chip", chips).length === 0 || all(":scope > a", chips).length !== 1) tell("no chip, or no way to clear all", chips);
        for (const chip of all(".chip", chips)) {
            const remove = chip.querySelector("a[aria-label]");
            if (!remove) { tell("a filter that cannot be removed", chip); continue; }
            const rest = new URL(remove.href).searchParams;
            const gone = [...state.keys()].filter(name => !rest.has(name));
            const changed = [...rest].filter(([name, value]) => state.has(name) && state.get(name) !== value);
            if (gone.length !== 1 || changed.length) tell(`removes ${gone} and changes ${changed}`, chip);
        }
    }
    for (const empty of all(".empty")) {
        if (!empty.closest("figure, .card") && all("main [role=status]").length && !all("a[href]", empty).length) tell("nothing here and no way on", empty);
    }
    for (const region of all(".scroll")) {
        if (region.tabIndex !== 0 || region.getAttribute("role") !== "region" || !region.ariaLabel) tell("region", region);
    }
    const digits = { JPY: 0, KRW: 0, VND: 0, CLP: 0, KWD: 3, BHD: 3, JOD: 3, TND: 3, OMR: 3 };
    for (const currency of all(".currency")) {
        const code = text(currency);
        if (!/^[A-Z]{3}$/.test(code)) { tell("no currency", currency); continue; }
        const cell = currency.closest("td");
        if (cell && (getComputedStyle(cell).textAlign !== "right"
            || getComputedStyle(cell).fontVariantNumeric !== "tabular-nums")) tell("an amount adrift", cell);
        const amount = (currency.previousSibling?.textContent ?? "").trim().split(/\\s/).pop();
        const places = digits[code] ?? 2;
        const pattern = new RegExp(`^[−+]?\\\\d{1,3}(\\\\${thousands}\\\\d{3})*` + (places ? `\\\\${point}\\\\d{${places}}$` : "$"));
        if (!pattern.test(amount)) tell(`the amount “${amount}” of ${code}`, currency.parentElement);
    }
    for (const time of all("time")) {
        if (!/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d([+-]\\d\\d:\\d\\d|Z)$/.test(time.dateTime)) tell("a time", time);
        if (!/UTC/.test(time.title)) tell("a time that does not say its UTC", time);
        if (!/\\d{4}.*\\d\\d:\\d\\d/.test(text(time))) tell("a time that is not absolute", time);
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const [text, parent] = [words.currentNode.data, words.currentNode.parentElement];
        if (parent.closest("script")) continue;
        if (/\\{\\{|\\}\\}|Optional\\(|%[@ds]|\\bnil\\b|\\bundefined\\b/.test(text)) tell("a template shows", parent);
        if (parent.closest("time, pre, code, .mono, .printed, .change, textarea, option, .text, .why, .hint, .timeline strong")) continue;
        if (/\\b\\d\\d:\\d\\d\\b/.test(text.replace(/UTC[+−-]\\d+:\\d\\d/g, ""))) tell("a moment without <time>", parent);
        if (/\\{[a-z_]+\\}/.test(text)) tell("a placeholder without its word", parent);
    }

    for (const status of all(".status")) {
        if (!text(status)) tell("a status without a word", status);
        const mark = getComputedStyle(status, "::before");
        if (mark.content === "none" || parseFloat(mark.width) < 4) tell("a status without a shape", status);
    }
    for (const element of all("main *")) {
        const style = getComputedStyle(element);
        if (style.textOverflow === "ellipsis" && element.type !== "file") tell("cut off with dots", element);
        if (style.userSelect === "none" && !element.matches("button")) tell("cannot be selected", element);
    }
    for (const button of all("button, .button")) {
        if (/^(ok|okay|yes|no|submit|好|好的|是|否|确定|取消|提交|tamam|evet|hayır|gönder)$/i.test(text(button))) tell("says nothing", button);
        if (button.tagName === "BUTTON" && !button.closest("form")) if (!button.matches(".copy")) tell("needs a script", button);
    }
    const danger = all(".danger");
    const isQuestion = /[?？]$/.test(text(document.querySelector("h1")).replace(/\\s+\\S*$/, "") || "") || /[?？]/.test(text(document.querySelector("h1")));
    for (const form of all("main form[method=post]")) {
        if (!form.querySelector("[name=category]")) continue;
        if (!form.hasAttribute("data-once") || !form.querySelector("[name=key]")) tell("can be sent twice", form);
        if (!form.querySelector("a.button[href]")) tell("no answer but yes", form);
        if (!form.querySelector("textarea[name=reason]")) tell("asks for no reason", form);
    }
    for (const form of all("main form[method=post]:has(table.change)")) {
        if (!isQuestion) tell("changes something without a question", form);
        if (language !== "en") continue;
        const said = text(document.querySelector("main"));
        if (!/undone/.test(said) || !/notification/i.test(said)) tell("does not say whether it can be undone and who is told", form);
        const [verb] = text(form.querySelector("button.primary, button.danger")).split(" ");
        if (!text(document.querySelector("h1")).startsWith(verb)) tell("the answer is not that of the question", form);
    }
    if (danger.length > 1) tell("two warnings", danger[1]);
    if (danger.length && (!isQuestion || !danger[0].matches("main form[method=post] button"))) tell("a warning before the end", danger[0]);

    for (const alert of all("main [role=alert]")) {
        if (document.activeElement !== alert) tell("the problem has not the focus", alert);
        for (const form of all("main form")) {
            if (alert.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_PRECEDING) tell("the problem is not on top", form);
        }
        for (const link of all("a[href^='#']", alert)) {
            const field = document.getElementById(link.getAttribute("href").slice(1));
            if (!field) { tell("leads to no field", link); continue; }
            const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
            const told = described.map(id => text(document.getElementById(id) ?? document.createElement("p")));
            if (!told.some(sentence => text(link).includes(sentence) || sentence.includes(text(link)))) {
                tell("the field does not say it", field);
            }
            if (field.matches("input, select, textarea") && field.getAttribute("aria-invalid") !== "true") tell("not invalid", field);
            field.focus();
            if (document.activeElement !== field) tell("cannot take the focus", field);
        }
        alert.focus();
    }
    for (const field of all("input:not([type=hidden]), select, textarea")) {
        if (!field.labels?.length && !field.ariaLabel) tell("a field without a label", field);
        if (field.hasAttribute("onpaste")) tell("a field that minds pasting", field);
        if (field.type === "password" && !/^(current|new)-password$/.test(field.autocomplete)) tell("no password manager knows", field);
    }
    for (const link of all("a")) {
        const target = link.getAttribute("href");
        if (!/^(\\/dashboard|#)/.test(target ?? "")) tell("leads elsewhere", link);
    }
    // A dialog's own form goes nowhere: it closes the dialog.
    for (const form of all("form:not([method=dialog])")) {
        if (!(form.getAttribute("action") ?? "").startsWith("/dashboard/")) tell("goes elsewhere", form);
        if (form.getAttribute("method") === "post" && !/^[0-9a-f]{128}$/.test(form.querySelector("[name=csrf]")?.value ?? "")) {
            tell("has no token", form);
        }
    }
    const reference = document.querySelector(".error-page [data-copy]");
    if (document.querySelector(".error-page")) {
        if (!reference || !text(reference)) tell("an error without its id");
        if (!all("main a[href]").length) tell("an error without a way on");
    }
    return wrong;
}"""

# What paper shows: everything that is said, nothing that is pressed.
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

# The word and the mark of each status.
_STATUSES = """() => [...document.querySelectorAll(".status")].map(status => {
    const mark = getComputedStyle(status, "::before");
    return [status.textContent.trim(), [mark.width, mark.height, mark.borderTopLeftRadius, mark.borderTopWidth, mark.borderLeftWidth,
        mark.transform, mark.backgroundColor === "rgba(0, 0, 0, 0)", mark.backgroundImage].join(" ")];
})"""

# What the width decides.
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
        if (element.closest("svg") || element.type === "hidden" || element.matches(".skip:not(:focus)")) continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && (box.width < 24 || box.height < 24)) tell(`${box.width} × ${box.height}`, element);
    }
    return wrong;
}"""

# How well everything that is written, and every field's edge, stands out (WCAG 1.4.3 and 1.4.11).
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

# Each thing that takes the focus, one after the other, as a key would give it.
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

# Words that are 40 % longer, as another language's might be.
_LENGTHEN = """() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const node = words.currentNode;
        if (node.parentElement.closest("pre, .mono, .num, td, time") || !/\\p{L}{3}/u.test(node.data)) continue;
        node.data = node.data.replace(/\\p{L}{3,}/gu, word => word + word.slice(0, Math.ceil(word.length * 0.4)));
    }
}"""

# How much has moved since the page came.
_SHIFT = """() => new Promise(resolve => {
    let sum = 0;
    const observer = new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 0);
})"""

# Everything that is our own writing; what people, stores and programs wrote is marked or stands elsewhere.
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
    # What is to have the focus gets it when the page is drawn; without scripts nothing on the page can tell us of that.
    for _ in range(50):
        if page.evaluate(_HAS_FOCUS):
            break
        page.wait_for_timeout(20)
    return page.evaluate(_STRUCTURE, [language, *AMOUNTS[language]])


def layout(page, width):
    return page.evaluate(_LAYOUT, width)


def colours(page):
    return page.evaluate(_COLOURS)


def focus(page):
    # After a key, what a script focuses shows it as what a key focuses does.
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
    """The statuses on a page, as pairs of a word and its mark."""
    return {tuple(status) for status in page.evaluate(_STATUSES)}


def writing(page):
    return set(page.evaluate(_WRITING))


def axe(page, with_contrast=True):
    """What axe finds. Contrast takes it longer than all the rest, and `colours` looks at it, too."""
    page.evaluate(_AXE_SCRIPT)
    rules = {} if with_contrast else {"color-contrast": {"enabled": False}}
    found = page.evaluate(_AXE, {"resultTypes": ["violations"], "runOnly": _AXE_RULES, "rules": rules})
    return [f"axe: {problem}" for problem in found]
