"""Sends requests to a running server over one connection, counts its answers by route, and keeps the wrong ones."""

import collections
import dataclasses
import http.client

import site_map

# The origin that a browser reports; the server is told the same (PERENNIAL_PUBLIC_URL).
ORIGIN = "http://localhost"
# The paths that may answer that they are busy, if they say for how long: docs/stores/apple.md, and a person's files one at a
# time.
MAY_WAIT = ("/dashboard/exports/", "/dashboard/audit/exports", "/webhooks/apple", "/ios/webhook")
# The pages to which a person without access is sent, and the routes that lead there when they have done their work.
DOORS = {"/dashboard/sign-in", "/dashboard/identity"}
EXITS = {"POST /dashboard/sign-out", "POST /dashboard/welcome/{token}", "GET /dashboard/sign-in/code"}


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    text: str = ""
    is_good: bool = False
    """True if the request was answered with the page, or did its work."""


class Asker:
    """Sends requests and keeps cookies as a browser does.

    A server error, a broken answer or none is a finding, kept by route and error; so is a refusal of the Host header, behind
    which no route is reached.
    """

    def __init__(self, server, headers=None, cookies=None):
        self.server = server
        self.headers = {"Host": f"127.0.0.1:{server.port}", **(headers or {})}
        self.cookies = dict(cookies or {})
        self.findings, self.refusals, self.asked = {}, {}, 0
        self.reached, self.told = collections.Counter(), collections.Counter()
        # The fields that forms and calls have bent already, and the number of tries at a secret.
        self.bent, self.tries = set(), 0
        self._connection = None

    def send(self, method, target, body=None, headers=None):
        """Sends a request to a target as it is; returns the answer, with status 0 if there was none."""
        for is_last in (False, True):
            is_fresh = self._connection is None
            try:
                answer = self._ask(method, target, body, headers or {})
            except (OSError, http.client.HTTPException) as error:
                self.hang_up()
                # The server may have just closed the connection that was kept open.
                if not is_fresh and not is_last and not isinstance(error, http.client.IncompleteRead):
                    continue
                self._note(method, target, body, f"no whole answer: {error!r}")
                return Answer(0)
            is_good = self._count(method, target, body, answer, "Host" in (headers or {}))
            return Answer(answer.status, answer.text, is_good)

    def _ask(self, method, target, body, headers):
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=300)
        fields = {**self.headers, **headers}
        self._connection.putrequest(method, target, skip_host="Host" in fields, skip_accept_encoding=True)
        if self.cookies and "Cookie" not in fields:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None or method != "GET":
            fields.setdefault("Content-Length", str(len(body or b"")))
        for name, value in fields.items():
            self._connection.putheader(name, value)
        self._connection.endheaders(body)
        answer = self._connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        self._keep_cookies(answer.headers.get_all("Set-Cookie") or [])
        if answer.will_close:
            self.hang_up()
        return answer

    def _keep_cookies(self, lines):
        for line in lines:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
            if not value:
                del self.cookies[name]

    def _count(self, method, target, body, answer, is_host_bent):
        self.asked += 1
        route = site_map.route_of(method, target.split("?")[0])
        self.told[route, answer.status] += 1
        leads_to = answer.headers.get("Location", "").split("?")[0]
        is_good = 200 <= answer.status < 300 or answer.status == 303 and (leads_to not in DOORS or str(route) in EXITS)
        self.reached[route] += is_good
        waits = answer.status == 503 and answer.headers["Retry-After"] and target.startswith(MAY_WAIT)
        is_unheard = answer.status == 400 and "Host header" in answer.text and not is_host_bent
        if answer.status >= 500 and not waits or is_unheard:
            self._note(method, target, body, f"{answer.status}{' for its Host header' if is_unheard else ''}")
        return is_good

    def hang_up(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _note(self, method, target, body, what):
        where = f"{method} {target.split('?')[0][:100]}: {what}"
        self.findings.setdefault(where, []).append(f"{target[-300:]} {(body or b'')[-300:]!r}")


def judge(asker, wanted=()):
    """Asserts that there are no findings, and that every wanted route has shown its page or done its work once."""
    told = [f"{len(times)} times {where}, for example {times[0]}" for where, times in sorted(asker.findings.items())]
    for route in wanted:
        if not asker.reached[route]:
            answers = {status: count for (asked, status), count in asker.told.items() if asked == route}
            told.append(f"{route} was never reached, but answered {answers}")
    told += [f"{route} was refused: {why}" for route, why in asker.refusals.items()]
    assert not told, "\n".join(told[:60])
