"""One server, one browser, and one signed-in session per role for the whole suite.

Every page that a test opens is watched: a console error, an exception in a script or a request to another host fails
the test that caused it.

What people do at work (modules marked `tasks`) is done with JavaScript on and off; in the sample each task in one of the two.
"""

import json
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

import accounts
import looks
import sample_data
import scale
from demo_server import DemoServer
from listing import FIRST_PAGE
from windows import LONGEST_WAIT, SWITCHES, Windows, chromium, fill_in_sign_in

CUSTOMERS = 40


def pytest_configure(config):
    config.addinivalue_line("markers", "tasks: what people do at work; done with JavaScript on and off")
    config.addinivalue_line("markers", "needs_scripts(why): looks at something that only scripts do")
    config.addinivalue_line("markers", "read_only: reads what the server wrote, which is the same without scripts")


def without_scripts(name):
    """Returns true if the sample, which runs a test of people's tasks once, runs it without JavaScript: on one day of three."""
    return scale.turn(name, 3) == 0


def pytest_generate_tests(metafunc):
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    if "scripts" in metafunc.fixturenames and "tasks" in marks and not marks & {"needs_scripts", "read_only"}:
        chosen = [True, False] if scale.WHOLE else [not without_scripts(metafunc.definition.nodeid)]
        ids = ["with-scripts" if scripts else "without-scripts" for scripts in chosen]
        metafunc.parametrize("scripts", chosen, ids=ids, indirect=True)


@pytest.fixture(scope="session")
def server():
    running = DemoServer(CUSTOMERS)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def known(server):
    return sample_data.add(server)


@pytest.fixture(scope="session")
def browser():
    expect.set_options(timeout=LONGEST_WAIT)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield running
        running.close()


@pytest.fixture(scope="session")
def staff(server):
    """Makes an account of a test's own, whose choices disturb no other test."""

    return lambda role="admin": accounts.add(server, role)


@pytest.fixture(scope="session")
def sessions(server, browser, known, staff):
    """Returns the cookies of a signed-in browser for each role; `newcomer` looks at the app without orders."""

    def sign_in(email):
        context = browser.new_context(base_url=server.url)
        context.set_default_timeout(LONGEST_WAIT)
        page = context.new_page()
        fill_in_sign_in(page, email)
        page.wait_for_url(FIRST_PAGE)
        return context, page

    kept = {}
    for role in ("admin", "support", "analyst"):
        context, _ = sign_in(f"{role}@demo.test")
        kept[role] = context.storage_state()
        context.close()
    context, page = sign_in(staff())
    page.get_by_label("App", exact=True).select_option("tandem")
    page.get_by_role("button", name="Switch app").click()
    kept["newcomer"] = context.storage_state()
    context.close()
    return kept


@pytest.fixture(scope="session")
def windows(server, browser, sessions):
    """Returns windows for the tests to borrow: opening one costs more than most tests do in it."""
    kept = Windows(server, browser, sessions)
    yield kept
    kept.close()


@pytest.fixture
def scripts(request):
    """Returns true if the browser's windows run JavaScript."""
    return getattr(request, "param", True)


@pytest.fixture
def open_as(windows, scripts):
    """Opens a watched browser window for a role (None: nobody is signed in), with the options of `Windows.borrow`."""
    borrowed = []

    def open_page(role, **options):
        borrowed.append(windows.borrow(role, **{"java_script_enabled": scripts} | options))
        return borrowed[-1].page

    yield open_page
    problems = [problem for window in borrowed for problem in windows.give_back(window)]
    assert not problems, "\n".join(problems)


@pytest.fixture
def axe(scripts):
    """Returns a function that runs axe on a page. Axe is a script itself: with JavaScript off nothing can run it."""
    return looks.axe if scripts else lambda page, **options: []


@pytest.fixture
def page(open_as):
    return open_as("admin")


@pytest.fixture
def analyst(open_as):
    return open_as("analyst")


@pytest.fixture
def visitor(open_as):
    return open_as(None)


@pytest.fixture
def person(open_as, server):
    """Returns the window of a signed-in person with an account of their own."""

    def sign_in(role="admin", **options):
        page = open_as(None, **options)
        page.email, cookie = accounts.add_signed_in(server, role)
        page.context.add_cookies([cookie])
        page.goto("/dashboard")
        assert FIRST_PAGE.search(page.url), page.url
        return page

    return sign_in


@pytest.fixture(scope="session")
def api(server, known):
    """Returns a function that calls the JSON API as an admin's program."""
    token = server.run("staff", "token", "admin@demo.test", "--name", "suite").split()[-1]

    def get(path, **parameters):
        query = urllib.parse.urlencode({"app": "readmigo"} | parameters)
        request = urllib.request.Request(
            f"{server.url}/admin/{path}?{query}", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    return get
