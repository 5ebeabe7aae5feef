"""Asks a running server from several connections at once, and keeps what it should not have answered."""

import concurrent.futures
import http.client
import threading

CONNECTIONS = 4
ALLOWED_TO_WAIT = 503


class Asker:
    """Sends requests; what is answered with a server error, broken off, or not at all is a finding, by where and what."""

    def __init__(self, server, headers=None):
        self.server, self.headers = server, headers or {}
        self.findings, self.asked = {}, 0
        self._local, self._lock = threading.local(), threading.Lock()

    def all(self, requests):
        """Sends (method, target, body, headers) each; a target is sent as it is."""
        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
            for _ in pool.map(lambda request: self.send(*request), requests):
                pass

    def send(self, method, target, body=None, headers=None):
        """The status and the text of the answer; (0, "") when there was none."""
        for attempt in range(2):
            connection = getattr(self._local, "connection", None)
            fresh = connection is None
            if fresh:
                connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
                self._local.connection = connection
            try:
                connection.putrequest(method, target, skip_accept_encoding=True)
                for name, value in {**self.headers, **(headers or {})}.items():
                    connection.putheader(name, value)
                if body is not None or method != "GET":
                    connection.putheader("Content-Length", str(len(body or b"")))
                connection.endheaders(body)
                answer = connection.getresponse()
                text = answer.read()
                if answer.will_close:
                    self._forget()
            except (OSError, http.client.HTTPException) as error:
                self._forget()
                # What was kept open may have been closed just now.
                if not fresh and attempt == 0 and not isinstance(error, http.client.IncompleteRead):
                    continue
                self._note(method, target, body, f"no whole answer: {error!r}")
                return 0, ""
            with self._lock:
                self.asked += 1
            waits = answer.status == ALLOWED_TO_WAIT and answer.headers["Retry-After"]
            if answer.status >= 500 and not waits:
                self._note(method, target, body, answer.status)
            return answer.status, text.decode(errors="replace")
        return 0, ""

    def _forget(self):
        connection, self._local.connection = getattr(self._local, "connection", None), None
        if connection is not None:
            connection.close()

    def _note(self, method, target, body, what):
        with self._lock:
            where = f"{method} {target.split('?')[0][:100]}: {what}"
            self.findings.setdefault(where, []).append(f"{target[-300:]} {(body or b'')[-300:]!r}")
