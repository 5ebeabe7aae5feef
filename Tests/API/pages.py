"""The links and forms of the program's own pages."""

import dataclasses
import html.parser

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


@dataclasses.dataclass
class Form:
    method: str
    action: str
    fields: dict
    """What each field holds; what must be chosen has its first choice."""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.forms, self._form, self._select = [], [], None, None
        self.feed(text)

    def form(self, leads_to):
        """Returns the first form that is posted to such a path; None if there is none."""
        return next((form for form in self.forms if form.method == "POST" and leads_to(form.action)), None)

    def handle_starttag(self, tag, pairs):
        attributes = {name: value or "" for name, value in pairs}
        if tag == "a" and attributes.get("href", "").startswith("/"):
            self.links.append(attributes["href"])
        elif tag == "form":
            self._form = Form(attributes.get("method", "get").upper(), attributes.get("action", ""), {})
            self.forms.append(self._form)
        elif self._form is not None and "name" in attributes and tag in ("input", "textarea", "select", "button"):
            is_chosen = attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes
            self._form.fields.setdefault(attributes["name"], attributes.get("value", ""))
            if is_chosen:
                self._form.fields[attributes["name"]] = attributes.get("value", "")
            self._select = attributes["name"] if tag == "select" else None
        elif tag == "option" and self._select and attributes.get("value") and not self._form.fields.get(self._select):
            self._form.fields[self._select] = attributes["value"]

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
