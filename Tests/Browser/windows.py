"""Browser windows, lent to one test after another, and watched."""

import functools
import pathlib

from playwright.sync_api import Error, Locator

from demo_server import PASSWORD

CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/Applications/Chromium.app/Contents/MacOS/Chromium"]
# A page that follows another of the same site stays in its frame, which saves a fifth of the work of each load. Only the last
# list of features counts, so this one repeats those of Playwright's that matter.
SWITCHES = [
    "--disable-dev-shm-usage",
    "--disable-features=RenderDocument,PaintHolding,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
]
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 320, "height": 640}
# In milliseconds: what a page does on a busy machine takes less, and only what never comes takes longer.
LONGEST_WAIT = 120_000


def and_wait(click):
    """Makes a click that leads to another page return once that page is complete, not at its first lines."""
    @functools.wraps(click)
    def click_and_wait(locator, **options):
        click(locator, **options)
        if not locator.page.is_closed():
            locator.page.wait_for_load_state()
    return click_and_wait


Locator.click = and_wait(Locator.click)


class Windows:
    """Lends browser windows, each for one role and one set of options that cannot be changed later."""

    def __init__(self, server, browser, sessions):
        self._server = server
        self._browser = browser
        self._sessions = sessions
        self._idle = []

    def borrow(self, role, fresh=False, viewport=DESKTOP, color_scheme="light", reduced_motion="no-preference",
               forced_colors="none", **options):
        """Lends a window at no page in particular; `fresh` ones have an empty cache and are not used again."""
        kind = None if fresh else (role, repr(sorted(options.items())))
        window = next((window for window in self._idle if window.kind == kind), None) if kind else None
        if window:
            self._idle.remove(window)
        else:
            window = Window(kind, self._browser, self._server.url, self._sessions.get(role), options)
        if window.page.viewport_size != viewport:
            window.page.set_viewport_size(viewport)
        window.page.emulate_media(
            media="screen", color_scheme=color_scheme, reduced_motion=reduced_motion, forced_colors=forced_colors)
        return window

    def give_back(self, window):
        """Takes back a window; returns its forbidden events."""
        problems = window.tidy()
        if window.kind and not problems:
            self._idle.append(window)
        else:
            window.context.close()
        return problems

    def close(self):
        for window in self._idle:
            window.context.close()


class Window:
    """A window, with its forbidden events: errors, exceptions and requests to other hosts."""

    def __init__(self, kind, browser, own_url, session, options):
        self.kind = kind
        self._own_url = own_url
        self._problems = []
        self._has_session = session is not None
        self.context = browser.new_context(base_url=own_url, storage_state=session, **options)
        self.context.on("request", self._request)
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self._problems.append(f"exception: {error.error}"))
        self.context.set_default_timeout(LONGEST_WAIT)
        self.page = self.context.new_page()

    def tidy(self):
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.unroute_all()
        self.page.set_extra_http_headers({})
        # An element under the pointer looks different.
        self.page.mouse.move(0, 0)
        # Opening an empty page would take as long as any other.
        try:
            self.page.set_content("")
        except Error:
            # A page that was just told of a payment loads itself anew.
            self.page.goto("about:blank")
        if not self._has_session:
            self.context.clear_cookies()
        problems, self._problems = self._problems, []
        return problems

    def _request(self, request):
        if not request.url.startswith((self._own_url, "data:", "about:")):
            self._problems.append(f"request to another host: {request.url}")

    def _console(self, message):
        # Chromium also reports a page's own status of 4xx, which tests of error pages want.
        is_page = message.page is not None and message.location["url"] == message.page.url
        if message.type in ("error", "warning") and not (is_page and message.text.startswith("Failed to load")):
            self._problems.append(f"console: {message.text} at {message.location}")


def fill_in_sign_in(page, email, password=PASSWORD):
    page.goto("/dashboard/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def chromium():
    """Returns the path of the system's Chromium; None lets Playwright look for a browser of its own."""
    return next((path for path in CHROMIUM if pathlib.Path(path).exists()), None)
