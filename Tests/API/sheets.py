"""A form of the dashboard, filled in as a real user would, and sent with one field bent at a time."""

import urllib.parse
import uuid

import edges
import scale
import site_map
from pages import FORM, Page

TYPED = {
    "category": "goodwill", "reason": "What is asked for here.", "text": "What somebody noted.", "name": "Pat Example",
    "days": "1", "reference": "transfer 4711", "plan": "PRO",
}
# Wrong values of these are counted, and the fifth is refused.
SECRETS = {"password", "old", "code"}
# Fields that every form reads in the same way: after the first form they get fewer edges.
COMMON = {"csrf", "category", "reason", "key", "step", "term"}


class Sheet:
    def __init__(self, asker, route, place, row):
        self.asker, self.route, self.place, self.row = asker, route, place, row
        self.path, self.fields = "", {}
        self.load()

    def load(self):
        """Reads the page again, if the form is still on it."""
        if self.place.before:
            getattr(self.asker, self.place.before)()
        address = self.place.page.format(*self.row)
        self.shown = self.asker.send("GET", address)
        form = Page(self.shown.text).form(lambda action: site_map.route_of("POST", action or address.split("?")[0]) == self.route)
        if form is None:
            return
        self.path = form.action or address.split("?")[0]
        self.fields = {name: value or TYPED.get(name, "") for name, value in form.fields.items() if name}
        for name, value in self.place.typed.items():
            self.fields[name] = value(self.asker, self.row) if callable(value) else value

    def send(self, name="", edge="", path=""):
        """Sends the form with the named field bent; as it is when none is named."""
        if SECRETS & self.fields.keys():
            self.asker.tries += 1
            if self.asker.tries % 4 == 1:
                self.asker.server.sql("DELETE FROM sign_in_failures")
        return self.asker.send("POST", path or self.path, self.body(name, edge), FORM)

    def body(self, name="", edge=""):
        sent = self.fields | ({"key": str(uuid.uuid4())} if "key" in self.fields else {})
        pairs = [f"{urllib.parse.quote(each)}={urllib.parse.quote(value, safe='')}"
                 for each, value in sent.items() if each != name]
        return "&".join([*pairs, f"{name}={edge}"] if name else pairs).encode()


def bend(asker, route, places, stock, every=1):
    """Sends each field of a form with every edge of its kind (or every third, …), and last the correct form.

    Where a form did its work, the next row of the stock is taken.
    """
    told = set()
    for place in places:
        rows = stock.rows(place.stock, asker)
        if not rows:
            asker.refusals[str(route)] = f"there is nothing to be about: {place.stock}"
            continue
        sheet, spare = Sheet(asker, route, place, rows[0]), rows[1:-1]
        if not sheet.path:
            asker.refusals[str(route)] = f"no form is at {place.page.format(*rows[0])}, but {sheet.shown.status}"
            continue
        every = max(every, 4) if SECRETS & sheet.fields.keys() else every
        # Impossible values come before those that might do the form's work.
        for name in sorted(sheet.fields.keys() - told, key=lambda name: (edges.is_text(name, sheet.fields[name]), name)):
            share = every * 4 if name in COMMON & asker.bent else every
            values = edges.addressed(name, sheet.fields[name]) + ([] if told else edges.RAW[:2])
            for edge in scale.some(f"{route} {name}", values, share):
                if sheet.send(name, edge).is_good:
                    sheet.row = spare.pop(0) if spare else sheet.row
                    sheet.load()
            told.add(name)
            asker.bent.add(name)
        for path in scale.some(str(route), edges.paths(route.path, sheet.path), every):
            sheet.send(path=path)
        meant = Sheet(asker, route, place, rows[-1])
        if not meant.path:
            asker.refusals[str(route)] = f"no form is at {place.page.format(*rows[-1])}, but {meant.shown.status}"
            continue
        answer = meant.send()
        if not answer.is_good:
            asker.refusals[str(route)] = f"{answer.status} to {meant.path} {meant.body().decode()[-300:]}"
