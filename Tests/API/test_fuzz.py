"""No value of any route's parameters causes a server error, breaks an answer off, or ends the process; and every role reaches
each route that it may use."""

import json
import re

import pytest

import edges
import forms
import headers
import scale
import sheets
import site_map
import store
import uploads
import walk
from asking import Asker, judge
from calls import APPS, BODIES, NO_BODIES, SERVERS, Calls
from kept import look_at_what_was_kept
from office import METRICS_TOKEN, Office
from pages import FORM, JSON
from people import Person, Visitor

pytestmark = pytest.mark.long

# Each role sends every nth edge; the other roles' calls bring less that is new.
SHARE = {"admin": scale.of(1, 4), "support": scale.of(6, 24), "analyst": scale.of(6, 24)}


@pytest.fixture(scope="module")
def site():
    made = Office()
    yield made
    made.stop()


@pytest.fixture
def running(site):
    process = site.get().server._process
    yield site
    assert process.poll() is None, "the process has ended:\n" + "".join(site.server.log[-20:])
    assert site.server._process is process
    last = Person(site.server, "admin")
    assert last.send("GET", "/dashboard").status == 200
    site.server.wait_until_ready(240)


@pytest.fixture(scope="module")
def description():
    return json.loads((site_map.REPOSITORY / "docs/api/openapi.json").read_text())


@pytest.mark.parametrize("role", site_map.ROLES)
def test_every_page_answers_whatever_its_parameters_hold(running, role):
    seen = running.walk(role)
    person = seen.person
    judge(person, seen.routes)
    for target in seen.bent(SHARE[role]):
        person.send("GET", target)
    for route in seen.routes:
        path, _ = seen.examples(route)[0]
        for target in walk.all_bent(path, scale.some(str(route), edges.few(), 3 * SHARE[role])):
            person.send("GET", target)
    judge(person)


def test_every_list_answers_whatever_its_page_markers_hold(running):
    seen = running.walk("admin")
    person = seen.person
    # A page without a valid marker begins anew; a file has no pages.
    lists = [route for route in seen.routes if person.send("GET", seen.examples(route)[0][0] + "?after=none").status in (303, 400)]
    names = {route.path.removeprefix("/dashboard/") for route in lists}
    assert names >= {"orders", "refunds", "customers", "subscriptions", "notifications", "audit", "ledger", "access",
                     "cohorts/rows", "subscribers/rows", "customers/{id}"}, names
    for route in lists:
        # The example with the most parameters reaches the most.
        walk.with_markers(lambda target: person.send("GET", target), *seen.examples(route)[0])
    # The markers of these lists are numbers and keys.
    for path in ("/dashboard/bulk", f"/dashboard/bulk/{running.known.job}"):
        for name, value in (("after", "1"), ("after", edges.NOBODY), ("before", "1")):
            for target in walk.bent(path, [], name, value):
                person.send("GET", target)
    judge(person)


def without(asker, routes, path):
    """Returns the routes but for one that answers no request as its user would like, whose refusals are forgotten."""
    asker.refusals.pop(f"POST {path}", None)
    return [route for route in routes if route.path != path or route.method != "POST"]


@pytest.mark.parametrize("role", site_map.ROLES)
def test_every_form_answers_whatever_one_field_holds(running, role):
    person = running.person(role)
    routes = {route.path: route for route in site_map.routes()
              if route.method == "POST" and route.path.startswith("/dashboard")}
    assert routes.keys() == forms.FORMS.keys() | forms.PUBLIC.keys(), "a form has no place"
    mine = [routes[path] for path in forms.FORMS if routes[path].may(role)]
    for route in mine:
        sheets.bend(person, route, forms.FORMS[route.path], running.stock, SHARE[role])
    # No store that the app is at pays to another account.
    judge(person, without(person, mine, "/dashboard/refunds/{number}/settlement"))


def test_every_form_before_sign_in_answers_whatever_one_field_holds(running):
    person = running.person("support")
    for path in ("/dashboard/account/two-factor", "/dashboard/account/two-factor/code"):
        assert sheets.Sheet(person, site_map.route_of("POST", path), forms.FORMS[path][0], ()).send().is_good
    visitor = Visitor(person)
    wanted = [site_map.route_of("GET", "/dashboard/sign-in/code")]
    for path, listed in forms.PUBLIC.items():
        wanted.append(site_map.route_of("POST", path))
        sheets.bend(visitor, wanted[-1], listed, running.stock)
    judge(visitor, wanted)


def test_a_file_of_customers_answers_whatever_it_holds(running):
    person = running.person("admin")
    route = site_map.route_of("POST", "/dashboard/bulk")
    sheet = sheets.Sheet(person, route, forms.FORMS["/dashboard/bulk"][0], ())
    for content_type, body in uploads.bent(sheet.fields):
        person.send("POST", "/dashboard/bulk", body, {"Content-Type": content_type})
    judge(person, [route])


@pytest.mark.parametrize("role", site_map.ROLES)
def test_every_call_of_the_api_answers_whatever_it_holds(running, description, role):
    calls = Calls(running.person(role), running.stock, description)
    routes = [route for route in site_map.routes() if route.access == "token"]
    assert {route.path for route in routes if route.method != "GET"} == BODIES.keys(), "a call has no body"
    mine = [route for route in routes if route.may(role)]
    for route in [route for route in mine if route.method == "GET"]:
        calls.ask(route, SHARE[role])
    for path in BODIES:
        for route in mine:
            if route.path == path and route.method != "GET":
                calls.bend(route, SHARE[role])
    # No store that the app is at pays to another account.
    judge(calls.program, without(calls.program, mine, "/admin/refunds/{number}/settle"))


def test_every_call_of_an_app_answers_whatever_it_holds(running, description):
    admin = running.person("admin")
    routes = [route for route in site_map.routes() if route.access == "customer" or route.path in APPS]
    assert {route.path for route in routes if route.method != "GET"} == APPS.keys(), "a call has no body"
    calls = Calls(admin, running.stock, description, admin.customer("fuzz"), APPS)
    running.stock.reserve("fuzz")
    for route in routes:
        if route.method == "GET":
            calls.ask(route, SHARE["admin"])
    for path, (row, _) in APPS.items():
        if row == "signed for me":
            running.stock.sell("fuzz")
        for route in routes:
            if route.path == path and route.method != "GET":
                calls.bend(route, SHARE["admin"])
    # The refresh token and the code do not exist, this customer cannot cancel another one's purchase, the app signs nobody in at
    # WeChat and opens no orders there, and a signed-out customer has no account to delete.
    refused = {
        "/api/v1/auth/token/refresh", "/api/v1/subscription/cancel", "/promo-codes/redeem", "/api/v1/auth/oauth/exchange",
        "/api/v1/auth/account", "/api/v1/subscription/orders", "/api/v1/subscription/orders/{number}"}
    # A customer who has signed out is no longer known.
    for path in refused | {"/api/v1/auth/logout"}:
        for method in ("POST", "DELETE"):
            calls.program.refusals.pop(f"{method} {path}", None)
    judge(calls.program, [route for route in routes if route.path not in refused])


def test_every_call_of_an_apps_server_answers_whatever_it_holds(running, description):
    admin = running.person("admin")
    routes = [route for route in site_map.routes() if route.access == "appServer"]
    assert {route.path for route in routes if route.method != "GET"} == SERVERS.keys(), "a call has no body"
    calls = Calls(admin, running.stock, description, admin.app_server(), SERVERS)
    admin.customer("server")
    running.stock.reserve("server")
    for route in routes:
        if route.method == "GET":
            calls.ask(route, SHARE["admin"])
    for path in SERVERS:
        for route in routes:
            if route.path == path and route.method != "GET":
                calls.bend(route, SHARE["admin"])
    # The customer bought no group.
    for call in ("POST /customers/{externalId}/seats", "DELETE /customers/{externalId}/seats/{id}"):
        calls.program.refusals.pop(call, None)
    judge(calls.program, [route for route in routes if route.method == "GET" or "/seats" not in route.path])


def test_every_header_answers_whatever_it_holds(running):
    person = running.person("admin")
    program = person.program()
    path = "/dashboard/preferences"
    sheet = sheets.Sheet(person, site_map.route_of("POST", path), forms.FORMS[path][0], ())
    note = f"/admin/customers/{running.known.subscriber}/notes"
    for name, value in headers.bent():
        bent = {name: value}
        for asker, *question in [
            (person, "GET", "/dashboard/orders", None, bent),
            (person, "POST", sheet.path, sheet.body(), FORM | bent),
            (program, "GET", "/admin/orders", None, bent),
            (program, "POST", note, b'{"text":"What somebody noted."}', {"Idempotency-Key": "one"} | bent),
            (program, "POST", "/webhooks/apple", b"{}", JSON | bent),
        ]:
            asker.send(*question)
            if name in headers.FRAMING:
                asker.hang_up()
    judge(person, [sheet.route])
    judge(program)


def test_what_is_open_to_everybody_answers_whatever_it_is_asked(running):
    # Calls of apps without a token name their app.
    visitor = Asker(running.server, {"X-App": "readmigo"})
    operator = Asker(running.server, {"Authorization": f"Bearer {METRICS_TOKEN}"})
    asset = re.search(r'"(/assets/[^"]+)"', visitor.send("GET", "/dashboard/sign-in").text)[1]
    wanted = []
    for route in site_map.routes():
        path = re.sub(r"\{token\}", running.known.invitation, route.path).replace("/assets/**", asset)
        path = path.replace("{tag}", "refunds")
        asker = operator if route.access == "operatorOnly" else visitor
        asker.send(route.method, re.sub(r"\{\w+\}", edges.NOBODY, path))
        if route.access not in ("open", "operatorOnly") or route.method != "GET":
            continue
        # A store's page would have to sign what leads there; the data has no order that could be paid.
        is_reachable = not route.path.endswith("/code") and not route.path.startswith(("/payment-returns/{store}/", "/pay/"))
        wanted += [(asker, route)] if is_reachable else []
        for name in ("next", "token"):
            for target in walk.bent(path, [], name, "/dashboard/orders"):
                asker.send("GET", target)
        for target in edges.paths(route.path.replace("**", "{name}"), path):
            asker.send("GET", target)
    for asker in (visitor, operator):
        judge(asker, [route for who, route in wanted if who is asker])


def test_every_notification_answers_whatever_a_member_holds(running):
    asker, app_store = Asker(running.server, JSON), store.AppStore(running.server)
    paths = ["/webhooks/apple", "/ios/webhook"]
    for place, body in enumerate(app_store.bent()):
        asker.send("POST", paths[place % 2], body)
    for edge in edges.json_values("signedPayload", "string"):
        asker.send("POST", paths[0], f'{{"signedPayload":{edge}}}'.encode())
    for body in NO_BODIES:
        asker.send("POST", paths[0], body)
    judge(asker, [site_map.route_of("POST", path) for path in paths])
    look_at_what_was_kept(running)
