"""The pages that a person reaches by links and by the stock: addresses by route, each with a parameter that no other has with the
same metric."""

import urllib.parse

import edges
import forms
import places
import scale
import site_map
from pages import Page


class Walk:
    def __init__(self, person, known, stock):
        self.person = person
        self.routes = [route for route in site_map.routes() if route.method == "GET" and route.path.startswith("/dashboard")
                       and route.may(person.role) and not route.path.endswith("/sign-in/code")]
        self._addresses, self._told = {}, {}
        found = [address(known) for whose, address in places.PLACES.values() if whose in (person.role, "admin", None)]
        found += [route.path for route in self.routes if "{" not in route.path]
        found += [place.page.format(*row) for listed in forms.FORMS.values() for place in listed
                  for row in stock.rows(place.stock, person, limit=1)]
        while found:
            address = found.pop(0)
            if self._take(address):
                found += self._links(address)

    def _links(self, address):
        answer = self.person.send("GET", address)
        if answer.status != 200 or not answer.text.lstrip().startswith("<"):
            return []
        page = Page(answer.text)
        asked = [form for form in page.forms if form.method == "GET"]
        return page.links + [
            (form.action or address.split("?")[0]) + "?" + urllib.parse.urlencode(form.fields) for form in asked]

    def _take(self, address):
        """Returns true if an address is the first of its route that exists, or has a parameter that is new with its metric."""
        path, pairs = site_map.split(address)
        route = site_map.route_of("GET", path)
        if route not in self.routes:
            return False
        metric = dict(pairs).get("metric")
        told = {(name, metric) for name, _ in pairs} or {("", metric)}
        known = self._told.setdefault(route, set())
        if told <= known and self.person.reached[route]:
            return False
        known |= told
        self._addresses.setdefault(route, {})[address] = (path, pairs)
        return True

    def examples(self, route):
        """Returns a route's paths with their pairs, those with most parameters first."""
        return sorted(self._addresses[route].values(), key=lambda example: -len(example[1]))

    def bent(self, every=1):
        """Yields every address with each of its parameters bent, once for each metric."""
        for route in self.routes:
            # A file reads its parameters like its page, and so does another metric.
            share = every * 4 if route.path.endswith(".csv") or "/exports/" in route.path else every
            told = set()
            for path, pairs in self.examples(route):
                metric = dict(pairs).get("metric")
                for name, value in pairs:
                    if (name, metric) not in told:
                        is_new = name not in {other for other, _ in told}
                        yield from bent(path, pairs, name, value, share if is_new else share * 4)
                        told.add((name, metric))
            yield from scale.some(str(route), edges.paths(route.path, self.examples(route)[0][0]), every)


def quoted(pairs):
    return [(name, urllib.parse.quote(value, safe="")) for name, value in pairs]


def address(path, pairs):
    """Returns an address of pairs that are encoded already."""
    return path + ("?" if pairs else "") + "&".join(f"{name}={value}" for name, value in pairs)


def bent(path, pairs, name, value="", every=1):
    """Yields the address for each edge of a parameter, and with it twice and as a list."""
    others = [pair for pair in quoted(pairs) if pair[0] != name]
    chosen = scale.some(f"{site_map.route_of('GET', path)} {name}", edges.addressed(name, value), every)
    yield from (address(path, [*others, (name, edge)]) for edge in chosen)
    if every == 1:
        yield address(path, [*others, (name, "1"), (name, "9223372036854775808")])
        yield address(path, [*others, (name + "[]", "1"), (name + "%5B0%5D", "-1")])


def with_markers(ask, path, pairs, names=("after", "before")):
    """Requests the page after and before every marker; for the kinds that a list takes, with every edge of theirs."""
    pairs = [pair for pair in quoted(pairs) if pair[0] not in ("after", "before")]
    for name in names:
        for usual, *others in edges.markers():
            if ask(address(path, [*pairs, (name, usual)])).status == 200:
                for marker in others:
                    ask(address(path, [*pairs, (name, marker)]))
        for text in edges.no_markers():
            ask(address(path, [*pairs, (name, text)]))


def all_bent(path, values):
    """Yields the address for each edge as the value of all known parameters: days, which are refused before anything else is read,
    apart from the others."""
    days = {"from", "to", "as_of", "month"}
    others = [name for name in site_map.parameter_names() if name not in days | {"after", "before"}]
    for value in values:
        yield address(path, [(name, value) for name in sorted(days)])
        yield address(path, [(name, value) for name in (others if len(value) < 60 else others[:1])])
