"""The script of `looks.structure`."""

# Checks the rules that depend neither on the page's width nor on its colours.
STRUCTURE = """([language, thousands, point]) => {
    const wrong = [];
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const tell = (what, element) => wrong.push(`${what}: ${element?.outerHTML?.slice(0, 160) ?? ""}`);
    const hasFrame = document.querySelector(".frame") !== null;
    const text = element => element.textContent.replace(/\\s+/g, " ").trim();

    if (document.documentElement.lang !== language) tell(`lang is ${document.documentElement.lang}`);
    // A customer's page has the name of the app that sells, and no help for staff.
    const isForCustomers = document.querySelector("main.pay") !== null;
    if (!isForCustomers && (!document.title.endsWith("Perennial") || document.title === "Perennial")) tell(`title ${document.title}`);
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
    if (isForCustomers) { if (help.length > 0) tell("help for staff", help[0]); }
    else if (help.length !== 1 || help[0] !== links[links.length - 1] || !help[0].closest(hasFrame ? ".display" : "footer")) tell("help is not where it always is", help[0]);
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
                // The rows of a plain list have no page of their own.
                const links = all("th[scope=row] a[href]", row).length;
                if (links > 1 || links === 0 && !table.matches(".plain")) tell("not one link names the row", row);
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
        if (parent.closest("time, pre, code, .mono, .printed, .change, textarea, option, .text, .why, .hint, .timeline strong, .sentence")) continue;
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
        if (button.tagName === "BUTTON" && !button.closest("form")) if (!button.matches(".copy, [popovertarget]")) tell("needs a script", button);
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
        if (!/^(\\/dashboard|\\/docs|\\/openapi\\.json$|#)/.test(target ?? "")) tell("leads elsewhere", link);
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
