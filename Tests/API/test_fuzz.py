"""No parameter of any route, whatever it holds, makes a server error, breaks an answer off, or ends the process."""

import json
import random
import re
import secrets
import urllib.parse
import urllib.request

import pytest

import accounts
import edges
import places
import sample_data
import site_map
from asking import Asker
from demo_server import DemoServer

pytestmark = pytest.mark.long

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ROLES = ["analyst", "support", "admin"]
# As many as the sample data counts on.
CUSTOMERS = 40
# Of one request; the server takes 100.
MOST_FIELDS = 90
# Of the addresses of a route, those with most parameters.
EXAMPLES = 4
# What ends the session that asks, or the process's own data; asked with everything but what makes it happen.
ENDS_SESSION = {"/dashboard/sign-out", "/dashboard/account/ended-sessions"}


class Running:
    """A server for this module alone; another one when it was ended, so that each test says what it found itself."""

    def __init__(self):
        self.server, self.known = None, None

    def get(self):
        if self.server is None or self.server._process.poll() is not None:
            self.server = DemoServer(customers=CUSTOMERS)
            self.known = sample_data.add(self.server)
        return self.server

    def stop(self):
        if self.server is not None and self.server._process.poll() is None:
            self.server.stop()


@pytest.fixture(scope="module")
def running():
    made = Running()
    yield made
    made.stop()


@pytest.fixture
def server(running):
    server = running.get()
    yield server
    assert server._process.poll() is None, "the process has ended:\n" + "".join(server.log[-20:])
    with urllib.request.urlopen(f"{server.url}/readyz", timeout=10) as answer:
        assert answer.status == 200


def signed_in(server, role):
    _, cookie = accounts.add_signed_in(server, role)
    return Asker(server, {"Host": f"127.0.0.1:{server.port}", "Cookie": f"perennial={cookie['value']}",
                          "Origin": server.url, "Accept-Language": random.choice(["en", "zh-CN", "tr"])})


def none(findings):
    told = [f"{len(times)} times {where}, for example {times[0]}" for where, times in sorted(findings.items())]
    assert not told, "\n".join(told[:60])


class Walk:
    """The pages that somebody comes to by links: addresses and forms by route, a few of each."""

    def __init__(self, asker, known):
        self.asker = asker
        self.patterns = {path for method, path in site_map.routes() if method == "GET" and path.startswith("/dashboard")}
        self.posted = {path for method, path in site_map.routes() if method == "POST" and path.startswith("/dashboard")}
        self.addresses, self.forms, self.csrf = {}, {}, ""
        found = [place(known) for _, place in places.PLACES.values()]
        found += [pattern for pattern in sorted(self.patterns) if "{" not in pattern]
        seen = set()
        while found:
            address = found.pop(0)
            if address in seen or not self._take(address):
                continue
            seen.add(address)
            if address.split("?")[0].endswith(".csv") or "/exports/" in address:
                continue
            status, text = asker.send("GET", address)
            if status != 200:
                continue
            page = site_map.Page(text)
            found += page.links
            for form in page.forms:
                self._take_form(form, address)

    def _take(self, address):
        path, pairs = site_map.split(address)
        pattern = site_map.pattern_of(path, self.patterns)
        if pattern is None:
            return False
        kept = self.addresses.setdefault(pattern, {})
        kind = (frozenset(name for name, _ in pairs), dict(pairs).get("figure"))
        if kind in kept or len(kept) >= 3 * EXAMPLES:
            return False
        kept[kind] = (path, pairs)
        return True

    def _take_form(self, form, page):
        self.csrf = form["fields"].get("csrf", self.csrf)
        path, pairs = site_map.split(form["action"] or page)
        fields = {name: value for name, value in form["fields"].items() if name and name != "csrf"}
        if form["method"] == "GET":
            self._take(path + "?" + urllib.parse.urlencode(fields))
        elif pattern := site_map.pattern_of(path, self.posted):
            kept = self.forms.setdefault(pattern, {})
            if len(kept) < 2:
                kept.setdefault(frozenset(fields), (path, fields))

    def examples(self, pattern):
        """The addresses of a route with most parameters; one that was made up where no link leads."""
        found = sorted(self.addresses.get(pattern, {}).values(), key=lambda example: -len(example[1]))
        return found[:EXAMPLES] or [(re.sub(r"\{\w+\}", str(edges.NAMES[5]), pattern), [])]


@pytest.fixture(scope="module")
def walks():
    return {}


def walk(walks, running, server, role):
    known = walks.get(role)
    if known is None or known.asker.server is not server:
        known = walks[role] = Walk(signed_in(server, role), running.known)
    return known


def address(path, pairs):
    return path + "?" + "&".join(f"{name}={value}" for name, value in pairs)


def with_one_bent(path, pairs, names):
    """The address once for each parameter and edge; it is added where it is not there, repeated, and made a list."""
    whole = [(name, urllib.parse.quote(value, safe="")) for name, value in pairs]
    for name in names:
        others = [pair for pair in whole if pair[0] != name]
        for value in edges.addressed():
            yield address(path, [*others, (name, value)])
        yield address(path, [*whole, (name, "1"), (name, "9223372036854775808")])
        yield address(path, [*others, (name + "[]", "1"), (name + "%5B0%5D", "-1")])
    if "after" in names or "before" in names:
        for marker in edges.markers():
            yield address(path, [*whole, ("after", marker)])


def with_all_bent(path, names, values):
    """The address for each edge, which all parameters have that there are anywhere; the page marker, which is refused before
    anything else is read, has it alone."""
    others = [name for name in names if name not in ("after", "before")]
    yield from (address(path, [("after", value)]) for value in edges.few())
    for value in values:
        for start in range(0, len(others), MOST_FIELDS):
            some = others[start:start + MOST_FIELDS]
            # What is too long is told by the first of them.
            yield address(path, [(name, value) for name in (some if len(value) < 100 else some[:3])])


def with_bent_path(pattern, path, values):
    """The path once for each of its variable parts and edges."""
    parts, wanted = path.split("/"), pattern.split("/")
    for index, part in enumerate(wanted):
        if part.startswith("{"):
            for value in values:
                yield "/".join([*parts[:index], value or "%20", *parts[index + 1:]])


@pytest.mark.parametrize("role", ROLES)
def test_every_page_answers_whatever_all_parameters_hold(running, server, walks, role):
    known, names = walk(walks, running, server, role), site_map.parameter_names()
    asker = known.asker
    values = edges.addressed() if role == "admin" else edges.few()
    targets = []
    for pattern in sorted(known.patterns):
        path, _ = known.examples(pattern)[0]
        targets += with_all_bent(path, names, values)
        targets += with_bent_path(pattern, path, values)
    asker.all(("GET", target) for target in targets)
    none(asker.findings)


def test_every_page_answers_whatever_one_parameter_holds(running, server, walks):
    known = walk(walks, running, server, "admin")
    targets = []
    for pattern in sorted(known.patterns):
        told = set()
        for path, pairs in known.examples(pattern):
            context = dict(pairs).get("figure")
            names = [name for name, _ in pairs if (name, context) not in told]
            told.update((name, context) for name in names)
            targets += with_one_bent(path, pairs, dict.fromkeys(names))
    known.asker.all(("GET", target) for target in targets)
    none(known.asker.findings)


@pytest.mark.parametrize("role", ROLES)
def test_every_form_answers_whatever_one_field_holds(running, server, walks, role):
    known = walk(walks, running, server, role)
    requests = []
    for pattern in sorted(known.posted - ENDS_SESSION):
        path, fields = next(iter(known.forms.get(pattern, {}).values()), (re.sub(r"\{\w+\}", edges.NAMES[5], pattern), {}))
        names = list(fields) or ["reason", "days", "version"]
        values = edges.few()
        # Each look at a password takes as long as a hundred other answers.
        if any("password" in name for name in names):
            values = values[:3]
        for name in names:
            for value in values:
                sent = {"csrf": known.csrf, **fields, "key": secrets.token_hex(8)}
                pairs = [f"{urllib.parse.quote(other)}={urllib.parse.quote(text, safe='')}"
                         for other, text in sent.items() if other != name]
                requests.append(("POST", path, "&".join([*pairs, f"{name}={value}"]).encode(), FORM))
    known.asker.all(requests)
    none(known.asker.findings)


def test_every_call_of_the_api_answers_whatever_a_parameter_holds(server, program, description):
    targets = []
    for path, item in description["paths"].items():
        if "get" not in item:
            continue
        real = program.real(path)
        names = [parameter["name"] for parameter in program.parameters(item["get"]) if parameter["in"] == "query"]
        targets += with_one_bent(real, [], [*names, "app"])
        targets += with_bent_path(path, real, edges.addressed())
    program.all(("GET", target) for target in targets)
    none(program.findings)


def test_every_call_of_the_api_answers_whatever_a_member_holds(server, program, description):
    requests = []
    for path, item in description["paths"].items():
        for method in set(item) - {"get"}:
            schema = program.schema(item[method])
            whole = {name: program.sample(name, value) for name, value in schema.get("properties", {}).items()}
            for name in whole:
                for value in edges.json_values():
                    members = [f'{json.dumps(other)}:{json.dumps(text)}' for other, text in whole.items() if other != name]
                    body = "{" + ",".join([*members, f"{json.dumps(name)}:{value}"]) + "}"
                    requests.append((method.upper(), program.real(path), body.encode(), program.key()))
            for body in BODIES:
                requests.append((method.upper(), program.real(path), body, program.key()))
    program.all(requests)
    none(program.findings)


WHOLE_BODY = json.dumps({"category": "other", "reason": "what is asked for here", "days": 1, "planType": "PRO"})
BODIES = [
    b"", b"null", b"[]", b"1", b'"a"', b"{", b"[" * 50_000, b'{"a":' * 50_000, b"\xff\xfe", b"\x00", b"{}" * 2,
    *(WHOLE_BODY.encode(code) for code in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be")),
    b'{"days":1,"days":9223372036854775808}', b'{"' + b"a" * 60_000 + b'":1}',
]


class Program(Asker):
    """Asks the admin API with a token, about what there is."""

    def __init__(self, server, description):
        email, _ = accounts.add_signed_in(server, "admin")
        token = server.run("staff", "token", email, "--name", "fuzz").split()[-1]
        super().__init__(server, {"Authorization": f"Bearer {token}", "X-App": "readmigo",
                                  "Content-Type": "application/json", "Host": f"127.0.0.1:{server.port}"})
        self.description = description

        def first(path, *names):
            answer = json.loads(self.send("GET", path)[1])
            for name in names:
                answer = answer[name] if isinstance(name, str) else answer[name:][0] if len(answer) > name else {}
            return answer if isinstance(answer, str) else edges.NAMES[5]

        customer = first("/admin/subscriptions", "subscriptions", 0, "userId")
        self.there = {
            "/admin/orders/": first("/admin/orders", "orders", 0, "orderNumber"),
            "/admin/refunds/": "RF-000001",
            "/admin/customers/": customer, "/admin/subscriptions/": customer,
            "/admin/audit/": first("/admin/audit", "entries", 0, "id"),
        }

    def real(self, path):
        found = next((there for start, there in self.there.items() if path.startswith(start)), edges.NAMES[5])
        return re.sub(r"\{\w+\}", found, path)

    def parameters(self, operation):
        shared = self.description["components"]["parameters"]
        return [shared[p["$ref"].split("/")[-1]] if "$ref" in p else p for p in operation.get("parameters", [])]

    def schema(self, operation):
        return operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})

    def sample(self, name, schema):
        kind = schema.get("type", "string")
        kind = kind if isinstance(kind, str) else kind[0]
        made = {"integer": 7, "number": 1, "boolean": False}
        texts = {"reason": "what is asked for here", "planType": "PRO", "until": None, "of": None, "version": None}
        if name in texts:
            return texts[name]
        return schema["enum"][0] if "enum" in schema else made.get(kind, "0")

    def key(self):
        return {"Idempotency-Key": secrets.token_hex(8)}


@pytest.fixture(scope="module")
def description():
    return json.loads((site_map.REPOSITORY / "docs/api/openapi.json").read_text())


@pytest.fixture
def program(server, description):
    return Program(server, description)


def test_what_is_open_to_everybody_answers_whatever_it_is_asked(server):
    asker = Asker(server, {"Host": f"127.0.0.1:{server.port}"})
    requests = []
    for method, pattern in site_map.routes():
        path = re.sub(r"\{\w+\}|\*\*", edges.NAMES[5], pattern)
        requests += [(method, path), (method, path + "?" + "&".join(f"next={value}" for value in edges.RAW))]
        if not pattern.startswith(("/dashboard/", "/admin/")) or "welcome" in pattern or "sign-in" in pattern:
            requests += [(method, target) for target in with_one_bent(path, [], ["next", "token", "app"])]
            requests += [(method, target) for target in with_bent_path(pattern, path, edges.addressed())]
    for target in ["/webhooks/apple", "/ios/webhook"]:
        for value in edges.json_values():
            requests.append(("POST", target, f'{{"signedPayload":{value}}}'.encode(), {"Content-Type": "application/json"}))
        requests += [("POST", target, body, {"Content-Type": "application/json"}) for body in BODIES]
    asker.all(requests)
    none(asker.findings)
